//! Adds, moves and takes away tasks.

use super::{EditError, Named, Splice};
use crate::model::{Plan, TaskId, TaskKind};

/// Where a task goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Before all others, at the top level.
    First,
    /// Behind this task and its sub-tasks, at the same depth.
    After(TaskId),
    /// The last sub-task of this one.
    Under(TaskId),
}

/// A task to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTask {
    /// Its title; brought onto one line.
    pub title: String,
    /// What it is for; a checkpoint or decision gets its `type:` line.
    pub kind: TaskKind,
}

/// The tasks whose `depends:` or options name this task or one of its sub-tasks.
pub fn named_by(_plan: &Plan, _id: &TaskId) -> Vec<TaskId> {
    Vec::new()
}

/// Adds a task.
///
/// # Errors
/// See [`EditError`].
pub fn add_task(_text: &str, _plan: &Plan, _place: &Place, _task: &NewTask) -> Result<Named<TaskId>, EditError> {
    Err(EditError::NoPlace { line: String::new() })
}

/// Takes a task away with its sub-tasks.
///
/// # Errors
/// See [`EditError`].
pub fn delete_task(_text: &str, _plan: &Plan, _id: &TaskId) -> Result<Vec<Splice>, EditError> {
    Err(EditError::NoPlace { line: String::new() })
}

/// Moves a task with its sub-tasks; the id it has then is returned.
///
/// # Errors
/// See [`EditError`].
pub fn move_task(_text: &str, _plan: &Plan, _id: &TaskId, _place: &Place) -> Result<Named<TaskId>, EditError> {
    Err(EditError::NoPlace { line: String::new() })
}

