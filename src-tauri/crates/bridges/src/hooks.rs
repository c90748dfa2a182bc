//! Hooks: programs that a coding agent starts at certain moments, with an event on standard input.
//!
//! When Claude Code wants to leave plan mode, the hook has a person review the plan in Planwright
//! and returns the decision in the form that the host expects. Meanwhile, the host shows its own
//! dialog; the first answer counts. Once a plan has been approved for a conversation, through a
//! hook or over MCP, each change that the agent is about to make is checked against it
//! (`change_gate`), in every host that `host` lists. All other events get no answer, and the host
//! continues as usual.
//!
//! **Architecture invariants.** A plan is allowed only by [`ReviewOutcome::Approved`], and a call
//! only by [`workbench::GateOutcome::Allowed`]. Unknown fields of an event are kept and ignored; an
//! event that can't be read is refused.

mod answers;
mod calls;
mod change_gate;
mod events;
mod host;
mod patch;
pub mod setup;

use workbench::{Error, ReviewOutcome, ReviewRequest, Workbench};

use crate::review_wait::Waiter;

pub use answers::Answer;
pub use events::{CallEvent, HookEvent, PlanEvent, TurnEndEvent, read};
pub use host::{Host, Place, Shape};

/// Answers an event. Returns as soon as there is a decision or no decision can be expected any
/// more.
pub fn answer(host: Host, event: &HookEvent, bench: &Workbench, waiter: &Waiter<'_>) -> Answer {
    match event {
        HookEvent::Plan(event) => review(host, event, bench, waiter),
        HookEvent::Calls(event) => change_gate::answer(host, event, bench, waiter),
        HookEvent::TurnEnd(event) => change_gate::answer_turn_end(host, event, bench, waiter),
    }
}

/// The answer to an event if Planwright's data can't be opened.
pub fn unavailable(host: Host, event: &HookEvent, error: &Error) -> Answer {
    match event {
        HookEvent::Plan(_) => answers::deny_plan(&not_shown(host, error)),
        HookEvent::Calls(_) => change_gate::unavailable(host, error),
        HookEvent::TurnEnd(_) => Answer::None,
    }
}

/// Has a person review the plan of an event.
fn review(host: Host, event: &PlanEvent, bench: &Workbench, waiter: &Waiter<'_>) -> Answer {
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
    match outcome {
        Ok(outcome) => decision(event, outcome),
        Err(error) => answers::deny_plan(&not_shown(host, &error)),
    }
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

fn decision(event: &PlanEvent, outcome: ReviewOutcome) -> Answer {
    let deny = answers::deny_plan;
    match outcome {
        ReviewOutcome::Approved { text, .. } if text.trim().is_empty() => {
            deny("The plan was not approved: the user deleted all of its text. Ask what to do.")
        }
        ReviewOutcome::Approved {
            text, is_changed, ..
        } => {
            let mut updated = event.tool_input.clone();
            if is_changed {
                updated.insert("plan".to_owned(), serde_json::Value::String(text));
            }
            answers::approve_plan(updated)
        }
        ReviewOutcome::ChangesRequested(words) => deny(&words),
        ReviewOutcome::Withdrawn(reason) => deny(&format!(
            "The plan was not approved: {reason}. Don't change anything; ask again \
             when the user is back."
        )),
        ReviewOutcome::Waiting => deny("The plan was not approved: there is no decision yet."),
    }
}
