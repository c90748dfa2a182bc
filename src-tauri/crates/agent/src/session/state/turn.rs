//! A turn, from the person's message to the final answer, and the open calls of its last reply.

use crate::envelope::{clipped, one_line};
use crate::session::entry::{Answer, Ending, Purpose};
use crate::turn::{Call, CallResult, Finish, Rounds};

/// Maximum number of bytes kept of a reply that reached the length limit.
const CUT_SHOWN: usize = 1_500;

/// A turn: the person's message and what the model has done since.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// The purpose of the turn.
    pub purpose: Purpose,
    /// The message with which the person started the turn.
    pub words: String,
    /// The model's replies and their results.
    pub rounds: Rounds,
    /// Whether a request has been sent.
    pub has_begun: bool,
    /// Whether the turn is waiting for a person.
    pub is_waiting: bool,
    /// Whether the model has been told to do the work instead of answering with text.
    pub is_nudged: bool,
    /// Whether the plan was edited in this turn.
    pub has_edited: bool,
    /// Whether the plan was proposed in this turn.
    pub is_proposed: bool,
    /// How often the conversation was compacted during this turn.
    pub compactions: u32,
}

impl Turn {
    pub(super) fn new(purpose: Purpose, words: &str) -> Self {
        Self {
            purpose,
            words: words.to_owned(),
            rounds: Rounds::default(),
            has_begun: false,
            is_waiting: false,
            is_nudged: false,
            has_edited: false,
            is_proposed: false,
            compactions: 0,
        }
    }

    pub(super) fn answered(&mut self, id: &str, ok: bool, content: &str, is_performed: bool) {
        let result = CallResult {
            ok,
            content: content.to_owned(),
            is_performed,
            is_passing: false,
        };
        if let Some(number) = self.rounds.number_of(id) {
            self.rounds.answered(number, result);
        }
    }
}

/// A call without a result.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenCall {
    /// The call's id.
    pub id: String,
    /// The model's call.
    pub call: Call,
    /// Whether the call was started. If it was and has no result, its outcome is unknown.
    pub has_begun: bool,
    /// The person's answer to the question that the call raised.
    pub answer: Option<Answer>,
}

impl OpenCall {
    /// Whether the person allowed the call.
    pub fn is_permitted(&self) -> bool {
        matches!(self.answer, Some(Answer::Once | Answer::Session))
    }

    pub(super) fn new(call: &Call) -> Self {
        Self {
            id: call.id.clone(),
            call: call.clone(),
            has_begun: false,
            answer: None,
        }
    }
}

/// The part of a reply that is kept in the conversation. Nothing is kept of a reply that broke off,
/// since the same request is sent again.
pub(super) fn told(text: &str, finish: Finish) -> Option<String> {
    match finish {
        Finish::Stop | Finish::ToolCalls => Some(text.to_owned()),
        Finish::Length if text.trim().is_empty() => Some("…".to_owned()),
        Finish::Length => Some(clipped(text, CUT_SHOWN)),
        Finish::ContentFilter | Finish::Cut => None,
    }
}

/// The message that closes a turn in which the model gave no final text.
pub(super) fn closing(ending: &Ending) -> Option<String> {
    let without = |reason: &str| {
        let reason = one_line(reason, 200);
        Some(format!("(This turn ended without an answer: {reason})"))
    };
    match ending {
        Ending::Waiting => None,
        Ending::Answered => Some("Done.".to_owned()),
        Ending::Proposed => Some("Proposed.".to_owned()),
        Ending::Working { run } => {
            Some(format!("(The app is carrying out the plan in run {run}.)"))
        }
        Ending::Cancelled => without("the person stopped it."),
        Ending::Failed { reason } | Ending::Unfinished { reason } | Ending::Cut { reason } => {
            without(reason)
        }
    }
}
