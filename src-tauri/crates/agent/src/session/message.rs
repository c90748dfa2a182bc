//! The messages of a request, and how they look on the wire.
//!
//! A message, once part of a request, is never changed: later requests append to it. Only
//! compaction replaces a beginning. Nothing here knows what only the screen gets.

use serde_json::{Map, Value, json};

use crate::turn::Call;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The person, or the host on their behalf.
    User,
    /// The model.
    Assistant,
    /// The answer to a call.
    Tool,
}

gate::named! {
    /// What a part of the window is used for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
    pub enum Part {
        /// The system text.
        System = "system",
        /// The tool table.
        Tools = "tools",
        /// The person's words.
        Person = "person",
        /// What the model wrote.
        Model = "model",
        /// Answers to calls.
        Results = "results",
        /// Hand-offs and notices: mode and plan.
        Plan = "plan",
        /// What the host tells the model about a faulty reply.
        Host = "host",
        /// The summary of what was said before.
        Summary = "summary",
    }
}

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The words.
    pub content: String,
    /// The calls of an assistant's message.
    pub calls: Vec<Call>,
    /// The call that a tool's message answers.
    pub call: Option<String>,
    /// How many bytes each kind of content takes; not on the wire.
    pub parts: Vec<(Part, usize)>,
}

impl Message {
    /// A message of the person's side made of several pieces.
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

    /// What the model wrote.
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

    /// The answer to a call.
    pub(crate) fn tool(call: &str, pieces: Vec<(Part, String)>) -> Self {
        let message = Self::user(pieces);
        Self {
            role: Role::Tool,
            call: Some(call.to_owned()),
            ..message
        }
    }

    /// Says something on behalf of the host, behind these messages: in the answer to a call where one is
    /// the last, since many templates want roles to take turns.
    pub(crate) fn tell(messages: &mut Vec<Self>, words: &str) {
        match messages.last_mut().filter(|last| last.role == Role::Tool) {
            Some(last) => {
                last.content = format!("{}\n\n{words}", last.content);
                last.parts.push((Part::Host, words.len()));
            }
            None => messages.push(Self::user(vec![(Part::Host, words.to_owned())])),
        }
    }

    /// As an OpenAI-compatible endpoint takes it.
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
    /// What the wire form of a call takes besides name and arguments.
    const FRAME: usize = 60;
    FRAME + call.name.len() + Value::Object(call.arguments.clone()).to_string().len()
}
