//! Approving exactly what is on screen.

use crate::desktop::Desktop;
use crate::error::{Result, unbuilt};
use crate::wire::window::{ApprovalView, ApproveRequest, Approved, NotesPreview, StepNote};

impl Desktop {
    /// What an approval of this revision would let run.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn approval(&self, plan: &str, revision: &str, upto: Option<&str>) -> Result<ApprovalView> {
        Err(unbuilt(&(plan, revision, upto)))
    }

    /// What the plan would read like with notes under its steps.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn preview_notes(
        &self,
        plan: &str,
        revision: &str,
        notes: Vec<StepNote>,
    ) -> Result<NotesPreview> {
        Err(unbuilt(&(plan, revision, notes)))
    }

    /// Approves, and starts the run if asked.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn approve(&self, request: ApproveRequest) -> Result<Approved> {
        Err(unbuilt(&(request,)))
    }
}
