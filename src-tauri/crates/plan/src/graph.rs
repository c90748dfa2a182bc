//! Which task waits for which.
//!
//! Everything here speaks of indices into [`Plan::tasks`]. Only leaves are carried out, so to wait
//! for a group is to wait for its leaves. The answers are those of the file alone: what is done,
//! skipped or decided is not looked at.
//!
//! Without `depends:` a task waits for the one above it at its level, and the first sub-task of a
//! group for what the group waits for; what marks of other dialects make of that stands in
//! `order`. `depends:` of a group holds for all its leaves as well. What
//! an option of a decision enables waits for that decision, said or not.
//!
//! Long because: what a task waits for is worked out in one place, from what the tasks say to the leaves.

mod circles;
mod cycles;
mod drawing;
mod nodes;
mod order;
mod spelled;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use crate::model::{ChoiceEffect, Plan, Task, TaskId, TaskKind};
pub(crate) use circles::ByPlace;
pub use drawing::{Link, LinkKind};
use nodes::{Nodes, Part};
use order::{Order, Place};
pub(crate) use spelled::Spelled;

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
    order: Order,
    decisions: BTreeMap<usize, Vec<Vec<usize>>>,
    branch_of: BTreeMap<usize, Vec<(usize, usize)>>,
    /// Worked out when first asked for.
    knots: OnceLock<Knots>,
}

/// Which leaves wait for each other in circles.
#[derive(Debug, Clone)]
struct Knots {
    /// For every node the number of its knot.
    of: Vec<usize>,
    /// For every knot how many leaves it holds.
    leaves: Vec<usize>,
    /// For every knot the first leaf in it, or of those that wait for it.
    first: Vec<usize>,
}

impl Knots {
    fn of(nodes: &Nodes, all: &[usize]) -> Self {
        let of = cycles::knots(nodes);
        let (mut leaves, mut first) = (vec![0; of.len()], vec![usize::MAX; of.len()]);
        for leaf in all {
            let knot = of[Nodes::node(*leaf, Part::End)];
            leaves[knot] += 1;
            first[knot] = first[knot].min(*leaf);
        }
        // What a node waits for has no greater knot, so that who waits comes first.
        let mut order: Vec<usize> = (0..of.len()).collect();
        order.sort_unstable_by_key(|node| std::cmp::Reverse(of[*node]));
        for node in order {
            for to in nodes.next(node) {
                first[of[*to]] = first[of[*to]].min(first[of[node]]);
            }
        }
        Self { of, leaves, first }
    }
}

/// Direct prerequisites. Most tasks wait for one task or group, whose leaves stand side by side.
#[derive(Debug, Clone)]
enum Waits {
    Range(Range<usize>),
    List(Arc<[usize]>),
}

