//! An editor that talks to the ACP agent with handwritten messages.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;

use bridges::acp_agent::serve_on;
use serde_json::{Value, json};
use workbench::Workbench;

use crate::hook::PATIENCE;

/// The start of the title of a request to approve a plan.
const APPROVE: &str = "Approve revision ";

/// A pending permission request.
#[derive(Debug, Clone)]
pub struct Pending {
    id: Value,
    /// The request's title.
    pub title: String,
    /// The options, as ID and name.
    pub options: Vec<(String, String)>,
}

impl Pending {
    /// The start of the revision to approve; `None` if the request isn't about approving a plan.
    pub fn revision(&self) -> Option<&str> {
        self.title.strip_prefix(APPROVE)
    }
}

/// An answer to a permission request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Choose the option with this ID, whether it was offered or not.
    Option(String),
    /// Dismiss the request.
    Dismissed,
    /// Respond with an error.
    Failed,
}

/// What an editor gets after a message or an answer.
#[derive(Debug)]
pub enum Next {
    /// A permission request.
    Asked(Pending),
    /// The end of the turn.
    Ended,
}

/// An editor with one session.
#[derive(Debug)]
pub struct Editor {
    writer: UnixStream,
    messages: Receiver<Value>,
    last: u64,
    session: String,
    turn: u64,
    /// The pending permission request, if any.
    pub pending: Option<Pending>,
    /// The text that the agent wrote in this turn.
    pub text: String,
    serving: Option<JoinHandle<()>>,
}

impl Editor {
    /// Starts the ACP agent and opens a session in the folder.
    ///
    /// # Errors
    /// If either fails.
    pub fn start(bench: Workbench, folder: &Path) -> Result<Self, String> {
        let said = |error: std::io::Error| error.to_string();
        let (ours, theirs) = UnixStream::pair().map_err(said)?;
        theirs.set_nonblocking(true).map_err(said)?;
        let serving = std::thread::spawn(move || {
            // If serving fails, the editor gets no response and reports that.
            let _ = serve_on(&bench, move || {
                #[allow(clippy::expect_used, reason = "a panic here fails the history")]
                let stream = tokio::net::UnixStream::from_std(theirs).expect("a stream");
                stream.into_split()
            });
        });
        let (tell, messages) = channel();
        let reader = BufReader::new(ours.try_clone().map_err(said)?);
        std::thread::spawn(move || {
            let mut lines = reader.lines().map_while(Result::ok);
            lines.all(|line| {
                tell.send(serde_json::from_str(&line).unwrap_or_default())
                    .is_ok()
            })
        });
        let mut editor = Self {
            writer: ours,
            messages,
            last: 0,
            session: String::new(),
            turn: 0,
            pending: None,
            text: String::new(),
            serving: Some(serving),
        };
        let hello = json!({"protocolVersion": 1, "clientCapabilities": {}});
        editor.request("initialize", hello)?;
        let new = json!({"cwd": folder, "mcpServers": []});
        let opened = editor.request("session/new", new)?;
        let session = opened["result"]["sessionId"].as_str();
        editor.session = session.ok_or_else(|| opened.to_string())?.to_owned();
        Ok(editor)
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        writeln!(self.writer, "{message}").map_err(|error| error.to_string())
    }

    fn begin(&mut self, method: &str, params: Value) -> Result<u64, String> {
        self.last += 1;
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        Ok(id)
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.begin(method, params)?;
        loop {
            let message = self.message()?;
            if message["id"].as_u64() == Some(id) && message.get("method").is_none() {
                return Ok(message);
            }
        }
    }

    fn message(&mut self) -> Result<Value, String> {
        let message = self.messages.recv_timeout(PATIENCE);
        message.map_err(|error| format!("the ACP agent is silent: {error}"))
    }

    /// Sends a message from the person, and waits for a permission request or the end of the turn.
    ///
    /// # Errors
    /// If neither arrives.
    pub fn prompt(&mut self, words: &str) -> Result<Next, String> {
        let session = self.session.clone();
        let prompt = json!([{"type": "text", "text": words}]);
        self.text.clear();
        self.turn = self.begin(
            "session/prompt",
            json!({"sessionId": session, "prompt": prompt}),
        )?;
        self.next()
    }

    /// Answers the pending permission request, and waits for another one or the end of the turn.
    ///
    /// # Errors
    /// If neither arrives.
    pub fn answer(&mut self, reply: &Reply) -> Result<Next, String> {
        let pending = self.pending.take().ok_or("nothing waits for an answer")?;
        let outcome = match reply {
            Reply::Option(id) => json!({"outcome": {"outcome": "selected", "optionId": id}}),
            Reply::Dismissed => json!({"outcome": {"outcome": "cancelled"}}),
            Reply::Failed => Value::Null,
        };
        let message = match reply {
            Reply::Failed => {
                let error = json!({"code": -32603, "message": "failed"});
                json!({"jsonrpc": "2.0", "id": pending.id, "error": error})
            }
            _ => json!({"jsonrpc": "2.0", "id": pending.id, "result": outcome}),
        };
        self.send(&message)?;
        self.next()
    }

    /// Cancels the turn, and waits until it ends.
    ///
    /// # Errors
    /// If it doesn't end.
    pub fn cancel(&mut self) -> Result<(), String> {
        let session = self.session.clone();
        let params = json!({"sessionId": session});
        self.send(&json!({"jsonrpc": "2.0", "method": "session/cancel", "params": params}))?;
        self.pending = None;
        while !matches!(self.next()?, Next::Ended) {}
        Ok(())
    }

    fn next(&mut self) -> Result<Next, String> {
        loop {
            let message = self.message()?;
            match message["method"].as_str() {
                Some("session/request_permission") => {
                    let pending = pending(&message);
                    self.pending = Some(pending.clone());
                    return Ok(Next::Asked(pending));
                }
                Some("session/update") => {
                    let update = &message["params"]["update"];
                    if update["sessionUpdate"] == "agent_message_chunk" {
                        let text = update["content"]["text"].as_str();
                        self.text.push_str(text.unwrap_or_default());
                    }
                }
                Some(_) => {}
                None if message["id"].as_u64() == Some(self.turn) => {
                    self.pending = None;
                    return Ok(Next::Ended);
                }
                None => {}
            }
        }
    }

    /// The path, relative to the project, of the plan that was shown last.
    pub fn shown(&self) -> Option<&str> {
        let mut parts = self.text.rsplit('`');
        parts.find(|part| part.starts_with("plans/") && part.ends_with(".md"))
    }
}

fn pending(message: &Value) -> Pending {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let params = &message["params"];
    let options = params["options"].as_array().into_iter().flatten();
    Pending {
        id: message["id"].clone(),
        title: text(&params["toolCall"]["title"]),
        options: options
            .map(|option| (text(&option["optionId"]), text(&option["name"])))
            .collect(),
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.writer.shutdown(std::net::Shutdown::Both);
        if let Some(serving) = self.serving.take() {
            let _ = serving.join();
        }
    }
}
