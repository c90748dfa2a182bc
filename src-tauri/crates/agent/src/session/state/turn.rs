//! One turn, from the person's message to the final answer, and the calls of its last reply.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::session::entry::{Answer, Ending, FaultKind, Purpose};
use crate::session::envelope::{clipped, one_line};
use crate::session::reply::{Finish, ReplyCall};

/// How much of a reply that ran into the limit the model sees again.
const CUT_SHOWN: usize = 1_500;

/// A turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// What it is for.
    pub purpose: Purpose,
    /// The person's words.
    pub words: String,
    /// Whether a request went out.
    pub has_begun: bool,
    /// Whether a person is asked.
    pub is_waiting: bool,
    /// Replies that arrived.
    pub requests: u32,
    /// Faulty replies one after the other.
    pub faults: u32,
    /// Replies one after the other that were not whole.
    pub cuts: u32,
    /// Whether the model was told that words are not the work.
    pub is_nudged: bool,
    /// Whether the plan was edited.
    pub has_edited: bool,
    /// Whether the plan was proposed.
    pub is_proposed: bool,
    /// The last reply, when nothing followed from it yet.
    pub last: Option<Last>,
    /// How often each call was refused, by its line.
    pub refusals: BTreeMap<String, u32>,
    /// How often each call was made since something was changed, by its line.
    pub repeats: BTreeMap<String, u32>,
    /// How often the conversation was compacted.
    pub compactions: u32,
}

impl Turn {
    pub(super) fn new(purpose: Purpose, words: &str) -> Self {
        Self {
            purpose,
            words: words.to_owned(),
            has_begun: false,
            is_waiting: false,
            requests: 0,
            faults: 0,
            cuts: 0,
            is_nudged: false,
            has_edited: false,
            is_proposed: false,
            last: None,
            refusals: BTreeMap::new(),
            repeats: BTreeMap::new(),
            compactions: 0,
        }
    }

    pub(super) fn fault(&mut self, fault: FaultKind) {
        self.last = None;
        match fault {
            FaultKind::Format | FaultKind::Empty => self.faults += 1,
            FaultKind::Unfinished => self.is_nudged = true,
            // Counted when the reply arrived.
            FaultKind::Cut => {}
        }
    }

    /// Counts a call, so that one which is made over and over is noticed. After a change the same
    /// call can answer otherwise.
    pub(super) fn count_call(&mut self, call: &ReplyCall, has_changed: bool) {
        if has_changed {
            self.repeats.clear();
        } else {
            *self.repeats.entry(call.line()).or_default() += 1;
        }
    }

    pub(super) fn count_cut(&mut self, finish: Finish) {
        match finish {
            Finish::Length | Finish::Cut => self.cuts += 1,
            Finish::Stop | Finish::ToolCalls | Finish::ContentFilter => self.cuts = 0,
        }
    }
}

/// A call without an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenCall {
    /// Its id.
    pub id: String,
    /// The call.
    pub call: ReplyCall,
    /// Whether it was begun: without an answer after that, its outcome is not known.
    pub has_begun: bool,
    /// What the person answered to the question that it raised.
    pub answer: Option<Answer>,
}

/// The last reply of a turn, when it had no call to carry out.
#[derive(Debug, Clone, PartialEq)]
pub struct Last {
    /// Whether it says nothing.
    pub is_blank: bool,
    /// What could not be read of it.
    pub faults: Vec<String>,
    /// Why it ended.
    pub finish: Finish,
}

impl Last {
    pub(super) fn of(text: &str, faults: Vec<String>, finish: Finish) -> Self {
        Self {
            is_blank: text.trim().is_empty(),
            faults,
            finish,
        }
    }
}

impl OpenCall {
    /// Whether the person allowed it.
    pub fn is_permitted(&self) -> bool {
        matches!(self.answer, Some(Answer::Once | Answer::Session))
    }

    pub(super) fn new(call: &ReplyCall) -> Self {
        Self {
            id: call.id.clone(),
            call: call.clone(),
            has_begun: false,
            answer: None,
        }
    }
}

impl ReplyCall {
    /// The call in one line, the same for the same call.
    pub fn line(&self) -> String {
        let sorted: BTreeMap<&String, &Value> = self.arguments.iter().collect();
        let sorted: Map<String, Value> = sorted
            .into_iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        format!("{} {}", self.name, Value::Object(sorted))
    }
}

/// What of a reply stays in the conversation. Nothing of one that was broken off: it is asked for
/// once more, with the same request.
pub(super) fn told(text: &str, finish: Finish) -> Option<String> {
    match finish {
        Finish::Stop | Finish::ToolCalls => Some(text.to_owned()),
        Finish::Length if text.trim().is_empty() => Some("…".to_owned()),
        Finish::Length => Some(clipped(text, CUT_SHOWN)),
        Finish::ContentFilter | Finish::Cut => None,
    }
}

/// The words that close a turn which has no final text of the model's.
pub(super) fn closing(ending: &Ending) -> Option<String> {
    let without = |reason: &str| {
        let reason = one_line(reason, 200);
        Some(format!("(This turn ended without an answer: {reason})"))
    };
    match ending {
        Ending::Waiting => None,
        Ending::Answered => Some("Done.".to_owned()),
        Ending::Proposed => Some("Proposed.".to_owned()),
        Ending::Working { run } => Some(format!("(The app carries the plan out in run {run}.)")),
        Ending::Cancelled => without("the person stopped it."),
        Ending::Failed { reason } | Ending::Unfinished { reason } | Ending::Cut { reason } => {
            without(reason)
        }
    }
}
