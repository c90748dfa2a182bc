//! Implicit dependencies: what a task waits for because of its position.
//!
//! A task waits for the one above it at its level, and the first sub-task of a group waits for what
//! the group waits for. Two markers of other programs change that:
//!
//! - *Parallel* (`[P]`, `(P)`) means "different files, no dependencies on open tasks". Such a task
//!   doesn't wait for those above it in its phase, only for the whole previous phase. A task
//!   without the marker is a join: it waits for everything above it in its phase. Phases run one
//!   after the other, in file order.
//! - *Optional* (`- [ ]*`) tasks may be skipped, so nothing waits for them implicitly. They wait
//!   for what any other task at their position would wait for. A group is finished without its
//!   optional parts, unless it has no others.
//!
//! `depends:`, in any notation, replaces all of this for its task.

use std::collections::HashMap;

use crate::dialect::{self, Ids};
use crate::model::{IdOrigin, Plan};

/// What a task waits for because of its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Implicit {
    /// It waits for nothing.
    Free,
    /// It waits for what its parent waits for.
    AsParent,
    /// It waits for this task.
    One(usize),
    /// It waits for all tasks of this set in [`Order::sets`].
    Set(usize),
}

/// The implicit dependencies of all tasks in a plan.
#[derive(Debug, Clone, Default)]
pub(super) struct Order {
    pub(super) implicit: Vec<Implicit>,
    /// Sets of parallel tasks; several tasks may wait for one set.
    pub(super) sets: Vec<Vec<usize>>,
    /// For each task, the number of its required leaves; `None` if no task is optional.
    required: Option<Vec<usize>>,
}

impl Order {
    pub(super) fn of(plan: &Plan) -> Self {
        let tasks = &plan.tasks;
        let rules = dialect::rules(plan.dialect);
        let has_phases = rules.parallel.is_some();
        let is_chain = tasks.iter().all(|task| {
            !task.optional && !(has_phases && (task.parallel || task.depends.is_some()))
        });
        let mut order = Self {
            implicit: Vec::with_capacity(tasks.len()),
            sets: Vec::new(),
            required: required(plan),
        };
        if is_chain {
            order.chain(plan);
        } else {
            order.phases(plan, has_phases);
        }
        if rules.ids == Ids::Numbers && tasks.iter().any(|task| task.parallel) {
            order.wait_for_leaders(plan);
        }
        order
    }

    /// The tasks that an implicit dependency refers to; empty for `Free` and `AsParent`.
    pub(super) fn tasks<'a>(&'a self, place: &'a Implicit) -> &'a [usize] {
        match place {
            Implicit::Free | Implicit::AsParent => &[],
            Implicit::One(task) => std::slice::from_ref(task),
            Implicit::Set(set) => &self.sets[*set],
        }
    }

    /// Whether a group can be finished without one of its parts.
    pub(super) fn is_left_out(&self, group: usize, part: usize) -> bool {
        self.required
            .as_ref()
            .is_some_and(|required| required[part] == 0 && required[group] > 0)
    }

    /// Whether every leaf of a task has to be done to finish it.
    pub(super) fn needs_all(&self, task: usize, leaves: usize) -> bool {
        let required = self.required.as_ref();
        required.is_none_or(|required| {
            matches!(required.get(task), None | Some(0)) || required[task] == leaves
        })
    }

    /// Whether a leaf has to be done to finish a group that has required leaves.
    pub(super) fn is_required(&self, leaf: usize) -> bool {
        let required = self.required.as_ref();
        required.is_none_or(|required| required[leaf] > 0)
    }

    /// Sets the implicit dependencies in a plan without markers: each task waits for the one above
    /// it at its level.
    pub(super) fn chain(&mut self, plan: &Plan) {
        let mut last_of: Vec<Option<usize>> = vec![None; plan.tasks.len()];
        let mut last_top = None;
        for (at, task) in plan.tasks.iter().enumerate() {
            let parent = task.parent.filter(|parent| *parent < at);
            let last = match parent {
                Some(parent) => &mut last_of[parent],
                None => &mut last_top,
            };
            self.implicit.push(match (last.replace(at), parent) {
                (Some(above), _) => Implicit::One(above),
                (None, Some(_)) => Implicit::AsParent,
                (None, None) => Implicit::Free,
            });
        }
    }

