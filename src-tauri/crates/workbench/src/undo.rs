//! Undoing a run's file changes: one file, one step, or all, even after later steps.
//!
//! A file that was also changed by later steps or people is merged three-way; on a conflict it is
//! left alone and both sides are shown. An undone step becomes open again, in the plan file too; if
//! only some of its files were undone, it stays as it is until none of its changes are left. The
//! plan file itself is never undone. Submodule `run_changes` determines what each step changed.

mod run_changes;

use std::path::Path;

use agent::journal::Entry;
use gate::{Act, Bearer, Permit, own_act};
use plan::{TaskId, edit};
use serde::Serialize;
use specta::Type;
use tools::checkpoint::{self, Blobs, Change, UndoOutcome};
use tools::{ToolError, Workspace};

use crate::error::Result;
use crate::plan_file::PlanFile;
use crate::{Workbench, journal_rows, plan_file};

pub use run_changes::{RunChanges, is_as_before};

/// The result of an undo.
#[derive(Debug, Clone, Default, Serialize, Type)]
#[serde(rename = "UndoView")]
pub struct UndoReport {
    /// Files restored to their earlier content.
    pub restored: Vec<String>,
    /// Files whose later changes were kept.
    pub merged: Vec<String>,
    /// Files whose earlier content isn't stored because it is very large.
    pub not_held: Vec<String>,
    /// Outputs ignored by Git; listed but not restored.
    pub ignored: Vec<String>,
    /// Files left alone because later changes touch the same lines.
    pub conflicts: Vec<Conflict>,
}

/// A file that wasn't changed, because later changes touch the same lines.
#[derive(Debug, Clone, Serialize, Type)]
#[serde(rename = "UndoConflict")]
pub struct Conflict {
    /// The file's path.
    pub path: String,
    /// The file's text with both sides between conflict markers.
    pub text: String,
}

impl UndoReport {
    /// Whether there was nothing to undo.
    pub fn is_empty(&self) -> bool {
        self.restored.is_empty()
            && self.merged.is_empty()
            && self.not_held.is_empty()
            && self.conflicts.is_empty()
    }

    fn has_undone(&self) -> bool {
        !(self.restored.is_empty() && self.merged.is_empty())
    }

    /// Whether some of the changes couldn't be undone.
    fn has_leftovers(&self) -> bool {
        !(self.conflicts.is_empty() && self.not_held.is_empty())
    }

    /// Adds the result of another step, listing each file once per category.
    fn add(&mut self, other: Self) {
        let add = |to: &mut Vec<String>, from: Vec<String>| {
            for path in from {
                if !to.contains(&path) {
                    to.push(path);
                }
            }
        };
        add(&mut self.restored, other.restored);
        add(&mut self.merged, other.merged);
        add(&mut self.not_held, other.not_held);
        add(&mut self.ignored, other.ignored);
        self.conflicts.extend(other.conflicts);
    }
}

impl Workbench {
    /// Undoes the changes of one step. Fails with [`crate::Code::UnknownRun`];
    /// [`crate::Code::Usage`] for a step that this run didn't carry out;
    /// [`crate::Code::PlanIsRunning`] while a process holds the run.
    pub fn undo(&mut self, run: &str, task: &str) -> Result<UndoReport> {
        self.undo_changes(run, Some(task), None)
    }

    /// Undoes the changes of one step or all steps, newest first, in one file or all files. Fails
    /// as [`Workbench::undo`] does; with [`crate::Code::Usage`] for a file that wasn't changed.
    pub fn undo_changes(
        &mut self,
        run: &str,
        task: Option<&str>,
        path: Option<&str>,
    ) -> Result<UndoReport> {
        let row = self.find_run(run)?;
        let lease = self.lease(&row.plan, Path::new(&row.workspace), &row.id)?;
        let report = self.undo_leased(&row, task, path);
        self.release(lease)?;
        report
    }

