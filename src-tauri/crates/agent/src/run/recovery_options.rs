//! The recovery options that a person can choose for a model's step while it is in progress or
//! after it has failed.

use gate::recovery::RecoveryStrategy;
use plan::{By, Plan, Task};
use serde::Serialize;
use specta::Type;

use super::next::Turn;
use super::state::{Standing, State, TaskState};
use super::{Machine, PlanView};
use crate::journal::{EndState, Entry};
use crate::micro_planning::{MAX_SPLITS, SplitReason, parts_by_rule, split_depth};
use crate::model_step::{FailureKind, RecoveryBy, RecoveryDecision};

/// A recovery option, and why it is unavailable if so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename = "RecoveryWay")]
pub struct RecoveryOption {
    /// The strategy.
    #[specta(type = String)]
    pub strategy: RecoveryStrategy,
    /// Why it cannot be chosen now; `None` if it can.
    pub closed: Option<String>,
}

/// The recovery options for a step; empty for a step that has ended, hasn't started, or isn't
/// carried out by a model.
pub fn recovery_options(plan: &Plan, state: &State, id: &str) -> Vec<RecoveryOption> {
    let Some(index) = plan.index_of_name(id) else {
        return Vec::new();
    };
    let task = &plan.tasks[index];
    let Some(known) = state.task(&task.id).filter(|known| is_open(known)) else {
        return Vec::new();
    };
    // Only steps carried out by a model have replies and a selected context.
    let is_modelled = known.work.requests > 0 || known.work.context.is_some();
    if task.done || task.skipped.is_some() || !is_modelled {
        return Vec::new();
    }
    RecoveryStrategy::ALL
        .into_iter()
        .filter(|strategy| {
            // A failed step is already waiting for the person.
            !(*strategy == RecoveryStrategy::AskUser && known.standing == Standing::Failed)
        })
        .map(|strategy| RecoveryOption {
            strategy,
            closed: closed(plan, index, strategy),
        })
        .collect()
}

fn is_open(known: &TaskState) -> bool {
    matches!(known.standing, Standing::Running | Standing::Failed) && !known.undone
}

fn closed(plan: &Plan, index: usize, strategy: RecoveryStrategy) -> Option<String> {
    if strategy != RecoveryStrategy::DecomposeFurther {
        return None;
    }
    let task = &plan.tasks[index];
    if split_depth(plan, index) >= MAX_SPLITS {
        Some(format!("{} can't be split any further", task.id))
    } else if parts_by_rule(task, SplitReason::Asked).is_none() {
        Some(format!(
            "{} lists its exact calls, so it can't be split",
            task.id
        ))
    } else {
        None
    }
}

impl Machine {
    /// Continues a step with the strategy that a person chose. Returns an error and changes nothing
    /// if the step has ended, isn't carried out by a model, or can't use the strategy.
    pub(super) fn choose(
        &mut self,
        view: &PlanView,
        id: &str,
        strategy: RecoveryStrategy,
        words: Option<String>,
    ) -> Result<(), String> {
        let index = self.open_step(view, id)?;
        let task = &view.plan.tasks[index];
        let known = self.state.tasks.get(id).cloned().unwrap_or_default();
        if !self.config.has_model() || task.carried_out_by(true) != By::Agent || !is_open(&known) {
            return Err(format!(
                "no model is working on {id}, so there is nothing to recover"
            ));
        }
        if let Some(closed) = closed(&view.plan, index, strategy) {
            return Err(closed);
        }
        self.waiting.remove(id);
        self.failed_here.retain(|failed| failed != id);
        let goes_on = !matches!(
            strategy,
            RecoveryStrategy::AskUser | RecoveryStrategy::Abort | RecoveryStrategy::SkipAndContinue
        );
        if known.standing == Standing::Failed && goes_on {
            self.record(Entry::Retried {
                task: id.to_owned(),
            });
        }
        let decision = RecoveryDecision {
            failure: FailureKind::Stopped,
            strategy,
            reason: failure_reason(&known, words.as_deref()),
            by: RecoveryBy::Person,
            words,
        };
        let _: Turn = self.take_decision(task, decision);
        Ok(())
    }

    pub(super) fn abort_at(&mut self, task: &Task) {
        let message = format!("you stopped the run at {}", task.id);
        self.end(EndState::Stopped, message);
    }
}

/// Why the attempt ended: how it failed, or that a person intervened.
fn failure_reason(known: &TaskState, words: Option<&str>) -> String {
    match (known.standing, &known.reason, words) {
        (Standing::Failed, Some(reason), _) => reason.clone(),
        (_, _, Some(words)) if !words.trim().is_empty() => format!("a person intervened: {words}"),
        _ => "a person intervened".to_owned(),
    }
}
