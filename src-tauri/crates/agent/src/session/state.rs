//! The state of a session: a pure fold over its rows.
//!
//! The messages of the next request are part of the state. Every row except [`Entry::Compacted`]
//! only appends to them. Data that is only for the screen is dropped.

mod memory;
mod turn;

use std::collections::BTreeSet;

use gate::question::PermissionRequest;

use super::context;
use super::entry::{Answer, Ending, Entry, Extent, FaultKind, Mode, ModeSetBy, Purpose, Question};
use super::handoff;
use super::message::{Message, Part, Role};
use super::{notice, proposal};
use crate::envelope;
use crate::model_tool::ModelTool;
use crate::turn::{Call, Reply, Usage};

pub use memory::PlanMemory;
pub use turn::{OpenCall, Turn};

/// A question and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The text of the question.
    pub question: String,
    /// The text of the answer.
    pub answer: String,
}

/// The texts that precede the person's message, collected until the request is sent.
#[derive(Debug, Clone, Default, PartialEq)]
struct Head {
    transition: Option<String>,
    notices: Vec<String>,
    words: Option<String>,
}

/// The state of a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    /// The mode in force.
    pub mode: Mode,
    /// The mode that the model was last told.
    pub told_mode: Option<Mode>,
    /// What the session knows about the plan.
    pub plan: PlanMemory,
    /// All messages so far.
    pub messages: Vec<Message>,
    /// The current turn, which is kept while it waits for a person.
    pub turn: Option<Turn>,
    /// Calls in the last reply that have no result yet, in order.
    pub calls: Vec<OpenCall>,
    /// The question that the person has not answered yet.
    pub question: Option<Question>,
    /// Permissions granted for the rest of the session.
    pub granted: BTreeSet<PermissionRequest>,
    /// The person's decisions, in order.
    pub decisions: Vec<Decision>,
    /// Total token usage so far.
    pub used: Usage,
    /// The number of rows so far.
    pub rows: usize,
    calls_seen: u32,
    head: Head,
}

impl State {
    /// The state of a session that has no rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Folds all rows of a session.
    pub fn replay(entries: &[Entry]) -> Self {
        let mut state = Self::new();
        for entry in entries {
            state.apply(entry);
        }
        state
    }

    /// The id of the next call, made of nine letters and digits, which every endpoint accepts.
    pub(crate) fn call_id(&self, offset: usize) -> String {
        let number = self.calls_seen as usize + offset;
        format!("call{number:05}")
    }

    /// Folds one row.
    pub fn apply(&mut self, entry: &Entry) {
        self.rows += 1;
        match entry {
            Entry::Said { words, purpose } => self.said(words, purpose),
            Entry::ModeSet {
                to, by, approved, ..
            } => {
                self.mode = *to;
                if *by == ModeSetBy::RunEnd {
                    // The approved revision was carried out, so a new run needs a new approval.
                    self.plan.approved = None;
                }
                if approved.is_some() {
                    self.plan.approved.clone_from(approved);
                    self.plan.is_own = true;
                }
            }
            Entry::Transition {
                from,
                to,
                tools,
                path,
                has_plan,
                approved,
                plan,
            } => {
                self.told_mode = Some(*to);
                self.head.transition = Some(handoff::text(
                    *from,
                    *to,
                    tools,
                    (path, *has_plan),
                    approved.as_deref(),
                    plan.as_ref(),
                ));
                if let Some(plan) = plan {
                    self.plan.show(plan);
                }
            }
            Entry::PlanNotice { change } => {
                self.head.notices.push(notice::text(change));
                self.plan.learn(change, false);
            }
            Entry::TurnBegan => {
                self.flush_head();
                if let Some(turn) = &mut self.turn {
                    turn.has_begun = true;
                }
            }
            Entry::Replied { reply } => self.replied(reply),
            Entry::CallBegan { id } => {
                if let Some(call) = self.calls.iter_mut().find(|call| call.id == *id) {
                    call.has_begun = true;
                }
            }
            Entry::CallEnded { id, result, notice } => {
                let call = self.close(id);
                let is_proposal = call
                    .as_ref()
                    .is_some_and(|call| call.name == ModelTool::ProposePlan.as_str());
                let content = if is_proposal {
                    proposal::without_content(&result.content)
                } else {
                    result.content.clone()
                };
                let mut pieces = vec![(Part::Results, content)];
                let has_edited = result.plan.as_ref().is_some_and(|seen| seen.edited);
                if let Some(change) = notice {
                    pieces.push((Part::Plan, notice::text(change)));
                    self.plan.learn(change, has_edited);
                }
                if let Some(seen) = &result.plan {
                    self.plan.saw(seen);
                }
                self.messages.push(Message::tool(id, pieces));
                let is_performed =
                    call.is_some_and(|call| call.name != ModelTool::AskUser.as_str());
                if let Some(turn) = &mut self.turn {
                    turn.answered(id, result.ok, &result.content, is_performed);
                    turn.has_edited |= has_edited;
                    if notice.is_some() {
                        turn.rounds.forget();
                    }
                }
            }
            Entry::Refused { id, message } => {
                self.close(id);
                self.messages
                    .push(Message::tool(id, vec![(Part::Results, message.clone())]));
                if let Some(turn) = &mut self.turn {
                    turn.answered(id, false, message, false);
                }
            }
            Entry::Faulted { fault, message } => {
                if let Some(turn) = &mut self.turn {
                    turn.rounds.told(message);
                    turn.is_nudged |= *fault == FaultKind::Unfinished;
                }
                Message::tell(&mut self.messages, message);
            }
            Entry::Asked { question } => self.question = Some(question.clone()),
            Entry::Answered { call, answer } => self.answered(call, answer),
            Entry::Proposed { card } => {
                if let Some(turn) = &mut self.turn {
                    turn.is_proposed = true;
                }
                self.plan.propose(&card.revision);
            }
            Entry::Compacted {
                summary,
                keep,
                plan,
                usage,
            } => {
                self.used += *usage;
                self.messages = context::compacted(self, summary, *keep, plan.as_ref());
                self.plan.visible = None;
                // A part of the plan may not show what was changed outside the session.
                if let Some(plan) = plan.as_ref().filter(|plan| plan.extent == Extent::Whole) {
                    self.plan.show(plan);
                }
                if let Some(turn) = &mut self.turn {
                    turn.compactions += 1;
                    // The messages may no longer contain earlier results.
                    turn.rounds.forget();
                }
            }
            Entry::ReplyStopped { usage } => self.used += *usage,
            Entry::TurnEnded { ending } => self.ended(ending),
        }
    }

