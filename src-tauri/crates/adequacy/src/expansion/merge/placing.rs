//! Chooses positions for new tasks: after their prerequisites and before their dependents,
//! otherwise where the reply puts them.

use std::collections::HashMap;

use plan::edit::Place;
use plan::{Plan, TaskId};

use repair::ReplyTask;

/// The order of the tasks in the file while new ones are being inserted.
pub(super) struct Order {
    names: Vec<TaskId>,
}

/// Position of a new task.
pub(super) struct Spot {
    pub(super) place: Place,
    /// Later tasks, which can depend on the new one.
    pub(super) waiting: Vec<TaskId>,
    /// Whether the next task implicitly depends on the one above it. If so, the new task must
    /// depend on that task too, or the dependency would be lost.
    pub(super) keeps_order: bool,
}

impl Order {
    pub(super) fn of(plan: &Plan) -> Self {
        Self {
            names: plan.tasks.iter().map(|task| task.id.clone()).collect(),
        }
    }

    pub(super) fn has(&self, name: &TaskId) -> bool {
        self.at(name).is_some()
    }

    fn at(&self, name: &TaskId) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Finds the position of a new task and inserts it.
    pub(super) fn put(
        &mut self,
        plan: &Plan,
        name: &TaskId,
        needs: &[TaskId],
        waiting: &[TaskId],
        said_after: Option<&TaskId>,
    ) -> Spot {
        let behind = needs.iter().filter_map(|need| self.at(need)).max();
        let before = waiting.iter().filter_map(|task| self.at(task)).min();
        let (place, at) = match before {
            Some(before) if behind.is_none_or(|behind| behind < before) => {
                (Place::Before(self.names[before].clone()), before)
            }
            _ => self.behind(plan, behind, said_after),
        };
        let next = self.names.get(at).and_then(|next| plan.task(next));
        let keeps_order = next.is_some_and(|next| next.depends.is_none());
        let waiting = waiting
            .iter()
            .filter(|task| self.at(task).is_some_and(|task| task >= at))
            .cloned()
            .collect();
        self.names.insert(at, name.clone());
        Spot {
            place,
            waiting,
            keeps_order,
        }
    }

    /// A position after the prerequisites of the new task and after the task that the reply names,
    /// otherwise at the end. Always outside groups, because a group's title describes what it
    /// contains.
    fn behind(
        &self,
        plan: &Plan,
        behind: Option<usize>,
        said_after: Option<&TaskId>,
    ) -> (Place, usize) {
        let said = said_after.and_then(|task| self.at(task));
        let last = self.names.len().checked_sub(1);
        let anchor = match (said, behind) {
            (Some(said), Some(behind)) => Some(said.max(behind)),
            (Some(said), None) => Some(said),
            (None, _) => last,
        };
        let Some(anchor) = anchor else {
            return (Place::First, 0);
        };
        let top = self.top(plan, anchor);
        let is_within = |name: &TaskId| plan.task(name).is_some_and(|task| task.depth > 0);
        let below = self.names[top + 1..].iter();
        let end = top + 1 + below.take_while(|name| is_within(name)).count();
        (Place::After(self.names[top].clone()), end)
    }

    /// The top-level task that contains a task.
    fn top(&self, plan: &Plan, at: usize) -> usize {
        let is_top = |at: &usize| {
            let task = plan.task(&self.names[*at]);
            task.is_none_or(|task| task.depth == 0)
        };
        (0..=at).rev().find(is_top).unwrap_or(at)
    }
}

/// Sorts new tasks so that each comes after its prerequisites; tasks in a cycle keep their order.
pub(super) fn sorted(
    new: &[(&ReplyTask, TaskId)],
    name: &dyn Fn(&str) -> Option<TaskId>,
) -> Vec<usize> {
    let at: HashMap<&TaskId, usize> = new
        .iter()
        .enumerate()
        .map(|(at, (_, name))| (name, at))
        .collect();
    let needs: Vec<Vec<usize>> = new
        .iter()
        .map(|(reply, _)| {
            let named = reply.depends_on.iter().filter_map(|id| name(id));
            named.filter_map(|name| at.get(&name).copied()).collect()
        })
        .collect();
    let mut sorted = Vec::with_capacity(new.len());
    let mut is_placed = vec![false; new.len()];
    while sorted.len() < new.len() {
        let is_open = |at: &usize| !is_placed[*at];
        let is_free = |at: &usize| needs[*at].iter().all(|need| is_placed[*need] || need == at);
        let open = (0..new.len()).filter(is_open);
        let next = open.clone().find(is_free).or_else(|| open.clone().next());
        let Some(next) = next else { break };
        is_placed[next] = true;
        sorted.push(next);
    }
    sorted
}
