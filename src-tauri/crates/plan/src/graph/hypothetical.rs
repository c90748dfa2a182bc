//! Predicts the effects of changing `depends:`: new cycles, and the implicit dependencies that
//! apply without it.

use std::collections::VecDeque;

use super::nodes::{Nodes, Part};
use super::{Graph, Relations};
use crate::model::{Plan, TaskId};

impl Graph {
    /// The cycle through one of `added` that would arise if a task waited for `depends` (`None`:
    /// for the task above it). Starts with the task itself; each waits for the next. `None` if
    /// there would be no such cycle.
    pub(crate) fn cycle_if(
        plan: &Plan,
        task: usize,
        depends: Option<Vec<usize>>,
        added: &[usize],
    ) -> Option<Vec<TaskId>> {
        let mut said = Relations::of(plan);
        let hands_down = depends.is_some() && plan.tasks[task].is_group();
        said.depends[task] = depends;
        let nodes = Nodes::of(plan, &said);
        let start = Nodes::node(task, Part::Start);
        let around = Nodes::node(task, Part::Around);
        let is_goal = |node: usize| node == start || hands_down && node == around;
        // A node where the search starts is recorded as its own predecessor.
        let mut came_from: Vec<Option<usize>> = vec![None; nodes.len()];
        let mut open = VecDeque::new();
        for before in added {
            let node = Nodes::node(*before, Part::End);
            came_from[node] = Some(node);
            open.push_back(node);
        }
        while let Some(node) = open.pop_front() {
            if is_goal(node) {
                return Some(path_to(plan, &nodes, task, node, &came_from));
            }
            for &to in nodes.next(node) {
                if came_from[to].is_none() {
                    came_from[to] = Some(node);
                    open.push_back(to);
                }
            }
        }
        None
    }
}

/// The implicit dependencies of all tasks.
#[derive(Debug)]
pub(crate) struct ImplicitDependencies {
    nodes: Nodes,
}

impl ImplicitDependencies {
    /// Builds the dependencies as if the plan had no explicit ones.
    pub(crate) fn of(plan: &Plan) -> Self {
        let mut said = Relations::of(plan);
        said.depends.fill(None);
        said.deciders.clear();
        Self {
            nodes: Nodes::of(plan, &said),
        }
    }

    /// A task's dependencies if it has no `depends:`; for a first sub-task, those of its group.
    /// Excludes the `depends:` of its groups, which applies in any case.
    pub(crate) fn waits_for(&self, plan: &Plan, task: usize) -> Vec<usize> {
        let mut at = task;
        loop {
            let start = Nodes::node(at, Part::Start);
            let next = self.nodes.next(start);
            let found: Vec<usize> = self
                .nodes
                .named_by(start)
                .filter_map(|node| {
                    let task = self.nodes.task(node)?;
                    (node == Nodes::node(task, Part::End)).then_some(task)
                })
                .collect();
            let Some(parent) = plan.tasks[at].parent else {
                return found;
            };
            let asks_group = next.contains(&Nodes::node(parent, Part::Start));
            if !found.is_empty() || !asks_group || plan.tasks[parent].depends.is_some() {
                return found;
            }
            at = parent;
        }
    }
}

/// The tasks on the path to a node, each once, starting with the task that closes the cycle.
fn path_to(
    plan: &Plan,
    nodes: &Nodes,
    task: usize,
    goal: usize,
    came_from: &[Option<usize>],
) -> Vec<TaskId> {
    let mut path = Vec::new();
    let mut at = goal;
    loop {
        path.extend(nodes.task(at));
        match came_from[at] {
            Some(before) if before != at => at = before,
            _ => break,
        }
    }
    path.push(task);
    path.reverse();
    path.dedup();
    if path.len() > 1 && path.last() == Some(&task) {
        path.pop();
    }
    path.into_iter()
        .map(|at| plan.tasks[at].id.clone())
        .collect()
}
