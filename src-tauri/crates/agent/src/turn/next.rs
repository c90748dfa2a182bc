//! Decides the next action in a turn from its rounds: a call, a message to the model, another
//! request, or the end of the turn. Attempts are counted from the replies themselves.

use super::loops;
use super::reply::{Call, FaultKind, Finish, Reply};
use super::rounds::{Round, Rounds};
use crate::envelope::one_line;

/// The limits of a turn, and whether it requires calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// After this many replies in a row without a usable call, the turn ends.
    pub barren: usize,
    /// After this many incomplete replies in a row, the turn ends.
    pub cuts: usize,
    /// After this many replies in a row with only refused calls, the turn ends. It ends sooner if
    /// the same refused call is repeated.
    pub idle: usize,
    /// The maximum number of requests in the turn.
    pub requests: usize,
    /// Whether each reply must call a tool, so that text alone isn't accepted.
    pub wants_call: bool,
}

/// The next action.
#[derive(Debug, Clone, PartialEq)]
pub enum Next<'a> {
    /// Carry out this call of the last reply.
    Call {
        /// The call's number in the turn.
        number: usize,
        /// The call to carry out.
        call: &'a Call,
    },
    /// Send this message to the model with the next request.
    Tell(String),
    /// Send the next request.
    Ask,
    /// The last reply contains only text, which may be the answer.
    Words,
    /// The turn can't continue.
    Stop {
        /// Why the turn can't continue.
        stop: Stop,
        /// The reason, in one sentence.
        reason: String,
    },
}

/// Why a turn can't continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The content filter of the provider stopped the reply.
    Filter,
    /// The replies were cut off.
    Cut,
    /// There were too many unusable replies in a row.
    Barren,
    /// The model repeated the same calls.
    Loop,
    /// The maximum number of requests was reached.
    Cap,
}

/// Decides the next action from the rounds so far.
pub fn next<'a>(rounds: &'a Rounds, bounds: &Bounds) -> Next<'a> {
    let Some(last) = rounds.last() else {
        return Next::Ask;
    };
    if let Some((position, call)) = last.open_call() {
        let number = last.first_call + position;
        return Next::Call { number, call };
    }
    if !last.told.is_empty() {
        return Next::Ask;
    }
    match last.has_results() {
        true => after_calls(rounds, last, bounds),
        false => after_words(rounds, &last.reply, bounds),
    }
}

fn stop<'a>(stop: Stop, reason: impl Into<String>) -> Next<'a> {
    let reason = reason.into();
    Next::Stop { stop, reason }
}

fn after_calls<'a>(rounds: &'a Rounds, last: &Round, bounds: &Bounds) -> Next<'a> {
    if let Some(reason) = loops::refused(rounds) {
        return stop(Stop::Loop, reason);
    }
    if loops::idle(rounds) >= bounds.idle {
        return stop(Stop::Loop, "the model kept making the same calls");
    }
    let circle = loops::cycle(rounds).map(|circle| circle.join(", "));
    let is_warned = rounds.all().iter().any(|round| {
        let mut told = round.told.iter();
        told.any(|words| words.contains(LOOP_WARNING))
    });
    if let Some(circle) = circle.as_ref().filter(|_| is_warned) {
        let reason = format!("the model is stuck in a loop: {circle}");
        return stop(Stop::Loop, reason);
    }
    if rounds.all().len() >= bounds.requests {
        return stop(Stop::Cap, cap(bounds));
    }
    // A reply can contain both readable and unreadable calls.
    let complaints = Some(last.reply.complaints()).filter(|words| !words.is_empty());
    let circle = circle.map(|circle| {
        let circle = one_line(&circle, 400);
        format!("{LOOP_WARNING}, with the same results: {circle}. Choose another action.")
    });
    let words: Vec<String> = complaints.into_iter().chain(circle).collect();
    match words.is_empty() {
        true => Next::Ask,
        false => Next::Tell(words.join("\n")),
    }
}

/// Prefix of the warning about a loop of calls. If the loop continues, the turn ends.
const LOOP_WARNING: &str = "You make the same calls in turn";

fn cap(bounds: &Bounds) -> String {
    format!("not finished after {} model requests", bounds.requests)
}

fn after_words<'a>(rounds: &Rounds, reply: &Reply, bounds: &Bounds) -> Next<'a> {
    let barren = rounds.barren();
    match reply.finish {
        Finish::ContentFilter => {
            let reason = "the provider's content filter blocked the reply; rephrase your message";
            return stop(Stop::Filter, reason);
        }
        // The same request can be sent again, because a request has no side effects.
        Finish::Cut if barren < bounds.cuts => return Next::Ask,
        Finish::Cut => {
            let reason = "the model's replies were cut off and discarded; check the endpoint";
            return stop(Stop::Cut, reason);
        }
        Finish::Length if barren < bounds.cuts => return Next::Tell(TOO_LONG.to_owned()),
        Finish::Length => {
            let reason = "each reply hit the output limit; raise the model's output limit, or \
                          ask for less at a time";
            return stop(Stop::Cut, reason);
        }
        Finish::Stop | Finish::ToolCalls => {}
    }
    let Some(complaint) = complaint(rounds, reply, bounds) else {
        return Next::Words;
    };
    if barren >= bounds.barren {
        let reason = format!("{barren} unusable replies in a row; last problem: {complaint}");
        return stop(Stop::Barren, reason);
    }
    match rounds.all().len() >= bounds.requests {
        true => stop(Stop::Cap, cap(bounds)),
        false => Next::Tell(complaint),
    }
}

const TOO_LONG: &str = "Your reply was cut off at the length limit, and none of it was used. Do \
                        the same in smaller parts: one call at a time, a part of a file and not the whole, a \
                        long text in several edits.";

/// What is wrong with a reply without calls; `None` if its text may be the answer.
fn complaint(rounds: &Rounds, reply: &Reply, bounds: &Bounds) -> Option<String> {
    let complaints = Some(reply.complaints()).filter(|complaints| !complaints.is_empty());
    let is_blank = |reply: &Reply| reply.faults.is_empty() && reply.text.trim().is_empty();
    if !bounds.wants_call {
        let empty = "Your reply was empty. Call a tool, or answer in words.";
        return complaints.or_else(|| is_blank(reply).then(|| empty.to_owned()));
    }
    let has = |reply: &Reply, kind| reply.faults.iter().any(|fault| fault.kind == kind);
    let is_empty = |reply: &Reply| is_blank(reply) || has(reply, FaultKind::Empty);
    if has(reply, FaultKind::ReasoningOnly) {
        return Some("You only thought. Answer with one call now.".to_owned());
    }
    if is_empty(reply) {
        let before = rounds.all().iter().rev().nth(1);
        let told = match before.is_some_and(|before| is_empty(&before.reply)) {
            false => "Your reply was empty. Answer with one call.",
            true => "Empty again. Answer with exactly one call, for example read_file.",
        };
        return Some(told.to_owned());
    }
    let words = "Words change nothing here. Answer with one call of a tool.";
    complaints.or_else(|| Some(words.to_owned()))
}
