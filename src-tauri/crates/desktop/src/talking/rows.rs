//! The rows of a conversation: a fold over the session's entries.
//!
//! The entries of one call become one row, which is updated in place; rows never move. Rows contain
//! no plan text and no tool output, which `details` fetches from the entries on demand. Does no IO.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use agent::session::Entry;
use agent::session::entry::{Answer, Card, Ending, FaultKind, PlanChange, Purpose, Question};
use agent::turn::{Call, Usage};

use super::trouble;
use super::words::{self, short};
use crate::document::cut;
use crate::wire::{PermissionView, TalkCost, TalkItem, TalkPage, TalkRow, TalkTrouble};
use workbench::markdown;

/// Maximum characters of a message in a row.
const MAX_WORDS_LEN: usize = 12_000;

/// Maximum bytes of a model's text rendered in a row.
const MAX_TEXT_LEN: usize = 64 * 1024;

/// Maximum rows in one answer.
const MAX_ROWS: u32 = 200;

/// The content of a row.
#[derive(Debug, Clone)]
enum Shown {
    /// A model's text, rendered on first use.
    Text {
        text: String,
        html: OnceLock<String>,
    },
    Item(TalkItem),
}

/// A conversation's rows, folded from its entries.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    shown: Vec<(i64, Shown)>,
    /// Calls as written by the model, until they have a result.
    calls: BTreeMap<String, Call>,
    /// The index of each call's row, by call id.
    row_of: BTreeMap<String, usize>,
    /// The index of each question's row, by the id of the call that asks it.
    question_of: BTreeMap<String, usize>,
    /// The open question, with the index of its row.
    open: Option<(usize, Question)>,
    proposals: u32,
    /// The latest proposed revision.
    pub(super) latest: Option<String>,
    /// Why the last turn failed or was cut short.
    pub(super) trouble: Option<TalkTrouble>,
    /// The cost of all replies.
    pub(super) cost: TalkCost,
    /// Whether a turn has begun and neither ended nor waits for an answer.
    pub(super) is_in_turn: bool,
}

impl Rows {
    /// Number of rows.
    pub(super) fn total(&self) -> u32 {
        u32::try_from(self.shown.len()).unwrap_or(u32::MAX)
    }

    /// A row's content, unless it is a model's text.
    pub(super) fn item(&self, index: u32) -> Option<&TalkItem> {
        match self.shown.get(index as usize)? {
            (_, Shown::Item(item)) => Some(item),
            (_, Shown::Text { .. }) => None,
        }
    }

    /// The open question.
    pub(super) fn open(&self) -> Option<&Question> {
        let (_, question) = self.open.as_ref()?;
        Some(question)
    }

    /// A page of rows. `permission` tells what the open permission request would allow.
    pub(super) fn page(
        &self,
        from: u32,
        count: u32,
        permission: impl Fn(&Question) -> PermissionView,
    ) -> TalkPage {
        let wanted = self.shown.iter().enumerate().skip(from as usize);
        let rows = wanted.take(count.min(MAX_ROWS) as usize);
        let rows = rows.map(|(index, (at_ms, shown))| {
            let mut item = match shown {
                Shown::Text { text, html } => TalkItem::Model {
                    html: html
                        .get_or_init(|| markdown::render(text, MAX_TEXT_LEN))
                        .clone(),
                },
                Shown::Item(item) => item.clone(),
            };
            if let (
                TalkItem::Permission {
                    permission: view, ..
                },
                Some((open, question)),
            ) = (&mut item, &self.open)
                && *open == index
            {
                *view = permission(question);
            }
            TalkRow {
                index: u32::try_from(index).unwrap_or(u32::MAX),
                at_ms: *at_ms,
                item,
            }
        });
        TalkPage {
            total: self.total(),
            rows: rows.collect(),
        }
    }

