//! Compares the structure of two revisions of a plan: which steps and gates they have, in which
//! order, and with which dependencies.
//!
//! Ignores what each step does, which its [`Fingerprint`](super::Fingerprint) covers. Linear in the
//! number of tasks and dependencies, except for one sort.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use crate::graph::Graph;
use crate::model::{ChoiceEffect, Plan, Task, TaskId};

/// One structural difference from the approved plan.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The approved plan does not have this step.
    Added(TaskId),
    /// The plan no longer has this step; it may have been deleted or commented out.
    Removed(TaskId),
    /// The number of steps with this id changed.
    Duplicated(TaskId),
    /// The step's position among the others changed.
    Moved(TaskId),
    /// A step became a checkpoint or decision, or stopped being one, or its `confirm:` changed.
    Retyped(TaskId),
    /// The step's dependencies, its group, its markers or the targets of its options changed.
    Rewired(TaskId),
}

impl Change {
    /// Id of the affected step.
    pub fn task(&self) -> &TaskId {
        match self {
            Self::Added(id)
            | Self::Removed(id)
            | Self::Duplicated(id)
            | Self::Moved(id)
            | Self::Retyped(id)
            | Self::Rewired(id) => id,
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Added(id) => write!(f, "{id} was added"),
            Self::Removed(id) => write!(f, "{id} was removed"),
            Self::Duplicated(id) => write!(f, "{id} occurs more than once"),
            Self::Moved(id) => write!(f, "{id} was moved"),
            Self::Retyped(id) => write!(f, "{id} has a different type"),
            Self::Rewired(id) => write!(f, "{id} has different dependencies"),
        }
    }
}

/// The structural changes from an approved plan to the current one; empty if both have the same
/// structure.
pub fn changes(approved: &Plan, current: &Plan) -> Vec<Change> {
    let (before, after) = (Positions::of(approved), Positions::of(current));
    let mut changes = BTreeSet::new();
    for (id, places) in &before.by_id {
        match after.by_id.get(id) {
            None => drop(changes.insert(Change::Removed((*id).clone()))),
            Some(now) if now.len() != places.len() => {
                changes.insert(Change::Duplicated((*id).clone()));
            }
            Some(now) => {
                for (was, is) in places.iter().zip(now) {
                    let (was, is) = (&approved.tasks[*was], &current.tasks[*is]);
                    if (was.kind, was.confirm) != (is.kind, is.confirm) {
                        changes.insert(Change::Retyped((*id).clone()));
                    } else if wiring(approved, was) != wiring(current, is) {
                        changes.insert(Change::Rewired((*id).clone()));
                    }
                }
            }
        }
    }
    for id in after.by_id.keys() {
        if !before.by_id.contains_key(id) {
            changes.insert(Change::Added((*id).clone()));
        }
    }
    for id in moved(&before, &after, current) {
        changes.insert(Change::Moved(id));
    }
    if changes.is_empty() {
        // Headings and other dialects' markers also affect the order.
        let (was, is) = (Graph::of(approved), Graph::of(current));
        for (index, task) in current.leaves() {
            if was.waits_for(index) != is.waits_for(index) {
                changes.insert(Change::Rewired(task.id.clone()));
            }
        }
    }
    changes.into_iter().collect()
}

/// The positions of each id.
struct Positions<'p> {
    by_id: HashMap<&'p TaskId, Vec<usize>>,
}

impl<'p> Positions<'p> {
    fn of(plan: &'p Plan) -> Self {
        let mut by_id: HashMap<&TaskId, Vec<usize>> = HashMap::with_capacity(plan.tasks.len());
        for (index, task) in plan.tasks.iter().enumerate() {
            by_id.entry(&task.id).or_default().push(index);
        }
        Self { by_id }
    }
}

/// How a task is connected to others: its group, its dependencies, where its options lead.
#[derive(PartialEq)]
struct Wiring<'p> {
    group: Option<&'p TaskId>,
    depends: Option<BTreeSet<&'p TaskId>>,
    parallel: bool,
    optional: bool,
    options: Vec<(&'static str, BTreeSet<&'p TaskId>)>,
}

fn wiring<'p>(plan: &'p Plan, task: &'p Task) -> Wiring<'p> {
    let options = task.options.iter().map(|option| match &option.effect {
        ChoiceEffect::Continue => ("continue", BTreeSet::new()),
        ChoiceEffect::Review => ("review", BTreeSet::new()),
        ChoiceEffect::Stop => ("stop", BTreeSet::new()),
        ChoiceEffect::Skip(ids) => ("skip", ids.iter().collect()),
        ChoiceEffect::Branch(ids) => ("branch", ids.iter().collect()),
    });
    Wiring {
        group: task.parent.map(|parent| &plan.tasks[parent].id),
        depends: task.depends.as_ref().map(|ids| ids.iter().collect()),
        parallel: task.parallel,
        optional: task.optional,
        options: options.collect(),
    }
}

/// The smallest set of tasks whose move explains the new order.
fn moved(before: &Positions<'_>, after: &Positions<'_>, current: &Plan) -> Vec<TaskId> {
    let place = |task: &Task| match (before.by_id.get(&task.id), after.by_id.get(&task.id)) {
        (Some(was), Some(is)) if was.len() == 1 && is.len() == 1 => Some(was[0]),
        _ => None,
    };
    let common: Vec<(usize, &TaskId)> = current
        .tasks
        .iter()
        .filter_map(|task| Some((place(task)?, &task.id)))
        .collect();
    if common.is_sorted() {
        return Vec::new();
    }
    // The longest run of tasks in unchanged order: `ends[n]` is the last index of the best run of
    // length n + 1.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = vec![None; common.len()];
    for (at, (was, _)) in common.iter().enumerate() {
        let length = ends.partition_point(|end| common[*end].0 < *was);
        previous[at] = length.checked_sub(1).map(|before| ends[before]);
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut stayed = BTreeSet::new();
    let mut at = ends.last().copied();
    while let Some(index) = at {
        stayed.insert(index);
        at = previous[index];
    }
    let moved = common.iter().enumerate();
    moved
        .filter(|(index, _)| !stayed.contains(index))
        .map(|(_, (_, id))| (*id).clone())
        .collect()
}
