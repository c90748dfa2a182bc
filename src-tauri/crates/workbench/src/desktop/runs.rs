//! Runs that go on: started, steered, answered.

use crate::desktop::Desktop;
use crate::error::{Result, unbuilt};
use crate::wire::window::{AnswerRequest, Steering};

/// A run that this process carries out.
pub(crate) struct LiveRun {}

impl Desktop {
    /// Answers what a run asks.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn answer(&self, request: AnswerRequest) -> Result<()> {
        Err(unbuilt(&(request,)))
    }

    /// Steers a run.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn steer(&self, run: &str, steering: Steering) -> Result<()> {
        Err(unbuilt(&(run, steering)))
    }

    /// Stops every live run after the effect in hand and waits for its journal.
    pub(crate) fn stop_live_runs(&self) {}

    /// The runs that this process carries out right now.
    pub fn live_runs(&self) -> Vec<String> {
        Vec::new()
    }
}
