//! An agent that does what the script in its step's title says. The script is everything after
//! `script:`, with actions separated by `;` and turns by `||`. Some actions misbehave.
//!
//! If started with the sandbox helper's argument, it acts as that helper instead.

#![allow(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "it plays a program that prints"
)]

use std::io::{BufRead as _, Write as _};
use std::path::Path;

use serde_json::{Value, json};

fn main() {
    workbench::become_helper_if_asked();
    let input = std::io::stdin();
    let mut agent = Agent {
        lines: Box::new(input.lock().lines().map_while(Result::ok)),
        last_id: 1_000,
        turns: Vec::new(),
        turn: 0,
        sent: String::new(),
    };
    while let Some(message) = agent.next() {
        agent.serve(&message);
    }
}

struct Agent {
    lines: Box<dyn Iterator<Item = String>>,
    last_id: u64,
    turns: Vec<String>,
    turn: usize,
    /// The last prompt.
    sent: String,
}

fn send(message: &Value) {
    let mut out = std::io::stdout().lock();
    // Ignore errors, since the client may be gone.
    let _ = writeln!(out, "{message}");
    let _ = out.flush();
}

fn update(update: Value) {
    let params = json!({"sessionId": "s", "update": update});
    send(&json!({"jsonrpc": "2.0", "method": "session/update", "params": params}));
}

fn say(text: &str) {
    let content = json!({"type": "text", "text": text});
    update(json!({"sessionUpdate": "agent_message_chunk", "content": content}));
}

impl Agent {
    fn next(&mut self) -> Option<Value> {
        let line = self.lines.next()?;
        serde_json::from_str(&line).ok()
    }

    fn serve(&mut self, message: &Value) {
        let id = &message["id"];
        let answer = |result: Value| send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
        match message["method"].as_str().unwrap_or_default() {
            "initialize" => answer(json!({"protocolVersion": 1})),
            "session/new" => {
                let modes = ["default", "plan", "auto", "yolo"];
                let modes: Vec<_> = modes
                    .iter()
                    .map(|mode| json!({"id": mode, "name": mode}))
                    .collect();
                let modes = json!({"currentModeId": "auto", "availableModes": modes});
                answer(json!({"sessionId": "s", "modes": modes}));
            }
            "session/set_mode" => {
                eprintln!("mode {}", message["params"]["modeId"]);
                answer(json!({}));
            }
            "session/prompt" => {
                let text = message["params"]["prompt"][0]["text"].as_str();
                let text = text.unwrap_or_default().to_owned();
                let stop = self.play(&text);
                answer(json!({
                    "stopReason": stop,
                    "usage": {"totalTokens": 12, "inputTokens": 7, "outputTokens": 5},
                }));
            }
            _ => {}
        }
    }

    /// Sends a request to the client and returns its result or error.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.last_id += 1;
        let id = self.last_id;
        let mut params = params;
        params["sessionId"] = "s".into();
        send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.next().unwrap_or_else(|| std::process::exit(0));
            if message["id"] == id && message.get("method").is_none() {
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
            }
        }
    }

    fn play(&mut self, text: &str) -> &'static str {
        text.clone_into(&mut self.sent);
        if let Some((_, script)) = text.split_once("script:") {
            let script = script.lines().next().unwrap_or_default();
            self.turns = script.split("||").map(str::to_owned).collect();
            self.turn = 0;
        }
        let turn = self.turns.get(self.turn).cloned().unwrap_or_default();
        self.turn += 1;
        for action in turn.split(';').map(str::trim) {
            let mut words = action.splitn(3, ' ');
            let name = words.next().unwrap_or_default();
            let first = words.next().unwrap_or_default();
            let rest = words.next().unwrap_or_default();
            if let Some(stop) = self.act(name, first, rest) {
                return stop;
            }
        }
        "end_turn"
    }

    fn act(&mut self, name: &str, first: &str, rest: &str) -> Option<&'static str> {
        let here = std::env::current_dir().unwrap_or_default();
        let path = here.join(first);
        match name {
            "write" => {
                let content = format!("{rest}\n");
                let params = json!({"path": path, "content": content});
                let wrote = self.ask("fs/write_text_file", params);
                say(&match wrote {
                    Ok(_) => format!("[wrote {first}]"),
                    Err(error) => format!("[refused {first}: {}]", error["message"]),
                });
            }
            "read" => {
                let read = self.ask("fs/read_text_file", json!({"path": path}));
                let read = read.map(|read| read["content"].to_string());
                say(&format!("[read {first}: {read:?}]"));
            }
            // Writes directly to the disk instead of asking the client.
            "put" => say(&format!(
                "[put {first}: {:?}]",
                put(&path, rest).map_err(|error| error.kind())
            )),
            "drop" => say(&format!(
                "[drop {first}: {:?}]",
                std::fs::remove_file(&path).map_err(|error| error.kind())
            )),
            // What it can see by itself, and what it was sent.
            "show" => say(&format!("[{first}: {:?}]", std::fs::read_to_string(&path))),
            "echo" => say(&format!("[sent: {}]", self.sent)),
            "list" => {
                let entries = std::fs::read_dir(&here).into_iter().flatten().flatten();
                let names = entries.map(|entry| entry.file_name().display().to_string());
                let mut names: Vec<String> = names.collect();
                names.sort();
                say(&format!("[list {}]", names.join(" ")));
            }
            "variable" => say(&format!("[{first}={:?}]", std::env::var(first).ok())),
            "say" => say(&format!("{first} {rest}")),
            "permit" => {
                let options = [
                    json!({"optionId": "restore_previous", "name": "a", "kind": "allow_once"}),
                    json!({"optionId": "proceed_always", "name": "b", "kind": "allow_always"}),
                    json!({"optionId": "proceed_once", "name": "c", "kind": "allow_once"}),
                    json!({"optionId": "cancel", "name": "d", "kind": "reject_once"}),
                ];
                let call = json!({"toolCallId": "t", "kind": first, "title": "x"});
                let params = json!({"toolCall": call, "options": options});
                let chosen = self.ask("session/request_permission", params);
                say(&format!("[{first}: {chosen:?}]"));
            }
            "request" => {
                let answer = self.ask(first, json!({"command": "true"}));
                say(&format!(
                    "[{first}: {}]",
                    answer.unwrap_or_else(|e| e)["code"]
                ));
            }
            "mode" => {
                update(json!({"sessionUpdate": "current_mode_update", "currentModeId": first}))
            }
            "twice" => {
                for id in 1..100 {
                    let result = json!({"stopReason": "end_turn"});
                    send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
                }
            }
            "flood" => {
                let text = "x".repeat(64 * 1024);
                (0..800).for_each(|_| say(&text));
            }
            "long" => say(&"x".repeat(20 << 20)),
            "garbage" => (0..200).for_each(|_| println!("no message")),
            "child" => child(first, rest),
            "die" => std::process::exit(3),
            "hang" => loop {
                std::thread::park();
            },
            "refuse" => return Some("refusal"),
            _ => {}
        }
        None
    }
}

fn put(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, format!("{text}\n"))
}

/// Starts a background process in its own session that keeps writing to a file.
fn child(file: &str, text: &str) {
    let line = format!("(while sleep 0.2; do echo {text} >> {file}; done) &");
    let _ = std::process::Command::new("setsid")
        .args(["sh", "-c", &line])
        .spawn()
        .and_then(|mut child| child.wait());
}
