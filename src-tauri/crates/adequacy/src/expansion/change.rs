//! The changes that an expansion proposes, to be taken one by one.

use plan::TaskId;
use serde::Serialize;
use specta::Type;

use crate::code::Code;
use crate::mend::Mend;

/// Whether a change brings a new task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// A new task, and what waits for it.
    Added,
    /// More in a task that is there.
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

/// One change that can be taken alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename = "ExpandChange")]
pub struct Change {
    /// `+1` for a new task, which is also the handle that its mends use; the task's id for one that is
    /// there; `plan` for what belongs to no task.
    pub id: String,
    /// Whether it brings a new task.
    #[specta(type = String)]
    pub kind: ChangeKind,
    /// The task that is there; `None` for a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[specta(type = Option<String>)]
    pub task: Option<TaskId>,
    /// The title of the task, as it will be.
    pub title: String,
    /// The codes that asked for it.
    #[specta(type = Vec<String>)]
    pub why: Vec<Code>,
    /// What it does, as one plain sentence.
    pub message: String,
    /// The edits, on the original plan, after those of the changes before it.
    #[serde(skip)]
    pub mends: Vec<Mend>,
    /// Changes that it cannot do without, by id.
    pub needs: Vec<String>,
}
