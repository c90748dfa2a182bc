//! The answers to an agent program that carries out the steps of a run itself, such as Claude Code.

use serde::{Deserialize, Serialize};

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum HostAnswer {
    /// The agent may make the call.
    Allowed {
        /// The step that it belongs to.
        task: String,
        /// Whether the approved step names it; otherwise a person or their rule allowed it.
        is_named: bool,
    },
    /// The agent may not make the call.
    Refused {
        /// The step that was in progress, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<String>,
        /// Why, in one or more sentences.
        reason: String,
        /// The person's own words, if they gave any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        words: Option<String>,
    },
    /// The agent should continue instead of ending its turn.
    Continue {
        /// The step to continue with.
        task: String,
        /// What to do.
        message: String,
    },
    /// The agent may end its turn.
    Ended,
    /// The agent no longer waits for an answer.
    Withdrawn {
        /// Why.
        reason: String,
    },
}

impl HostAnswer {
    /// The step whose one-time permission this answer uses up.
    pub fn task(&self) -> Option<&str> {
        match self {
            Self::Allowed { task, .. } => Some(task),
            Self::Refused { task, .. } => task.as_deref(),
            Self::Continue { .. } | Self::Ended | Self::Withdrawn { .. } => None,
        }
    }
}
