//! What comes of a request to a model before its answer is whole, in the lines of sessions and planning.

use serde::Serialize;

/// News of a request.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ModelEvent {
    /// More of the answer's text.
    Text {
        /// What is new.
        text: String,
    },
    /// More of what the model thinks; never part of a later request.
    Thinking {
        /// What is new.
        text: String,
    },
    /// Nothing has come for a while; the request goes on.
    Quiet {
        /// How long, in milliseconds.
        silence_ms: u64,
    },
    /// The request failed and is sent again.
    Retry {
        /// How many requests were made.
        made: u32,
        /// The most that will be.
        of: u32,
        /// The wait before the next, in milliseconds.
        wait_ms: u64,
        /// Why.
        reason: String,
        /// Whether what was shown of this answer is void.
        discard: bool,
    },
    /// Something that a person should know and that stops nothing.
    Notice {
        /// One sentence.
        message: String,
    },
}

impl ModelEvent {
    /// The news in an event of the client's, but for what its callers tell in words of their own: that a
    /// request goes out, that a call is written, what was used.
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
                    "The endpoint does not take `{}`, and is asked without it: {reason}",
                    field.name()
                ),
            },
            model::Event::Sent { .. } | model::Event::CallDelta { .. } | model::Event::Usage(_) => {
                return None;
            }
        })
    }
}
