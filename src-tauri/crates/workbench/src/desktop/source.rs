//! A plan as text: read, checked while it is typed, saved.

use crate::desktop::Desktop;
use crate::error::{Code, Error, Result};
use crate::wire::window::{EditOutcome, SourceView, TextReport};

fn unbuilt<T>() -> Result<T> {
    Err(Error::new(Code::Failed, "not built"))
}

impl Desktop {
    /// The text of a plan.
    pub fn source(&self, _plan: &str, _revision: Option<&str>) -> Result<SourceView> {
        unbuilt()
    }

    /// What a text would be as a plan.
    pub fn check_text(&self, _plan: &str, _text: &str) -> Result<TextReport> {
        unbuilt()
    }

    /// Saves a text that was made from a revision.
    pub fn save_text(&self, _plan: &str, _revision: &str, _text: &str) -> Result<EditOutcome> {
        unbuilt()
    }

    /// Commands that the workspace knows, for completion.
    pub fn known_commands(&self, _workspace: &str) -> Result<Vec<String>> {
        unbuilt()
    }
}
