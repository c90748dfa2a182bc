//! Serializes requests for servers.
//!
//! Pure. The same request always gives the same bytes. Messages come last and are serialized
//! independently, so the body of a longer conversation starts with the body of the shorter one, up
//! to the closing bracket of its messages. A provider's prompt cache and the tests rely on that.

use std::collections::BTreeSet;

use async_openai::types::chat::{
    ChatCompletionMessageToolCall, ChatCompletionMessageToolCalls, ChatCompletionNamedToolChoice,
    ChatCompletionRequestAssistantMessage, ChatCompletionRequestMessage,
    ChatCompletionRequestSystemMessage, ChatCompletionRequestToolMessage,
    ChatCompletionRequestToolMessageContent, ChatCompletionRequestUserMessage,
    ChatCompletionStreamOptions, ChatCompletionTool, ChatCompletionToolChoiceOption,
    ChatCompletionTools, FunctionCall, FunctionName, FunctionObject, ResponseFormat,
    ResponseFormatJsonSchema, ToolChoiceOptions,
};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{ChatRequest, Format, Message, ReasoningEffort, Tool, ToolCall, ToolChoice, Verbosity};

/// An optional field that some servers reject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// `stream_options`; without it, the server may not report token counts.
    StreamOptions,
    /// `temperature`.
    Temperature,
    /// `seed`.
    Seed,
    /// `stop`.
    Stop,
    /// `tool_choice`.
    ToolChoice,
    /// `parallel_tool_calls`.
    ParallelToolCalls,
    /// `response_format`.
    ResponseFormat,
    /// `reasoning_effort`.
    ReasoningEffort,
    /// `verbosity`.
    Verbosity,
    /// `max_completion_tokens`; replaced by the older `max_tokens`.
    MaxCompletionTokens,
    /// `max_tokens`; replaced by the newer `max_completion_tokens`.
    MaxTokens,
}

impl Field {
    const ALL: [Self; 11] = [
        Self::StreamOptions,
        Self::Temperature,
        Self::Seed,
        Self::Stop,
        Self::ToolChoice,
        Self::ParallelToolCalls,
        Self::ResponseFormat,
        Self::ReasoningEffort,
        Self::Verbosity,
        Self::MaxCompletionTokens,
        Self::MaxTokens,
    ];

    /// Its name in a request.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::StreamOptions => "stream_options",
            Self::Temperature => "temperature",
            Self::Seed => "seed",
            Self::Stop => "stop",
            Self::ToolChoice => "tool_choice",
            Self::ParallelToolCalls => "parallel_tool_calls",
            Self::ResponseFormat => "response_format",
            Self::ReasoningEffort => "reasoning_effort",
            Self::Verbosity => "verbosity",
            Self::MaxCompletionTokens => "max_completion_tokens",
            Self::MaxTokens => "max_tokens",
        }
    }
}

/// The request format of one server, remembered per endpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Dialect {
    /// Fields that it has rejected.
    pub without: BTreeSet<Field>,
    /// Whether the limit is called `max_completion_tokens`.
    pub completion_tokens: bool,
}

impl Dialect {
    fn takes(&self, field: Field) -> bool {
        !self.without.contains(&field)
    }

