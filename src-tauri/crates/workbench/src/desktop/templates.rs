//! Templates as they are listed.

use crate::desktop::Desktop;
use crate::error::{Result, unbuilt};
use crate::wire::window::{TemplateText, TemplateView};

impl Desktop {
    /// The templates of a workspace.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn templates(&self, workspace: Option<&str>) -> Result<Vec<TemplateView>> {
        Err(unbuilt(&(workspace,)))
    }

    /// The text of one.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn template(&self, workspace: Option<&str>, name: &str) -> Result<TemplateText> {
        Err(unbuilt(&(workspace, name)))
    }
}
