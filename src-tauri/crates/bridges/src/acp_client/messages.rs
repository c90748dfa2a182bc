//! Splits an agent's output into messages and parses them.
//!
//! Parsing is lenient, but the length of a message and the number of malformed lines are limited.

use serde_json::Value;
use tools::sandbox::Exit;

use super::permissions::{Option as Choice, Permission};

/// Longest message, in bytes.
const MAX_MESSAGE_LEN: usize = 16 << 20;
/// Maximum number of malformed lines before the connection is closed.
const MAX_MALFORMED: usize = 64;
/// Upper bound for reported token counts, because an agent can report any number.
const MAX_TOKENS: u64 = 1 << 40;
/// Longest title of an action, in characters.
const MAX_TITLE: usize = 200;

/// The error code that means that the user must sign in first.
const AUTH_REQUIRED: i64 = -32000;

/// Why a conversation with an agent can't continue. The messages are for the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentError {
    /// Its program ended, or never started.
    Ended(String),
    /// It sent more than is allowed.
    TooMuch(String),
    /// It didn't answer in time.
    Silent(String),
    /// It refused a request.
    Refused {
        /// The method of the request.
        method: String,
        /// Its error message.
        message: String,
        /// Its error code.
        code: i64,
    },
    /// The caller cancelled.
    Stopped,
}

impl std::error::Error for AgentError {}

impl std::fmt::Display for AgentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ended(words) | Self::TooMuch(words) | Self::Silent(words) => f.write_str(words),
            Self::Refused {
                method,
                message,
                code,
            } if method == "session/new" && *code == AUTH_REQUIRED => write!(
                f,
                "it can’t open a session ({message}); start it once in a terminal to sign in, or set its API key"
            ),
            Self::Refused {
                method, message, ..
            } => write!(f, "it refused `{method}`: {message}"),
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

/// The id of a request of the agent that hasn't been answered yet.
#[derive(Debug, PartialEq)]
pub struct Ask(pub(super) Value);

/// The end of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The protocol's stop reason, such as `end_turn`.
    pub stop: String,
    /// The tokens used in the turn, if the agent reports them.
    pub usage: Option<Tokens>,
}

/// Token counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Tokens that the model read.
    pub input: u64,
    /// How many of these tokens were cached.
    pub cached: u64,
    /// Tokens that the model wrote.
    pub output: u64,
}

impl Tokens {
    pub(super) fn add(&mut self, more: Self) {
        self.input = self.input.saturating_add(more.input);
        self.cached = self.cached.saturating_add(more.cached);
        self.output = self.output.saturating_add(more.output);
    }
}

/// Something that the agent did.
#[derive(Debug, PartialEq)]
pub enum Event {
    /// A part of its message.
    Text(String),
    /// A part of its thinking.
    Thinking(String),
    /// An action that it carries out itself, described in a few words.
    Action(String),
    /// A plan in Markdown.
    Plan(String),
    /// It changed its mode to the one with this id.
    Mode(String),
    /// The number of tokens in its context.
    Context(u64),
    /// It asks for permission.
    Permission(Ask, Permission),
    /// It wants to read a file.
    Read {
        /// The request to answer.
        ask: Ask,
        /// The path as the agent wrote it.
        path: String,
        /// The first line to read, counted from 1; `None` to read from the beginning.
        line: Option<u64>,
        /// The number of lines to read; `None` to read all.
        limit: Option<u64>,
    },
    /// It wants to write a file.
    Write {
        /// The request to answer.
        ask: Ask,
        /// The path as the agent wrote it.
        path: String,
        /// The file's new content.
        content: String,
    },
    /// Its turn is over.
    Ended(Ended),
}

/// What a session offers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Opened {
    /// The id of the current mode.
    pub mode: Option<String>,
    /// The ids of all modes.
    pub modes: Vec<String>,
    /// Ids of its options, each with its current value.
    pub options: Vec<(String, String)>,
}

/// The agent's output, split into messages.
#[derive(Debug, Default)]
pub(super) struct Messages {
    unread: Vec<u8>,
    /// How many bytes at the start of `unread` are known to contain no line break.
    searched: usize,
    malformed: usize,
}

impl Messages {
    /// Appends a piece of output.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.unread.extend_from_slice(bytes);
    }

    /// Discards the output that hasn't been parsed yet.
    pub(super) fn clear(&mut self) {
        self.unread.clear();
        self.searched = 0;
    }

    /// The next complete message; `None` if none has arrived yet.
    pub(super) fn next(&mut self) -> Result<Option<Value>, AgentError> {
        loop {
            let new = &self.unread[self.searched..];
            let Some(end) = new.iter().position(|byte| *byte == b'\n') else {
                self.searched = self.unread.len();
                let most = MAX_MESSAGE_LEN >> 20;
                return match self.unread.len() > MAX_MESSAGE_LEN {
                    true => Err(AgentError::TooMuch(format!(
                        "it sent a message of more than {most} MB"
                    ))),
                    false => Ok(None),
                };
            };
            let rest = self.unread.split_off(self.searched + end + 1);
            let line = std::mem::replace(&mut self.unread, rest);
            self.searched = 0;
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            match serde_json::from_slice::<Value>(line) {
                Ok(message) if message.is_object() => return Ok(Some(message)),
                _ => {
                    self.malformed += 1;
                    if self.malformed > MAX_MALFORMED {
                        return Err(AgentError::TooMuch(format!(
                            "it sent {MAX_MALFORMED} lines that aren’t messages"
                        )));
                    }
                }
            }
        }
    }
}