    fn phases(&mut self, plan: &Plan, has_phases: bool) {
        let mut levels: HashMap<Option<usize>, Level> = HashMap::new();
        let mut copied = 0;
        for (at, task) in plan.tasks.iter().enumerate() {
            let parent = task.parent.filter(|parent| *parent < at);
            let level = levels.entry(parent).or_insert_with(|| Level {
                phase: task.phase,
                before: parent.map_or(Implicit::Free, |_| Implicit::AsParent),
                tail: Vec::new(),
                includes_previous: false,
                tail_place: None,
            });
            if has_phases && level.phase != task.phase {
                level.phase = task.phase;
                level.before = level.end(&mut self.sets, &mut copied);
                level.tail.clear();
                level.includes_previous = false;
                level.tail_place = None;
            }
            let is_parallel = has_phases && task.parallel;
            self.implicit.push(match is_parallel {
                true => level.before,
                false => level.end(&mut self.sets, &mut copied),
            });
            if task.optional {
                continue;
            }
            // In a plan with parallel tasks, a task with its own `depends:` runs in parallel with
            // the others.
            let says = has_phases && task.depends.is_some();
            if !(is_parallel || says) {
                level.tail.clear();
            }
            level.tail.push(at);
            level.includes_previous |= !says;
            level.tail_place = None;
        }
    }

    /// Makes a parallel `2.1 (P)` that is a sibling of `2.`, not nested under it, wait for `2.`
    /// anyway.
    fn wait_for_leaders(&mut self, plan: &Plan) {
        let written = |at: &usize| plan.tasks[*at].id_origin == IdOrigin::Written;
        let index: HashMap<&str, usize> = (0..plan.tasks.len())
            .filter(written)
            .map(|at| (plan.tasks[at].id.as_str(), at))
            .collect();
        for (at, task) in plan.tasks.iter().enumerate() {
            let leader = task.id.as_str().rsplit_once('.').and_then(|(leader, _)| {
                let leader = *index.get(leader)?;
                (leader < at && plan.tasks[leader].parent == task.parent).then_some(leader)
            });
            if let Some(leader) = leader.filter(|_| task.parallel) {
                self.implicit[at] = Implicit::One(leader);
            }
        }
    }
}

/// The state of a walk over the tasks of one level.
struct Level {
    phase: u32,
    /// What the phase waits for: the implicit dependency of its first task and of its parallel
    /// tasks.
    before: Implicit,
    /// What the next task without a marker waits for: the last such task and the parallel
    /// ones after it.
    tail: Vec<usize>,
    /// Whether any task in `tail` also waits for the previous phase.
    includes_previous: bool,
    tail_place: Option<Implicit>,
}

/// Maximum total size of the sets that are copied for phases in which all tasks have their own
/// `depends:`, so that the next task also waits for the previous phase.
const MAX_IN_SETS: usize = 1_000_000;

impl Level {
    /// The implicit dependency on the tail; `before` if the tail is empty.
    fn end(&mut self, sets: &mut Vec<Vec<usize>>, copied: &mut usize) -> Implicit {
        if let Some(place) = self.tail_place {
            return place;
        }
        let mut tasks = Vec::new();
        if !self.includes_previous && !self.tail.is_empty() {
            match self.before {
                Implicit::One(task) => tasks.push(task),
                Implicit::Set(set) if *copied + sets[set].len() <= MAX_IN_SETS => {
                    tasks.extend_from_slice(&sets[set]);
                    *copied += tasks.len();
                }
                Implicit::Set(_) | Implicit::AsParent | Implicit::Free => {}
            }
        }
        tasks.extend_from_slice(&self.tail);
        let place = match tasks.as_slice() {
            [] => self.before,
            [one] => Implicit::One(*one),
            _ => {
                sets.push(tasks);
                Implicit::Set(sets.len() - 1)
            }
        };
        self.tail_place = Some(place);
        place
    }
}

/// For each task, the number of its leaves that are neither optional nor inside an optional task.
fn required(plan: &Plan) -> Option<Vec<usize>> {
    if plan.tasks.iter().all(|task| !task.optional) {
        return None;
    }
    let parent = |at: usize| plan.tasks[at].parent.filter(|parent| *parent < at);
    let mut optional: Vec<bool> = Vec::with_capacity(plan.tasks.len());
    for (at, task) in plan.tasks.iter().enumerate() {
        let around = parent(at).is_some_and(|parent| optional[parent]);
        optional.push(task.optional || around);
    }
    let mut required: Vec<usize> = plan
        .tasks
        .iter()
        .zip(&optional)
        .map(|(task, optional)| usize::from(task.children.is_empty() && !optional))
        .collect();
    for at in (0..required.len()).rev() {
        if let Some(parent) = parent(at) {
            required[parent] += required[at];
        }
    }
    Some(required)
}
