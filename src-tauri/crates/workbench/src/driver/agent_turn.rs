//! A turn of an agent that carries out a step: answers its reads, shows its text, and turns each
//! change that it wants to make into a reply with one call.
//!
//! A file is never overwritten unless the agent knows its content: each call names the content that
//! it is based on, and the write is refused if the file has changed since.

use std::path::Path;
use std::time::{Duration, Instant};

use agent::model_tool::ModelTool;
use agent::progress::{Phase, Progress};
use agent::run::Machine;
use agent::turn::{Call, Finish, Reply, Usage};
use plan::ToolName;
use serde_json::{Map, Value, json};
use tools::checkpoint::{Difference, Now};
use tools::files::MAX_FILE;
use tools::sandbox::{OutputChunk, OutputStream};
use tools::{ContentHash, ToolError, documents};

use super::agent_steps::{AtWork, MAX_FOLLOW_UPS, Stage};
use super::report_timing::ReportTimer;
use super::{Driver, MAX_OUTPUT_SHOWN};
use crate::clock::millis;
use crate::error::Result;
use crate::step_agents::AgentEvent;
use crate::wire::RunEvent;

/// How often steering is checked and output passed on.
const TICK: Duration = Duration::from_millis(40);
/// Maximum number of bytes kept of an agent's last message, which is its report.
const MAX_SAID: usize = 4 * 1024;

/// How following a turn ended.
pub(super) enum Turned {
    /// The agent wants to make a change, or reports.
    Reply(Reply),
    /// The person stopped it; contains the tokens used.
    Stopped(Usage),
    /// The agent can't continue; contains the reason.
    Failed(String),
}

/// The result of handling one event.
enum Heard {
    /// Continue with the next event.
    On,
    /// The machine has to decide on this call.
    Call(Box<Call>),
    /// The agent can't continue; contains the reason.
    Broken(String),
}

impl From<std::result::Result<(), String>> for Heard {
    fn from(answered: std::result::Result<(), String>) -> Self {
        match answered {
            Ok(()) => Self::On,
            Err(reason) => Self::Broken(reason),
        }
    }
}

