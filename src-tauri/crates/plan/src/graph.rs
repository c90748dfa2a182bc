//! Which task waits for which.
//!
//! Everything here speaks of indices into [`Plan::tasks`]. Only leaves are carried out, so to wait
//! for a group is to wait for its leaves. The answers are those of the file alone: what is done,
//! skipped or decided is not looked at.
//!
//! Without `depends:` a task waits for the one above it at its level, and the first sub-task of a
//! group for what the group waits for. `depends:` of a group holds for all its leaves as well. What
//! an option of a decision enables waits for that decision, said or not.

mod cycles;
mod nodes;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::model::{ChoiceEffect, Plan, TaskId, TaskKind};
use nodes::{Nodes, Part};

/// The order of a plan's tasks.
#[derive(Debug, Clone)]
pub struct Graph {
    ids: Vec<TaskId>,
    /// All leaves in document order.
    leaves: Vec<usize>,
    /// For every task its leaves, as a range of `leaves`; a leaf is its own.
    own_leaves: Vec<Range<usize>>,
    waits: Vec<Waits>,
    nodes: Nodes,
    decisions: BTreeMap<usize, Vec<Vec<usize>>>,
    branch_of: BTreeMap<usize, Vec<(usize, usize)>>,
}

/// Direct prerequisites. Most tasks wait for one task or group, whose leaves stand side by side.
#[derive(Debug, Clone)]
enum Waits {
    Range(Range<usize>),
    List(Vec<usize>),
}

impl Graph {
    /// Reads the order out of a plan. References to nothing count as none.
    pub fn of(plan: &Plan) -> Self {
        let tasks = &plan.tasks;
        let mut index: HashMap<&TaskId, usize> = HashMap::with_capacity(tasks.len());
        for (at, task) in tasks.iter().enumerate() {
            index.entry(&task.id).or_insert(at);
        }
        let resolve = |ids: &[TaskId]| -> Vec<usize> {
            ids.iter().filter_map(|id| index.get(id).copied()).collect()
        };
        let (leaves, own_leaves) = leaf_ranges(plan);

        let mut decisions = BTreeMap::new();
        // What the options name, groups as such, with the decision each waits for.
        let mut asked: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut branch_of: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for (at, task) in tasks.iter().enumerate() {
            if task.kind != TaskKind::Decision {
                continue;
            }
            let mut branches = Vec::with_capacity(task.options.len());
            for (option, choice) in task.options.iter().enumerate() {
                let named = match &choice.effect {
                    ChoiceEffect::Branch(ids) => resolve(ids),
                    _ => Vec::new(),
                };
                for task in &named {
                    asked.entry(*task).or_default().push(at);
                }
                let enabled = expand(&named, &leaves, &own_leaves);
                for leaf in &enabled {
                    branch_of.entry(*leaf).or_default().push((at, option));
                }
                branches.push(enabled);
            }
            decisions.insert(at, branches);
        }

        let depends: Vec<Option<Vec<usize>>> = tasks
            .iter()
            .map(|task| task.depends.as_deref().map(resolve))
            .collect();
        let above = above(plan);
        let nodes = Nodes::of(plan, &depends, &above, &asked);
        let waits = waits(
            plan,
            &depends,
            &above,
            &asked,
            &leaves,
            &own_leaves,
            &branch_of,
        );
        let ids = tasks.iter().map(|task| task.id.clone()).collect();
        Self {
            ids,
            leaves,
            own_leaves,
            waits,
            nodes,
            decisions,
            branch_of,
        }
    }

    /// The leaves that this task waits for directly, ascending. For a group: what its first
    /// sub-task waits for.
    pub fn waits_for(&self, index: usize) -> &[usize] {
        match self.waits.get(index) {
            Some(Waits::Range(range)) => &self.leaves[range.clone()],
            Some(Waits::List(list)) => list,
            None => &[],
        }
    }

    /// The leaves of a task, ascending: itself, or those of the group.
    pub fn leaves_of(&self, index: usize) -> &[usize] {
        self.own_leaves
            .get(index)
            .map_or(&[], |range| &self.leaves[range.clone()])
    }

    /// The leaves that wait for this task, directly or not, ascending; its own leaves are left out.
    pub fn dependents(&self, index: usize) -> Vec<usize> {
        let own = self.leaves_of(index);
        let reached = self.waiting_for_any(own).into_iter().map(|(at, _)| at);
        reached
            .filter(|at| own.binary_search(at).is_err())
            .collect()
    }

    /// The leaves that wait for any of these leaves, ascending, each with the nearest one of them;
    /// these leaves are among them.
    pub(crate) fn waiting_for_any(&self, leaves: &[usize]) -> Vec<(usize, usize)> {
        let starts = leaves.iter().map(|leaf| Nodes::node(*leaf, Part::End));
        let mut reached = self.nodes.reach_backwards(starts);
        reached.retain(|(at, _)| self.leaves_of(*at) == [*at]);
        reached
    }

    /// Tasks that wait for each other in a circle: for each knot of them one shortest circle, in
    /// the order of waiting. Groups stand in it where the circle goes through them.
    pub fn cycles(&self) -> Vec<Vec<TaskId>> {
        let cycles = cycles::find(&self.nodes);
        cycles
            .into_iter()
            .map(|cycle| cycle.into_iter().map(|at| self.ids[at].clone()).collect())
            .collect()
    }

