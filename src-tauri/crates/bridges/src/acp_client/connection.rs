//! The conversation with one agent: our requests and its answers, its own requests, and its
//! updates.
//!
//! Messages are parsed leniently, as JSON, so that an unknown update doesn't end a step. Anything
//! dangerous is handled strictly: each request of the agent is answered exactly once, unexpected
//! answers are ignored, unknown requests are refused, and the length of a message, the bytes in a
//! turn and the number of malformed lines are limited. The caller takes one [`Event`] at a time;
//! until it takes the next one, the agent waits.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tools::sandbox::{Heard, Talk};

use super::agents::Mode;
pub use super::messages::{AgentError, Ask, Ended, Event, Opened, Tokens};
use super::messages::{
    Messages, end_of, ended, opened, permission_of, refused, short, tokens, update_of,
};

/// Maximum number of bytes that an agent may send in one turn, or while it handles another request.
const MAX_TURN_LEN: u64 = 32 << 20;
/// How long an agent may take to start, open a session or set a mode.
pub const START_TIMEOUT: Duration = Duration::from_secs(60);
/// How long a single wait takes, so that a caller's `tick` is called often enough.
const TICK: Duration = Duration::from_millis(40);

/// The error code for an unknown method.
const METHOD_NOT_FOUND: i64 = -32601;
/// The error code for a known request that is refused.
const REFUSED: i64 = -32000;

/// A conversation with one agent, in one session.
#[derive(Debug)]
pub struct Connection {
    talk: Talk,
    messages: Messages,
    last_id: i64,
    /// The id of our request that hasn't been answered yet.
    waiting: Option<i64>,
    answer: Option<Result<Value, (i64, String)>>,
    session: String,
    received: u64,
    /// Sum of the tokens reported by the updates of this turn; `None` if they reported none.
    metered: Option<Tokens>,
}

impl Connection {
    /// Initializes the connection to an agent that was started. `offers_files` determines whether
    /// the agent can read and write files through the protocol. `tick` is called often; if it
    /// returns `true`, the wait ends.
    ///
    /// # Errors
    /// If the agent doesn't speak version 1 of the protocol, or doesn't answer.
    pub fn start(
        talk: Talk,
        offers_files: bool,
        tick: &mut dyn FnMut() -> bool,
    ) -> Result<Self, AgentError> {
        let mut this = Self {
            talk,
            messages: Messages::default(),
            last_id: 0,
            waiting: None,
            answer: None,
            session: String::new(),
            received: 0,
            metered: None,
        };
        let capabilities = json!({
            "fs": {"readTextFile": offers_files, "writeTextFile": offers_files},
            "terminal": false,
            "plan": {},
        });
        let introduction = json!({
            "protocolVersion": 1,
            "clientCapabilities": capabilities,
            "clientInfo": {"name": "planwright", "title": "Planwright", "version": env!("CARGO_PKG_VERSION")},
        });
        let answer = this.request("initialize", introduction, tick)?;
        match answer.get("protocolVersion").and_then(Value::as_i64) {
            Some(1) => Ok(this),
            _ => Err(AgentError::Ended(
                "it doesn’t speak version 1 of the Agent Client Protocol".to_owned(),
            )),
        }
    }

    /// Opens a session in a folder.
    ///
    /// # Errors
    /// If the agent refuses, for example because the user must sign in first.
    pub fn open(
        &mut self,
        folder: &str,
        tick: &mut dyn FnMut() -> bool,
    ) -> Result<Opened, AgentError> {
        let asked = json!({"cwd": folder, "mcpServers": []});
        let answer = self.request("session/new", asked, tick)?;
        let session = answer.get("sessionId").and_then(Value::as_str);
        let session = session.filter(|session| !session.is_empty());
        session
            .ok_or_else(|| AgentError::Ended("it opened a session without an id".to_owned()))?
            .clone_into(&mut self.session);
        Ok(opened(&answer))
    }

    /// Sets the session's mode and waits until it is set.
    ///
    /// # Errors
    /// If the agent refuses.
    pub fn set_mode(
        &mut self,
        mode: Mode,
        tick: &mut dyn FnMut() -> bool,
    ) -> Result<(), AgentError> {
        let (method, asked) = self.mode_request(mode);
        self.request(method, asked, tick).map(drop)
    }

    /// Asks the agent to set a mode, without waiting for its answer. Can be called during a turn or
    /// after it.
    ///
    /// # Errors
    /// If the agent has stopped reading.
    pub fn send_mode(&mut self, mode: Mode) -> Result<(), AgentError> {
        let (method, asked) = self.mode_request(mode);
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": asked}))
    }

