//! Keys of a task.

use super::{EditError, Splice};
use crate::model::{Plan, TaskId};

/// Writes all values of a key; no values take its lines away.
///
/// # Errors
/// See [`EditError`].
pub fn set_field(_text: &str, _plan: &Plan, _id: &TaskId, _key: &str, _values: &[String]) -> Result<Vec<Splice>, EditError> {
    Err(EditError::NoPlace { line: String::new() })
}

/// What a task waits for: `None` for the one above it, an empty list for nothing.
///
/// # Errors
/// See [`EditError`].
pub fn set_depends(_text: &str, _plan: &Plan, _id: &TaskId, _ids: Option<&[TaskId]>) -> Result<Vec<Splice>, EditError> {
    Err(EditError::NoPlace { line: String::new() })
}

