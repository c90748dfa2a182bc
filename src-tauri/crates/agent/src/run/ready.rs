//! Determines which step may start, based on order, dependencies, branches and skipped steps.

use std::collections::BTreeSet;

use plan::{ChoiceEffect, Plan, Task, TaskId};

use super::PlanView;
use super::state::{Standing, State};
use crate::journal::SkippedBy;

/// The status of a leaf according to the run's own records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaf {
    /// Done.
    Done,
    /// Skipped.
    Skipped(SkippedBy),
    /// Still to be carried out.
    Open,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Readiness {
    /// It can start.
    Ready,
    /// It depends on this task, which is still open.
    WaitsFor(usize),
    /// It depends on this task, which a person skipped.
    SkippedBefore(usize),
}

impl PlanView {
    pub(super) fn leaf(&self, state: &State, index: usize) -> Leaf {
        let task = &self.plan.tasks[index];
        match state.standing(&task.id) {
            Standing::Done => return Leaf::Done,
            Standing::Skipped(by) => return Leaf::Skipped(by),
            Standing::Pending | Standing::Running | Standing::Failed => {}
        }
        match self.left_out(state, index) {
            Some(_) => Leaf::Skipped(SkippedBy::Branch),
            None => Leaf::Open,
        }
    }

    /// The decision that rules out this leaf, and the label that was chosen.
    pub(super) fn left_out(&self, state: &State, index: usize) -> Option<(usize, String)> {
        let answer = |decision: &Task| state.task(&decision.id)?.decided.as_deref();
        let found = self.graph.skipped_by(&self.plan, index, answer);
        found.map(|(decision, label)| (decision, label.to_owned()))
    }

    pub(super) fn open_among(&self, state: &State, ids: &[TaskId]) -> Vec<usize> {
        let tasks = self.plan.tasks.iter().enumerate();
        let named = tasks.filter(|(_, task)| ids.contains(&task.id));
        let leaves = named.flat_map(|(index, _)| self.graph.leaves_of(index).iter().copied());
        leaves
            .filter(|leaf| self.leaf(state, *leaf) == Leaf::Open)
            .collect()
    }

    pub(super) fn readiness(&self, state: &State, index: usize) -> Readiness {
        let mut skipped = None;
        let mut queue: Vec<usize> = self.graph.waits_for(index).to_vec();
        let mut seen: BTreeSet<usize> = queue.iter().copied().collect();
        while let Some(before) = queue.pop() {
            match self.leaf(state, before) {
                Leaf::Done => {}
                // A dependency that a branch rules out counts as met, but its own dependencies must
                // still be met first. Otherwise, skipping it would let later steps start too early.
                Leaf::Skipped(by) => {
                    if by != SkippedBy::Branch {
                        skipped.get_or_insert(before);
                    }
                    let more = self.graph.waits_for(before).iter().copied();
                    queue.extend(more.filter(|further| seen.insert(*further)));
                }
                Leaf::Open => return Readiness::WaitsFor(before),
            }
        }
        // If a person signs or skips a step that follows a gate, the gate itself is still open.
        let mut gates = self.gates[index].iter().copied();
        if let Some(gate) = gates.find(|gate| self.leaf(state, *gate) == Leaf::Open) {
            return Readiness::WaitsFor(gate);
        }
        skipped.map_or(Readiness::Ready, Readiness::SkippedBefore)
    }

    pub(super) fn scope(&self, state: &State) -> Vec<usize> {
        scope(&self.plan, state.started.upto.as_deref())
    }

    /// The position of a step among the leaves in scope, and the number of leaves.
    pub(super) fn place(&self, state: &State, id: &str) -> (usize, usize) {
        let scope = self.scope(state);
        let at = scope
            .iter()
            .position(|index| self.plan.tasks[*index].id.as_str() == id);
        (at.map_or(0, |at| at + 1), scope.len())
    }
}

/// The leaves that a run carries out: all of them, or those up to a certain task in document order.
pub fn scope(plan: &Plan, upto: Option<&str>) -> Vec<usize> {
    let last = upto.and_then(|id| plan.index_of_name(id));
    plan.leaves()
        .map(|(index, _)| index)
        .filter(|index| last.is_none_or(|l| *index <= l))
        .collect()
}

/// The effect of choosing a label; `Continue` if the text isn't one of the options.
pub(super) fn effect_of(task: &Task, label: &str) -> ChoiceEffect {
    task.options
        .iter()
        .find(|option| option.label == label)
        .map_or(ChoiceEffect::Continue, |option| option.effect.clone())
}
