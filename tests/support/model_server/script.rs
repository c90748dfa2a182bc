//! Scenarios: the script of a model server, as data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The behavior of a kind of server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flavour {
    /// Follows the protocol.
    #[default]
    #[serde(rename = "openai")]
    OpenAi,
    /// Sends calls whole and without an index; silently truncates requests over the window;
    /// describes itself under `/api`.
    Ollama,
    /// Sends arguments in small pieces; rejects schemas it cannot convert to a grammar; fails if
    /// calls in the history have arguments that are not JSON; closes the connection after each
    /// answer; describes itself under `/props`.
    LlamaCpp,
    /// Rejects unknown fields, messages out of order, and malformed tools.
    Strict,
}

/// The script of a server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scenario {
    /// The kind of server to imitate.
    pub flavour: Flavour,
    /// The models it offers; if empty, it accepts any name.
    pub models: Vec<String>,
    /// The API key that requests must contain, if any.
    pub key: Option<String>,
    /// The context window in tokens, at four bytes each.
    pub window: Option<u64>,
    /// The answers, in order.
    pub turns: Vec<Turn>,
}

impl Scenario {
    /// Creates a scenario with these turns, for an OpenAI server.
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self {
            turns: turns.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Parses a scenario from JSON.
    ///
    /// # Panics
    /// If it is invalid.
    #[must_use]
    pub fn from_json(text: &str) -> Self {
        serde_json::from_str(text).expect("a scenario")
    }

    /// Sets the kind of server.
    #[must_use]
    pub fn flavour(mut self, flavour: Flavour) -> Self {
        self.flavour = flavour;
        self
    }

    /// Offers only these models.
    #[must_use]
    pub fn models<'a>(mut self, models: impl IntoIterator<Item = &'a str>) -> Self {
        self.models = models.into_iter().map(str::to_owned).collect();
        self
    }

    /// Requires this key.
    #[must_use]
    pub fn key(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }

    /// Sets the context window in tokens.
    #[must_use]
    pub fn window(mut self, tokens: u64) -> Self {
        self.window = Some(tokens);
        self
    }
}

/// Requirements on a request. Violations are recorded as complaints.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Expect {
    /// Substrings that the JSON body must contain.
    pub contains: Vec<String>,
    /// Substrings that the JSON body must not contain.
    pub lacks: Vec<String>,
    /// Required values at JSON pointers.
    pub at: BTreeMap<String, Value>,
}

/// A tool call made by the model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScriptedCall {
    /// The call's id; generated if empty.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments: a string is sent verbatim, valid or not; anything else as JSON.
    pub arguments: Value,
}

/// One piece of a body that is specified step by step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// An event with this JSON.
    Data(Value),
    /// This text, verbatim.
    Raw(String),
    /// These bytes, verbatim.
    Bytes(Vec<u8>),
    /// A pause in milliseconds; simulates latency and must not be used for synchronization.
    WaitMs(u64),
    /// Sends nothing until the test releases it.
    Stall,
    /// Breaks the connection.
    Cut,
}

/// One answer, and what the request must look like.
///
/// The body is either `steps`, or generated from `say`, `think`, `calls`, `finish` and `usage` in
/// the flavor's format. A `status` other than 200 uses `body`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Turn {
    /// Requirements on the request.
    pub expect: Expect,
    /// How many consecutive requests get this answer.
    pub times: usize,
    /// The HTTP status of the answer.
    pub status: u16,
    /// Additional headers.
    pub headers: BTreeMap<String, String>,
    /// The body of an error, or of an answer that is not streamed.
    pub body: Option<Value>,
    /// The text of the answer.
    pub say: String,
    /// The reasoning before the answer.
    pub think: String,
    /// The tool calls in the answer.
    pub calls: Vec<ScriptedCall>,
    /// The finish reason: chosen automatically if `None`, omitted if empty.
    pub finish: Option<String>,
    /// Tokens of the prompt, of its cached part, and of the answer; counted if `None`.
    pub usage: Option<[u64; 3]>,
    /// Whether to end with `[DONE]`.
    pub done: bool,
    /// Characters of text per event.
    pub piece: usize,
    /// The pause before each event, in milliseconds.
    pub pace_ms: u64,
    /// The body, step by step.
    pub steps: Vec<Step>,
    /// Breaks the connection after this many bytes of the body.
    pub cut_after: Option<usize>,
    /// Stalls after this many events of the body, until the test releases it.
    pub stall_after: Option<usize>,
    /// Whether to send nothing, not even a status, until the test releases the answer.
    pub stall: bool,
}

