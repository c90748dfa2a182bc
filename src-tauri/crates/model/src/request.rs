//! One request to a model, as Planwright thinks of it.
//!
//! Plain data: it can be stored, compared and read back. How a server wants it written is the
//! `wire` module's.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is asked of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChatRequest {
    /// The conversation, oldest first.
    pub messages: Vec<Message>,
    /// The tools the model may call. Constant within a conversation, so that the provider's prompt
    /// cache holds.
    pub tools: Vec<Tool>,
    /// Whether it must call one.
    pub tool_choice: ToolChoice,
    /// What the text of the answer must look like.
    pub format: Format,
    /// The most tokens of an answer, reasoning included.
    pub max_output_tokens: Option<u32>,
    /// 0 to 2; the server's own where absent.
    pub temperature: Option<f64>,
    /// Has the server answer the same to the same, where it can.
    pub seed: Option<i64>,
    /// Texts at which the model must end.
    pub stop: Vec<String>,
    /// How long the model may think, where it can.
    pub reasoning: Option<ReasoningEffort>,
    /// How much the model should say, where it can be told.
    pub verbosity: Option<Verbosity>,
    /// Whether several calls may come in one answer; the server's own where absent.
    pub parallel_calls: Option<bool>,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "lowercase", deny_unknown_fields)]
pub enum Message {
    /// The standing instructions.
    System {
        /// What it says.
        text: String,
    },
    /// What the person, or the host in their place, says.
    User {
        /// What it says.
        text: String,
    },
    /// What the model said.
    Assistant {
        /// What it said; may be empty beside calls.
        text: String,
        /// The tools it called.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
    },
    /// What a tool answered.
    Tool {
        /// The call that it answers.
        call_id: String,
        /// What it answered.
        text: String,
    },
}

impl Message {
    /// Standing instructions.
    pub fn system(text: impl Into<String>) -> Self {
        Self::System { text: text.into() }
    }

    /// The person's words.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User { text: text.into() }
    }

    /// The model's words, without a call.
    pub fn assistant(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::Assistant {
            text,
            calls: Vec::new(),
        }
    }

    /// A tool's answer.
    pub fn tool(call_id: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Tool {
            call_id: call_id.into(),
            text: text.into(),
        }
    }
}

/// One call of a tool, as the model wrote it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    /// What its answer must name. Made up by the stream's reader where the server gave none, and
    /// then unique within one reply alone.
    pub id: String,
    /// The tool's name, as the model wrote it.
    pub name: String,
    /// The arguments, as the model wrote them: mostly JSON, perhaps damaged.
    pub arguments: String,
}

/// A tool that is offered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Letters, digits, `_` and `-`.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The JSON schema of its arguments, an object. Its keys are sent in the order they stand here.
    pub parameters: Value,
}

/// Whether a tool must be called.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// As the model sees fit; nothing is sent, since it is every server's default.
    #[default]
    Auto,
    /// None may be called, though tools are listed.
    None,
    /// One must be called. Some servers ignore it without a word.
    Required,
    /// This one must be called.
    Named(String),
}

/// What the answer's text must look like.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Any text.
    #[default]
    Text,
    /// One JSON object.
    JsonObject,
    /// JSON of this schema. What comes back must be validated all the same: servers differ.
    JsonSchema {
        /// A name for the schema: letters, digits, `_` and `-`.
        name: String,
        /// The schema. Flat ones without lengths and patterns are enforced by the most servers.
        schema: Value,
    },
}

/// How long a model may think before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReasoningEffort {
    /// Not at all.
    None,
    /// As little as it can.
    Minimal,
    /// Little.
    Low,
    /// As it was made.
    Medium,
    /// Long.
    High,
}

/// How much a model should say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verbosity {
    /// Terse.
    Low,
    /// As it was made.
    Medium,
    /// At length.
    High,
}