    /// Adds one entry.
    pub(super) fn apply(&mut self, at_ms: i64, entry: &Entry) {
        match entry {
            Entry::Said { words, purpose } => self.said(at_ms, words, purpose),
            Entry::ModeSet {
                from,
                to,
                by,
                approved,
            } => self.push(
                at_ms,
                TalkItem::Mode {
                    from: from.as_str().to_owned(),
                    to: to.as_str().to_owned(),
                    by: by.as_str().to_owned(),
                    approved: approved.clone(),
                },
            ),
            Entry::PlanNotice { change } => self.outside(at_ms, change),
            // This entry tells the model about a change of mode; the change itself has its own row.
            Entry::Transition { .. } => {}
            Entry::TurnBegan => self.is_in_turn = true,
            Entry::Replied { reply } => {
                self.cost.replies += 1;
                self.spent(reply.usage);
                if !reply.text.trim().is_empty() {
                    let (text, html) = (reply.text.clone(), OnceLock::new());
                    self.shown.push((at_ms, Shown::Text { text, html }));
                }
                for call in &reply.calls {
                    self.called(at_ms, call);
                }
            }
            Entry::CallBegan { id } => self.set_call(id, "running", ""),
            Entry::CallEnded { id, result, notice } => {
                let state = match (result.is_unknown, result.ok) {
                    (true, _) => "unknown",
                    (false, true) => "done",
                    (false, false) => "failed",
                };
                let summary = match self.calls.get(id) {
                    Some(call) => words::came_of(call, result),
                    None => words::first_line(&result.content),
                };
                self.settle(at_ms, id, state, &summary);
                if let Some(change) = notice {
                    self.outside(at_ms, change);
                }
            }
            Entry::Refused { id, message } => self.settle(at_ms, id, "refused", message),
            Entry::Faulted { fault, .. } => {
                let message = match fault {
                    FaultKind::Format => {
                        "A tool call was invalid. The model was sent the correct format."
                    }
                    FaultKind::Empty => "The model's reply was empty. Asked again.",
                    FaultKind::Cut => {
                        "The reply was cut off and wasn't used. Asked for shorter replies."
                    }
                    FaultKind::Unfinished => {
                        "The model described the work instead of doing it. Asked to do it."
                    }
                };
                self.notice(at_ms, "repair", message.to_owned());
            }
            Entry::Asked { question } => self.asked(at_ms, question),
            Entry::Answered { call, answer } => self.answered(call, answer),
            Entry::Proposed { card } => self.proposed(at_ms, card),
            Entry::Compacted { usage, .. } => {
                self.spent(*usage);
                let message = "The conversation was getting too long for the model. Its beginning was summarized; \
                               the plan and your decisions are kept verbatim.";
                self.notice(at_ms, "summary", message.to_owned());
            }
            Entry::ReplyStopped { usage } => self.spent(*usage),
            Entry::TurnEnded { ending } => self.ended(at_ms, ending),
        }
    }

    fn push(&mut self, at_ms: i64, item: TalkItem) {
        self.shown.push((at_ms, Shown::Item(item)));
    }

    fn notice(&mut self, at_ms: i64, about: &str, message: String) {
        let about = about.to_owned();
        self.push(at_ms, TalkItem::Notice { about, message });
    }

    fn spent(&mut self, usage: Usage) {
        self.cost.input += usage.input;
        self.cost.cached += usage.cached;
        self.cost.output += usage.output;
    }

    fn said(&mut self, at_ms: i64, words: &str, purpose: &Purpose) {
        self.trouble = None;
        self.is_in_turn = true;
        let (purpose, revision) = match purpose {
            Purpose::Talk => ("talk", None),
            Purpose::Goal => ("goal", None),
            Purpose::Feedback { revision } => ("feedback", Some(revision.clone())),
            Purpose::Work => ("work", None),
        };
        self.push(
            at_ms,
            TalkItem::Said {
                words: cut(words, MAX_WORDS_LEN),
                purpose: purpose.to_owned(),
                revision,
            },
        );
    }

    fn outside(&mut self, at_ms: i64, change: &PlanChange) {
        let message = match change {
            PlanChange::Edited { from, to, .. } => format!(
                "The plan was changed outside this conversation ({} → {}). The model has the changes.",
                short(from),
                short(to)
            ),
            PlanChange::Deleted { from } => format!(
                "The plan file was deleted (last revision {}). The model was notified.",
                short(from)
            ),
        };
        self.notice(at_ms, "outside", message);
    }

    fn called(&mut self, at_ms: i64, call: &Call) {
        self.calls.insert(call.id.clone(), call.clone());
        // Questions and proposals get their own kind of row once they have a result.
        if !matches!(call.name.as_str(), "ask_user" | "propose_plan") {
            self.add_call(at_ms, call, "running", "");
        }
    }

    fn add_call(&mut self, at_ms: i64, call: &Call, state: &str, summary: &str) {
        self.row_of.insert(call.id.clone(), self.shown.len());
        self.push(
            at_ms,
            TalkItem::Call {
                call: call.id.clone(),
                tool: cut(&call.name, 80),
                title: words::title(call),
                state: state.to_owned(),
                summary: summary.to_owned(),
            },
        );
    }

