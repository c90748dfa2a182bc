//! The dependency graph of a plan.
//!
//! Tasks are indexes into [`Plan::tasks`]. Only leaves are carried out, so waiting for a group
//! means waiting for its leaves. The graph depends only on the file's structure: it ignores which
//! tasks are done or skipped, and what was decided.
//!
//! Without `depends:`, a task waits for the one above it at its level, and the first sub-task of a
//! group waits for what the group waits for. See `order` for how the markers of other dialects
//! change this. A group's `depends:` also applies to all its leaves. Tasks enabled by an option of
//! a decision always wait for that decision.
//!
//! Long because: dependencies are resolved in one place, from the tasks' text to the leaves.

mod cycles;
mod drawing;
mod explicit;
mod hypothetical;
mod nodes;
mod order;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use crate::model::{ChoiceEffect, Plan, Task, TaskId, TaskKind};
pub use drawing::{Link, LinkKind};
pub(crate) use explicit::ExplicitDependencies;
pub(crate) use hypothetical::ImplicitDependencies;
use nodes::{Nodes, Part};
use order::{Implicit, Order};

/// The dependencies between a plan's tasks.
#[derive(Debug, Clone)]
pub struct Graph {
    ids: Vec<TaskId>,
    /// All leaves in document order.
    leaves: Vec<usize>,
    /// For each task, the range of its leaves in `leaves`; for a leaf, just the leaf itself.
    own_leaves: Vec<Range<usize>>,
    waits: Vec<Dependencies>,
    nodes: Nodes,
    order: Order,
    decisions: BTreeMap<usize, Vec<Vec<usize>>>,
    branch_of: BTreeMap<usize, Vec<(usize, usize)>>,
    /// The components of the graph, computed on first use.
    components: OnceLock<Components>,
}

/// The strongly connected components of the graph, from which cycles between leaves follow.
#[derive(Debug, Clone)]
struct Components {
    /// For each node, the number of its component.
    of: Vec<usize>,
    /// For each component, the number of leaves in it.
    leaves: Vec<usize>,
    /// For each component, the first leaf in it or in the components that wait for it.
    first: Vec<usize>,
}

