//! The terms of a run that a person approved, and a recorded run that is ready to start.

use agent::micro_planning::RunChoice;
use gate::policy::Policy;
use tools::sandbox::Sandbox;

use super::Opened;
use crate::approval::Approval;
use crate::lease::RunLease;

/// The terms of a run, as approved by a person.
pub struct Terms<'a> {
    /// The snapshot of the approved revision.
    pub approval: &'a Approval,
    /// How often the run asks for approval.
    pub policy: Policy,
    /// The last step to run; `None` for all.
    pub upto: Option<&'a str>,
    /// The reason for running a blocked plan.
    pub reason: Option<&'a str>,
    /// The number of parallel steps.
    pub parallel: u8,
    /// The name of the sandbox tier.
    pub sandbox: &'a str,
    /// Model, strategy and limits of the run.
    pub choice: RunChoice,
    /// How long the approval was on screen; absent if not approved in the window.
    pub shown_ms: Option<i64>,
}

/// A recorded run that holds its plan's lease and is ready to start.
pub struct RecordedRun {
    /// The run's ID.
    pub run: String,
    /// The run's plan, opened.
    pub opened: Opened,
    /// The reason for running a blocked plan.
    pub reason: Option<String>,
    /// The sandbox for commands.
    pub sandbox: Sandbox,
    /// The lease that keeps other runs from carrying out the plan.
    pub lease: RunLease,
}