    fn set_call(&mut self, id: &str, now: &str, came: &str) {
        let row = self.row_of.get(id).and_then(|at| self.shown.get_mut(*at));
        if let Some((_, Shown::Item(TalkItem::Call { state, summary, .. }))) = row {
            now.clone_into(state);
            *summary = cut(came, words::MAX_LINE_LEN);
        }
    }

    /// Records a call's result.
    fn settle(&mut self, at_ms: i64, id: &str, state: &str, summary: &str) {
        let call = self.calls.remove(id);
        let is_to_show = state != "done" && !self.question_of.contains_key(id);
        if self.row_of.contains_key(id) {
            self.set_call(id, state, summary);
        } else if let Some(call) = call.filter(|_| is_to_show) {
            self.add_call(at_ms, &call, state, &cut(summary, words::MAX_LINE_LEN));
        }
    }

    fn asked(&mut self, at_ms: i64, question: &Question) {
        self.question_of
            .insert(question.call.clone(), self.shown.len());
        self.open = Some((self.shown.len(), question.clone()));
        let item = match &question.permission {
            None => TalkItem::Question {
                call: question.call.clone(),
                message: question.message.clone(),
                options: question.options.clone(),
                is_open: true,
                answer: None,
            },
            Some(permission) => {
                self.set_call(&question.call, "asked", "");
                TalkItem::Permission {
                    call: question.call.clone(),
                    permission: PermissionView {
                        tool: permission.tool.clone(),
                        subject: permission.subject.clone(),
                        ..PermissionView::default()
                    },
                    why: words::why(question),
                    is_open: true,
                    answer: None,
                }
            }
        };
        self.push(at_ms, item);
    }

    fn answered(&mut self, call: &str, given: &Answer) {
        self.is_in_turn = true;
        self.open.take_if(|(_, question)| question.call == call);
        let said = match given {
            Answer::Words { words } => Some(cut(words, MAX_WORDS_LEN)),
            Answer::Skip => Some("Left to the model".to_owned()),
            Answer::Once => Some("Allowed once".to_owned()),
            Answer::Session => Some("Allowed in this conversation".to_owned()),
            Answer::No { words } if words.trim().is_empty() => Some("No".to_owned()),
            Answer::No { words } => Some(format!("No: {}", cut(words, MAX_WORDS_LEN))),
            Answer::Withdrawn => None,
        };
        let at = self.question_of.get(call);
        if let Some((
            _,
            Shown::Item(
                TalkItem::Question {
                    is_open, answer, ..
                }
                | TalkItem::Permission {
                    is_open, answer, ..
                },
            ),
        )) = at.and_then(|at| self.shown.get_mut(*at))
        {
            *is_open = false;
            *answer = said;
        }
    }

    fn proposed(&mut self, at_ms: i64, card: &Card) {
        self.proposals += 1;
        let revision = Some(card.revision.clone()).filter(|revision| !revision.is_empty());
        let previous = self.latest.take();
        // Starting from the previous proposal would attribute later changes by others to the model.
        let before = card.since.clone().or(previous);
        self.latest.clone_from(&revision);
        self.push(
            at_ms,
            TalkItem::Proposal {
                number: self.proposals,
                path: card.path.clone(),
                before: before.filter(|before| revision.as_ref() != Some(before)),
                revision,
                badge: card.badge.clone(),
                score: card.score,
                summary: card.summary.clone(),
            },
        );
    }

    fn ended(&mut self, at_ms: i64, ending: &Ending) {
        self.is_in_turn = false;
        let (why, trouble) = match ending {
            Ending::Answered | Ending::Proposed | Ending::Waiting => {
                self.trouble = None;
                return;
            }
            Ending::Working { run } => {
                return self.notice(at_ms, "run", format!("Sent to run {run}."));
            }
            Ending::Cancelled => {
                let words = "Cancelled. Changes made so far are kept.";
                ("cancelled", trouble::told("stopped", words))
            }
            Ending::Failed { reason } => ("failed", trouble::of(reason)),
            Ending::Unfinished { reason } => ("unfinished", trouble::told("unfinished", reason)),
            Ending::Cut { reason } => ("cut", trouble::told("broken_off", reason)),
        };
        self.trouble = (why != "cancelled").then(|| trouble.clone());
        let why = why.to_owned();
        self.push(at_ms, TalkItem::Ended { why, trouble });
    }
}

#[cfg(test)]
mod tests;
