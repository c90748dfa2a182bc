//! What the places of tasks say, for a reader that knows no marks: one to whom every task without
//! `depends:` waits for the one above it.

use super::Graph;
use super::order::{Order, Place};
use crate::model::Plan;

/// More references than this are not written out.
const MOST: usize = 500_000;

/// What has to be written so that each task waits for what it waits for now.
#[derive(Debug)]
pub(crate) struct Spelled {
    /// For every task what it has to say: tasks without optional parts of groups. `None` where the
    /// place alone says it, or the task says itself what it waits for.
    pub(crate) depends: Vec<Option<Vec<usize>>>,
    graph: Graph,
}

impl Spelled {
    /// Writes the places out; `None` where that would be more references than a file should hold.
    pub(crate) fn of(plan: &Plan) -> Option<Self> {
        let graph = Graph::of(plan);
        let order = &graph.order;
        let mut chain = Order::default();
        chain.chain(plan);
        let count = plan.tasks.len();
        let mut depends: Vec<Option<Vec<usize>>> = vec![None; count];
        // Whether a task's place says the same to both readers.
        let mut same = vec![true; count];
        let mut written = 0;
        for at in 0..count {
            if plan.tasks[at].depends.is_some() {
                continue;
            }
            let parent = plan.tasks[at].parent.filter(|parent| *parent < at);
            let (now, then) = (order.places[at], chain.places[at]);
            let means_all = |place: &Place| {
                let tasks = order.tasks(place).iter();
                tasks.copied().all(|task| needs_all(&graph, task))
            };
            same[at] = now == then
                && means_all(&now)
                && (now != Place::AsParent || parent.is_none_or(|parent| same[parent]));
            if same[at] || plan.tasks[at].is_group() {
                // A group's own `depends:` would hold for all of its tasks, also for those that
                // say something else. Those that follow from it say it themselves.
                continue;
            }
            let mut from = at;
            while order.places[from] == Place::AsParent
                && let Some(parent) = plan.tasks[from].parent.filter(|parent| *parent < from)
                && plan.tasks[parent].depends.is_none()
            {
                from = parent;
            }
            let named: Vec<usize> = match order.places[from] {
                Place::AsParent => plan.tasks[from]
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
                .flat_map(|task| spelled(&graph, task))
                .collect();
            written += named.len();
            if written > MOST {
                return None;
            }
            depends[at] = Some(named);
        }
        Some(Self { depends, graph })
    }

    /// A task that is waited for, in the words of a reader that knows no optional tasks: itself, or
    /// what a group is not finished without.
    pub(crate) fn parts(&self, task: usize) -> Vec<usize> {
        spelled(&self.graph, task)
    }
}

fn needs_all(graph: &Graph, task: usize) -> bool {
    graph.order.needs_all(task, graph.leaves_of(task).len())
}

fn spelled(graph: &Graph, task: usize) -> Vec<usize> {
    match needs_all(graph, task) {
        true => vec![task],
        false => graph.needed_leaves_of(task),
    }
}