    /// For each option of a decision the leaves that choosing it enables; empty for a task that is
    /// no decision.
    pub fn branches(&self, decision: usize) -> Vec<Vec<usize>> {
        self.decisions.get(&decision).cloned().unwrap_or_default()
    }

    pub(crate) fn is_decision(&self, index: usize) -> bool {
        self.decisions.contains_key(&index)
    }

    /// The options that enable this leaf, as `(decision, option)`.
    pub fn branch_of(&self, index: usize) -> Vec<(usize, usize)> {
        self.branch_of.get(&index).cloned().unwrap_or_default()
    }

    /// The decisions that this task waits for, directly or not, ascending.
    pub fn decisions_before(&self, index: usize) -> Vec<usize> {
        if self.decisions.is_empty() {
            return Vec::new();
        }
        let starts = self
            .leaves_of(index)
            .iter()
            .map(|leaf| Nodes::node(*leaf, Part::End));
        let before = self
            .nodes
            .reach_forwards(starts)
            .into_iter()
            .map(|(at, _)| at);
        before
            .filter(|at| *at != index && self.decisions.contains_key(at))
            .collect()
    }
}

/// All leaves in document order, and for every task the range of them that is its own.
fn leaf_ranges(plan: &Plan) -> (Vec<usize>, Vec<Range<usize>>) {
    let count = plan.tasks.len();
    let mut leaves = Vec::with_capacity(count);
    let mut before = Vec::with_capacity(count + 1);
    for (at, task) in plan.tasks.iter().enumerate() {
        before.push(leaves.len());
        if task.children.is_empty() {
            leaves.push(at);
        }
    }
    before.push(leaves.len());
    // Where the sub-tasks of each task end; a sub-task stands behind its parent.
    let mut ends: Vec<usize> = (1..=count).collect();
    for at in (0..count).rev() {
        if let Some(parent) = plan.tasks[at].parent.filter(|parent| *parent < at) {
            ends[parent] = ends[parent].max(ends[at]);
        }
    }
    let ranges = ends
        .iter()
        .enumerate()
        .map(|(at, end)| before[at]..before[*end])
        .collect();
    (leaves, ranges)
}

fn expand(tasks: &[usize], leaves: &[usize], own_leaves: &[Range<usize>]) -> Vec<usize> {
    let mut all: Vec<usize> = tasks
        .iter()
        .flat_map(|task| leaves[own_leaves[*task].clone()].iter().copied())
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// For every task the one above it at its level.
fn above(plan: &Plan) -> Vec<Option<usize>> {
    let mut last_of: Vec<Option<usize>> = vec![None; plan.tasks.len()];
    let mut last_top = None;
    plan.tasks
        .iter()
        .enumerate()
        .map(|(at, task)| {
            let last = match task.parent.filter(|parent| *parent < at) {
                Some(parent) => &mut last_of[parent],
                None => &mut last_top,
            };
            last.replace(at)
        })
        .collect()
}

/// The direct prerequisites of every task.
fn waits(
    plan: &Plan,
    depends: &[Option<Vec<usize>>],
    above: &[Option<usize>],
    asked: &BTreeMap<usize, Vec<usize>>,
    leaves: &[usize],
    own_leaves: &[Range<usize>],
    branch_of: &BTreeMap<usize, Vec<(usize, usize)>>,
) -> Vec<Waits> {
    let count = plan.tasks.len();
    let in_branch = |task: usize| {
        leaves[own_leaves[task].clone()]
            .iter()
            .any(|leaf| branch_of.contains_key(leaf))
    };
    // What a task's own line, or its place, says; and what the groups around it say with
    // `depends:`, the task itself included.
    let mut own: Vec<std::rc::Rc<[usize]>> = Vec::with_capacity(count);
    let mut inherited: Vec<std::rc::Rc<[usize]>> = Vec::with_capacity(count);
    let mut all = Vec::with_capacity(count);
    let none: std::rc::Rc<[usize]> = std::rc::Rc::from([]);
    for at in 0..count {
        let parent = plan.tasks[at].parent.filter(|parent| *parent < at);
        let around = parent.map_or_else(|| none.clone(), |parent| inherited[parent].clone());
        let (said, chained) = match (&depends[at], above[at], parent) {
            (Some(tasks), ..) => (tasks.clone().into(), false),
            (None, Some(above), _) => ([above].into(), !in_branch(above)),
            (None, None, Some(parent)) => (own[parent].clone(), false),
            (None, None, None) => (none.clone(), false),
        };
        // Whoever waits for the one above waits for what that waits for, unless a branch may
        // leave that one out; naming the prerequisites of the group again for each of its
        // sub-tasks would make a long group quadratic.
        let mut tasks = said.to_vec();
        if !chained {
            tasks.extend_from_slice(&around);
        }
        let asked = asked.get(&at).map_or(&[][..], Vec::as_slice);
        tasks.extend_from_slice(asked);
        tasks.sort_unstable();
        tasks.dedup();
        all.push(match tasks.as_slice() {
            [] => Waits::Range(0..0),
            [task] => Waits::Range(own_leaves[*task].clone()),
            tasks => Waits::List(expand(tasks, leaves, own_leaves)),
        });
        let handed_down = depends[at]
            .as_deref()
            .unwrap_or_default()
            .iter()
            .chain(asked);
        inherited.push(match handed_down.clone().next() {
            Some(_) => around.iter().chain(handed_down).copied().collect(),
            None => around,
        });
        own.push(said);
    }
    all
}
