//! `undo`: takes back what one step of a run changed, also after later steps.
//!
//! A file that later steps or people changed too is merged three ways; where that conflicts it is
//! left alone and both sides are shown. The step becomes open again, in the plan file too.

use std::path::Path;

use agent::journal::Entry;
use agent::run::state::State;
use plan::{TaskId, edit};
use serde::Serialize;
use store::Phase;
use tools::ToolError;
use tools::checkpoint::{self, Blobs, Snapshot, UndoOutcome};

use crate::driver::changes::kept_snapshot;
use crate::error::{Code, Error, Result};
use crate::{Workbench, journal_rows, plan_file};

/// What taking back a step came to.
#[derive(Debug, Clone, Default, Serialize)]
pub struct UndoReport {
    /// Files that have their earlier content again.
    pub restored: Vec<String>,
    /// Files in which later changes were kept.
    pub merged: Vec<String>,
    /// Files whose earlier content is not held: very large ones.
    pub not_held: Vec<String>,
    /// Outputs that Git ignores; they are named, not put back.
    pub ignored: Vec<String>,
    /// Files that were left alone because later changes touch the same lines.
    pub conflicts: Vec<Conflict>,
}

/// A file whose later changes touch the same lines.
#[derive(Debug, Clone, Serialize)]
pub struct Conflict {
    /// The file.
    pub path: String,
    /// Both sides, with conflict markers.
    pub text: String,
}

impl UndoReport {
    /// Whether there was nothing to take back.
    pub fn is_empty(&self) -> bool {
        self.restored.is_empty()
            && self.merged.is_empty()
            && self.not_held.is_empty()
            && self.conflicts.is_empty()
    }
}

impl Workbench {
    /// Takes back the changes of one step.
    ///
    /// # Errors
    /// [`Code::UnknownRun`]; [`Code::Usage`] for a step that this run did not carry out;
    /// [`Code::PlanIsRunning`] while a process carries the run.
    pub fn undo(&mut self, run: &str, task: &str) -> Result<UndoReport> {
        let row = self.find_run(run)?;
        let lease = self.lease(&row.plan, &row.id)?;
        let report = self.undo_leased(&row, task);
        self.store.leases().release(&lease)?;
        report
    }

    fn undo_leased(&mut self, row: &store::Run, task: &str) -> Result<UndoReport> {
        let journal = journal_rows::read(&self.store, &row.id)?;
        let next_seq = self.store.journal().next_seq(&row.id)?;
        let entries: Vec<Entry> = journal.into_iter().map(|(_, entry)| entry).collect();
        let state = State::replay(&entries)
            .ok_or_else(|| Error::new(Code::Storage, "the run's journal has no beginning"))?;
        let known = state
            .tasks
            .get(task)
            .is_some_and(|task| task.has_checkpoint);
        let kept = kept_snapshot(&self.store, &row.id, task, Phase::Before)?;
        let (Some(before), true) = (kept, known) else {
            return Err(Error::new(
                Code::Usage,
                format!(
                    "run {} carried out no step {task} that changes files",
                    row.id
                ),
            ));
        };
        let workspace = self.open_workspace(Path::new(&row.workspace))?;
        let (user, _) = self.settings_for(None);
        let plan = Path::new(&row.plan);
        let root = Some(workspace.path());
        let cwd = &self.environment.cwd;
        let (_, file) = plan_file::locate(cwd, plan, root, &user.plan_folder)?;
        let blobs = Blobs::open(self.home.blobs())?;
        // A step that was cut off has no last snapshot; what is there now stands for it.
        let after = match kept_snapshot(&self.store, &row.id, task, Phase::After)? {
            Some(after) => after,
            None => Snapshot::take(&workspace, &blobs, Some(&before), &Default::default())?,
        };
        let mut report = UndoReport::default();
        for change in Snapshot::changes(&before, &after) {
            if change.path.as_path() == Path::new(&file.relative) {
                continue;
            }
            let path = change.path.to_string();
            if change.ignored {
                report.ignored.push(path);
                continue;
            }
            match checkpoint::undo(&workspace, &blobs, &change) {
                Ok(UndoOutcome::Restored) => report.restored.push(path),
                Ok(UndoOutcome::Merged) => report.merged.push(path),
                Ok(UndoOutcome::Conflict { text }) => {
                    report.conflicts.push(Conflict { path, text });
                }
                Err(ToolError::NotKept { .. }) => report.not_held.push(path),
                Err(error) => return Err(error.into()),
            }
        }
        let mut files = report.restored.clone();
        files.extend(report.merged.iter().cloned());
        let entry = Entry::Undone {
            task: task.to_owned(),
            files,
        };
        let now = self.clock.now_ms();
        journal_rows::append(&self.store, &row.id, next_seq, &[entry], now)?;
        let reason = format!("{task} taken back");
        let store = &self.store;
        plan_file::edit_as_app(&workspace, &file, store, now, &reason, |_, plan| {
            untick(plan, &TaskId(task.to_owned()))
        })?;
        Ok(report)
    }
}

/// Opens the box again, and those of the groups around it.
fn untick(
    plan: &plan::Plan,
    id: &TaskId,
) -> std::result::Result<Vec<edit::Splice>, edit::EditError> {
    let mut splices = Vec::new();
    let mut at = plan.index_of(id);
    while let Some(index) = at {
        let task = &plan.tasks[index];
        if task.done {
            splices.extend(edit::untick(plan, &task.id)?);
        }
        at = task.parent;
    }
    splices.sort_by_key(|splice| splice.range.start);
    Ok(splices)
}