impl Components {
    fn of(nodes: &Nodes, all: &[usize]) -> Self {
        let of = cycles::components(nodes);
        let (mut leaves, mut first) = (vec![0; of.len()], vec![usize::MAX; of.len()]);
        for leaf in all {
            let component = of[Nodes::node(*leaf, Part::End)];
            leaves[component] += 1;
            first[component] = first[component].min(*leaf);
        }
        // A dependency never has a greater component number than its dependents, so descending
        // order visits dependents first.
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

/// The direct dependencies of a task. Most tasks wait for one task or group, whose leaves are
/// adjacent.
#[derive(Debug, Clone)]
enum Dependencies {
    Range(Range<usize>),
    List(Arc<[usize]>),
}

impl Graph {
    /// Builds the graph. Dangling references are ignored.
    pub fn of(plan: &Plan) -> Self {
        let said = Relations::of(plan);
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
        let waits = direct_dependencies(plan, &said, &leaves, &own_leaves, &branch_of);
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
            components: OnceLock::new(),
        }
    }

    /// The leaves that this task waits for directly, ascending. For a group, those of its
    /// first sub-task.
    pub fn waits_for(&self, index: usize) -> &[usize] {
        match self.waits.get(index) {
            Some(Dependencies::Range(range)) => &self.leaves[range.clone()],
            Some(Dependencies::List(list)) => list,
            None => &[],
        }
    }

    /// The leaves of a task, ascending; for a leaf, just the leaf itself.
    pub fn leaves_of(&self, index: usize) -> &[usize] {
        self.own_leaves
            .get(index)
            .map_or(&[], |range| &self.leaves[range.clone()])
    }

    /// The leaves that have to be done to finish a task, ascending: all but the optional ones, or
    /// all if every one is optional.
    pub fn required_leaves_of(&self, index: usize) -> Vec<usize> {
        let own = self.leaves_of(index);
        let needs_all = self.order.needs_all(index, own.len());
        let needed = |leaf: &usize| needs_all || self.order.is_required(*leaf);
        own.iter().copied().filter(needed).collect()
    }

    /// The leaves that wait for this task, directly or indirectly, ascending; excludes its own
    /// leaves.
    pub fn dependents(&self, index: usize) -> Vec<usize> {
        let own = self.leaves_of(index);
        let reached = self.waiting_for_any(own).into_iter().map(|(at, _)| at);
        reached
            .filter(|at| own.binary_search(at).is_err())
            .collect()
    }

    /// The leaves that wait for any of these leaves, ascending, each with the nearest one of them.
    /// Includes these leaves.
    pub(crate) fn waiting_for_any(&self, leaves: &[usize]) -> Vec<(usize, usize)> {
        let starts = leaves.iter().map(|leaf| Nodes::node(*leaf, Part::End));
        let mut reached = self.nodes.reach_backwards(starts);
        reached.retain(|(at, _)| self.leaves_of(*at) == [*at]);
        reached
    }

    /// Circular dependencies: one shortest cycle per strongly connected component, in which each
    /// task waits for the next. Includes groups that the cycle goes through.
    pub fn cycles(&self) -> Vec<Vec<TaskId>> {
        cycles::find(&self.nodes)
            .into_iter()
            .map(|cycle| cycle.into_iter().map(|at| self.ids[at].clone()).collect())
            .collect()
    }

    fn components(&self) -> &Components {
        self.components
            .get_or_init(|| Components::of(&self.nodes, &self.leaves))
    }

    /// Whether an earlier leaf waits for this task, directly or indirectly.
    pub fn is_awaited_above(&self, index: usize) -> bool {
        let components = self.components();
        let own = self.leaves_of(index).iter();
        let mut own = own.map(|leaf| components.of[Nodes::node(*leaf, Part::End)]);
        own.any(|component| components.first[component] < index)
    }

    /// Whether this task waits for itself through one of its dependencies. For a group, only its
    /// own `depends:` counts.
    pub fn is_in_cycle(&self, index: usize) -> bool {
        let components = self.components();
        let component = |leaf: &usize| components.of[Nodes::node(*leaf, Part::End)];
        match self.leaves_of(index) {
            [leaf] => components.leaves[component(leaf)] > 1,
            own => {
                let own_components: HashSet<usize> = own.iter().map(component).collect();
                let mut others = self.waits_for(index).iter();
                others.any(|leaf| {
                    own.binary_search(leaf).is_err() && own_components.contains(&component(leaf))
                })
            }
        }
    }

    /// For each option of a decision, the leaves that it enables; empty for tasks that are not
    /// decisions.
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

    /// The decision whose answer skips this leaf, with that answer. `answer` returns the chosen
    /// label of a decision, if any.
    pub fn skipped_by<'a>(
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

    /// The decisions that this task waits for, directly or indirectly, ascending.
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

/// The relations between tasks, which are given by index.
#[derive(Debug)]
struct Relations {
    /// The tasks in `depends:`; `None` if there is no such key.
    depends: Vec<Option<Vec<usize>>>,
    /// The implicit dependencies.
    order: Order,
    /// For each decision, the tasks that each of its options names.
    options: BTreeMap<usize, Vec<Vec<usize>>>,
    /// For each task named by options, the decisions that those options belong to.
    deciders: BTreeMap<usize, Vec<usize>>,
}

impl Relations {
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
        let mut deciders: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
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
                deciders.entry(*task).or_default().push(at);
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
            deciders,
        }
    }
}

/// The cycles of a plan as indexes, without building the whole graph. `index` maps each id to
/// its first task.
pub(crate) fn cycles_of(plan: &Plan, index: &HashMap<&str, usize>) -> Vec<Vec<usize>> {
    if only_points_back(plan, index) {
        return Vec::new();
    }
    cycles::find(&Nodes::of(plan, &Relations::of(plan)))
}

