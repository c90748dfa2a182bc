//! File changes made by runs, and undoing them.
//!
//! A step's changes are the differences between the snapshots before and after it. A run's changes
//! span from the first step that touched a file to the last. The plan file is never included.

use std::path::Path;

use agent::journal::{Entry, Repository};
use agent::receipt::Timed;
use tools::checkpoint::{Change, ChangeKind};

use crate::Desktop;
use crate::document::cut;
use crate::editing::diff_lines;
use crate::run_views::counts;
use crate::wire::{ChangesView, FileChange, FileDiff};
use workbench::error::Result;
use workbench::undo::{RunChanges, UndoReport, is_as_before};
use workbench::{Workbench, journal_rows};

/// Maximum files listed.
const MAX_FILES: usize = 500;

/// Maximum ignored files listed.
const MAX_IGNORED: usize = 200;

/// Maximum lines in one file's diff.
const MAX_LINES: usize = 2_000;

/// Maximum size of a file version to diff, in bytes.
const LARGEST_TEXT: usize = 4 << 20;

/// Maximum characters in a conflict.
const MAX_CONFLICT_LEN: usize = 64 * 1024;

impl Desktop {
    /// The changes of a step, or of the whole run.
    ///
    /// # Errors
    /// [`workbench::Code::UnknownRun`]; [`workbench::Code::Workspace`] if the folder is missing;
    /// [`workbench::Code::Storage`].
    pub fn changes(&self, run: &str, task: Option<&str>) -> Result<ChangesView> {
        let bench = self.shared.workbench().again()?;
        let row = bench.find_run(run)?;
        let changes = bench.changes_of_run(&row)?;
        let (ignored, files): (Vec<Change>, Vec<Change>) = changed(&changes, task)?
            .into_iter()
            .partition(|change| change.ignored);
        let shown = files.iter().take(MAX_FILES);
        Ok(ChangesView {
            files: shown.map(|change| file_change(&changes, change)).collect(),
            count: u32::try_from(files.len()).unwrap_or(u32::MAX),
            ignored: ignored
                .iter()
                .take(MAX_IGNORED)
                .map(|change| change.path.to_string())
                .collect(),
            before: before(&journal_rows::read(&bench.store, &row.id)?),
            run: row.id,
            task: task.map(str::to_owned),
        })
    }

    /// The diff of one file; empty if it isn't text or is too large.
    ///
    /// # Errors
    /// Same as [`Desktop::changes`]; [`workbench::Code::Usage`] for an unchanged file.
    pub fn file_diff(&self, run: &str, task: Option<&str>, path: &str) -> Result<FileDiff> {
        let bench = self.shared.workbench().again()?;
        let row = bench.find_run(run)?;
        let changes = bench.changes_of_run(&row)?;
        let mut all = changed(&changes, task)?.into_iter();
        let change = all.find(|change| change.path.as_path() == Path::new(path));
        let change =
            change.ok_or_else(|| err!(Usage: "that step didn't change {}", cut(path, 200)))?;
        let (lines, is_cut) = match sides(&changes, &change) {
            Some((old, new)) => diff_lines(&old, &new, MAX_LINES),
            None => (Vec::new(), false),
        };
        Ok(FileDiff { lines, is_cut })
    }

    /// Undoes the changes to one file, of a step, or of the whole run, newest step first.
    ///
    /// # Errors
    /// [`workbench::Code::UnknownRun`]; [`workbench::Code::PlanIsRunning`] while the plan is
    /// running; [`workbench::Code::Usage`] for a step without file changes or an unchanged file;
    /// [`workbench::Code::Workspace`].
    pub fn undo_changes(
        &self,
        run: &str,
        task: Option<&str>,
        path: Option<&str>,
    ) -> Result<UndoReport> {
        let carried = self.shared.carried(run)?;
        let mut bench: Workbench = self.shared.workbench().again()?;
        let undone = bench.undo_changes(&carried.run, task, path);
        // Some files may have been restored even if the undo failed.
        if let Some(latest) = bench.store.revisions().latest(&carried.plan)? {
            let revision = Some(latest.hash);
            self.shared.announce(&carried.plan, revision, latest.author);
        }
        self.shared.run_ended(&carried);
        let mut undone = undone?;
        for conflict in &mut undone.conflicts {
            conflict.text = cut(&conflict.text, MAX_CONFLICT_LEN);
        }
        Ok(undone)
    }
}

fn changed(changes: &RunChanges<'_>, task: Option<&str>) -> Result<Vec<Change>> {
    match task {
        Some(task) => changes.of_step(task),
        None => changes.of_run(),
    }
}

fn file_change(changes: &RunChanges<'_>, change: &Change) -> FileChange {
    let sides = sides(changes, change);
    let (added, removed) = sides.as_ref().map_or((0, 0), |(old, new)| counts(old, new));
    let is_undone = is_as_before(&changes.workspace, change);
    let kind = match change.kind {
        ChangeKind::Created => "added",
        ChangeKind::Deleted => "removed",
        ChangeKind::Modified | ChangeKind::ModeChanged => "changed",
    };
    FileChange {
        path: change.path.to_string(),
        kind: kind.to_owned(),
        added,
        removed,
        is_text: sides.is_some(),
        is_undone,
        can_undo: change.held && !is_undone,
    }
}

/// Both versions as text; `None` if one isn't text, is too large or isn't stored.
fn sides(changes: &RunChanges<'_>, change: &Change) -> Option<(String, String)> {
    if !change.held || change.kind == ChangeKind::ModeChanged {
        return None;
    }
    let text = |blob: Option<_>| match blob {
        None => Some(String::new()),
        Some(blob) => {
            let bytes = changes.blobs.get(blob).ok()?;
            let is_text = bytes.len() <= LARGEST_TEXT && !bytes.contains(&0);
            String::from_utf8(bytes).ok().filter(|_| is_text)
        }
    };
    Some((text(change.before)?, text(change.after)?))
}

/// Describes the working tree before the run, in one or two sentences.
fn before(journal: &[Timed]) -> String {
    let started = match journal.first() {
        Some((_, Entry::Started(started))) => started.repository.as_ref(),
        _ => None,
    };
    let tree = match started {
        None => return "Planwright doesn't commit anything.".to_owned(),
        Some(Repository { head: None, .. }) => "the repository had no commits".to_owned(),
        Some(Repository {
            head: Some(head),
            dirty,
        }) => {
            let head: String = head.chars().take(7).collect();
            match dirty {
                0 => format!("the tree was clean at {head}"),
                1 => format!("one file differed from {head}"),
                dirty => format!("{dirty} files differed from {head}"),
            }
        }
    };
    format!("Before this run {tree}. Planwright doesn't commit anything.")
}
