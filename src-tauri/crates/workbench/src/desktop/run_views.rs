//! Runs as they are shown. Changes nothing.

use crate::desktop::Desktop;
use crate::error::{Result, unbuilt};
use crate::wire::window::{ReceiptView, RunStep, RunView};

impl Desktop {
    /// A run at a glance.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn run(&self, run: &str) -> Result<RunView> {
        Err(unbuilt(&(run,)))
    }

    /// One step of a run, whole.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn run_step(&self, run: &str, task: &str) -> Result<RunStep> {
        Err(unbuilt(&(run, task)))
    }

    /// The receipt of a run.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn receipt(&self, run: &str) -> Result<ReceiptView> {
        Err(unbuilt(&(run,)))
    }

    /// The runs of a plan, the newest first, at most 50.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn runs_of(&self, plan: &str) -> Result<Vec<RunView>> {
        Err(unbuilt(&(plan,)))
    }
}