/// Describes how the agent's program ended.
pub(super) fn end_of(exit: Exit, last_words: &str) -> String {
    match exit {
        Exit::TimedOut => {
            "it reached its time limit; raise its `timeout_s` in `agents` in your settings"
                .to_owned()
        }
        Exit::Exited(code) => format!("it exited with code {code}{last_words}"),
        Exit::Signaled(signal) => format!("it was killed by signal {signal}{last_words}"),
        Exit::Cancelled => "it was stopped".to_owned(),
    }
}

pub(super) fn refused(method: &str, code: i64, message: String) -> AgentError {
    AgentError::Refused {
        method: method.to_owned(),
        message,
        code,
    }
}

pub(super) fn short(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(MAX_TITLE) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

pub(super) fn opened(answer: &Value) -> Opened {
    let text = |value: &Value, name: &str| Some(value.get(name)?.as_str()?.to_owned());
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let modes = &answer["modes"];
    let all = list(&modes["availableModes"]);
    let options = list(&answer["configOptions"]);
    Opened {
        mode: text(modes, "currentModeId"),
        modes: all.iter().filter_map(|mode| text(mode, "id")).collect(),
        options: options
            .iter()
            .filter_map(|option| Some((text(option, "id")?, text(option, "currentValue")?)))
            .collect(),
    }
}

/// The end of a turn. `metered` is the number of tokens reported by the turn's updates, which is
/// used if the end reports none.
pub(super) fn ended(answer: &Value, metered: Option<Tokens>) -> Ended {
    let stop = answer.get("stopReason").and_then(Value::as_str);
    let usage = [&answer["usage"], &answer["_meta"]["usage"]];
    Ended {
        stop: stop.unwrap_or_default().to_owned(),
        usage: usage.into_iter().find_map(tokens).or(metered),
    }
}

/// Parses token counts; `None` if the value isn't an object.
pub(super) fn tokens(usage: &Value) -> Option<Tokens> {
    let counts = usage.as_object()?;
    let count = |name: &str| {
        let count = counts.get(name).and_then(Value::as_u64);
        count.unwrap_or(0).min(MAX_TOKENS)
    };
    Some(Tokens {
        input: count("inputTokens"),
        cached: count("cachedReadTokens"),
        output: count("outputTokens"),
    })
}

pub(super) fn update_of(update: &Value) -> Option<Event> {
    let text = |value: &Value, name: &str| Some(value.get(name)?.as_str()?.to_owned());
    match update.get("sessionUpdate")?.as_str()? {
        "agent_message_chunk" => text(&update["content"], "text").map(Event::Text),
        "agent_thought_chunk" => text(&update["content"], "text").map(Event::Thinking),
        "tool_call" => text(update, "title").map(|title| Event::Action(short(&title))),
        "plan_update" => text(&update["plan"], "content").map(Event::Plan),
        "current_mode_update" => text(update, "currentModeId").map(Event::Mode),
        "usage_update" => {
            let used = update.get("used")?.as_u64()?;
            Some(Event::Context(used.min(MAX_TOKENS)))
        }
        _ => None,
    }
}

pub(super) fn permission_of(params: &Value) -> Permission {
    let call = &params["toolCall"];
    let text =
        |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let options = params.get("options").and_then(Value::as_array);
    let options = options.into_iter().flatten().filter_map(|option| {
        Some(Choice {
            id: text(option, "optionId")?,
            kind: text(option, "kind").unwrap_or_default(),
        })
    });
    Permission {
        kind: text(call, "kind").unwrap_or_default(),
        title: short(&text(call, "title").unwrap_or_default()),
        input: call.get("rawInput").cloned().unwrap_or_default(),
        options: options.collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_arrive_in_pieces_and_other_lines_are_skipped() {
        let mut messages = Messages::default();
        messages.push(b"noise\n{\"id\":");
        assert_eq!(messages.next().unwrap(), None);
        messages.push(b"1}\n\n{\"id\":2}\n");
        assert_eq!(messages.next().unwrap(), Some(json!({"id": 1})));
        assert_eq!(messages.next().unwrap(), Some(json!({"id": 2})));
        assert_eq!(messages.next().unwrap(), None);
    }

    #[test]
    fn tokens_of_updates_count_if_the_end_tells_none() {
        let metered = tokens(&json!({"inputTokens": 7, "outputTokens": u64::MAX}));
        let told = json!({"stopReason": "end_turn", "usage": {"inputTokens": 3}});
        assert_eq!(ended(&told, metered).usage.unwrap().input, 3);
        let usage = ended(&json!({"stopReason": "end_turn"}), metered).usage;
        assert_eq!(usage.unwrap().input, 7);
        assert_eq!(usage.unwrap().output, MAX_TOKENS);
        assert_eq!(ended(&json!({}), None).usage, None);
    }
}
