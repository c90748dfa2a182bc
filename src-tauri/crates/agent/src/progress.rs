//! Progress of a running step, as shown to the person.

use serde::{Deserialize, Serialize};

plan::named! {
    /// The phase of a running step.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Phase {
        /// The step is starting.
        Starting = "starting",
        /// A tool is running.
        ToolCalling = "tool_calling",
        /// The step's check is running.
        Processing = "processing",
        /// The evidence is being recorded.
        Completing = "completing",
    }
}

/// A progress message. The driver adds the sequence number and the elapsed time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The step's id.
    pub task: String,
    /// The number of this step and the total number of steps.
    pub step: (usize, usize),
    /// Whether the run may add more steps, so that the total isn't final.
    pub is_open_ended: bool,
    /// The phase of the step.
    pub phase: Phase,
    /// Names of the tools used so far, in order of first use and without duplicates.
    pub tools_used: Vec<String>,
    /// Short facts found so far.
    pub discoveries: Vec<String>,
    /// What is being done now.
    pub current_action: Option<String>,
}