impl Driver<'_> {
    /// Follows the agent until it needs a decision or reports.
    pub(super) fn agent_turn(
        &mut self,
        machine: &mut Machine,
        task: &str,
        work: &mut AtWork,
        began: Instant,
    ) -> Result<Turned> {
        let mut timer = ReportTimer::new(began);
        let mut listened = began;
        loop {
            let heard = match work.stage {
                Stage::InTurn => match work.agent.wait(TICK) {
                    Ok(Some(event)) => {
                        timer.hear(Instant::now());
                        self.hear_agent(task, work, event)
                    }
                    Ok(None) => Heard::On,
                    Err(reason) => Heard::Broken(reason),
                },
                Stage::TurnOver | Stage::Reported => match self.next_change(task, work) {
                    Ok(Some(call)) => Heard::Call(Box::new(call)),
                    Ok(None) if self.wants_follow_up(work) => {
                        let text = follow_up(&std::mem::take(&mut work.not_made));
                        work.follow_ups += 1;
                        Heard::from(self.prompt_again(machine, work, &text)?)
                    }
                    Ok(None) => {
                        self.flush_output(task);
                        work.stage = Stage::Reported;
                        return Ok(Turned::Reply(report(work, began)));
                    }
                    Err(reason) => Heard::Broken(reason),
                },
            };
            match heard {
                Heard::On => {}
                Heard::Call(call) => {
                    self.flush_output(task);
                    return Ok(Turned::Reply(reply(vec![*call], work, began)));
                }
                Heard::Broken(reason) => {
                    self.flush_output(task);
                    return Ok(match self.should_stop() {
                        true => Turned::Stopped(work.usage),
                        false => Turned::Failed(reason),
                    });
                }
            }
            let now = Instant::now();
            if now.duration_since(listened) < TICK {
                continue;
            }
            listened = now;
            self.steer(machine)?;
            self.show_agent(task, work, &mut timer, now);
            if self.should_stop() {
                return Ok(Turned::Stopped(work.usage));
            }
        }
    }

    fn hear_agent(&mut self, task: &str, work: &mut AtWork, event: AgentEvent) -> Heard {
        let now = Instant::now();
        match event {
            AgentEvent::Text(text) => {
                if std::mem::take(&mut work.is_new_message) {
                    work.said.clear();
                }
                if work.said.len() + text.len() <= MAX_SAID {
                    work.said.push_str(&text);
                }
                let (stream, bytes) = (OutputStream::Out, text.into_bytes());
                self.take_output(task, &OutputChunk { stream, bytes }, now);
                Heard::On
            }
            AgentEvent::Thinking(text) => {
                work.thought = work.thought.saturating_add(text.len());
                if work.thought <= MAX_OUTPUT_SHOWN {
                    let task = task.to_owned();
                    (self.sink)(RunEvent::Thinking { task, text });
                }
                Heard::On
            }
            AgentEvent::Action(title) => {
                work.is_new_message = true;
                work.action = Some(title);
                Heard::On
            }
            AgentEvent::Read { path, line, limit } => {
                let read = self.read_for_agent(work, &path, (line, limit));
                Heard::from(work.agent.answer_read(read))
            }
            AgentEvent::Write { path, content } => match self.write_for_agent(work, &path, content)
            {
                Ok(Some(call)) => Heard::Call(Box::new(call)),
                Ok(None) => Heard::from(work.agent.answer_write(Ok(()))),
                Err(reason) => Heard::from(work.agent.answer_write(Err(reason))),
            },
            AgentEvent::Ended { early, usage } => {
                work.usage += usage;
                if let Some(why) = early {
                    return Heard::Broken(format!("its turn ended early ({why})"));
                }
                work.stage = Stage::TurnOver;
                match &work.copy {
                    None => Heard::On,
                    Some(copy) => match copy.differences(&self.blobs) {
                        Ok(changes) => {
                            work.changes = changes.into();
                            Heard::On
                        }
                        Err(error) => Heard::Broken(error.to_string()),
                    },
                }
            }
        }
    }

    /// The next change in the private copy that needs a decision.
    fn next_change(
        &mut self,
        task: &str,
        work: &mut AtWork,
    ) -> std::result::Result<Option<Call>, String> {
        while let Some(Difference { path, before, now }) = work.changes.pop_front() {
            let based_on = before.map(ContentHash::to_hex).unwrap_or_default();
            let call = match now {
                Now::Text(content) => {
                    match self.content(&path) {
                        // Another program may have made the same change.
                        Ok(Some(bytes)) if bytes == content.as_bytes() => continue,
                        _ => {}
                    }
                    write_call(&path, content, based_on)
                }
                Now::Gone => delete_call(&path, based_on),
                Now::Unfit(why) => {
                    let name = &work.name;
                    let message =
                        format!("{task}: {name}’s change to `{path}` wasn’t applied: {why}");
                    (self.sink)(RunEvent::Notice { message });
                    continue;
                }
            };
            work.deciding = Some(path);
            return Ok(Some(call));
        }
        Ok(None)
    }

    fn wants_follow_up(&self, work: &AtWork) -> bool {
        !work.not_made.is_empty() && work.follow_ups < MAX_FOLLOW_UPS
    }

    /// The content of a file, or the given lines of it, for an agent that reads through us.
    fn read_for_agent(
        &self,
        work: &mut AtWork,
        path: &str,
        (line, limit): (Option<u64>, Option<u64>),
    ) -> std::result::Result<String, String> {
        let path = self.inside(work, path)?;
        let bytes = documents::read_for_model(&self.workspace, &path, MAX_FILE);
        let bytes = bytes.map_err(|error| error.to_string())?;
        work.known.insert(path.clone(), hash_of(&bytes));
        let text = String::from_utf8(bytes).map_err(|_| format!("`{path}` isn’t text"))?;
        if (line, limit) == (None, None) {
            return Ok(text);
        }
        let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let lines = text.split_inclusive('\n');
        let lines = lines.skip(whole(line.unwrap_or(1)).saturating_sub(1));
        Ok(lines.take(limit.map_or(usize::MAX, whole)).collect())
    }

    /// The call for a write that the agent requested; `None` if the file already has that content.
    fn write_for_agent(
        &self,
        work: &mut AtWork,
        path: &str,
        content: String,
    ) -> std::result::Result<Option<Call>, String> {
        let path = self.inside(work, path)?;
        let based_on = match self.content(&path)? {
            Some(bytes) if bytes == content.as_bytes() => {
                work.known.insert(path, hash_of(&bytes));
                return Ok(None);
            }
            Some(bytes) if bytes.is_empty() => hash_of(&bytes),
            Some(_) => work.known.get(&path).cloned().ok_or_else(|| {
                format!("`{path}` already exists, and you haven’t read it. Read it first.")
            })?,
            None => String::new(),
        };
        let call = write_call(&path, content, based_on);
        work.deciding = Some(path);
        Ok(Some(call))
    }

    /// The workspace path of a file that an agent without a private copy reads or writes through
    /// us.
    fn inside(&self, work: &AtWork, path: &str) -> std::result::Result<String, String> {
        if work.copy.is_some() {
            return Err("use your own tools to read and write files".to_owned());
        }
        let root = self.workspace.path();
        let path = Path::new(path);
        let relative = match path.is_absolute() {
            true => path.strip_prefix(root).map_err(|_| {
                let root = root.display();
                format!(
                    "`{}` is outside the workspace {root}; use only files in it",
                    path.display()
                )
            })?,
            false => path,
        };
        let resolved = self.workspace.resolved(relative);
        let resolved = resolved.map_err(|error| error.to_string())?;
        let text = resolved.to_str().map(str::to_owned);
        text.ok_or_else(|| format!("the name of `{}` isn’t valid UTF-8", path.display()))
    }

    fn content(&self, path: &str) -> std::result::Result<Option<Vec<u8>>, String> {
        match documents::read_for_model(&self.workspace, path, MAX_FILE) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(ToolError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Shows the agent's latest action and output.
    fn show_agent(&mut self, task: &str, work: &mut AtWork, timer: &mut ReportTimer, now: Instant) {
        self.pass_output(task, now);
        let action = work.action.take();
        let last = self
            .step_reports
            .get(task)
            .map(|told| told.progress.clone());
        if let (Some(action), Some(last)) = (action, last) {
            self.progress(Progress {
                phase: Phase::ToolCalling,
                current_action: Some(action),
                ..last
            });
        } else if self.control.is_live() {
            self.beat(task, timer, now);
        }
    }
}

pub(super) fn hash_of(bytes: &[u8]) -> String {
    ContentHash::of(bytes).to_hex()
}

fn write_call(path: &str, content: String, based_on: String) -> Call {
    let arguments = json!({"path": path, "content": content});
    call(ToolName::WriteFile, arguments, based_on)
}

fn delete_call(path: &str, based_on: String) -> Call {
    call(ToolName::DeleteFile, json!({"path": path}), based_on)
}

fn call(tool: ToolName, arguments: Value, based_on: String) -> Call {
    Call {
        based_on: Some(based_on),
        ..Call::new(tool.as_str(), object(arguments))
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// The report of an agent whose turn is over: its last message, which counts as a claim to be done.
fn report(work: &mut AtWork, began: Instant) -> Reply {
    let said = work.said.trim();
    let summary = match said.is_empty() {
        true => "ended its turn without a message".to_owned(),
        false => said.to_owned(),
    };
    let arguments = object(json!({"summary": summary, "done": true}));
    let claim = Call::new(ModelTool::ReportProgress.as_str(), arguments);
    Reply {
        finish: Finish::Stop,
        ..reply(vec![claim], work, began)
    }
}

/// A reply with these calls and the tokens used since the previous reply.
fn reply(calls: Vec<Call>, work: &mut AtWork, began: Instant) -> Reply {
    Reply {
        text: String::new(),
        calls,
        faults: Vec::new(),
        finish: Finish::ToolCalls,
        usage: std::mem::take(&mut work.usage),
        elapsed_ms: millis(began.elapsed()),
    }
}

fn follow_up(not_made: &[String]) -> String {
    format!(
        "These changes were not made, and their files are unchanged:\n- {}\nAll your other changes were \
         made. Continue from there; if a reply above asks you to repeat a change, do so. If nothing is \
         left to do, stop.",
        not_made.join("\n- ")
    )
}
