//! What a change of `depends:` would lead to: circles, and what the place of a task says without it.

use std::collections::VecDeque;

use super::nodes::{Nodes, Part};
use super::{Graph, Said};
use crate::model::{Plan, TaskId};

impl Graph {
    /// The circle that a plan would have if a task waited for `depends` (`None`: for the one above
    /// it), as far as it goes through one of `added`: in the order of waiting, the task itself
    /// first. `None` where there is none. The rest of the plan is as it stands.
    pub(crate) fn circle_if(
        plan: &Plan,
        task: usize,
        depends: Option<Vec<usize>>,
        added: &[usize],
    ) -> Option<Vec<TaskId>> {
        let mut said = Said::of(plan);
        let hands_down = depends.is_some() && plan.tasks[task].is_group();
        said.depends[task] = depends;
        let nodes = Nodes::of(plan, &said);
        let start = Nodes::node(task, Part::Start);
        let around = Nodes::node(task, Part::Around);
        let is_goal = |node: usize| node == start || hands_down && node == around;
        // A node that the search begins with comes from itself.
        let mut came_from: Vec<Option<usize>> = vec![None; nodes.len()];
        let mut open = VecDeque::new();
        for before in added {
            let node = Nodes::node(*before, Part::End);
            came_from[node] = Some(node);
            open.push_back(node);
        }
        while let Some(node) = open.pop_front() {
            if is_goal(node) {
                return Some(way(plan, &nodes, task, node, &came_from));
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

/// What tasks wait for by their place alone.
#[derive(Debug)]
pub(crate) struct ByPlace {
    nodes: Nodes,
}

impl ByPlace {
    /// Reads the order of a plan as if nothing said otherwise.
    pub(crate) fn of(plan: &Plan) -> Self {
        let mut said = Said::of(plan);
        said.depends.fill(None);
        said.asked.clear();
        Self {
            nodes: Nodes::of(plan, &said),
        }
    }

    /// What a task waits for when it says nothing; a first sub-task what its group waits for by its
    /// place. What groups around it say with `depends:` is handed down in any case and left out.
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

/// The tasks on the way to a node, once each, behind the task that closes the circle.
fn way(
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
