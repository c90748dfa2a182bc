//! An agent that talks to the MCP server with handwritten messages.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use bridges::mcp::{OpenWindow, serve_on};
use serde_json::{Value, json};
use workbench::{Code, Error, Workbench};

use crate::hook::PATIENCE;

/// An agent's session with the server.
#[derive(Debug)]
pub struct Agent {
    /// The ID of the agent's conversation.
    pub conversation: String,
    reader: BufReader<UnixStream>,
    writer: UnixStream,
    last: u64,
    /// Whether opening a window fails.
    pub is_dark: Arc<AtomicBool>,
    /// The plans for which the server opened the window.
    opened: Arc<Mutex<Vec<String>>>,
    serving: Option<JoinHandle<()>>,
}

impl Agent {
    /// Connects an agent with this name to a server for the folder.
    ///
    /// # Errors
    /// If connecting fails.
    pub fn start(
        bench: Workbench,
        folder: PathBuf,
        name: &str,
        conversation: String,
    ) -> Result<Self, String> {
        let said = |error: std::io::Error| error.to_string();
        let (ours, theirs) = UnixStream::pair().map_err(said)?;
        theirs.set_nonblocking(true).map_err(said)?;
        ours.set_read_timeout(Some(PATIENCE)).map_err(said)?;
        let is_dark = Arc::new(AtomicBool::new(false));
        let opened: Arc<Mutex<Vec<String>>> = Arc::default();
        let (dark, plans) = (Arc::clone(&is_dark), Arc::clone(&opened));
        let open: OpenWindow = Arc::new(move |plan: &Path| {
            if dark.load(Ordering::SeqCst) {
                return Err(Error::new(Code::Failed, "there is no display"));
            }
            let plan = plan.display().to_string();
            plans
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(plan);
            Ok(())
        });
        let serving = std::thread::spawn(move || {
            // If serving fails, the agent gets no response and reports that.
            let _ = serve_on(&bench, folder, open, move || {
                #[allow(clippy::expect_used, reason = "a panic here fails the history")]
                let stream = tokio::net::UnixStream::from_std(theirs).expect("a stream");
                stream.into_split()
            });
        });
        let mut agent = Self {
            conversation,
            reader: BufReader::new(ours.try_clone().map_err(said)?),
            writer: ours,
            last: 0,
            is_dark,
            opened,
            serving: Some(serving),
        };
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": name, "version": "1"},
        });
        agent.request("initialize", hello)?;
        agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(agent)
    }

    /// The plans for which the server opened the window since the last call.
    pub fn opened(&self) -> Vec<String> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut opened)
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        writeln!(self.writer, "{message}").map_err(|error| error.to_string())
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.begin(method, params)?;
        self.finish(id)
    }

    fn begin(&mut self, method: &str, params: Value) -> Result<u64, String> {
        self.last += 1;
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        Ok(id)
    }

    /// Sends a tool call without waiting for its result; returns its ID.
    ///
    /// # Errors
    /// If the server has ended.
    pub fn begin_call(&mut self, tool: &str, arguments: &Value) -> Result<u64, String> {
        self.begin("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Waits for the response to a request.
    ///
    /// # Errors
    /// If none arrives.
    pub fn finish(&mut self, id: u64) -> Result<Value, String> {
        loop {
            let mut line = String::new();
            let read = self.reader.read_line(&mut line);
            let count = read.map_err(|error| format!("the MCP server is silent: {error}"))?;
            if count == 0 {
                return Err("the MCP server ended".to_owned());
            }
            let message: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
            if message["id"].as_u64() == Some(id) && message.get("method").is_none() {
                return Ok(message);
            }
        }
    }

    /// Calls a tool; returns its structured result, or its error message.
    ///
    /// # Errors
    /// If the server doesn't respond.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<Result<Value, String>, String> {
        let id = self.begin_call(tool, arguments)?;
        Ok(result(&self.finish(id)?))
    }
}

/// The structured result of a tool, or its error message.
pub fn result(response: &Value) -> Result<Value, String> {
    let result = &response["result"];
    match result["isError"] == false && response.get("error").is_none() {
        true => Ok(result["structuredContent"].clone()),
        false => Err(response.to_string()),
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.writer.shutdown(std::net::Shutdown::Both);
        if let Some(serving) = self.serving.take() {
            let _ = serving.join();
        }
    }
}
