//! Copies a plan from outside into the workspace.

use crate::desktop::Desktop;
use crate::error::{Code, Error, Result};
use crate::wire::window::PlanSummary;

impl Desktop {
    /// Copies a plan that lies elsewhere into the workspace's plan folder.
    pub fn copy_plan(&self, _plan: &str, _workspace: &str) -> Result<PlanSummary> {
        Err(Error::new(Code::Failed, "not built"))
    }
}
