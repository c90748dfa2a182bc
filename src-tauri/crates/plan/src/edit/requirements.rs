//! Requirements.

use super::{EditError, Named, Splice};
use crate::model::Plan;

/// Writes other words for a requirement.
///
/// # Errors
/// See [`EditError`].
pub fn set_requirement(_text: &str, _plan: &Plan, _id: &str, _words: &str) -> Result<Vec<Splice>, EditError> {
    Err(EditError::NoPlace { line: String::new() })
}

/// Adds a requirement behind the last one.
///
/// # Errors
/// See [`EditError`].
pub fn add_requirement(_text: &str, _plan: &Plan, _words: &str) -> Result<Named<String>, EditError> {
    Err(EditError::NoPlace { line: String::new() })
}

/// Takes a requirement away, and its mentions in `covers:`.
///
/// # Errors
/// See [`EditError`].
pub fn delete_requirement(_text: &str, _plan: &Plan, _id: &str) -> Result<Vec<Splice>, EditError> {
    Err(EditError::NoPlace { line: String::new() })
}

