//! The changes that an expansion proposes, to be accepted one by one.

use plan::TaskId;
use serde::Serialize;
use specta::Type;

use crate::code::Code;
use crate::mend::Mend;

/// Whether a change adds a task or changes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// A new task, and the edits that make others wait for it.
    Added,
    /// Additions to an existing task.
    Changed,
}

impl ChangeKind {
    /// The name used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
        }
    }
}

/// A change that can be accepted on its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename = "ExpandChange")]
pub struct Change {
    /// `+1` for a new task, which is also its handle in the edits; the task's id for an existing
    /// one; `plan` for changes that belong to no task.
    pub id: String,
    /// Whether it adds a task or changes one.
    #[specta(type = String)]
    pub kind: ChangeKind,
    /// The existing task; `None` for a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[specta(type = Option<String>)]
    pub task: Option<TaskId>,
    /// The task's title after the change.
    pub title: String,
    /// The codes it addresses.
    #[specta(type = Vec<String>)]
    pub why: Vec<Code>,
    /// Its effect, in one sentence.
    pub message: String,
    /// Edits on the original plan, to be applied after those of the changes before it.
    #[serde(skip)]
    pub mends: Vec<Mend>,
    /// Ids of changes it depends on.
    pub needs: Vec<String>,
}
