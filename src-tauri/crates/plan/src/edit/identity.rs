//! Ids.

use super::{EditError, Named};
use crate::model::{Plan, TaskId};

/// Writes an id where a task has none.
///
/// # Errors
/// See [`EditError`].
pub fn ensure_id(_text: &str, _plan: &Plan, _id: &TaskId) -> Result<Named<TaskId>, EditError> {
    Err(EditError::NoPlace { line: String::new() })
}