    /// Learns from a rejection: returns the field named in `said` that was sent and hasn't been
    /// dropped before. `None` if there is none, in which case the rejection is final.
    #[must_use]
    pub fn learn(&mut self, request: &ChatRequest, model: &str, said: &str) -> Option<Field> {
        let body = Body::of(request, model, self);
        let sent = |field: Field| match field {
            Field::StreamOptions => body.stream_options.is_some(),
            Field::Temperature => body.temperature.is_some(),
            Field::Seed => body.seed.is_some(),
            Field::Stop => !body.stop.is_empty(),
            Field::ToolChoice => body.tool_choice.is_some(),
            Field::ParallelToolCalls => body.parallel_tool_calls.is_some(),
            Field::ResponseFormat => body.response_format.is_some(),
            Field::ReasoningEffort => body.reasoning_effort.is_some(),
            Field::Verbosity => body.verbosity.is_some(),
            Field::MaxCompletionTokens => body.max_completion_tokens.is_some(),
            Field::MaxTokens => body.max_tokens.is_some(),
        };
        let field = Field::ALL
            .into_iter()
            .filter(|field| sent(*field) && self.takes(*field))
            .find(|field| names(said, field.name()) || mentions(said, *field))?;
        self.without.insert(field);
        match field {
            Field::MaxTokens => self.completion_tokens = true,
            Field::MaxCompletionTokens => self.completion_tokens = false,
            _ => {}
        }
        Some(field)
    }
}

/// Whether `said` is about a field without naming it. Servers that can't turn a schema into a
/// grammar use these phrases.
fn mentions(said: &str, field: Field) -> bool {
    let said = said.to_lowercase();
    let words = ["grammar", "json schema", "json_schema", "structured output"];
    field == Field::ResponseFormat && words.iter().any(|word| said.contains(word))
}

/// Whether `said` contains `name` as a whole word.
fn names(said: &str, name: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    said.match_indices(name).any(|(at, _)| {
        let before = said.get(..at).and_then(|text| text.chars().next_back());
        let after = said
            .get(at + name.len()..)
            .and_then(|text| text.chars().next());
        !before.is_some_and(inside) && !after.is_some_and(inside)
    })
}

/// The request body, with fields in the order in which they are sent.
#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<ChatCompletionStreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<i64>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    stop: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<ReasoningEffort>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verbosity: Option<Verbosity>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<ChatCompletionTools>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ChatCompletionToolChoiceOption>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_tool_calls: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat>,
    messages: Vec<ChatCompletionRequestMessage>,
}

impl<'a> Body<'a> {
    fn of(request: &'a ChatRequest, model: &'a str, dialect: &Dialect) -> Self {
        let takes = |field| dialect.takes(field);
        let has_tools = !request.tools.is_empty();
        let newer = dialect.completion_tokens;
        let limit = request.max_output_tokens;
        Self {
            model,
            stream: true,
            stream_options: takes(Field::StreamOptions).then_some(ChatCompletionStreamOptions {
                include_usage: Some(true),
                include_obfuscation: None,
            }),
            max_tokens: limit.filter(|_| !newer && takes(Field::MaxTokens)),
            max_completion_tokens: limit.filter(|_| newer && takes(Field::MaxCompletionTokens)),
            temperature: request.temperature.filter(|_| takes(Field::Temperature)),
            seed: request.seed.filter(|_| takes(Field::Seed)),
            stop: if takes(Field::Stop) {
                &request.stop
            } else {
                &[]
            },
            reasoning_effort: request.reasoning.filter(|_| takes(Field::ReasoningEffort)),
            verbosity: request.verbosity.filter(|_| takes(Field::Verbosity)),
            tools: request.tools.iter().map(tool).collect(),
            tool_choice: choice(&request.tool_choice)
                .filter(|_| has_tools && takes(Field::ToolChoice)),
            parallel_tool_calls: request
                .parallel_calls
                .filter(|_| has_tools && takes(Field::ParallelToolCalls)),
            response_format: format(&request.format).filter(|_| takes(Field::ResponseFormat)),
            messages: request.messages.iter().map(message).collect(),
        }
    }
}

impl ChatRequest {
    /// The body for `model` on a server with this dialect.
    ///
    /// # Errors
    /// If a number can't be represented in JSON, such as a temperature that isn't finite.
    pub fn to_json(&self, model: &str, dialect: &Dialect) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&Body::of(self, model, dialect))
    }
}

impl Message {
    /// This message as serialized in a request body, to estimate its cost.
    ///
    /// # Errors
    /// Never for text, which can always be represented in JSON.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(&message(self))
    }
}

