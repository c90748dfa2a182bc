//! Holds an agent to the plan that a person approved for its conversation.
//!
//! The run of that plan decides about every change ([`workbench::host_gate`]). If a person has to
//! answer first, the window opens and the hook waits. A change that isn't explicitly allowed is
//! refused.

use std::cell::RefCell;

use workbench::{
    Code, Error, GateOutcome, GateRequest, Gating, HostConversation, Result, Workbench,
};

use super::Host;
use super::answers::{self, Answer};
use super::events::{CallEvent, TurnEndEvent};
use crate::review_wait::{Waited, Waiter};

/// Answers whether the agent may make its calls.
pub(super) fn answer(
    host: Host,
    event: &CallEvent,
    bench: &Workbench,
    waiter: &Waiter<'_>,
) -> Answer {
    match outcome(host, event, bench, waiter) {
        Ok(None) => Answer::None,
        Ok(Some(GateOutcome::Allowed(reason))) => answers::allow(host, &reason),
        Ok(Some(GateOutcome::Refused(reason))) => answers::deny(host, &reason),
        Ok(Some(_)) => answers::deny(host, "Not allowed: nobody has decided yet."),
        Err(error) => unavailable(host, &error),
    }
}

/// Answers whether the agent may end its turn. If there is an error, it may, because ending a turn
/// changes nothing.
pub(super) fn answer_turn_end(
    host: Host,
    event: &TurnEndEvent,
    bench: &Workbench,
    waiter: &Waiter<'_>,
) -> Answer {
    match turn_end(host, event, bench, waiter) {
        Ok(Some(message)) => answers::go_on(host, &message),
        Ok(None) | Err(_) => Answer::None,
    }
}

/// The answer if Planwright's data can't be opened or the run can't continue.
pub(super) fn unavailable(host: Host, error: &Error) -> Answer {
    let (message, name) = (error.message.trim_end_matches('.'), host.name());
    let reason = match error.code {
        // The agent can fix this itself.
        Code::Usage => format!("Not allowed: {message}."),
        _ => format!(
            "Not allowed, because Planwright couldn't judge it: {message}. Tell the user: \
             `planwright hook doctor {name}` says more, and `planwright hook remove {name}` ends the \
             gate."
        ),
    };
    answers::deny(host, &reason)
}

/// The decision about the calls; `None` if no plan was approved for the conversation.
fn outcome(
    host: Host,
    event: &CallEvent,
    bench: &Workbench,
    waiter: &Waiter<'_>,
) -> Result<Option<GateOutcome>> {
    let gated = match bench.gating(&HostConversation::of_process(host.title(), &event.session))? {
        Gating::Free => return Ok(None),
        Gating::Closed(reason) => return Ok(Some(GateOutcome::Refused(reason))),
        Gating::Gated(gated) => gated,
    };
    let calls = bench.resolve_calls(&gated, &event.cwd, event.calls.clone())?;
    let mut own = bench.again()?;
    let asked = own.ask_gate(&gated, &GateRequest::Calls(calls), waiter.is_cancelled)?;
    let own = RefCell::new(own);
    let look = || own.borrow_mut().gate_outcome(&asked, waiter.is_cancelled);
    let now = look()?;
    if now != GateOutcome::Waiting {
        return Ok(Some(now));
    }
    let mut known = None;
    let mut look_again = || {
        let version = own.borrow().store.data_version()?;
        if known.replace(version) == Some(version) {
            return Ok(None);
        }
        Ok(Some(look()?).filter(|outcome| *outcome != GateOutcome::Waiting))
    };
    let waited =
        (waiter.open_window)(&asked.plan).and_then(|()| waiter.until(bench, &mut look_again));
    let reason = match &waited {
        Ok(Waited::Decided(outcome)) => return Ok(Some(outcome.clone())),
        Ok(Waited::GaveUp(reason)) => reason,
        Err(_) => "the window couldn't be opened",
    };
    // If another process is driving the run, it withdraws the request later, once this process has
    // ended.
    let withdrawn = own.borrow_mut().withdraw_from_gate(&asked, reason);
    if let Err(error) = withdrawn {
        tracing::info!(%error, "couldn't withdraw a request");
    }
    waited?;
    // A decision that was made at the same moment counts.
    Ok(Some(match look()? {
        GateOutcome::Waiting => GateOutcome::Refused(format!("Not allowed: {reason}.")),
        outcome => outcome,
    }))
}

fn turn_end(
    host: Host,
    event: &TurnEndEvent,
    bench: &Workbench,
    waiter: &Waiter<'_>,
) -> Result<Option<String>> {
    let conversation = HostConversation::of_process(host.title(), &event.session);
    let Gating::Gated(gated) = bench.gating(&conversation)? else {
        return Ok(None);
    };
    let is_last = event.is_last;
    let mut own = bench.again()?;
    // A question is already waiting for the person, so the agent has nothing to do.
    if own.gate_waits(&gated)? {
        return Ok(None);
    }
    let request = GateRequest::EndTurn { is_last };
    let asked = own.ask_gate(&gated, &request, waiter.is_cancelled)?;
    Ok(match own.gate_outcome(&asked, waiter.is_cancelled)? {
        GateOutcome::Continue(message) => Some(message),
        _ => None,
    })
}
