//! File changes made by a run.

use serde::Serialize;
use specta::Type;

/// The changes of one step or of a whole run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ChangesView {
    /// The run's id.
    pub run: String,
    /// The step's id; `None` for the whole run.
    pub task: Option<String>,
    /// The changed files; bounded.
    pub files: Vec<FileChange>,
    /// Total number of changed files.
    pub count: u32,
    /// Changed files that Git ignores. They are listed but can't be restored; bounded.
    pub ignored: Vec<String>,
    /// One sentence about the state of the working tree before the run.
    pub before: String,
}

/// One changed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct FileChange {
    /// The file's path, relative to the workspace.
    pub path: String,
    /// `added`, `changed` or `removed`.
    pub kind: String,
    /// Lines added.
    pub added: u32,
    /// Lines removed.
    pub removed: u32,
    /// Whether both versions are text that can be shown.
    pub is_text: bool,
    /// Whether the file already matches its state before the step.
    pub is_undone: bool,
    /// Whether the change can be undone.
    pub can_undo: bool,
}

/// The diff of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct FileDiff {
    /// The lines, in hunks; bounded.
    pub lines: Vec<DiffLine>,
    /// Whether lines were dropped at the end.
    pub is_cut: bool,
}

/// One line of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct DiffLine {
    /// `same`, `added`, `removed` or `gap`.
    pub kind: String,
    /// Line number in the old file; `None` for added lines.
    pub old: Option<u32>,
    /// Line number in the new file; `None` for removed lines.
    pub new: Option<u32>,
    /// The text without its line ending; long lines are truncated.
    pub text: String,
}
