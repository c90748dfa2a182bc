//! What a run changed in files.

use serde::Serialize;
use specta::Type;

/// The changes of one step or of a whole run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ChangesView {
    /// The run.
    pub run: String,
    /// The step; absent for the whole run.
    pub task: Option<String>,
    /// The files, bounded.
    pub files: Vec<FileChange>,
    /// How many there are.
    pub count: u32,
    /// Outputs that Git ignores: named, never put back; bounded.
    pub ignored: Vec<String>,
    /// One sentence about the tree before the run.
    pub before: String,
}

/// One changed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct FileChange {
    /// Relative to the workspace.
    pub path: String,
    /// `added`, `changed` or `removed`.
    pub kind: String,
    /// Lines added.
    pub added: u32,
    /// Lines removed.
    pub removed: u32,
    /// Whether it is text that can be shown.
    pub is_text: bool,
    /// Whether it reads as before the step already.
    pub is_undone: bool,
    /// Whether it can be put back.
    pub can_undo: bool,
}

/// The diff of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct FileDiff {
    /// The lines, in hunks; bounded.
    pub lines: Vec<DiffLine>,
    /// Whether lines were left out at the end.
    pub is_cut: bool,
}

/// One line of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct DiffLine {
    /// `same`, `added`, `removed` or `gap`.
    pub kind: String,
    /// Its number before; absent for added lines.
    pub old: Option<u32>,
    /// Its number after; absent for removed lines.
    pub new: Option<u32>,
    /// The text without its line ending; long lines are cut.
    pub text: String,
}