impl Graph {
    /// Reads the order out of a plan. References to nothing count as none.
    pub fn of(plan: &Plan) -> Self {
        let said = Said::of(plan);
        let nodes = Nodes::of(plan, &said);
        let (leaves, own_leaves) = leaf_ranges(plan);
        let mut decisions = BTreeMap::new();
        let mut branch_of: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for (decision, options) in &said.options {
            let branches: Vec<Vec<usize>> = options
                .iter()
                .map(|named| expand(named, &leaves, &own_leaves, |_, _| true))
                .collect();
            for (option, enabled) in branches.iter().enumerate() {
                for leaf in enabled {
                    branch_of
                        .entry(*leaf)
                        .or_default()
                        .push((*decision, option));
                }
            }
            decisions.insert(*decision, branches);
        }
        let waits = waits(plan, &said, &leaves, &own_leaves, &branch_of);
        let ids = plan.tasks.iter().map(|task| task.id.clone()).collect();
        Self {
            ids,
            leaves,
            own_leaves,
            waits,
            nodes,
            order: said.order,
            decisions,
            branch_of,
            knots: OnceLock::new(),
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

    /// The leaves without which a task is not finished, ascending: all of its own but those that the
    /// file marks as optional; those too where it has no others.
    pub fn needed_leaves_of(&self, index: usize) -> Vec<usize> {
        let own = self.leaves_of(index);
        let needs_all = self.order.needs_all(index, own.len());
        let needed = |leaf: &usize| needs_all || self.order.is_required(*leaf);
        own.iter().copied().filter(needed).collect()
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
        cycles::find(&self.nodes)
            .into_iter()
            .map(|cycle| cycle.into_iter().map(|at| self.ids[at].clone()).collect())
            .collect()
    }

    fn knots(&self) -> &Knots {
        self.knots
            .get_or_init(|| Knots::of(&self.nodes, &self.leaves))
    }

    /// Whether a leaf above this task waits for it, directly or not.
    pub fn is_awaited_above(&self, index: usize) -> bool {
        let knots = self.knots();
        let own = self.leaves_of(index).iter();
        let mut own = own.map(|leaf| knots.of[Nodes::node(*leaf, Part::End)]);
        own.any(|knot| knots.first[knot] < index)
    }

    /// Whether something that this task waits for waits for it in turn. Of a group those count that it
    /// names in its own `depends:`.
    pub fn is_in_circle(&self, index: usize) -> bool {
        let knots = self.knots();
        let knot = |leaf: &usize| knots.of[Nodes::node(*leaf, Part::End)];
        match self.leaves_of(index) {
            [leaf] => knots.leaves[knot(leaf)] > 1,
            own => {
                let own_knots: HashSet<usize> = own.iter().map(knot).collect();
                let mut others = self.waits_for(index).iter();
                others
                    .any(|leaf| own.binary_search(leaf).is_err() && own_knots.contains(&knot(leaf)))
            }
        }
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

    /// The decision whose answer leaves this leaf out, with that answer. `answer` says which label was
    /// chosen for a decision, if one was.
    pub fn left_out_by<'a>(
        &self,
        plan: &Plan,
        leaf: usize,
        answer: impl Fn(&Task) -> Option<&'a str>,
    ) -> Option<(usize, &'a str)> {
        let branches = self.branch_of.get(&leaf)?;
        branches.iter().find_map(|(decision, _)| {
            let task = &plan.tasks[*decision];
            let label = answer(task)?;
            let chosen = task
                .options
                .iter()
                .position(|option| option.label == label)?;
            (!branches.contains(&(*decision, chosen))).then_some((*decision, label))
        })
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

/// What the tasks say about each other, as indices.
#[derive(Debug)]
struct Said {
    /// What `depends:` names; `None` where it does not stand.
    depends: Vec<Option<Vec<usize>>>,
    /// What follows from the places of the tasks.
    order: Order,
    /// For every decision what each of its options names.
    options: BTreeMap<usize, Vec<Vec<usize>>>,
    /// For every task that an option names, the decisions.
    asked: BTreeMap<usize, Vec<usize>>,
}

impl Said {
    fn of(plan: &Plan) -> Self {
        let mut index: HashMap<&str, usize> = HashMap::with_capacity(plan.tasks.len());
        for (at, task) in plan.tasks.iter().enumerate() {
            index.entry(task.id.as_str()).or_insert(at);
        }
        let resolve = |ids: &[TaskId]| -> Vec<usize> {
            ids.iter()
                .filter_map(|id| index.get(id.as_str()).copied())
                .collect()
        };
        let mut options = BTreeMap::new();
        let mut asked: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, task) in plan.tasks.iter().enumerate() {
            if task.kind != TaskKind::Decision {
                continue;
            }
            let named = task.options.iter().map(|option| match &option.effect {
                ChoiceEffect::Branch(ids) => resolve(ids),
                _ => Vec::new(),
            });
            let named: Vec<Vec<usize>> = named.collect();
            for task in named.iter().flatten() {
                asked.entry(*task).or_default().push(at);
            }
            options.insert(at, named);
        }
        let depends = plan
            .tasks
            .iter()
            .map(|task| task.depends.as_deref().map(resolve))
            .collect();
        Self {
            depends,
            order: Order::of(plan),
            options,
            asked,
        }
    }
}

/// The circles of a plan as indices, without the rest of the graph. `index` finds the first task
/// with an id.
pub(crate) fn cycles_of(plan: &Plan, index: &HashMap<&str, usize>) -> Vec<Vec<usize>> {
    if only_looks_back(plan, index) {
        return Vec::new();
    }
    cycles::find(&Nodes::of(plan, &Said::of(plan)))
}

/// Whether everything that tasks name stands above them, and not around them. The order of the file
/// itself only looks back, so such a plan has no circle; most plans are such.
fn only_looks_back(plan: &Plan, index: &HashMap<&str, usize>) -> bool {
    let looks_back = |from: usize, to: usize| {
        to < from && (plan.tasks[to].children.is_empty() || !is_around(plan, to, from))
    };
    plan.tasks.iter().enumerate().all(|(at, task)| {
        let before = task.depends.iter().flatten();
        before
            .filter_map(|id| index.get(id.as_str()))
            .all(|before| looks_back(at, *before))
            && task.options.iter().all(|option| match &option.effect {
                ChoiceEffect::Branch(ids) if task.kind == TaskKind::Decision => {
                    let after = ids.iter().filter_map(|id| index.get(id.as_str()));
                    after.into_iter().all(|after| looks_back(*after, at))
                }
                _ => true,
            })
    })
}

fn is_around(plan: &Plan, group: usize, task: usize) -> bool {
    let mut at = plan.tasks[task].parent;
    while let Some(index) = at.filter(|index| *index >= group) {
        if index == group {
            return true;
        }
        at = plan.tasks[index].parent;
    }
    false
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

/// The leaves of these tasks, ascending. Of a group those that `counts` holds for.
fn expand(
    tasks: &[usize],
    leaves: &[usize],
    own_leaves: &[Range<usize>],
    counts: impl Fn(usize, usize) -> bool,
) -> Vec<usize> {
    let counts = &counts;
    let mut all: Vec<usize> = tasks
        .iter()
        .flat_map(|task| {
            let own = leaves[own_leaves[*task].clone()].iter().copied();
            own.filter(move |leaf| counts(*task, *leaf))
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The direct prerequisites of every task.
fn waits(
    plan: &Plan,
    said: &Said,
    leaves: &[usize],
    own_leaves: &[Range<usize>],
    branch_of: &BTreeMap<usize, Vec<(usize, usize)>>,
) -> Vec<Waits> {
    let Said {
        depends,
        order,
        asked,
        ..
    } = said;
    let count = plan.tasks.len();
    let in_branch = |task: &usize| {
        leaves[own_leaves[*task].clone()]
            .iter()
            .any(|leaf| branch_of.contains_key(leaf))
    };
    let needs_all = |task: usize| order.needs_all(task, own_leaves[task].len());
    let leaves_of = |tasks: &[usize]| match tasks {
        [] => Waits::Range(0..0),
        [task] if needs_all(*task) => Waits::Range(own_leaves[*task].clone()),
        tasks => {
            let counts = |task, leaf| needs_all(task) || order.is_required(leaf);
            Waits::List(expand(tasks, leaves, own_leaves, counts).into())
        }
    };
    // What a task's own line, or its place, says; and what the groups around it say with
    // `depends:`, the task itself included.
    let mut own: Vec<Rc<[usize]>> = Vec::with_capacity(count);
    let mut inherited: Vec<Rc<[usize]>> = Vec::with_capacity(count);
    let mut all = Vec::with_capacity(count);
    let none: Rc<[usize]> = Rc::from([]);
    // Several tasks may wait for one set, so what it comes to is worked out once.
    let sets: Vec<Rc<[usize]>> = order.sets.iter().map(|set| Rc::from(&set[..])).collect();
    let set_in_branch: Vec<bool> = sets.iter().map(|set| set.iter().any(in_branch)).collect();
    let mut waits_of_sets: Vec<Option<Waits>> = vec![None; sets.len()];
    for (at, said) in depends.iter().enumerate() {
        let parent = plan.tasks[at].parent.filter(|parent| *parent < at);
        let around = parent.map_or_else(|| none.clone(), |parent| inherited[parent].clone());
        let asked = asked.get(&at).map_or(&[][..], Vec::as_slice);
        let (own_says, chained): (Rc<[usize]>, _) = match (said, order.places[at], parent) {
            (Some(tasks), ..) => (tasks.clone().into(), false),
            (None, Place::One(above), _) => ([above].into(), !in_branch(&above)),
            (None, Place::Set(set), _) => (sets[set].clone(), !set_in_branch[set]),
            (None, Place::AsParent, Some(parent)) => (own[parent].clone(), false),
            (None, Place::AsParent | Place::Free, _) => (none.clone(), false),
        };
        // Whoever waits for the one above waits for what that waits for, unless a branch may
        // leave that one out; naming the prerequisites of the group again for each of its
        // sub-tasks would make a long group quadratic.
        let further = if chained { &none } else { &around };
        all.push(match order.places[at] {
            Place::Set(set) if said.is_none() && further.is_empty() && asked.is_empty() => {
                let waits = waits_of_sets[set].get_or_insert_with(|| leaves_of(&sets[set]));
                waits.clone()
            }
            _ => {
                let mut tasks = own_says.to_vec();
                tasks.extend_from_slice(further);
                tasks.extend_from_slice(asked);
                tasks.sort_unstable();
                tasks.dedup();
                leaves_of(&tasks)
            }
        });
        let handed_down = said.as_deref().unwrap_or_default().iter().chain(asked);
        inherited.push(match handed_down.clone().next() {
            Some(_) => around.iter().chain(handed_down).copied().collect(),
            None => around,
        });
        own.push(own_says);
    }
    all
}