    fn mode_request(&self, mode: Mode) -> (&'static str, Value) {
        let session = self.session.as_str();
        match mode {
            Mode::Session(mode) => (
                "session/set_mode",
                json!({"sessionId": session, "modeId": mode}),
            ),
            Mode::Option(id, value) => (
                "session/set_config_option",
                json!({"sessionId": session, "configId": id, "value": value}),
            ),
        }
    }

    /// Begins a turn. Its events follow, the last of which is [`Event::Ended`].
    ///
    /// # Errors
    /// If the agent has stopped reading.
    pub fn prompt(&mut self, text: &str) -> Result<(), AgentError> {
        let prompt = [json!({"type": "text", "text": text})];
        let session = self.session.as_str();
        let asked = json!({"sessionId": session, "prompt": prompt});
        self.received = 0;
        self.metered = None;
        self.send_request("session/prompt", asked)
    }

    /// Asks the agent to end its turn, which it confirms with [`Event::Ended`].
    ///
    /// # Errors
    /// If the agent has stopped reading.
    pub fn cancel(&mut self) -> Result<(), AgentError> {
        let params = json!({"sessionId": self.session.as_str()});
        self.send(&json!({"jsonrpc": "2.0", "method": "session/cancel", "params": params}))
    }

    /// Waits for the next event of the turn; `None` if there was none in time.
    ///
    /// # Errors
    /// If the conversation can't continue. Dropping the connection ends the agent.
    pub fn wait(&mut self, patience: Duration) -> Result<Option<Event>, AgentError> {
        let until = Instant::now() + patience;
        loop {
            while let Some(message) = self.messages.next()? {
                if let Some(event) = self.take(message)? {
                    return Ok(Some(event));
                }
            }
            if let Some(answer) = self.answer.take() {
                return match answer {
                    Ok(answer) => Ok(Some(Event::Ended(ended(&answer, self.metered)))),
                    Err((code, message)) => Err(refused("session/prompt", code, message)),
                };
            }
            let left = until.saturating_duration_since(Instant::now());
            if !self.read(left)? {
                return Ok(None);
            }
        }
    }

    /// Chooses one of the options of a permission request; `None` declines without choosing.
    ///
    /// # Errors
    /// If the agent has stopped reading.
    pub fn choose(&mut self, ask: Ask, option: Option<&str>) -> Result<(), AgentError> {
        let outcome = match option {
            Some(option) => json!({"outcome": "selected", "optionId": option}),
            None => json!({"outcome": "cancelled"}),
        };
        self.respond(ask, Ok(json!({"outcome": outcome})))
    }

    /// Answers a read request with the file's content or with the reason why it can't be read.
    ///
    /// # Errors
    /// If the agent has stopped reading.
    pub fn answer_read(
        &mut self,
        ask: Ask,
        read: Result<String, String>,
    ) -> Result<(), AgentError> {
        self.respond(ask, read.map(|content| json!({"content": content})))
    }

    /// Answers a write request: confirms it, or gives the reason why nothing was written.
    ///
    /// # Errors
    /// If the agent has stopped reading.
    pub fn answer_write(
        &mut self,
        ask: Ask,
        written: Result<(), String>,
    ) -> Result<(), AgentError> {
        self.respond(ask, written.map(|()| json!({})))
    }

