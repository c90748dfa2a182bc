//! Handles the results of calls that edit, read or propose the plan.

use super::calls::filled;
use super::{EditedPlan, Effect, Machine, PlanFound, PlanNow, Standing, WrittenPlan};
use crate::envelope::elide_middle;
use crate::session::call::PlanTarget;
use crate::session::entry::{CallResult, Ending, Entry, PlanChange, Seen};
use crate::session::{context, notice, plan_edit, plan_excerpt, proposal};

impl Machine {
    pub(super) fn plan_edited(
        &mut self,
        id: &str,
        target: &PlanTarget,
        new_text: &str,
        edited: EditedPlan,
    ) {
        match edited {
            EditedPlan::Refused { message } => {
                self.end_call(id, CallResult::message(false, message), None);
            }
            EditedPlan::Done(written) => {
                let WrittenPlan {
                    made_from,
                    made_from_revision,
                    text,
                    revision,
                    standing,
                    known_text,
                    screen,
                } = *written;
                let content = plan_edit::answer(&made_from, &text, &revision, &standing);
                let known = self.state.plan.known.clone();
                // Somebody else changed the plan before this edit, and the model doesn't know about
                // it yet.
                let change = known
                    .filter(|known| made_from_revision.as_ref() != Some(known))
                    .map(|known| {
                        let before = known_text.as_deref();
                        match notice::edited(&known, before, &revision, &made_from) {
                            PlanChange::Edited { from, diff, .. } => PlanChange::Edited {
                                from,
                                to: revision.clone(),
                                diff,
                            },
                            other @ PlanChange::Deleted { .. } => other,
                        }
                    });
                let whole = *target == PlanTarget::New && is_the_text(new_text, &text);
                let result = CallResult {
                    ok: true,
                    content,
                    screen,
                    plan: Some(Seen {
                        revision: revision.clone(),
                        whole,
                        edited: true,
                    }),
                    is_unknown: false,
                };
                self.changed = None;
                self.end_call(id, result, change);
                self.plan = Some(PlanFound::There(PlanNow {
                    path: self.config.plan.path.clone(),
                    revision,
                    text,
                }));
            }
        }
        self.next();
    }

    pub(super) fn plan_was_read(
        &mut self,
        id: &str,
        task: Option<&str>,
        found: PlanFound,
        known_text: Option<&str>,
    ) {
        let read = match &found {
            PlanFound::Missing => Err(
                "There is no plan file yet. edit_plan with new_text alone writes it.".to_owned(),
            ),
            PlanFound::Unreadable { reason } => {
                Err(format!("The plan file cannot be read: {reason}"))
            }
            PlanFound::There(now) => plan_excerpt::read(&now.text, task, &self.config.profile)
                .map(|(text, whole)| (text, whole, now.clone())),
        };
        match read {
            Err(content) => {
                self.end_call(id, CallResult::message(false, content), None);
            }
            Ok((text, whole, now)) => {
                let known = self.state.plan.known.clone();
                let change = known
                    .filter(|known| *known != now.revision && !whole)
                    .map(|known| notice::edited(&known, known_text, &now.revision, &now.text));
                let bytes = context::result_bytes(&self.state, &self.config.profile);
                let whole = whole && text.len() <= bytes;
                let result = CallResult {
                    ok: true,
                    content: filled(elide_middle(&text, bytes)),
                    plan: Some(Seen {
                        revision: now.revision,
                        whole,
                        edited: false,
                    }),
                    ..CallResult::default()
                };
                self.changed = None;
                self.end_call(id, result, change);
            }
        }
        self.plan = Some(found);
        self.next();
    }

    pub(super) fn plan_checked(
        &mut self,
        id: &str,
        found: PlanFound,
        standing: Option<&Standing>,
        before: Option<&str>,
    ) {
        let judged = proposal::judge(
            &self.state,
            &found,
            standing,
            before,
            self.config.is_enforced,
        );
        match judged {
            Ok(card) => {
                // Record the card first: if the process ends right after that, the turn can still
                // be completed.
                self.record(Entry::Proposed { card: card.clone() });
                self.settle(id, proposal::answer(&card));
                self.out.push(Effect::Show(card));
            }
            Err(message) => {
                if let Some(open) = self.state.calls.iter().find(|call| call.id == id).cloned()
                    && self.refuse(&open, message)
                {
                    return;
                }
            }
        }
        if self
            .state
            .turn
            .as_ref()
            .is_some_and(|turn| turn.is_proposed)
        {
            return self.end(Ending::Proposed);
        }
        self.next();
    }
}

/// Whether the text that the model saw is the whole plan, except for front matter added by the app.
fn is_the_text(written: &str, text: &str) -> bool {
    let body = |text: &str| {
        let (plan, _) = plan::parse(text);
        let from = plan.front.span.map_or(0, |span| span.end);
        text.get(from..).unwrap_or_default().trim().to_owned()
    };
    body(written) == body(text)
}