impl Tool {
    /// This tool as serialized in a request body, to estimate its cost.
    ///
    /// # Errors
    /// Never for a schema that was parsed from JSON.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(&tool(self))
    }
}

fn message(message: &Message) -> ChatCompletionRequestMessage {
    match message {
        Message::System { text } => {
            ChatCompletionRequestMessage::System(ChatCompletionRequestSystemMessage {
                content: text.as_str().into(),
                ..Default::default()
            })
        }
        Message::User { text } => {
            ChatCompletionRequestMessage::User(ChatCompletionRequestUserMessage {
                content: text.as_str().into(),
                ..Default::default()
            })
        }
        Message::Assistant { text, calls } => {
            ChatCompletionRequestMessage::Assistant(ChatCompletionRequestAssistantMessage {
                // With calls, send an empty text rather than none, because some servers' templates
                // need the field.
                content: Some(text.as_str().into()),
                tool_calls: (!calls.is_empty()).then(|| calls.iter().map(call).collect()),
                ..Default::default()
            })
        }
        Message::Tool { call_id, text } => {
            ChatCompletionRequestMessage::Tool(ChatCompletionRequestToolMessage {
                content: ChatCompletionRequestToolMessageContent::Text(text.clone()),
                tool_call_id: call_id.clone(),
            })
        }
    }
}

fn call(call: &ToolCall) -> ChatCompletionMessageToolCalls {
    ChatCompletionMessageToolCalls::Function(ChatCompletionMessageToolCall {
        id: call.id.clone(),
        function: FunctionCall {
            name: name(&call.name),
            arguments: readable(&call.arguments),
        },
    })
}

/// A tool name that servers accept. They reject the whole conversation if the model made up a name
/// with other characters.
fn name(written: &str) -> String {
    const MAX_NAME_LEN: usize = 64;
    let allowed = |c: char| match c {
        c if c.is_ascii_alphanumeric() || "_-".contains(c) => c,
        _ => '_',
    };
    match written.trim() {
        "" => "unnamed".to_owned(),
        name => name.chars().map(allowed).take(MAX_NAME_LEN).collect(),
    }
}

/// Arguments that servers can parse. Some parse the arguments of earlier calls, and reject the
/// whole conversation if they aren't a JSON object.
fn readable(arguments: &str) -> String {
    let text = arguments.trim();
    if text.is_empty() {
        return "{}".to_owned();
    }
    if text.starts_with('{') && serde_json::from_str::<IgnoredAny>(text).is_ok() {
        return arguments.to_owned();
    }
    json!({ "unreadable": arguments }).to_string()
}

fn tool(tool: &Tool) -> ChatCompletionTools {
    ChatCompletionTools::Function(ChatCompletionTool {
        function: FunctionObject {
            name: tool.name.clone(),
            description: Some(tool.description.clone()),
            parameters: Some(tool.parameters.clone()),
            strict: None,
        },
    })
}

fn choice(choice: &ToolChoice) -> Option<ChatCompletionToolChoiceOption> {
    let mode = ChatCompletionToolChoiceOption::Mode;
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some(mode(ToolChoiceOptions::None)),
        ToolChoice::Required => Some(mode(ToolChoiceOptions::Required)),
        ToolChoice::Named(name) => Some(ChatCompletionToolChoiceOption::Function(
            ChatCompletionNamedToolChoice {
                function: FunctionName { name: name.clone() },
            },
        )),
    }
}

fn format(format: &Format) -> Option<ResponseFormat> {
    match format {
        Format::Text => None,
        Format::JsonObject => Some(ResponseFormat::JsonObject),
        Format::JsonSchema { name, schema } => Some(ResponseFormat::JsonSchema {
            json_schema: ResponseFormatJsonSchema {
                description: None,
                name: name.clone(),
                schema: schema.clone(),
                strict: Some(true),
            },
        }),
    }
}

#[cfg(test)]
mod tests;
