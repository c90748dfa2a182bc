//! A request as the simulated model sees it: the initial messages and its replies since.

use serde_json::{Map, Value};

/// An earlier call of the model, from the history.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Made {
    pub(super) name: String,
    /// The arguments, if they are a JSON object.
    pub(super) arguments: Option<Map<String, Value>>,
    /// The arguments verbatim.
    pub(super) raw: String,
    /// The result of the call.
    pub(super) answer: String,
}

/// One reply of the model, and everything up to the next one.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Exchange {
    pub(super) text: String,
    pub(super) calls: Vec<Made>,
    /// The messages between this reply and the next, including the results of its calls.
    pub(super) after: String,
}

/// A parsed request.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Talk {
    /// Everything before the model's first reply.
    pub(super) opening: String,
    pub(super) exchanges: Vec<Exchange>,
    /// The tools offered, with their parameter schemas.
    pub(super) tools: Vec<(String, Value)>,
    /// The schema that the answer must match.
    pub(super) schema: Option<Value>,
    /// Whether a tool call is required.
    pub(super) must_call: bool,
    /// Whether messages were dropped because the window was full.
    pub(super) was_cut: bool,
}

impl Talk {
    /// Parses a request. With a window, drops the oldest messages after the system message until
    /// the rest fits, at four bytes per token.
    pub(super) fn read(request: &Value, window: Option<u64>) -> Self {
        let empty = Vec::new();
        let all = request["messages"].as_array().unwrap_or(&empty);
        let mut messages: Vec<&Value> = all.iter().collect();
        let was_cut = window.is_some_and(|window| cut(&mut messages, &request["tools"], window));
        let mut talk = Self {
            was_cut,
            ..Self::default()
        };
        for tool in request["tools"].as_array().into_iter().flatten() {
            let function = &tool["function"];
            let name = function["name"].as_str().unwrap_or_default().to_owned();
            talk.tools.push((name, function["parameters"].clone()));
        }
        let schema = request.pointer("/response_format/json_schema/schema");
        talk.schema = schema.filter(|schema| schema.is_object()).cloned();
        let choice = &request["tool_choice"];
        talk.must_call = choice == "required" || choice.is_object();
        if let Some(only) = choice.pointer("/function/name").and_then(Value::as_str) {
            talk.tools.retain(|(name, _)| name == only);
        }
        for message in messages {
            talk.add(message);
        }
        talk
    }

    fn add(&mut self, message: &Value) {
        let content = text_of(&message["content"]);
        if message["role"] == "assistant" {
            let calls = message["tool_calls"]
                .as_array()
                .into_iter()
                .flatten()
                .map(made);
            let calls = calls.collect();
            self.exchanges.push(Exchange {
                text: content,
                calls,
                after: String::new(),
            });
            return;
        }
        let Some(exchange) = self.exchanges.last_mut() else {
            self.opening.push_str(&content);
            self.opening.push('\n');
            return;
        };
        // Results come in the order of their calls; ids are unique only within one reply.
        if message["role"] == "tool"
            && let Some(call) = exchange
                .calls
                .iter_mut()
                .find(|call| call.answer.is_empty())
        {
            call.answer.clone_from(&content);
        }
        exchange.after.push_str(&content);
        exchange.after.push('\n');
    }

    /// Whether a text occurs outside the model's own messages.
    pub(super) fn shows(&self, text: &str) -> bool {
        self.opening.contains(text)
            || self
                .exchanges
                .iter()
                .any(|exchange| exchange.after.contains(text))
    }

    /// Whether a tool is offered, natively or in text.
    pub(super) fn offers(&self, name: &str) -> bool {
        match self.tools.is_empty() {
            true => self.schema.is_some() || self.opening.contains(name),
            false => self.tools.iter().any(|(known, _)| known == name),
        }
    }
}

fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect(),
        _ => String::new(),
    }
}

fn made(call: &Value) -> Made {
    let raw = match &call["function"]["arguments"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Made {
        name: call["function"]["name"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        arguments: serde_json::from_str(&raw).ok(),
        raw,
        answer: String::new(),
    }
}

fn cut(messages: &mut Vec<&Value>, tools: &Value, window: u64) -> bool {
    let size = |messages: &[&Value]| {
        let bytes: usize = messages
            .iter()
            .map(|message| message.to_string().len())
            .sum();
        let tools = if tools.is_null() {
            0
        } else {
            tools.to_string().len()
        };
        u64::try_from((bytes + tools) / 4).unwrap_or(u64::MAX)
    };
    let mut was_cut = false;
    while size(messages) > window {
        let Some(oldest) = messages
            .iter()
            .position(|message| message["role"] != "system")
        else {
            break;
        };
        messages.remove(oldest);
        was_cut = true;
    }
    was_cut
}