impl Default for Turn {
    fn default() -> Self {
        Self {
            expect: Expect::default(),
            times: 1,
            status: 200,
            headers: BTreeMap::new(),
            body: None,
            say: String::new(),
            think: String::new(),
            calls: Vec::new(),
            finish: None,
            usage: None,
            done: true,
            piece: 16,
            pace_ms: 0,
            steps: Vec::new(),
            cut_after: None,
            stall_after: None,
            stall: false,
        }
    }
}

impl Turn {
    /// Answers with text, then stops.
    pub fn say(text: impl Into<String>) -> Self {
        Self {
            say: text.into(),
            ..Self::default()
        }
    }

    /// Calls one tool.
    pub fn call(name: &str, arguments: Value) -> Self {
        Self::default().and_call(name, arguments)
    }

    /// Sends a body that is specified step by step.
    pub fn steps(steps: impl IntoIterator<Item = Step>) -> Self {
        Self {
            steps: steps.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Responds with an error, in OpenAI's format.
    pub fn status(status: u16, message: &str) -> Self {
        Self {
            status,
            body: Some(json!({"error": {"message": message}})),
            ..Self::default()
        }
    }

    /// Adds another call to the same answer.
    #[must_use]
    pub fn and_call(mut self, name: &str, arguments: Value) -> Self {
        self.calls.push(ScriptedCall {
            id: String::new(),
            name: name.to_owned(),
            arguments,
        });
        self
    }

    /// Adds reasoning before the answer.
    #[must_use]
    pub fn thinking(mut self, text: &str) -> Self {
        text.clone_into(&mut self.think);
        self
    }

    /// Sets the finish reason; omitted if empty.
    #[must_use]
    pub fn finish(mut self, reason: &str) -> Self {
        self.finish = Some(reason.to_owned());
        self
    }

    /// Closes the stream cleanly, without a finish reason and without `[DONE]`.
    #[must_use]
    pub fn unfinished(mut self) -> Self {
        self.done = false;
        self.finish("")
    }

    /// Answers this many consecutive requests.
    #[must_use]
    pub fn times(mut self, times: usize) -> Self {
        self.times = times;
        self
    }

    /// Answers every request from now on.
    #[must_use]
    pub fn forever(self) -> Self {
        self.times(usize::MAX)
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Breaks the connection after this many bytes of the body.
    #[must_use]
    pub fn cut_after(mut self, bytes: usize) -> Self {
        self.cut_after = Some(bytes);
        self
    }

    /// Stalls after this many events.
    #[must_use]
    pub fn stall_after(mut self, events: usize) -> Self {
        self.stall_after = Some(events);
        self
    }

    /// Sends nothing until released.
    #[must_use]
    pub fn stalled(mut self) -> Self {
        self.stall = true;
        self
    }

    /// Requires this text in the request.
    #[must_use]
    pub fn expecting(mut self, text: &str) -> Self {
        self.expect.contains.push(text.to_owned());
        self
    }

    /// Forbids this text in the request.
    #[must_use]
    pub fn without(mut self, text: &str) -> Self {
        self.expect.lacks.push(text.to_owned());
        self
    }

    /// Requires this value at a JSON pointer of the request.
    #[must_use]
    pub fn expecting_at(mut self, pointer: &str, value: Value) -> Self {
        self.expect.at.insert(pointer.to_owned(), value);
        self
    }
}
