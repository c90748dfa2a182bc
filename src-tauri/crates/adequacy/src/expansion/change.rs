//! The changes that an expansion proposes, which can be accepted one by one.

use plan::TaskId;
use serde::Serialize;
use specta::Type;

use crate::code::Code;
use crate::mend::Mend;

/// Whether a change adds a task or modifies an existing one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// A new task, and the edits that make other tasks depend on it.
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
    /// task; `plan` for changes that belong to no task.
    pub id: String,
    /// Whether it adds a task or modifies one.
    #[specta(type = String)]
    pub kind: ChangeKind,
    /// The existing task; `None` for a new task.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[specta(type = Option<String>)]
    pub task: Option<TaskId>,
    /// The task's title after the change.
    pub title: String,
    /// The finding codes that the change addresses.
    #[specta(type = Vec<String>)]
    pub why: Vec<Code>,
    /// The effect of the change, in one sentence.
    pub message: String,
    /// Edits of the original plan, to be applied after the edits of the preceding changes.
    #[serde(skip)]
    pub mends: Vec<Mend>,
    /// Ids of the changes that it depends on.
    pub needs: Vec<String>,
}
