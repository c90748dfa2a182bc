//! The words of a task: its title and its prose.

use super::{EditError, Splice};
use crate::model::{Plan, TaskId};

/// Writes another title.
///
/// # Errors
/// See [`EditError`].
pub fn set_title(_text: &str, _plan: &Plan, _id: &TaskId, _title: &str) -> Result<Vec<Splice>, EditError> {
    Err(EditError::NoPlace { line: String::new() })
}

/// Writes other prose under the title; an empty text takes it away.
///
/// # Errors
/// See [`EditError`].
pub fn set_body(_text: &str, _plan: &Plan, _id: &TaskId, _markdown: &str) -> Result<Vec<Splice>, EditError> {
    Err(EditError::NoPlace { line: String::new() })
}

