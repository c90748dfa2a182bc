//! The answers to an agent program that carries out the steps of a run itself, such as Claude Code.

use serde::{Deserialize, Serialize};

/// The answer to a request of the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum HostAnswer {
    /// The agent may make the call.
    Allowed {
        /// The id of the step that the call belongs to.
        task: String,
        /// Whether the approved step names the call. If not, a person or a permission rule allowed
        /// it.
        is_named: bool,
    },
    /// The agent may not make the call.
    Refused {
        /// The id of the step that was in progress, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<String>,
        /// Why the call isn't allowed, in one or more sentences.
        reason: String,
        /// The person's own words, if they gave any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        words: Option<String>,
    },
    /// The agent should continue instead of ending its turn.
    Continue {
        /// The id of the step to continue with.
        task: String,
        /// The text that the agent gets.
        message: String,
    },
    /// The agent may end its turn.
    Ended,
    /// The agent no longer waits for an answer.
    Withdrawn {
        /// Why the agent stopped waiting.
        reason: String,
    },
}

impl HostAnswer {
    /// The id of the step whose one-time permission this answer uses up.
    pub fn task(&self) -> Option<&str> {
        match self {
            Self::Allowed { task, .. } => Some(task),
            Self::Refused { task, .. } => task.as_deref(),
            Self::Continue { .. } | Self::Ended | Self::Withdrawn { .. } => None,
        }
    }
}