    fn respond(&mut self, ask: Ask, answer: Result<Value, String>) -> Result<(), AgentError> {
        let Ask(id) = ask;
        self.send(&match answer {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(message) => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": REFUSED, "message": message}})
            }
        })
    }

    /// Sends a request and waits for its answer. Requests that the agent makes in the meantime are
    /// declined, because no turn is in progress.
    fn request(
        &mut self,
        method: &str,
        params: Value,
        tick: &mut dyn FnMut() -> bool,
    ) -> Result<Value, AgentError> {
        self.received = 0;
        self.send_request(method, params)?;
        let until = Instant::now() + START_TIMEOUT;
        loop {
            while let Some(message) = self.messages.next()? {
                match self.take(message)? {
                    Some(Event::Permission(ask, _)) => self.choose(ask, None)?,
                    Some(Event::Read { ask, .. } | Event::Write { ask, .. }) => {
                        self.respond(ask, Err("no turn is in progress".to_owned()))?;
                    }
                    _ => {}
                }
            }
            if let Some(answer) = self.answer.take() {
                return answer.map_err(|(code, message)| refused(method, code, message));
            }
            if tick() {
                return Err(AgentError::Stopped);
            }
            if Instant::now() >= until {
                let seconds = START_TIMEOUT.as_secs();
                return Err(AgentError::Silent(format!(
                    "it didn’t answer `{method}` within {seconds} s{}",
                    self.last_words()
                )));
            }
            self.read(TICK)?;
        }
    }

    fn send_request(&mut self, method: &str, params: Value) -> Result<(), AgentError> {
        self.last_id += 1;
        self.waiting = Some(self.last_id);
        self.answer = None;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    }

    fn send(&mut self, message: &Value) -> Result<(), AgentError> {
        let mut line = message.to_string().into_bytes();
        line.push(b'\n');
        match self.talk.say(line) {
            true => Ok(()),
            // The agent no longer takes input. If it has ended, reading returns the reason.
            false => loop {
                match self.read(TICK) {
                    Ok(true) => self.messages.clear(),
                    Ok(false) => {
                        return Err(AgentError::Silent("it stopped reading".to_owned()));
                    }
                    Err(error) => return Err(error),
                }
            },
        }
    }

    /// Reads more of the agent's output; `false` if there was none in time.
    fn read(&mut self, patience: Duration) -> Result<bool, AgentError> {
        let bytes = match self.talk.hear(patience) {
            None => return Ok(false),
            Some(Heard::Output(bytes)) => bytes,
            Some(Heard::Ended(Ok(outcome))) => {
                return Err(AgentError::Ended(end_of(outcome.exit, &self.last_words())));
            }
            Some(Heard::Ended(Err(error))) => return Err(AgentError::Ended(error.to_string())),
        };
        self.received += bytes.len() as u64;
        if self.received > MAX_TURN_LEN {
            let most = MAX_TURN_LEN >> 20;
            return Err(AgentError::TooMuch(format!(
                "it sent more than {most} MB in one turn"
            )));
        }
        self.messages.push(&bytes);
        Ok(true)
    }

    /// Handles a message of the agent; `None` if it contains no event for the caller.
    fn take(&mut self, mut message: Value) -> Result<Option<Event>, AgentError> {
        let method = message.get("method").and_then(Value::as_str);
        let Some(method) = method.map(str::to_owned) else {
            self.take_answer(&mut message);
            return Ok(None);
        };
        let params = message.get_mut("params").map(Value::take);
        let params = params.unwrap_or_default();
        let is_ours = params.get("sessionId").and_then(Value::as_str) == Some(&self.session);
        let Some(id) = message.get_mut("id").map(Value::take) else {
            if !is_ours || method != "session/update" {
                return Ok(None);
            }
            let update = &params["update"];
            if let Some(more) = tokens(&update["_meta"]["usage"]) {
                self.metered.get_or_insert_default().add(more);
            }
            return Ok(update_of(update));
        };
        let text = |name: &str| params.get(name).and_then(Value::as_str).map(str::to_owned);
        let ask = Ask(id);
        let event = match (method.as_str(), text("path"), text("content")) {
            ("session/request_permission", ..) if is_ours => {
                Event::Permission(ask, permission_of(&params))
            }
            ("fs/read_text_file", Some(path), _) if is_ours => Event::Read {
                ask,
                path,
                line: params.get("line").and_then(Value::as_u64),
                limit: params.get("limit").and_then(Value::as_u64),
            },
            ("fs/write_text_file", Some(path), Some(content)) if is_ours => {
                Event::Write { ask, path, content }
            }
            _ => {
                let Ask(id) = ask;
                let error = json!({"code": METHOD_NOT_FOUND, "message": "method not found"});
                self.send(&json!({"jsonrpc": "2.0", "id": id, "error": error}))?;
                return Ok(None);
            }
        };
        Ok(Some(event))
    }

    /// Stores the answer to our pending request, and ignores any other answer.
    fn take_answer(&mut self, message: &mut Value) {
        let id = message.get("id").and_then(Value::as_i64);
        if id.is_none() || id != self.waiting {
            return;
        }
        self.waiting = None;
        self.answer = Some(match message.get("error") {
            Some(error) if !error.is_null() => {
                let code = error.get("code").and_then(Value::as_i64);
                let message = error.get("message").and_then(Value::as_str);
                let details = error.get("data").and_then(|data| data.get("details"));
                let details = details.and_then(Value::as_str);
                let message = [message, details].into_iter().flatten();
                let message = message.collect::<Vec<_>>().join(": ");
                Err((code.unwrap_or_default(), short(&message)))
            }
            _ => Ok(message
                .get_mut("result")
                .map(Value::take)
                .unwrap_or_default()),
        });
    }

    fn last_words(&self) -> String {
        let errors = self.talk.errors();
        let last = errors.lines().rev().find(|line| !line.trim().is_empty());
        last.map(|line| format!("; the last line of its log is “{}”", short(line)))
            .unwrap_or_default()
    }
}
