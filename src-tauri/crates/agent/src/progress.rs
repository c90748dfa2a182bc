//! Progress of a running step, as shown to a person.

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

/// One progress message. The driver adds the sequence number and elapsed time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The step's id.
    pub task: String,
    /// This step's number and the total number of steps.
    pub step: (usize, usize),
    /// Whether the run may still add steps, so that the total isn't final.
    pub is_open_ended: bool,
    /// The phase of the step.
    pub phase: Phase,
    /// Names of the tools used so far, without duplicates, in order of first use.
    pub tools_used: Vec<String>,
    /// Short facts found so far.
    pub discoveries: Vec<String>,
    /// The current action.
    pub current_action: Option<String>,
}
