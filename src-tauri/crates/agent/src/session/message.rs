//! The messages of a request and their wire format.
//!
//! A message never changes once it was part of a request; later requests only append messages. Only
//! compaction replaces the beginning. Messages contain no data that is only for the screen.

use serde_json::{Map, Value, json};

use crate::turn::Call;

/// The sender's role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The person, or the app on the person's behalf.
    User,
    /// The model.
    Assistant,
    /// The answer to a call.
    Tool,
}

plan::named! {
    /// A kind of content in the context window.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
    pub enum Part {
        /// The system text.
        System = "system",
        /// The tool table.
        Tools = "tools",
        /// The person's messages.
        Person = "person",
        /// The model's text.
        Model = "model",
        /// Results of calls.
        Results = "results",
        /// Hand-offs and notices about the mode and the plan.
        Plan = "plan",
        /// The app's messages about faulty replies.
        Host = "host",
        /// The summary of the earlier conversation.
        Summary = "summary",
    }
}

/// A message of a model request.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// The sender's role.
    pub role: Role,
    /// The text of the message.
    pub content: String,
    /// The calls of an assistant message.
    pub calls: Vec<Call>,
    /// The id of the call to which a tool message responds.
    pub call: Option<String>,
    /// Number of bytes of each kind of content; not sent.
    pub parts: Vec<(Part, usize)>,
}

impl Message {
    pub(crate) fn user(pieces: Vec<(Part, String)>) -> Self {
        let parts = pieces
            .iter()
            .map(|(part, text)| (*part, text.len()))
            .collect();
        let texts: Vec<String> = pieces.into_iter().map(|(_, text)| text).collect();
        Self {
            role: Role::User,
            content: texts.join("\n\n"),
            calls: Vec::new(),
            call: None,
            parts,
        }
    }

    pub(crate) fn assistant(text: &str, calls: Vec<Call>) -> Self {
        let weight = text.len() + calls.iter().map(weight_of).sum::<usize>();
        Self {
            role: Role::Assistant,
            content: text.to_owned(),
            calls,
            call: None,
            parts: vec![(Part::Model, weight)],
        }
    }

    pub(crate) fn tool(call: &str, pieces: Vec<(Part, String)>) -> Self {
        let message = Self::user(pieces);
        Self {
            role: Role::Tool,
            call: Some(call.to_owned()),
            ..message
        }
    }

    /// Adds a message from the app. If the last message answers a call, the text is appended to it,
    /// because many chat templates require alternating roles.
    pub(crate) fn tell(messages: &mut Vec<Self>, words: &str) {
        match messages.last_mut().filter(|last| last.role == Role::Tool) {
            Some(last) => {
                last.content = format!("{}\n\n{words}", last.content);
                last.parts.push((Part::Host, words.len()));
            }
            None => messages.push(Self::user(vec![(Part::Host, words.to_owned())])),
        }
    }

    /// The message as JSON for an OpenAI-compatible endpoint.
    pub fn to_json(&self) -> Value {
        let mut fields = Map::new();
        let role = match self.role {
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        };
        fields.insert("role".to_owned(), json!(role));
        if let Some(call) = &self.call {
            fields.insert("tool_call_id".to_owned(), json!(call));
        }
        fields.insert("content".to_owned(), json!(self.content));
        if !self.calls.is_empty() {
            let calls: Vec<Value> = self.calls.iter().map(call_json).collect();
            fields.insert("tool_calls".to_owned(), json!(calls));
        }
        Value::Object(fields)
    }
}

fn call_json(call: &Call) -> Value {
    let arguments = Value::Object(call.arguments.clone()).to_string();
    json!({
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments},
    })
}

fn weight_of(call: &Call) -> usize {
    /// Size of a call on the wire besides its name and arguments.
    const FRAME: usize = 60;
    FRAME + call.name.len() + Value::Object(call.arguments.clone()).to_string().len()
}
