//! Which step may start: order, dependencies, branches and skips.

use std::collections::BTreeSet;

use plan::{ChoiceEffect, Plan, Task, TaskId};

use super::PlanView;
use super::state::{Standing, State};
use crate::journal::SkippedBy;

/// Status of a leaf, by the run's records alone.
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
    /// It depends on this open task.
    WaitsFor(usize),
    /// A person skipped a task it depends on.
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

    /// The decision that rules out this leaf, and the chosen label.
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
                // A dependency ruled out by a branch counts as met, but its own dependencies still
                // come first. Otherwise, skipping it would let later steps start too early.
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
        // Signing or skipping a step after a gate doesn't pass the gate.
        let mut gates = self.gates[index].iter().copied();
        if let Some(gate) = gates.find(|gate| self.leaf(state, *gate) == Leaf::Open) {
            return Readiness::WaitsFor(gate);
        }
        skipped.map_or(Readiness::Ready, Readiness::SkippedBefore)
    }

    pub(super) fn scope(&self, state: &State) -> Vec<usize> {
        scope(&self.plan, state.started.upto.as_deref())
    }

    /// A step's number among the leaves in scope, and the number of leaves.
    pub(super) fn place(&self, state: &State, id: &str) -> (usize, usize) {
        let scope = self.scope(state);
        let at = scope
            .iter()
            .position(|index| self.plan.tasks[*index].id.as_str() == id);
        (at.map_or(0, |at| at + 1), scope.len())
    }
}

/// The leaves that a run carries out: all, or those up to one task in document order.
pub fn scope(plan: &Plan, upto: Option<&str>) -> Vec<usize> {
    let last = upto.and_then(|id| plan.index_of_name(id));
    plan.leaves()
        .map(|(index, _)| index)
        .filter(|index| last.is_none_or(|l| *index <= l))
        .collect()
}

/// The effect of a chosen label; `Continue` for text that isn't an option.
pub(super) fn effect_of(task: &Task, label: &str) -> ChoiceEffect {
    task.options
        .iter()
        .find(|option| option.label == label)
        .map_or(ChoiceEffect::Continue, |option| option.effect.clone())
}
