//! A reply without calls: an answer, a fault, or words in place of the work.

use super::Machine;
use crate::session::entry::{Ending, Entry, FaultKind, Purpose};
use crate::session::reply::Finish;
use crate::session::state::Last;
use crate::session::{context, notice};

/// How many faulty or empty replies in a row end the turn.
const FAULTS: u32 = 3;

/// How many replies in a row that are not whole end the turn.
const CUTS: u32 = 2;

impl Machine {
    pub(super) fn conclude(&mut self, last: &Last) {
        let Some(turn) = &self.state.turn else { return };
        let (faults, cuts, is_nudged) = (turn.faults, turn.cuts, turn.is_nudged);
        match last.finish {
            Finish::ContentFilter => {
                let reason =
                    "the provider's content filter stopped the reply. Say it in other words."
                        .to_owned();
                return self.end(Ending::Failed { reason });
            }
            Finish::Length if cuts >= CUTS => {
                let reason = "the reply ran into the limit of its length twice. Raise the model's \
                              output limit, or ask for less at once."
                    .to_owned();
                return self.end(Ending::Cut { reason });
            }
            Finish::Length => {
                let (fault, message) = context::fault_of_length();
                self.record(Entry::Faulted { fault, message });
                return self.next();
            }
            Finish::Cut if cuts >= CUTS => {
                let reason =
                    "the reply broke off before its end, twice; nothing of it was used. Try \
                              again, or look at the endpoint."
                        .to_owned();
                return self.end(Ending::Cut { reason });
            }
            // The same request once more: asking is without effect.
            Finish::Cut => return self.start_model(),
            Finish::Stop | Finish::ToolCalls => {}
        }
        let fault = if !last.faults.is_empty() {
            Some((FaultKind::Format, last.faults.join("\n")))
        } else if last.is_blank {
            let told = "Your reply was empty. Call a tool, or answer in words.";
            Some((FaultKind::Empty, told.to_owned()))
        } else {
            None
        };
        if let Some((fault, message)) = fault {
            if faults + 1 >= FAULTS {
                let reason = format!(
                    "{FAULTS} replies in a row could not be used; the last fault: {message}"
                );
                return self.end(Ending::Failed { reason });
            }
            self.record(Entry::Faulted { fault, message });
            return self.next();
        }
        match self.missing() {
            None => self.end(Ending::Answered),
            Some((reason, _)) if is_nudged => self.end(Ending::Unfinished { reason }),
            Some((_, message)) => {
                let fault = FaultKind::Unfinished;
                self.record(Entry::Faulted { fault, message });
                self.next();
            }
        }
    }

    /// What the turn was to do and did not: in words for the person, and for the model.
    fn missing(&self) -> Option<(String, String)> {
        let turn = self.state.turn.as_ref()?;
        match &turn.purpose {
            Purpose::Talk | Purpose::Work => None,
            Purpose::Goal | Purpose::Feedback { .. } if !turn.has_edited => {
                let reason = match &turn.purpose {
                    Purpose::Feedback { revision } => format!(
                        "the model answered in words and did not change the plan {}.",
                        notice::short(revision)
                    ),
                    _ => "the model answered in words and wrote no plan.".to_owned(),
                };
                let told = "That changed nothing: the plan file is as it was. Call edit_plan now, then \
                            propose_plan. If you need an answer first, call ask_user.";
                Some((reason, told.to_owned()))
            }
            Purpose::Goal | Purpose::Feedback { .. } => {
                let reason = "the plan was changed, but not proposed.".to_owned();
                let told =
                    "The plan is not proposed yet. Call propose_plan, or go on with edit_plan.";
                Some((reason, told.to_owned()))
            }
        }
    }
}
