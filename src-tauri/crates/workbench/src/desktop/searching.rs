//! Full-text search over the plans of a workspace.

use crate::desktop::Desktop;
use crate::error::{Code, Error, Result};
use crate::wire::window::SearchHit;

impl Desktop {
    /// Lines of the workspace's plans that have all the words.
    pub fn search_plans(&self, _workspace: &str, _words: &str) -> Result<Vec<SearchHit>> {
        Err(Error::new(Code::Failed, "not built"))
    }
}
