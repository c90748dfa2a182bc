//! What a person sees of a step while it runs.

use serde::{Deserialize, Serialize};

gate::named! {
    /// Where in a step the run is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Phase {
        /// The step was picked.
        Starting = "starting",
        /// A tool is at work.
        ToolCalling = "tool_calling",
        /// The step's check is at work.
        Processing = "processing",
        /// The evidence is being written down.
        Completing = "completing",
    }
}

/// One progress message. The driver adds sequence number and elapsed time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Which task.
    pub task: String,
    /// Its place in the run: this step's number, and how many steps there are.
    pub step: (usize, usize),
    /// Whether the run may still add steps, so that nobody knows how many there will be.
    pub is_open_ended: bool,
    /// Where in the step.
    pub phase: Phase,
    /// Names of the tools used so far, each once, in order of first use.
    pub tools_used: Vec<String>,
    /// Short facts found so far.
    pub discoveries: Vec<String>,
    /// What is being done right now.
    pub current_action: Option<String>,
}
