//! Decides how a model's failed step recovers: by a rule, by the model's choice of a letter, or by
//! a person.

use std::sync::Arc;

use gate::recovery::RecoveryStrategy;
use plan::Task;

use super::super::next::Turn;
use super::super::state::TaskState;
use super::super::{Machine, PlanView};
use crate::envelope::one_line;
use crate::journal::{Entry, SkippedBy};
use crate::micro_planning::{
    MAX_CALLS, MAX_SPLITS, SplitReason, parts_by_rule, split_depth, split_reason,
};
use crate::model_step::act;
use crate::model_step::recovery::{self, Choice, RecoveryInput};
use crate::model_step::{FailureKind, Offer, RecoveryBy, RecoveryDecision, StepRequest, request};
use crate::turn::Reply;

impl Machine {
    /// Records a reply. If it chooses a letter, acts on it at once.
    pub(in crate::run) fn take_reply(&mut self, task: String, request: &StepRequest, reply: Reply) {
        if let Offer::Letters(_) = request.offer {
            return self.take_letter(&task, &reply.text);
        }
        let reply = reply.without_conflicts().with_report_last();
        self.record(Entry::Replied { task, reply });
    }

    fn take_letter(&mut self, id: &str, answer: &str) {
        let view = Arc::clone(&self.view);
        let Some(task) = view.task(id) else {
            return;
        };
        let state = self.state.tasks.get(id).cloned().unwrap_or_default();
        let Some((failure, reason)) = state.work.trouble.clone() else {
            return;
        };
        let recovery_input = recovery_input(&view, task, &state, failure, &reason);
        let decision = recovery::picked(&recovery_input, answer);
        self.take_decision(task, decision);
    }

    /// Decides how the step recovers when the model's server doesn't answer.
    pub(in crate::run) fn model_failed(&mut self, id: &str, request: &StepRequest, reason: &str) {
        let view = Arc::clone(&self.view);
        let Some(task) = view.task(id) else {
            return;
        };
        let is_letter = matches!(request.offer, Offer::Letters(_));
        if is_letter {
            // Leave the original failure for the person to decide.
            return self.take_letter(id, "");
        }
        self.recover(&view, task, FailureKind::Server, reason);
    }

    /// Decides how the step recovers if an agent has ended or can't be used.
    pub(in crate::run) fn agent_failed(&mut self, id: &str, reason: &str) {
        let view = Arc::clone(&self.view);
        if let Some(task) = view.task(id) {
            self.recover(&view, task, FailureKind::Server, reason);
        }
    }

    /// Decides how to continue after a failed attempt: by a rule or, if none applies, by the letter
    /// that the model chooses.
    pub(in crate::run) fn recover(
        &mut self,
        view: &PlanView,
        task: &Task,
        failure: FailureKind,
        reason: &str,
    ) -> Turn {
        if self.agent_of(task).is_some() {
            let strategy = RecoveryStrategy::AskUser;
            let decision = RecoveryDecision::by_rule(failure, strategy, reason);
            return self.take_decision(task, decision);
        }
        let id = task.id.as_str();
        let state = self.state.tasks.get(id).cloned().unwrap_or_default();
        match recovery::decide(&recovery_input(view, task, &state, failure, reason)) {
            Choice::Decided(decision) => self.take_decision(task, decision),
            Choice::AskModel => self.record(Entry::Troubled {
                task: id.to_owned(),
                failure,
                reason: reason.to_owned(),
            }),
        }
    }

    /// Whether a step has become larger than a single step should be and can still be split.
    pub(super) fn is_outgrown(&self, view: &PlanView, task: &Task, state: &TaskState) -> bool {
        state.work.rounds.performed().count() > MAX_CALLS
            && !state.work.has_tried(RecoveryStrategy::DecomposeFurther)
            && split_of(view, task, state).is_some()
    }

    pub(in crate::run) fn take_decision(
        &mut self,
        task: &Task,
        decision: RecoveryDecision,
    ) -> Turn {
        let id = task.id.0.clone();
        let strategy = decision.strategy;
        let (by, words) = (decision.by, decision.words.clone());
        let reason = decision.reason.clone();
        let decision = RecoveryDecision {
            reason: one_line(&reason, 600),
            ..decision
        };
        self.record(Entry::Recovered {
            task: id.clone(),
            decision,
        });
        match strategy {
            RecoveryStrategy::AskUser | RecoveryStrategy::Abort => {
                self.record(Entry::Failed { task: id, reason });
                if strategy == RecoveryStrategy::Abort && by == RecoveryBy::Person {
                    self.abort_at(task);
                }
            }
            RecoveryStrategy::SkipAndContinue if by == RecoveryBy::Person => {
                let words = words.filter(|words| !words.trim().is_empty());
                let words = words.unwrap_or_else(|| one_line(&reason, 300));
                self.record_skip(id, words, SkippedBy::Person);
            }
            RecoveryStrategy::SkipAndContinue => {
                let reason = format!("the model skipped it: {}", one_line(&reason, 300));
                self.record_skip(id, reason, SkippedBy::Model);
            }
            RecoveryStrategy::DecomposeFurther => {
                let known = self.state.tasks.get(&id);
                let calls = known.map_or(0, |known| known.work.rounds.next_call());
                let long = match by {
                    RecoveryBy::Person => SplitReason::Asked,
                    RecoveryBy::Code | RecoveryBy::Model => SplitReason::Calls(calls),
                };
                self.split_by_rule(task, split_reason(task, 0).unwrap_or(long));
            }
            RecoveryStrategy::RetrySame
            | RecoveryStrategy::RetrySimplified
            | RecoveryStrategy::TryAlternative => {}
        }
        Turn::Again
    }

    pub(in crate::run) fn ask_for_letter(
        &mut self,
        view: &PlanView,
        task: &Task,
        reason: &str,
    ) -> Turn {
        let request = request::letter(task, reason);
        self.ask_model(view, task.id.as_str(), request)
    }
}

fn recovery_input<'a>(
    view: &PlanView,
    task: &Task,
    state: &'a TaskState,
    failure: FailureKind,
    reason: &'a str,
) -> RecoveryInput<'a> {
    RecoveryInput {
        failure,
        reason,
        work: &state.work,
        can_be_split: split_of(view, task, state).is_some(),
    }
}

/// Why a step is long enough to be split; `None` if no rule can split it.
fn split_of(view: &PlanView, task: &Task, state: &TaskState) -> Option<SplitReason> {
    // A step that makes a single change to one small file can't be split.
    if !act::of(&state.work).is_empty() {
        return None;
    }
    let index = view.plan.index_of(&task.id)?;
    let calls = state.work.rounds.next_call();
    let long = split_reason(task, calls).filter(|_| split_depth(&view.plan, index) < MAX_SPLITS)?;
    parts_by_rule(task, long).is_some().then_some(long)
}
