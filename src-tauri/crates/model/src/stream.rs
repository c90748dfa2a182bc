//! What comes back from a model, read leniently and judged strictly.
//!
//! Pure: bytes in, [`Event`]s and one [`Reply`] out, the same however the bytes were cut into
//! pieces. Lenient, because servers deviate: in line ends, in missing fields, in where they put
//! reasoning, in how they number calls. Strict in one thing: an answer counts as whole only when
//! the server said why it ended.
//!
//! Memory is bounded by [`Limits`]; the work is linear in what comes.

mod calls;
mod chunk;
mod lines;
mod reader;
mod think;

use serde::{Deserialize, Serialize};

use crate::ToolCall;
use crate::wire::Field;

pub use reader::{Broken, Reader};

/// What happens while an answer comes, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The request is on its way.
    Sent {
        /// 1 for the first.
        attempt: u32,
    },
    /// Nothing has come for a while; the request goes on.
    Quiet {
        /// How long, in milliseconds.
        silence_ms: u64,
    },
    /// More of the answer's text.
    TextDelta {
        /// What is new.
        text: String,
    },
    /// More of what the model thinks. For the screen alone, never part of a later request.
    ReasoningDelta {
        /// What is new.
        text: String,
    },
    /// More of a call. For the screen alone: what is carried out is in the [`Reply`].
    CallDelta {
        /// Which call of this answer, from 0.
        index: usize,
        /// The tool's name, when it became known.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// What is new of the arguments.
        arguments: String,
    },
    /// What the server counted.
    Usage(Usage),
    /// The request failed and will be sent again.
    Retry {
        /// How many requests were made.
        made: u32,
        /// The most that will be.
        of: u32,
        /// The wait before the next, in milliseconds.
        wait_ms: u64,
        /// Why, for a person.
        reason: String,
        /// Whether what was shown of this answer is void.
        discard: bool,
    },
    /// The server refused a field; the request is sent again without it, and later ones too.
    Without {
        /// The field.
        field: Field,
        /// The server's words.
        reason: String,
    },
}

/// What a server counted, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Of the request.
    pub input: u64,
    /// Those of them that came from the server's cache.
    pub cached: u64,
    /// Of the answer, reasoning included.
    pub output: u64,
    /// Those of them that were reasoning, where the server tells.
    pub reasoning: u64,
}

/// An answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// Its text, without reasoning.
    pub text: String,
    /// What the model thought.
    pub reasoning: String,
    /// The tools it called, in order.
    pub calls: Vec<ToolCall>,
    /// Why it ended.
    pub finish: Finish,
    /// The server's own word for that.
    pub finish_said: Option<String>,
    /// What the server counted, where it did.
    pub usage: Option<Usage>,
    /// The model that answered, where the server says so.
    pub model: Option<String>,
}

impl Reply {
    /// Whether this is all that the model meant to say. Only then may a plan be taken from it or a
    /// call be carried out.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        matches!(self.finish, Finish::Stop | Finish::ToolCalls)
    }

    /// Whether nothing came.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.reasoning.is_empty() && self.calls.is_empty()
    }
}

/// Why an answer ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The model was done.
    Stop,
    /// It called tools and waits for their answers.
    ToolCalls,
    /// It ran into the limit of tokens: something is missing.
    Length,
    /// A filter ended it: something may be missing.
    ContentFilter,
    /// The stream ended without a reason, or with a word that is not known: something may be
    /// missing.
    #[default]
    Unsaid,
    /// It was broken off.
    Cut(CutBy),
}

/// What broke an answer off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutBy {
    /// The connection ended.
    Connection,
    /// Nothing came any more.
    Silence,
    /// The server reported an error.
    Server,
    /// It grew beyond the [`Limits`].
    Limit,
    /// The caller.
    Caller,
}

/// How much of an answer is kept, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest line of a stream, or the longest plain body.
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