    fn undo_leased(
        &self,
        row: &store::Run,
        task: Option<&str>,
        path: Option<&str>,
    ) -> Result<UndoReport> {
        let changes = self.changes_of_run(row)?;
        let steps: Vec<String> = match task {
            Some(task) if changes.carried_out(task) => vec![task.to_owned()],
            Some(task) => {
                return Err(err!(Usage:
                    "run {} has no step {task} with file changes", row.id));
            }
            None => changes.steps().rev().map(str::to_owned).collect(),
        };
        let permit = own_act(Bearer::Person, Act::TakeBack);
        let mut report = UndoReport::default();
        let mut is_known = false;
        for step in steps {
            let all = changes.of_step(&step)?;
            if task.is_none() && (all.is_empty() || changes.is_undone(&step)) {
                continue;
            }
            let is_wanted =
                |change: &&Change| path.is_none_or(|path| change.path.as_path() == Path::new(path));
            let wanted: Vec<&Change> = all.iter().filter(is_wanted).collect();
            is_known |= path.is_none() || !wanted.is_empty();
            if path.is_some() && wanted.is_empty() {
                continue;
            }
            let result = undo_all(&permit, &changes.workspace, &changes.blobs, &wanted)?;
            let written = [&*result.restored, &*result.merged].concat();
            self.update_index(&changes.workspace, &written);
            self.record_undone(&changes.file.key(), &wanted, &written)?;
            let is_undone = match path {
                None => !result.has_leftovers() || result.has_undone(),
                Some(_) => {
                    let rest = all.iter().filter(|change| !change.ignored);
                    rest.into_iter()
                        .all(|change| is_as_before(&changes.workspace, change))
                }
            };
            if is_undone {
                self.reopen(row, &changes.workspace, &changes.file, &step, &result)?;
            }
            report.add(result);
        }
        if !is_known && path.is_some() {
            return Err(err!(Usage:
                "run {} didn't change {}, so there is nothing to undo", row.id, path.unwrap_or_default()));
        }
        Ok(report)
    }

    /// Records that the run's changes to these files were undone, so that the files don't count as
    /// changed by others.
    pub(crate) fn record_undone(
        &self,
        plan: &str,
        changes: &[&Change],
        files: &[String],
    ) -> Result<()> {
        let hex = |blob: Option<checkpoint::BlobId>| blob.map(|blob| blob.to_hex());
        let undone: Vec<_> = changes
            .iter()
            .map(|change| {
                (
                    change.path.to_string(),
                    hex(change.after),
                    hex(change.before),
                )
            })
            .filter(|(path, ..)| files.contains(path))
            .collect();
        if !undone.is_empty() {
            let bases = self.store.plan_bases();
            bases.follow(plan, &undone, self.clock.now_ms())?;
        }
        Ok(())
    }

    /// Journals that a step was undone, and unticks it.
    fn reopen(
        &self,
        row: &store::Run,
        workspace: &Workspace,
        file: &PlanFile,
        task: &str,
        report: &UndoReport,
    ) -> Result<()> {
        let mut files = report.restored.clone();
        files.extend(report.merged.iter().cloned());
        let entry = Entry::Undone {
            task: task.to_owned(),
            files,
        };
        let now = self.clock.now_ms();
        let next_seq = self.store.journal().next_seq(&row.id)?;
        journal_rows::append(&self.store, &row.id, next_seq, &[entry], now)?;
        let reason = format!("{task} undone");
        let store = &self.store;
        plan_file::edit_as_app(workspace, file, store, now, &reason, |_, plan| {
            match plan.task(&TaskId(task.to_owned())) {
                Some(task) => edit::reopen(plan, &task.id),
                None => Ok(Vec::new()),
            }
        })?;
        Ok(())
    }
}

/// Undoes these changes one by one and reports the result of each.
pub(crate) fn undo_all(
    permit: &Permit,
    workspace: &Workspace,
    blobs: &Blobs,
    changes: &[&Change],
) -> Result<UndoReport> {
    let mut report = UndoReport::default();
    for change in changes {
        let path = change.path.to_string();
        if change.ignored {
            report.ignored.push(path);
            continue;
        }
        match checkpoint::undo(permit, workspace, blobs, change) {
            Ok(UndoOutcome::Restored) => report.restored.push(path),
            Ok(UndoOutcome::Merged) => report.merged.push(path),
            Ok(UndoOutcome::Conflict { text }) => report.conflicts.push(Conflict { path, text }),
            Err(ToolError::NotKept { .. }) => report.not_held.push(path),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(report)
}
