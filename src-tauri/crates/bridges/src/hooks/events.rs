//! Reads the events of all hosts.
//!
//! Unused fields are kept or ignored. An event that concerns us but can't be parsed is an error and
//! is therefore refused.

use std::io::Read;
use std::path::{Path, PathBuf};

use plan::ToolCall;
use serde_json::{Map, Value};

use super::Host;
use super::calls::{self, Tool};

/// Largest event, in bytes: the largest plan, escaped, plus some overhead.
const MAX_EVENT: u64 = 64 << 20;

/// An event that concerns us.
#[derive(Debug, Clone, PartialEq)]
pub enum HookEvent {
    /// The agent wants to leave plan mode.
    Plan(PlanEvent),
    /// The agent is about to change something.
    Calls(CallEvent),
    /// The agent wants to end its turn.
    TurnEnd(TurnEndEvent),
}

/// A host's request to leave plan mode.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanEvent {
    /// The agent's working folder.
    pub(super) cwd: PathBuf,
    /// The agent's conversation ID.
    pub(super) session: String,
    /// The tool's input, which is returned with the answer.
    pub(super) tool_input: Map<String, Value>,
}

impl PlanEvent {
    /// The plan's text; empty if missing.
    pub(super) fn plan(&self) -> &str {
        let plan = self.tool_input.get("plan").and_then(Value::as_str);
        plan.unwrap_or_default()
    }

    pub(super) fn file(&self) -> Option<&Path> {
        let file = self.tool_input.get("planFilePath")?.as_str()?;
        Some(Path::new(file))
    }
}

/// A host's question about whether the agent may make some calls.
#[derive(Debug, Clone, PartialEq)]
pub struct CallEvent {
    /// The folder in which the calls are made.
    pub(super) cwd: PathBuf,
    /// The agent's conversation ID.
    pub(super) session: String,
    /// The calls, with paths as the agent wrote them. At least one of them isn't a read-only
    /// command.
    pub(super) calls: Vec<ToolCall>,
}

/// A host's message that the agent wants to end its turn.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnEndEvent {
    /// The agent's conversation ID.
    pub(super) session: String,
    /// Whether the agent's last attempt to end its turn was answered with the next step.
    pub(super) is_last: bool,
}

/// Parses a hook's event. `None` if it doesn't concern us.
///
/// # Errors
/// A message for the host's model and for the user.
pub fn read(host: Host, input: impl Read) -> Result<Option<HookEvent>, String> {
    let mut text = String::new();
    let read = input.take(MAX_EVENT + 1).read_to_string(&mut text);
    read.map_err(|error| format!("can't read the event on standard input: {error}"))?;
    if text.len() as u64 > MAX_EVENT {
        return Err("the event is larger than 64 MiB; make the change in parts".to_owned());
    }
    let event: Map<String, Value> = serde_json::from_str(&text).map_err(|error| {
        format!("expected the host's event as a JSON object on standard input: {error}")
    })?;
    Event { host, event }.read()
}

struct Event {
    host: Host,
    event: Map<String, Value>,
}

impl Event {
    fn read(&self) -> Result<Option<HookEvent>, String> {
        let name = self.word("hook_event_name");
        if self.host.has_plans() && name == "PermissionRequest" {
            let is_plan = self.word("tool_name") == "ExitPlanMode";
            return Ok(is_plan.then(|| HookEvent::Plan(self.plan())));
        }
        match (self.host, name) {
            (Host::Claude | Host::Codex, "PreToolUse")
            | (Host::Gemini, "BeforeTool")
            | (Host::Cursor, "preToolUse") => self.tool_call(),
            (Host::Cursor, "beforeShellExecution") => self.shell(),
            (Host::Claude | Host::Codex, "Stop") | (Host::Gemini, "AfterAgent") => {
                self.turn_end(self.event.get("stop_hook_active") == Some(&Value::Bool(true)))
            }
            // The person stopped the agent, or the agent failed.
            (Host::Cursor, "stop") if self.word("status") != "completed" => Ok(None),
            (Host::Cursor, "stop") => {
                let count = self.event.get("loop_count").and_then(Value::as_u64);
                self.turn_end(count.unwrap_or_default() > 0)
            }
            _ => Ok(None),
        }
    }

    fn word(&self, key: &str) -> &str {
        let word = self.event.get(key).and_then(Value::as_str);
        word.unwrap_or_default()
    }

    fn plan(&self) -> PlanEvent {
        let tool_input = self.event.get("tool_input").and_then(Value::as_object);
        PlanEvent {
            cwd: PathBuf::from(self.word("cwd")),
            session: self.word("session_id").to_owned(),
            tool_input: tool_input.cloned().unwrap_or_default(),
        }
    }

    /// The conversation's ID, which determines the plan that was approved for it.
    fn session(&self) -> Result<String, String> {
        let key = match self.host {
            Host::Cursor => "conversation_id",
            _ => "session_id",
        };
        match self.word(key).trim() {
            "" => Err(format!("the event has no `{key}`")),
            session => Ok(session.to_owned()),
        }
    }

    /// The folder in which the agent works.
    fn folder(&self) -> Result<PathBuf, String> {
        let roots = self.event.get("workspace_roots").and_then(Value::as_array);
        let root = roots.and_then(|roots| roots.first()?.as_str());
        let named = match self.word("cwd") {
            "" => root.unwrap_or_default(),
            cwd => cwd,
        };
        let folder = PathBuf::from(named);
        match folder.is_absolute() {
            true => Ok(folder),
            false => Err("the event's working folder isn't an absolute path".to_owned()),
        }
    }

    fn tool_call(&self) -> Result<Option<HookEvent>, String> {
        // In plan mode, the host itself keeps the agent from changing anything.
        if self.word("permission_mode") == "plan" {
            return Ok(None);
        }
        let name = self.word("tool_name");
        let tool = Tool::of(self.host, name);
        let none = Map::new();
        let input = match self.event.get("tool_input") {
            Some(Value::Object(input)) => input,
            None => &none,
            Some(_) if tool.is_none() => return Ok(None),
            Some(_) => return Err("`tool_input` isn't a JSON object".to_owned()),
        };
        let Some(tool) = tool else {
            return match calls::of_unknown(name, input)? {
                Some(calls) => self.calls(self.folder()?, calls),
                None => Ok(None),
            };
        };
        let mut cwd = self.folder()?;
        // Gemini's other tools ignore these keys, so using them there would give the wrong folder.
        if self.host == Host::Gemini
            && tool == Tool::Shell
            && let Some(below) = ["dir_path", "directory"]
                .iter()
                .find_map(|key| input.get(*key)?.as_str())
        {
            cwd.push(below);
        }
        self.calls(cwd, calls::of(self.host, tool, input)?)
    }

    fn shell(&self) -> Result<Option<HookEvent>, String> {
        let calls = calls::of(self.host, Tool::Shell, &self.event)?;
        self.calls(self.folder()?, calls)
    }

    fn calls(&self, cwd: PathBuf, calls: Vec<ToolCall>) -> Result<Option<HookEvent>, String> {
        let session = self.session()?;
        let only_read = |call: &ToolCall| {
            let line = call.string("command");
            line.is_some_and(|line| workbench::only_reads(&cwd, line))
        };
        if calls.iter().all(only_read) {
            return Ok(None);
        }
        Ok(Some(HookEvent::Calls(CallEvent {
            cwd,
            session,
            calls,
        })))
    }

    fn turn_end(&self, is_last: bool) -> Result<Option<HookEvent>, String> {
        let session = self.session()?;
        Ok(Some(HookEvent::TurnEnd(TurnEndEvent { session, is_last })))
    }
}
