//! Decides whether a turn may end or must continue, after an unusable reply or a reply with text
//! instead of the work.

use super::Machine;
use crate::session::entry::{Ending, Entry, FaultKind, Purpose};
use crate::session::notice;
use crate::turn::{Bounds, Finish, Stop};

impl Machine {
    /// The limits of a turn. Text alone counts as an answer. `idle` has no limit, because a person
    /// may refuse many calls in a row.
    pub(super) fn bounds(&self) -> Bounds {
        Bounds {
            barren: 3,
            cuts: 2,
            idle: usize::MAX,
            requests: usize::try_from(self.config.max_requests).unwrap_or(usize::MAX),
            wants_call: false,
        }
    }

    pub(super) fn stopped(&mut self, stop: Stop, reason: String) {
        self.end(match stop {
            Stop::Cut => Ending::Cut { reason },
            Stop::Cap => Ending::Failed {
                reason: format!(
                    "{reason}. Send a message to continue, or raise the limit in the \
                                 settings."
                ),
            },
            Stop::Filter | Stop::Barren | Stop::Loop => Ending::Failed { reason },
        });
    }

    pub(super) fn fault(&mut self, message: String) {
        let last = self.state.turn.as_ref().and_then(|turn| turn.rounds.last());
        let fault = match last.map(|last| &last.reply) {
            Some(reply) if reply.finish == Finish::Length => FaultKind::Cut,
            Some(reply) if reply.faults.is_empty() && reply.calls.is_empty() => FaultKind::Empty,
            _ => FaultKind::Format,
        };
        self.record(Entry::Faulted { fault, message });
    }

    /// Handles a reply without calls, which is either an answer or text instead of the work.
    /// Returns whether the turn is over.
    pub(super) fn conclude(&mut self) -> bool {
        let is_nudged = self.state.turn.as_ref().is_some_and(|turn| turn.is_nudged);
        let ending = match self.missing() {
            None => Ending::Answered,
            Some((reason, _)) if is_nudged => Ending::Unfinished { reason },
            Some((_, message)) => {
                let fault = FaultKind::Unfinished;
                self.record(Entry::Faulted { fault, message });
                return false;
            }
        };
        self.end(ending);
        true
    }

    /// The work that a turn still lacks, described to the person and to the model.
    fn missing(&self) -> Option<(String, String)> {
        let turn = self.state.turn.as_ref()?;
        match &turn.purpose {
            Purpose::Talk | Purpose::Work => None,
            Purpose::Goal | Purpose::Feedback { .. } if !turn.has_edited => {
                let reason = match &turn.purpose {
                    Purpose::Feedback { revision } => format!(
                        "the model replied without changing plan revision {}.",
                        notice::short(revision)
                    ),
                    _ => "the model replied without writing a plan.".to_owned(),
                };
                let told = "That changed nothing: the plan file is as it was. Call edit_plan now, then \
                            propose_plan. If you need an answer first, call ask_user.";
                Some((reason, told.to_owned()))
            }
            Purpose::Goal | Purpose::Feedback { .. } => {
                let reason = "the plan was changed but not proposed.".to_owned();
                let told =
                    "The plan is not proposed yet. Call propose_plan, or go on with edit_plan.";
                Some((reason, told.to_owned()))
            }
        }
    }
}
