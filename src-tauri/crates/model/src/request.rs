//! A request to a model, independent of any server.
//!
//! Plain data that can be stored, compared and read back. The `wire` module converts it to a
//! server's format.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request to a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChatRequest {
    /// The conversation, oldest first.
    pub messages: Vec<Message>,
    /// The tools the model may call. Keep them constant within a conversation, so that the
    /// provider's prompt cache works.
    pub tools: Vec<Tool>,
    /// Whether the model has to call a tool.
    pub tool_choice: ToolChoice,
    /// The required format of the answer's text.
    pub format: Format,
    /// Maximum tokens of the answer, including reasoning.
    pub max_output_tokens: Option<u32>,
    /// The temperature, 0 to 2; `None` for the server's default.
    pub temperature: Option<f64>,
    /// A seed that makes answers reproducible, if the server supports it.
    pub seed: Option<i64>,
    /// Texts at which the model has to stop.
    pub stop: Vec<String>,
    /// How long the model may reason, if supported.
    pub reasoning: Option<ReasoningEffort>,
    /// How verbose the model should be, if supported.
    pub verbosity: Option<Verbosity>,
    /// Whether an answer may contain several calls; `None` for the server's default.
    pub parallel_calls: Option<bool>,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "lowercase", deny_unknown_fields)]
pub enum Message {
    /// The system prompt.
    System {
        /// The prompt's text.
        text: String,
    },
    /// A message from the person, or from the host on their behalf.
    User {
        /// The message's text.
        text: String,
    },
    /// A message from the model.
    Assistant {
        /// The text; may be empty if there are calls.
        text: String,
        /// The tool calls that it makes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
    },
    /// The result of a tool call.
    Tool {
        /// The id of the call.
        call_id: String,
        /// The result's text.
        text: String,
    },
}

impl Message {
    /// A system prompt.
    pub fn system(text: impl Into<String>) -> Self {
        Self::System { text: text.into() }
    }

    /// A message from the person.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User { text: text.into() }
    }

    /// A message from the model without calls.
    pub fn assistant(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::Assistant {
            text,
            calls: Vec::new(),
        }
    }

    /// The result of a tool call.
    pub fn tool(call_id: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Tool {
            call_id: call_id.into(),
            text: text.into(),
        }
    }
}

/// A tool call, as written by the model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    /// The id that its result has to name. If the server gave none, the stream reader makes one up
    /// that is unique only within its reply.
    pub id: String,
    /// The tool's name, as written by the model.
    pub name: String,
    /// The arguments, as written by the model: usually JSON, possibly damaged.
    pub arguments: String,
}

/// A tool offered to the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The tool's name, made up of letters, digits, `_` and `-`.
    pub name: String,
    /// A description for the model.
    pub description: String,
    /// The JSON schema of its arguments, an object. Its keys are sent in this order.
    pub parameters: Value,
}

/// Whether a tool has to be called.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// The model decides. Nothing is sent, since this is every server's default.
    #[default]
    Auto,
    /// No tool may be called, although tools are listed.
    None,
    /// A tool has to be called. Some servers silently ignore this.
    Required,
    /// This tool has to be called.
    Named(String),
}

/// The required format of the answer's text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Any text.
    #[default]
    Text,
    /// One JSON object.
    JsonObject,
    /// JSON that matches this schema. Validate the answer anyway, because servers differ.
    JsonSchema {
        /// A name for the schema: letters, digits, `_` and `-`.
        name: String,
        /// The schema. Flat ones without lengths and patterns are the most widely supported.
        schema: Value,
    },
}

/// How long a model may reason before answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReasoningEffort {
    /// Not at all.
    None,
    /// As little as it can.
    Minimal,
    /// Less than the model's default.
    Low,
    /// The model's default.
    Medium,
    /// More than the model's default.
    High,
}

/// How verbose a model should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verbosity {
    /// Brief.
    Low,
    /// The model's default.
    Medium,
    /// Detailed.
    High,
}
