//! The title of the plan and the prose under it.

use super::{EditError, Splice};
use crate::model::{Plan, Span};

/// The place of the prose between the title and the first section or task; `None` without any.
pub fn intro(_text: &str, _plan: &Plan) -> Option<Span> {
    None
}

/// Writes the title of the plan.
///
/// # Errors
/// See [`EditError`].
pub fn set_plan_title(_text: &str, _plan: &Plan, _title: &str) -> Result<Vec<Splice>, EditError> {
    Err(EditError::NoPlace { line: String::new() })
}

/// Writes the prose under the title; an empty text takes it away.
///
/// # Errors
/// See [`EditError`].
pub fn set_intro(_text: &str, _plan: &Plan, _markdown: &str) -> Result<Vec<Splice>, EditError> {
    Err(EditError::NoPlace { line: String::new() })
}

