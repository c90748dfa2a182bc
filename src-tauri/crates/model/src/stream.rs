//! Parses a model's answer: lenient about its format, strict about its completeness.
//!
//! Pure: bytes in, [`Event`]s and one [`Reply`] out, regardless of how the bytes were split.
//! Lenient, because servers differ in line endings, missing fields, where they put reasoning, and
//! how they number calls. Strict in one respect: an answer is complete only if the server sent a
//! finish reason.
//!
//! Memory is bounded by [`Limits`]; the work is linear in the input.

mod calls;
mod chunk;
mod lines;
mod reader;
mod think;

use serde::{Deserialize, Serialize};

use crate::ToolCall;
use crate::wire::Field;

pub use reader::{Broken, Reader};

/// Events while an answer arrives, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The request was sent.
    Sent {
        /// The attempt's number, from 1.
        attempt: u32,
    },
    /// Nothing has arrived for a while; the request continues.
    Quiet {
        /// Length of the silence, in milliseconds.
        silence_ms: u64,
    },
    /// More text of the answer.
    TextDelta {
        /// The new text.
        text: String,
    },
    /// More of the model's reasoning. Only for display, never part of a later request.
    ReasoningDelta {
        /// The new text.
        text: String,
    },
    /// More of a tool call. Only for display; the [`Reply`] has the call to execute.
    CallDelta {
        /// Index of the call in this answer, from 0.
        index: usize,
        /// The tool's name, once it is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The new part of the arguments.
        arguments: String,
    },
    /// Token counts from the server.
    Usage(Usage),
    /// The request failed and will be retried.
    Retry {
        /// Number of requests that were already made.
        made: u32,
        /// Maximum number of requests.
        of: u32,
        /// Delay before the next one, in milliseconds.
        wait_ms: u64,
        /// The reason, for display.
        reason: String,
        /// Whether to discard what was shown of this answer.
        discard: bool,
    },
    /// The server rejected a field; this and later requests are sent without it.
    Without {
        /// The rejected field.
        field: Field,
        /// The server's message.
        reason: String,
    },
}

/// Token counts from the server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Tokens in the request.
    pub input: u64,
    /// Request tokens served from the server's cache.
    pub cached: u64,
    /// Tokens in the answer, including reasoning.
    pub output: u64,
    /// Answer tokens used for reasoning, if reported.
    pub reasoning: u64,
}

/// A model's answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// Its text, without reasoning.
    pub text: String,
    /// The model's reasoning.
    pub reasoning: String,
    /// Its tool calls, in order.
    pub calls: Vec<ToolCall>,
    /// Why it ended.
    pub finish: Finish,
    /// The finish reason as sent by the server.
    pub finish_said: Option<String>,
    /// Token counts, if the server sent them.
    pub usage: Option<Usage>,
    /// The model that answered, if the server names it.
    pub model: Option<String>,
}

impl Reply {
    /// Whether the answer is complete. Only then may a plan be taken from it or a call be executed.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        matches!(self.finish, Finish::Stop | Finish::ToolCalls)
    }

    /// Whether the answer is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.reasoning.is_empty() && self.calls.is_empty()
    }
}

/// Why an answer ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The model finished.
    Stop,
    /// It called tools and waits for the results.
    ToolCalls,
    /// It hit the token limit, so it is incomplete.
    Length,
    /// A content filter stopped it, so it may be incomplete.
    ContentFilter,
    /// The stream ended without a known finish reason, so it may be incomplete.
    #[default]
    Unsaid,
    /// It was interrupted.
    Cut(CutBy),
}

/// The cause of an interruption.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutBy {
    /// The connection closed.
    Connection,
    /// The server stopped responding.
    Silence,
    /// The server reported an error.
    Server,
    /// It exceeded the [`Limits`].
    Limit,
    /// The caller cancelled it.
    Caller,
}

/// Maximum sizes, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest line of a stream, or the longest body that isn't streamed.
    pub line: usize,
    /// The longest answer: text, reasoning and arguments together.
    pub reply: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line: 4 << 20,
            reply: 8 << 20,
        }
    }
}

#[cfg(test)]
mod tests;
