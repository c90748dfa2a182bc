//! The goal in the front matter.

use super::{EditError, Splice};
use crate::model::Plan;

/// Writes the goal.
///
/// # Errors
/// See [`EditError`].
pub fn set_goal(_text: &str, _plan: &Plan, _goal: &str) -> Result<Vec<Splice>, EditError> {
    Err(EditError::NoPlace { line: String::new() })
}

