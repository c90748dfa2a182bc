//! The dependency graph, with a constant number of nodes and edges for each reference.
//!
//! A task has three nodes: `End` means that all its leaves are done, `Start` collects what has to
//! be done before its first leaf, and `Around` holds the `depends:` that it passes down to its
//! leaves. So a reference to a group is one edge, however many leaves it has. The tasks' nodes are
//! followed by one node for each set of tasks that several tasks may wait for.

use std::collections::VecDeque;

use super::Relations;
use super::order::Implicit;
use crate::model::Plan;

/// The nodes of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    End,
    Start,
    Around,
}

const PARTS: usize = 3;

/// The nodes and edges. An edge leads from a node to a dependency.
#[derive(Debug, Clone)]
pub(super) struct Nodes {
    forward: Edges,
    backward: Edges,
    tasks: usize,
}

/// The edges of all nodes, in one list.
#[derive(Debug, Clone)]
struct Edges {
    first: Vec<usize>,
    to: Vec<usize>,
}

impl Edges {
    fn of(count: usize, pairs: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let mut first = vec![0; count + 1];
        for (from, _) in pairs.clone() {
            first[from + 1] += 1;
        }
        for at in 0..count {
            first[at + 1] += first[at];
        }
        let mut next = first.clone();
        let mut to = vec![0; first[count]];
        for (from, target) in pairs {
            to[next[from]] = target;
            next[from] += 1;
        }
        Self { first, to }
    }

    fn from(&self, node: usize) -> &[usize] {
        &self.to[self.first[node]..self.first[node + 1]]
    }
}

impl Nodes {
    /// The index of a task's node.
    pub(super) fn node(task: usize, part: Part) -> usize {
        task * PARTS + part as usize
    }

    /// The task of a node; `None` for the node of a set.
    pub(super) fn task(&self, node: usize) -> Option<usize> {
        let task = node / PARTS;
        (task < self.tasks).then_some(task)
    }

    pub(super) fn of(plan: &Plan, said: &Relations) -> Self {
        let Relations {
            depends,
            order,
            deciders,
            ..
        } = said;
        use Part::{Around, End, Start};
        let first_set = plan.tasks.len() * PARTS;
        let mut edges = Vec::with_capacity(plan.tasks.len() * 4);
        for (at, task) in plan.tasks.iter().enumerate() {
            let start = Self::node(at, Start);
            let parent = task.parent.filter(|parent| *parent < at);
            if task.children.is_empty() {
                edges.push((Self::node(at, End), start));
            }
            match (&depends[at], order.implicit[at], parent) {
                (Some(tasks), ..) => {
                    for before in tasks {
                        edges.push((start, Self::node(*before, End)));
                        if !task.children.is_empty() {
                            edges.push((Self::node(at, Around), Self::node(*before, End)));
                        }
                    }
                }
                (None, Implicit::One(above), _) => edges.push((start, Self::node(above, End))),
                (None, Implicit::Set(set), _) => edges.push((start, first_set + set)),
                (None, Implicit::AsParent, Some(parent)) => {
                    edges.push((start, Self::node(parent, Start)));
                }
                (None, Implicit::AsParent | Implicit::Free, _) => {}
            }
            for decision in deciders.get(&at).into_iter().flatten() {
                edges.push((start, Self::node(*decision, End)));
                edges.push((Self::node(at, Around), Self::node(*decision, End)));
            }
            if let Some(parent) = parent {
                let around = Self::node(parent, Around);
                edges.push((start, around));
                edges.push((Self::node(at, Around), around));
                if !order.is_left_out(parent, at) {
                    edges.push((Self::node(parent, End), Self::node(at, End)));
                }
            }
        }
        for (set, tasks) in order.sets.iter().enumerate() {
            let ends = tasks.iter().map(|task| Self::node(*task, End));
            edges.extend(ends.map(|end| (first_set + set, end)));
        }
        let count = first_set + order.sets.len();
        let forward = Edges::of(count, edges.iter().copied());
        let backward = Edges::of(count, edges.iter().map(|(from, to)| (*to, *from)));
        Self {
            forward,
            backward,
            tasks: plan.tasks.len(),
        }
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.forward.first.len() - 1
    }

    /// The nodes that a node depends on.
    pub(super) fn next(&self, node: usize) -> &[usize] {
        self.forward.from(node)
    }

    /// The dependencies of a node, with sets expanded to their tasks.
    pub(super) fn named_by(&self, node: usize) -> impl Iterator<Item = usize> {
        self.next(node).iter().flat_map(|to| match self.task(*to) {
            Some(_) => std::slice::from_ref(to).iter().copied(),
            None => self.next(*to).iter().copied(),
        })
    }

    /// The tasks whose end waits for one of these nodes, ascending, each with the nearest of the
    /// nodes. Includes the tasks of these nodes.
    pub(super) fn reach_backwards(
        &self,
        starts: impl Iterator<Item = usize>,
    ) -> Vec<(usize, usize)> {
        self.reach(&self.backward, starts)
    }

    /// The tasks whose end one of these nodes waits for, ascending, each with the nearest of the
    /// nodes. Includes the tasks of these nodes.
    pub(super) fn reach_forwards(
        &self,
        starts: impl Iterator<Item = usize>,
    ) -> Vec<(usize, usize)> {
        self.reach(&self.forward, starts)
    }

    fn reach(&self, edges: &Edges, starts: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
        let mut reached_from: Vec<Option<usize>> = vec![None; self.len()];
        let mut open: VecDeque<usize> = starts.collect();
        open.iter()
            .for_each(|node| reached_from[*node] = Some(*node));
        while let Some(node) = open.pop_front() {
            for &to in edges.from(node) {
                if reached_from[to].is_none() {
                    reached_from[to] = reached_from[node];
                    open.push_back(to);
                }
            }
        }
        let ends = reached_from
            .iter()
            .enumerate()
            .take(self.tasks * PARTS)
            .skip(Part::End as usize)
            .step_by(PARTS);
        ends.filter_map(|(node, from)| Some((self.task(node)?, self.task((*from)?)?)))
            .collect()
    }
}
