//! Writes out implicit dependencies for a parser that ignores the markers of other programs and
//! lets every task without `depends:` wait for the one above it.

use super::Graph;
use super::order::{Implicit, Order};
use crate::model::Plan;

/// Maximum number of references to write.
const MAX_REFERENCES: usize = 500_000;

/// The `depends:` lines to write so that each task keeps its dependencies.
#[derive(Debug)]
pub(crate) struct ExplicitDependencies {
    /// For each task, the `depends:` to write, excluding optional parts of groups. `None` if the
    /// task's position already implies its dependencies, or if it has its own `depends:`.
    pub(crate) depends: Vec<Option<Vec<usize>>>,
    graph: Graph,
}

impl ExplicitDependencies {
    /// Writes out the implicit dependencies; `None` if there are too many.
    pub(crate) fn of(plan: &Plan) -> Option<Self> {
        let graph = Graph::of(plan);
        let order = &graph.order;
        let mut chain = Order::default();
        chain.chain(plan);
        let count = plan.tasks.len();
        let mut depends: Vec<Option<Vec<usize>>> = vec![None; count];
        // Whether a task's position implies the same dependencies for both parsers.
        let mut same = vec![true; count];
        let mut written = 0;
        for at in 0..count {
            if plan.tasks[at].depends.is_some() {
                continue;
            }
            let parent = plan.tasks[at].parent.filter(|parent| *parent < at);
            let (now, then) = (order.implicit[at], chain.implicit[at]);
            let means_all = |place: &Implicit| {
                let tasks = order.tasks(place).iter();
                tasks.copied().all(|task| needs_all(&graph, task))
            };
            same[at] = now == then
                && means_all(&now)
                && (now != Implicit::AsParent || parent.is_none_or(|parent| same[parent]));
            if same[at] || plan.tasks[at].is_group() {
                // A group's `depends:` would apply to all of its tasks, including those with other
                // dependencies. So instead, each task that inherits it lists it.
                continue;
            }
            let mut from = at;
            while order.implicit[from] == Implicit::AsParent
                && let Some(parent) = plan.tasks[from].parent.filter(|parent| *parent < from)
                && plan.tasks[parent].depends.is_none()
            {
                from = parent;
            }
            let named: Vec<usize> = match order.implicit[from] {
                Implicit::AsParent => plan.tasks[from]
                    .parent
                    .and_then(|parent| plan.tasks[parent].depends.as_ref())
                    .into_iter()
                    .flatten()
                    .filter_map(|id| plan.index_of(id))
                    .collect(),
                place => order.tasks(&place).to_vec(),
            };
            let named: Vec<usize> = named
                .into_iter()
                .flat_map(|task| expanded(&graph, task))
                .collect();
            written += named.len();
            if written > MAX_REFERENCES {
                return None;
            }
            depends[at] = Some(named);
        }
        Some(Self { depends, graph })
    }

    /// The tasks to list in place of a task for a parser that doesn't know optional tasks: the task
    /// itself, or the required leaves of a group.
    pub(crate) fn parts(&self, task: usize) -> Vec<usize> {
        expanded(&self.graph, task)
    }
}

fn needs_all(graph: &Graph, task: usize) -> bool {
    graph.order.needs_all(task, graph.leaves_of(task).len())
}

fn expanded(graph: &Graph, task: usize) -> Vec<usize> {
    match needs_all(graph, task) {
        true => vec![task],
        false => graph.required_leaves_of(task),
    }
}
