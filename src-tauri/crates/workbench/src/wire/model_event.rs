//! Events of a model request while the answer streams in, as sent by sessions and planning.

use serde::Serialize;

/// An event of a model request.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ModelEvent {
    /// A chunk of the answer's text.
    Text {
        /// The text of the chunk.
        text: String,
    },
    /// A chunk of the model's reasoning; never part of a later request.
    Thinking {
        /// The text of the chunk.
        text: String,
    },
    /// No output for a while; the request continues.
    Quiet {
        /// Milliseconds without output.
        silence_ms: u64,
    },
    /// The request failed and will be retried.
    Retry {
        /// Attempts made so far.
        made: u32,
        /// The maximum number of attempts.
        of: u32,
        /// Milliseconds until the next attempt.
        wait_ms: u64,
        /// The reason for the failure.
        reason: String,
        /// Whether the partial answer shown so far must be discarded.
        discard: bool,
    },
    /// A notice that doesn't stop the request.
    Notice {
        /// The message, one sentence.
        message: String,
    },
}

impl ModelEvent {
    /// Converts an event of the client. Callers report requests, calls and usage themselves, so
    /// these give `None`.
    pub fn of(event: model::Event) -> Option<Self> {
        Some(match event {
            model::Event::TextDelta { text } => Self::Text { text },
            model::Event::ReasoningDelta { text } => Self::Thinking { text },
            model::Event::Quiet { silence_ms } => Self::Quiet { silence_ms },
            model::Event::Retry {
                made,
                of,
                wait_ms,
                reason,
                discard,
            } => Self::Retry {
                made,
                of,
                wait_ms,
                reason,
                discard,
            },
            model::Event::Without { field, reason } => Self::Notice {
                message: format!(
                    "The endpoint doesn't support `{}`, so the request was sent without it: {reason}",
                    field.name()
                ),
            },
            model::Event::Sent { .. } | model::Event::CallDelta { .. } | model::Event::Usage(_) => {
                return None;
            }
        })
    }
}
