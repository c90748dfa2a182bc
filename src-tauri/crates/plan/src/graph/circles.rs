//! Circles that a change of `depends:` would close.

use std::collections::{BTreeMap, VecDeque};

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
        let mut came_from: BTreeMap<usize, Option<usize>> = BTreeMap::new();
        let mut open = VecDeque::new();
        for before in added {
            let node = Nodes::node(*before, Part::End);
            came_from.insert(node, None);
            open.push_back(node);
        }
        while let Some(node) = open.pop_front() {
            if is_goal(node) {
                return Some(way(plan, task, node, &came_from));
            }
            for &to in nodes.next(node) {
                came_from.entry(to).or_insert_with(|| {
                    open.push_back(to);
                    Some(node)
                });
            }
        }
        None
    }
}

/// The tasks on the way to a node, once each, behind the task that closes the circle.
fn way(
    plan: &Plan,
    task: usize,
    goal: usize,
    came_from: &BTreeMap<usize, Option<usize>>,
) -> Vec<TaskId> {
    let mut path = Vec::new();
    let mut at = Some(goal);
    while let Some(node) = at {
        path.push(Nodes::task(node));
        at = came_from.get(&node).copied().flatten();
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
