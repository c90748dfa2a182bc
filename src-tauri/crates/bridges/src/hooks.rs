//! Hooks: programs that a terminal agent starts when something happens, with an event on standard
//! input.
//!
//! When Claude Code wants to leave plan mode, its hook lets a person review the plan in Planwright,
//! and returns the decision in the form that the host expects. The host shows its own dialog at the
//! same time; the first answer counts. Events that don't concern a plan get no answer, and the host
//! continues as usual.
//!
//! **Architecture invariants.** The only answer that allows anything is made from
//! [`ReviewOutcome::Approved`]. Unknown fields of the tool's input are returned unchanged, and those
//! of the event are ignored; an event that can't be parsed is rejected.

pub mod setup;

use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use workbench::{Error, ReviewOutcome, ReviewRequest, Workbench};

use crate::review_wait::Waiter;

/// Largest event, in bytes: the largest plan, escaped, plus some overhead.
const MAX_EVENT: u64 = 64 << 20;

/// A program that calls hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// Claude Code.
    Claude,
}

impl Host {
    /// The name shown to people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
        }
    }

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
        }
    }
}

/// The hook's answer to its host.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// No answer: the event doesn't concern Planwright.
    None,
    /// A JSON object for standard output.
    Json(Value),
    /// A refusal for standard error, with exit code 2. Used for events that can't be parsed.
    Refusal(String),
}

/// A host's request to leave plan mode.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanEvent {
    /// The agent's working folder.
    cwd: PathBuf,
    /// The agent's conversation ID.
    session: String,
    /// The tool's input, which is returned with the answer.
    tool_input: Map<String, Value>,
}

impl PlanEvent {
    /// The plan's text; empty if missing.
    fn plan(&self) -> &str {
        let plan = self.tool_input.get("plan").and_then(Value::as_str);
        plan.unwrap_or_default()
    }

    fn file(&self) -> Option<&Path> {
        let file = self.tool_input.get("planFilePath")?.as_str()?;
        Some(Path::new(file))
    }
}

/// Parses a hook's event. `None` if it doesn't concern a plan.
///
/// # Errors
/// A message for the host's model and its user.
pub fn read(input: impl Read) -> std::result::Result<Option<PlanEvent>, String> {
    let mut text = String::new();
    let read = input.take(MAX_EVENT + 1).read_to_string(&mut text);
    read.map_err(|error| format!("can't read the event on standard input: {error}"))?;
    if text.len() as u64 > MAX_EVENT {
        return Err("the event is larger than 64 MiB; shorten the plan".to_owned());
    }
    let event: Map<String, Value> = serde_json::from_str(&text).map_err(|error| {
        format!("expected the host's event as a JSON object on standard input: {error}")
    })?;
    let word = |key: &str| event.get(key).and_then(Value::as_str).unwrap_or_default();
    if word("hook_event_name") != "PermissionRequest" || word("tool_name") != "ExitPlanMode" {
        return Ok(None);
    }
    let tool_input = event.get("tool_input").and_then(Value::as_object);
    Ok(Some(PlanEvent {
        cwd: PathBuf::from(word("cwd")),
        session: word("session_id").to_owned(),
        tool_input: tool_input.cloned().unwrap_or_default(),
    }))
}

/// Has a person review the event's plan. Returns once there is a decision, or once there can't be
/// one.
pub fn answer(host: Host, event: &PlanEvent, bench: &Workbench, waiter: &Waiter<'_>) -> Answer {
    let request = ReviewRequest {
        folder: &event.cwd,
        agent: host.title(),
        agent_session: &event.session,
        text: event.plan(),
        file: event.file(),
        waits: true,
    };
    let outcome = match event.cwd.is_absolute() {
        true => waiter.review(bench, &request),
        false => Err(Error::new(
            workbench::Code::Workspace,
            "the event's `cwd` isn't an absolute path",
        )),
    };
    Answer::Json(match outcome {
        Ok(outcome) => decision(event, outcome),
        Err(error) => deny(&not_shown(host, &error)),
    })
}

/// The answer if the user's data can't be opened.
pub fn unavailable(host: Host, error: &Error) -> Answer {
    Answer::Json(deny(&not_shown(host, error)))
}

fn not_shown(host: Host, error: &Error) -> String {
    let (message, name) = (&error.message, host.name());
    match error.code {
        // The agent can fix this itself.
        workbench::Code::Usage => format!("The plan was not approved: {message}."),
        _ => format!(
            "The plan was not approved, because Planwright couldn't show it: {message}. Tell the \
             user to run `planwright hook doctor {name}` for details, or `planwright hook remove \
             {name}` to restore the usual dialog."
        ),
    }
}

fn decision(event: &PlanEvent, outcome: ReviewOutcome) -> Value {
    match outcome {
        ReviewOutcome::Approved { text, .. } if text.trim().is_empty() => {
            deny("The plan was not approved: the user deleted all of its text. Ask what to do.")
        }
        ReviewOutcome::Approved {
            text, is_changed, ..
        } => {
            let mut updated = event.tool_input.clone();
            if is_changed {
                updated.insert("plan".to_owned(), Value::String(text));
            }
            // The host ignores an `allow` without `updatedInput`.
            answered(json!({"behavior": "allow", "updatedInput": updated}))
        }
        ReviewOutcome::ChangesRequested(words) => deny(&words),
        ReviewOutcome::Withdrawn(reason) => deny(&format!(
            "The plan was not approved: {reason}. Don't change anything; ask again \
             when the user is back."
        )),
        ReviewOutcome::Waiting => deny("The plan was not approved: there is no decision yet."),
    }
}

fn deny(message: &str) -> Value {
    answered(json!({"behavior": "deny", "message": message}))
}

fn answered(decision: Value) -> Value {
    json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}})
}
