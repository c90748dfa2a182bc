//! Carries out a session's tool calls.
//!
//! Nothing here writes: read-only calls go through the jail, and commands run in a read-only
//! sandbox. On cancellation, a running command is ended and its result reported.

use std::time::Duration;

use agent::session::machine::{Event, Outcome};
use gate::Permit;
use plan::{CommandLine, ToolCall, ToolName};
use serde_json::json;
use tools::files;
use tools::sandbox::{CommandOutcome, CommandSpec, Mode};

use super::SessionDriver;
use crate::driver::{OutputBuffer, command_text};
use crate::ids;
use crate::plan_file::read;
use crate::wire::SessionEvent;

/// Maximum number of bytes of a command's output passed on while it runs; the result always
/// includes its end.
const MAX_OUTPUT_SHOWN: usize = 64 * 1024;

impl SessionDriver<'_> {
    pub(super) fn call_tool(&mut self, id: String, call: &ToolCall, permit: &Permit) -> Event {
        let outcome = match call.tool {
            ToolName::RunCommand => self.command(&id, call, permit),
            // `look` refuses calls that aren't read-only.
            _ => self.look(call),
        };
        Event::CallDone { id, outcome }
    }

    fn look(&self, call: &ToolCall) -> Outcome {
        match files::perform_read(&self.workspace, call) {
            Ok(found) => Outcome {
                ok: true,
                plan: self.plan_shown(call, found.truncated),
                content: found.text,
                screen: None,
            },
            Err(error) => failed(error.to_string()),
        }
    }

    /// If the call read the plan file: the plan's revision, and whether the result contains all of
    /// it.
    fn plan_shown(&self, call: &ToolCall, is_truncated: bool) -> Option<(String, bool)> {
        if call.tool != ToolName::ReadFile {
            return None;
        }
        let named = self
            .workspace
            .path()
            .join(call.path()?)
            .canonicalize()
            .ok()?;
        if named != self.file.path {
            return None;
        }
        let content = read(&self.workspace, &self.file).ok()?;
        let is_part = call.integer("start_line").is_some() || call.integer("end_line").is_some();
        Some((
            content.revision.as_str().to_owned(),
            !is_part && !is_truncated,
        ))
    }

    fn command(&mut self, id: &str, call: &ToolCall, permit: &Permit) -> Outcome {
        let line = call.string("command").unwrap_or_default();
        let Some(command) = CommandLine::parse(line) else {
            return failed("The command line is empty.".to_owned());
        };
        let root = self.workspace.path().to_owned();
        let marker = match ids::random(8) {
            Ok(random) => format!("{}-{random}", self.row.id),
            Err(error) => return failed(error.message),
        };
        let mut spec = CommandSpec::new(command, root, Mode::Plan, marker);
        spec.protected = vec![self.file.relative.clone().into()];
        let most = Duration::from_secs(u64::from(self.settings.command_timeout_s));
        spec.timeout = call
            .integer("timeout_s")
            .map_or(most, |seconds| Duration::from_secs(seconds.max(1)))
            .min(most);
        let sandbox = self.sandbox().clone();
        let before = self.take_fingerprint();
        let sink = &mut *self.sink;
        let mut output = OutputBuffer::default();
        let mut tell = |text: Option<String>| {
            if let Some(text) = text {
                let id = id.to_owned();
                sink(SessionEvent::Output { id, text });
            }
        };
        let ran = sandbox.run(permit, &spec, &self.cancel, &mut |chunk| {
            let now = std::time::Instant::now();
            output.take(&chunk.bytes, MAX_OUTPUT_SHOWN, now);
            tell(output.ready(now));
        });
        tell(output.rest());
        let changed = self.changed_since(before.as_ref());
        match ran {
            Ok(outcome) => of_command(&outcome, &changed),
            Err(error) => failed(error.to_string()),
        }
    }
}

fn failed(content: String) -> Outcome {
    Outcome {
        content,
        ..Outcome::default()
    }
}

/// A command's result for the model: how it ended, then its output, with the middle cut out if it
/// is long.
fn of_command(outcome: &CommandOutcome, changed: &[String]) -> Outcome {
    Outcome {
        ok: outcome.exit.is_success(),
        content: command_text(outcome).trim_end().to_owned(),
        screen: Some(json!({
            "elapsed_ms": outcome.elapsed_ms,
            "sandbox": outcome.tier.as_str(),
            "changed": changed,
        })),
        plan: None,
    }
}