/// Whether every reference points to an earlier task that doesn't contain the referencing one.
/// Implicit dependencies also only point back, so such a plan has no cycle. Most plans are like
/// this.
fn only_points_back(plan: &Plan, index: &HashMap<&str, usize>) -> bool {
    let points_back = |from: usize, to: usize| {
        to < from && (plan.tasks[to].children.is_empty() || !is_around(plan, to, from))
    };
    plan.tasks.iter().enumerate().all(|(at, task)| {
        let before = task.depends.iter().flatten();
        before
            .filter_map(|id| index.get(id.as_str()))
            .all(|before| points_back(at, *before))
            && task.options.iter().all(|option| match &option.effect {
                ChoiceEffect::Branch(ids) if task.kind == TaskKind::Decision => {
                    let after = ids.iter().filter_map(|id| index.get(id.as_str()));
                    after.into_iter().all(|after| points_back(*after, at))
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

/// All leaves in document order, and for each task the range of its leaves.
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
    // The end of each task's sub-tasks, which come after their parent.
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

/// The leaves of these tasks for which `counts(task, leaf)` is true, ascending.
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

/// The direct dependencies of every task.
fn direct_dependencies(
    plan: &Plan,
    said: &Relations,
    leaves: &[usize],
    own_leaves: &[Range<usize>],
    branch_of: &BTreeMap<usize, Vec<(usize, usize)>>,
) -> Vec<Dependencies> {
    let Relations {
        depends,
        order,
        deciders,
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
        [] => Dependencies::Range(0..0),
        [task] if needs_all(*task) => Dependencies::Range(own_leaves[*task].clone()),
        tasks => {
            let counts = |task, leaf| needs_all(task) || order.is_required(leaf);
            Dependencies::List(expand(tasks, leaves, own_leaves, counts).into())
        }
    };
    // A task's own dependencies, explicit or implicit, and those that the task and its groups pass
    // down with `depends:`.
    let mut own: Vec<Rc<[usize]>> = Vec::with_capacity(count);
    let mut inherited: Vec<Rc<[usize]>> = Vec::with_capacity(count);
    let mut all = Vec::with_capacity(count);
    let none: Rc<[usize]> = Rc::from([]);
    // Several tasks may wait for the same set, so each set is expanded only once.
    let sets: Vec<Rc<[usize]>> = order.sets.iter().map(|set| Rc::from(&set[..])).collect();
    let set_in_branch: Vec<bool> = sets.iter().map(|set| set.iter().any(in_branch)).collect();
    let mut waits_of_sets: Vec<Option<Dependencies>> = vec![None; sets.len()];
    for (at, said) in depends.iter().enumerate() {
        let parent = plan.tasks[at].parent.filter(|parent| *parent < at);
        let around = parent.map_or_else(|| none.clone(), |parent| inherited[parent].clone());
        let deciders = deciders.get(&at).map_or(&[][..], Vec::as_slice);
        let (own_says, chained): (Rc<[usize]>, _) = match (said, order.implicit[at], parent) {
            (Some(tasks), ..) => (tasks.clone().into(), false),
            (None, Implicit::One(above), _) => ([above].into(), !in_branch(&above)),
            (None, Implicit::Set(set), _) => (sets[set].clone(), !set_in_branch[set]),
            (None, Implicit::AsParent, Some(parent)) => (own[parent].clone(), false),
            (None, Implicit::AsParent | Implicit::Free, _) => (none.clone(), false),
        };
        // A task that waits for the previous one also waits for what that one waits for, unless a
        // branch may skip that one. Repeating the group's dependencies for each sub-task would make
        // a long group quadratic.
        let further = if chained { &none } else { &around };
        all.push(match order.implicit[at] {
            Implicit::Set(set) if said.is_none() && further.is_empty() && deciders.is_empty() => {
                let waits = waits_of_sets[set].get_or_insert_with(|| leaves_of(&sets[set]));
                waits.clone()
            }
            _ => {
                let mut tasks = own_says.to_vec();
                tasks.extend_from_slice(further);
                tasks.extend_from_slice(deciders);
                tasks.sort_unstable();
                tasks.dedup();
                leaves_of(&tasks)
            }
        });
        let handed_down = said.as_deref().unwrap_or_default().iter().chain(deciders);
        inherited.push(match handed_down.clone().next() {
            Some(_) => around.iter().chain(handed_down).copied().collect(),
            None => around,
        });
        own.push(own_says);
    }
    all
}
