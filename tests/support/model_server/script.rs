//! Scenarios: what a scripted model says, as data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The manners of a kind of server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flavour {
    /// As the protocol says.
    #[default]
    #[serde(rename = "openai")]
    OpenAi,
    /// Calls come whole and without an index; a request over the window is cut silently; tells of
    /// itself under `/api`.
    Ollama,
    /// Arguments come in small pieces; schemas it cannot make a grammar of are refused; calls in the
    /// history whose arguments are no JSON make it fail; it hangs up behind each answer; tells of
    /// itself under `/props`.
    LlamaCpp,
    /// Refuses fields it does not know, messages out of order, and tools of a wrong shape.
    Strict,
}

/// A server's whole part.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scenario {
    /// Its manners.
    pub flavour: Flavour,
    /// The models it has; any name is fine where there are none.
    pub models: Vec<String>,
    /// The key it wants.
    pub key: Option<String>,
    /// The tokens it holds, at four bytes each.
    pub window: Option<u64>,
    /// What it answers, in order.
    pub turns: Vec<Turn>,
}

impl Scenario {
    /// These turns, in the manners of OpenAI.
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self {
            turns: turns.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Reads one from JSON.
    ///
    /// # Panics
    /// When it is none.
    #[must_use]
    pub fn from_json(text: &str) -> Self {
        serde_json::from_str(text).expect("a scenario")
    }

    /// With the manners of another server.
    #[must_use]
    pub fn flavour(mut self, flavour: Flavour) -> Self {
        self.flavour = flavour;
        self
    }

    /// With these models and no others.
    #[must_use]
    pub fn models<'a>(mut self, models: impl IntoIterator<Item = &'a str>) -> Self {
        self.models = models.into_iter().map(str::to_owned).collect();
        self
    }

    /// Open to this key alone.
    #[must_use]
    pub fn key(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }

    /// With room for so many tokens.
    #[must_use]
    pub fn window(mut self, tokens: u64) -> Self {
        self.window = Some(tokens);
        self
    }
}

/// What a request must be like. What is not, is a complaint.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Expect {
    /// Texts that its body must have, as they stand in the JSON.
    pub contains: Vec<String>,
    /// Texts that it must not have.
    pub lacks: Vec<String>,
    /// Values at JSON pointers.
    pub at: BTreeMap<String, Value>,
}

/// A call that the model makes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScriptedCall {
    /// Its id; made up where empty.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments: a string is sent as it is, damaged or not; anything else as its JSON.
    pub arguments: Value,
}

/// One piece of a body that is written out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// One event with this JSON.
    Data(Value),
    /// These characters, as they are.
    Raw(String),
    /// These bytes, as they are.
    Bytes(Vec<u8>),
    /// A pause in milliseconds; for latency that is to be seen, never to wait for something.
    WaitMs(u64),
    /// Silence until it is released.
    Stall,
    /// The connection is broken off.
    Cut,
}

/// One answer, and what it answers.
///
/// Either `steps` are the body, or it is made of `say`, `think`, `calls`, `finish` and `usage` in
/// the manner of the flavour; `status` other than 200 goes with `body`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Turn {
    /// What the request must be like.
    pub expect: Expect,
    /// How many requests in a row it answers.
    pub times: usize,
    /// The HTTP status.
    pub status: u16,
    /// More headers.
    pub headers: BTreeMap<String, String>,
    /// The body of a refusal, or of an answer that is not streamed.
    pub body: Option<Value>,
    /// The text.
    pub say: String,
    /// The reasoning.
    pub think: String,
    /// The calls.
    pub calls: Vec<ScriptedCall>,
    /// The reason for the end; what fits where absent, none where empty.
    pub finish: Option<String>,
    /// Tokens of the request, of those from the cache, and of the answer; counted where absent.
    pub usage: Option<[u64; 3]>,
    /// Whether `[DONE]` ends it.
    pub done: bool,
    /// Characters of text in one event.
    pub piece: usize,
    /// The pause before each event, in milliseconds.
    pub pace_ms: u64,
    /// The body, written out.
    pub steps: Vec<Step>,
    /// Breaks off after so many bytes of the body.
    pub cut_after: Option<usize>,
    /// Falls silent after so many events of the body, until released.
    pub stall_after: Option<usize>,
    /// Says nothing at all, not even a status, until released.
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
    /// Says a text and stops.
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

    /// A body written out.
    pub fn steps(steps: impl IntoIterator<Item = Step>) -> Self {
        Self {
            steps: steps.into_iter().collect(),
            ..Self::default()
        }
    }

    /// A refusal, with words in OpenAI's form.
    pub fn status(status: u16, message: &str) -> Self {
        Self {
            status,
            body: Some(json!({"error": {"message": message}})),
            ..Self::default()
        }
    }

    /// One more call in the same answer.
    #[must_use]
    pub fn and_call(mut self, name: &str, arguments: Value) -> Self {
        self.calls.push(ScriptedCall {
            id: String::new(),
            name: name.to_owned(),
            arguments,
        });
        self
    }

    /// Thinks first.
    #[must_use]
    pub fn thinking(mut self, text: &str) -> Self {
        text.clone_into(&mut self.think);
        self
    }

    /// Ends for this reason; for none where it is empty.
    #[must_use]
    pub fn finish(mut self, reason: &str) -> Self {
        self.finish = Some(reason.to_owned());
        self
    }

    /// Ends without a reason and without `[DONE]`, in good order.
    #[must_use]
    pub fn unfinished(mut self) -> Self {
        self.done = false;
        self.finish("")
    }

    /// Answers so many requests in a row.
    #[must_use]
    pub fn times(mut self, times: usize) -> Self {
        self.times = times;
        self
    }

    /// Answers every request from here on.
    #[must_use]
    pub fn forever(self) -> Self {
        self.times(usize::MAX)
    }

    /// With one more header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Breaks off after so many bytes of the body.
    #[must_use]
    pub fn cut_after(mut self, bytes: usize) -> Self {
        self.cut_after = Some(bytes);
        self
    }

    /// Falls silent after so many events.
    #[must_use]
    pub fn stall_after(mut self, events: usize) -> Self {
        self.stall_after = Some(events);
        self
    }

    /// Says nothing at all until released.
    #[must_use]
    pub fn stalled(mut self) -> Self {
        self.stall = true;
        self
    }

    /// The request must have this text.
    #[must_use]
    pub fn expecting(mut self, text: &str) -> Self {
        self.expect.contains.push(text.to_owned());
        self
    }

    /// The request must not have this text.
    #[must_use]
    pub fn without(mut self, text: &str) -> Self {
        self.expect.lacks.push(text.to_owned());
        self
    }

    /// The request must have this value at a JSON pointer.
    #[must_use]
    pub fn expecting_at(mut self, pointer: &str, value: Value) -> Self {
        self.expect.at.insert(pointer.to_owned(), value);
        self
    }
}