    fn said(&mut self, words: &str, purpose: &Purpose) {
        let told = match purpose {
            Purpose::Feedback { revision } => {
                // Feedback is never an approval, and it revokes an earlier one.
                self.plan.approved = None;
                self.plan.feedback_on = Some(revision.clone());
                format!(
                    "The person asks for changes to the plan at revision {}: {words}",
                    notice::short(revision)
                )
            }
            Purpose::Goal => format!("Write a plan for this goal and propose it: {words}"),
            Purpose::Talk | Purpose::Work => words.to_owned(),
        };
        self.head.words = Some(told);
        self.turn = Some(Turn::new(purpose.clone(), words));
    }

    fn replied(&mut self, reply: &Reply) {
        let calls = &reply.calls;
        self.used += reply.usage;
        if let Some(turn) = &mut self.turn {
            turn.rounds.replied(reply);
        }
        let Some(mut said) = turn::told(&reply.text, reply.finish) else {
            return;
        };
        // Some endpoints reject a message without content.
        if said.trim().is_empty() && calls.is_empty() {
            "…".clone_into(&mut said);
        }
        self.calls_seen += u32::try_from(calls.len()).unwrap_or(u32::MAX);
        self.messages.push(Message::assistant(&said, calls.clone()));
        self.calls = calls.iter().map(OpenCall::new).collect();
    }

    fn close(&mut self, id: &str) -> Option<Call> {
        if self.question.as_ref().is_some_and(|q| q.call == id) {
            self.question = None;
        }
        let at = self.calls.iter().position(|call| call.id == id)?;
        Some(self.calls.remove(at).call)
    }

    fn answered(&mut self, call: &str, answer: &Answer) {
        let Some(question) = self.question.take() else {
            return;
        };
        if let (None, Answer::Words { words }) = (&question.permission, answer) {
            self.decisions.push(Decision {
                question: envelope::one_line(&question.message, 300),
                answer: envelope::one_line(words, 300),
            });
        }
        if let (Some(request), Answer::Session) = (&question.permission, answer) {
            self.granted.insert(request.clone());
        }
        if let Some(open) = self.calls.iter_mut().find(|open| open.id == call) {
            open.answer = Some(answer.clone());
        }
        if let Some(turn) = &mut self.turn {
            turn.is_waiting = false;
            // The person may have changed something before answering.
            turn.rounds.forget();
        }
    }

    fn ended(&mut self, ending: &Ending) {
        if *ending == Ending::Waiting {
            if let Some(turn) = &mut self.turn {
                turn.is_waiting = true;
            }
            return;
        }
        self.flush_head();
        self.turn = None;
        self.question = None;
        // Every turn ends with an assistant message, since some chat templates require alternating
        // roles.
        let is_closed = self
            .messages
            .last()
            .is_none_or(|last| last.role == Role::Assistant && last.calls.is_empty());
        if let (false, Some(words)) = (is_closed, turn::closing(ending)) {
            self.messages.push(Message::assistant(&words, Vec::new()));
        }
    }

    /// Combines the collected texts and the person's message into one message.
    fn flush_head(&mut self) {
        let head = std::mem::take(&mut self.head);
        let about_the_plan = head.transition.into_iter().chain(head.notices);
        let pieces: Vec<(Part, String)> = about_the_plan
            .map(|text| (Part::Plan, text))
            .chain(head.words.map(|words| (Part::Person, words)))
            .collect();
        if !pieces.is_empty() {
            self.messages.push(Message::user(pieces));
        }
    }
}
