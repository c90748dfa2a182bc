//! What a task waits for because of its place.
//!
//! A task waits for the one above it at its level, the first sub-task of a group for what the group
//! waits for. Two marks of other programs change that:
//!
//! - *Parallel* (`[P]`, `(P)`) is "different files, no dependencies on tasks that are not done". Such
//!   a task does not wait for the ones above it in its phase, only for the whole phase before. A
//!   task without the mark is a point that the work comes together at: it waits for everything above
//!   it in its phase. Phases come one after the other, as the file lists them.
//! - *Optional* (`- [ ]*`) may be left out, so nothing waits for it because of its place. It waits
//!   for what any other task in its place would. A group is finished without its optional parts,
//!   unless it has no others.
//!
//! `depends:`, in whatever words, replaces all of it for the task that says it.

use std::collections::HashMap;

use crate::dialect::{self, Ids};
use crate::model::{IdOrigin, Plan};

/// What a task waits for because of its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Nothing.
    Free,
    /// What its parent waits for.
    AsParent,
    /// This task.
    One(usize),
    /// All tasks of the set with this number in [`Order::sets`].
    Set(usize),
}

/// The places of all tasks.
#[derive(Debug, Clone, Default)]
pub(super) struct Order {
    pub(super) places: Vec<Place>,
    /// Sets of tasks that stand side by side; several tasks may wait for one set.
    pub(super) sets: Vec<Vec<usize>>,
    /// For every task how many leaves it is not finished without; `None` where no task is optional.
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
            places: Vec::with_capacity(tasks.len()),
            sets: Vec::new(),
            required: required(plan),
        };
        if is_chain {
            order.chain(plan);
        } else {
            order.phases(plan, has_phases);
        }
        if rules.ids == Ids::Numbers && tasks.iter().any(|task| task.parallel) {
            order.behind_leaders(plan);
        }
        order
    }

    /// The tasks of a place; `AsParent` names none.
    pub(super) fn tasks<'a>(&'a self, place: &'a Place) -> &'a [usize] {
        match place {
            Place::Free | Place::AsParent => &[],
            Place::One(task) => std::slice::from_ref(task),
            Place::Set(set) => &self.sets[*set],
        }
    }

    /// Whether a group is finished without this part of it.
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

    /// Whether a leaf has to be done where others of its group have to.
    pub(super) fn is_required(&self, leaf: usize) -> bool {
        let required = self.required.as_ref();
        required.is_none_or(|required| required[leaf] > 0)
    }

    /// The places as if no task had a mark.
    pub(super) fn chain(&mut self, plan: &Plan) {
        let mut last_of: Vec<Option<usize>> = vec![None; plan.tasks.len()];
        let mut last_top = None;
        for (at, task) in plan.tasks.iter().enumerate() {
            let parent = task.parent.filter(|parent| *parent < at);
            let last = match parent {
                Some(parent) => &mut last_of[parent],
                None => &mut last_top,
            };
            self.places.push(match (last.replace(at), parent) {
                (Some(above), _) => Place::One(above),
                (None, Some(_)) => Place::AsParent,
                (None, None) => Place::Free,
            });
        }
    }

    fn phases(&mut self, plan: &Plan, has_phases: bool) {
        let mut levels: HashMap<Option<usize>, Level> = HashMap::new();
        let mut held = 0;
        for (at, task) in plan.tasks.iter().enumerate() {
            let parent = task.parent.filter(|parent| *parent < at);
            let level = levels.entry(parent).or_insert_with(|| Level {
                phase: task.phase,
                before: parent.map_or(Place::Free, |_| Place::AsParent),
                tail: Vec::new(),
                rests: false,
                tail_place: None,
            });
            if has_phases && level.phase != task.phase {
                level.phase = task.phase;
                level.before = level.end(&mut self.sets, &mut held);
                level.tail.clear();
                level.rests = false;
                level.tail_place = None;
            }
            let is_parallel = has_phases && task.parallel;
            self.places.push(match is_parallel {
                true => level.before,
                false => level.end(&mut self.sets, &mut held),
            });
            if task.optional {
                continue;
            }
            // Where work runs side by side, one that says what it waits for is beside the others.
            let says = has_phases && task.depends.is_some();
            if !(is_parallel || says) {
                level.tail.clear();
            }
            level.tail.push(at);
            level.rests |= !says;
            level.tail_place = None;
        }
    }

    /// `2.1 (P)` beside `2.`, not under it, still waits for it.
    fn behind_leaders(&mut self, plan: &Plan) {
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
                self.places[at] = Place::One(leader);
            }
        }
    }
}

/// Where the walk over the tasks of one level stands.
struct Level {
    phase: u32,
    /// What the phase waits for.
    before: Place,
    /// What the next task without a mark waits for: the last such task and those beside each other
    /// behind it.
    tail: Vec<usize>,
    /// Whether one of them waits for the phase before.
    rests: bool,
    tail_place: Option<Place>,
}

/// Where tasks say themselves what they wait for, the phase before is waited for with them. The sets
/// of a plan hold no more than this for that.
const MAX_IN_SETS: usize = 1_000_000;

impl Level {
    /// The tail as a place; what the phase waits for where it is empty.
    fn end(&mut self, sets: &mut Vec<Vec<usize>>, held: &mut usize) -> Place {
        if let Some(place) = self.tail_place {
            return place;
        }
        let mut tasks = Vec::new();
        if !self.rests && !self.tail.is_empty() {
            match self.before {
                Place::One(task) => tasks.push(task),
                Place::Set(set) if *held + sets[set].len() <= MAX_IN_SETS => {
                    tasks.extend_from_slice(&sets[set]);
                    *held += tasks.len();
                }
                Place::Set(_) | Place::AsParent | Place::Free => {}
            }
        }
        tasks.extend_from_slice(&self.tail);
        let place = match tasks.as_slice() {
            [] => self.before,
            [one] => Place::One(*one),
            _ => {
                sets.push(tasks);
                Place::Set(sets.len() - 1)
            }
        };
        self.tail_place = Some(place);
        place
    }
}

/// For every task how many of its leaves are neither optional nor a part of what is.
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
