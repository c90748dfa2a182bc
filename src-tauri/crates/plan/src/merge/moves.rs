//! Tasks that one side moved while the other changed them.
//!
//! In a line-based comparison, a moved task is one that was removed and one that was added. So
//! before lines are compared, the moves in theirs are replayed in the base and in ours, and then
//! the moves in ours in the base and in theirs; only other changes remain. A task that one side
//! moved and the other removed is removed. Only tasks with a written id are moved, and only if the
//! other side changed or moved a task whose position changed.

use std::collections::{HashMap, HashSet};

use super::version::Parsed;
use crate::diff::{Pairs, moved};
use crate::edit::{Place, apply, move_task};
use crate::model::{IdOrigin, Plan, Task, TaskId};

/// Maximum number of moves that are replayed; if there are more, none are.
const MAX_MOVES: usize = 24;

/// The three texts after replaying moves.
#[derive(Debug)]
pub(super) struct Replayed {
    pub(super) base: Parsed,
    pub(super) ours: Parsed,
    pub(super) theirs: Parsed,
    /// Tasks that both sides moved, to different positions.
    pub(super) twice: Vec<TaskId>,
}

/// Replays the moves of each side on the other two texts.
pub(super) fn replayed(base: Parsed, ours: Parsed, theirs: Parsed) -> Replayed {
    let by_us = moves(&base.plan, &ours.plan);
    let by_them = moves(&base.plan, &theirs.plan);
    let mut texts = Replayed {
        base,
        ours,
        theirs,
        twice: Vec::new(),
    };
    let has_any = !by_us.is_empty() || !by_them.is_empty();
    if !has_any || by_us.len() + by_them.len() > MAX_MOVES || !texts.interact() {
        return texts;
    }
    for id in by_us.iter().filter(|id| by_them.contains(id)) {
        if spot(&texts.ours.plan, id) != spot(&texts.theirs.plan, id) {
            texts.twice.push(id.clone());
        }
    }
    for id in &by_them {
        let put = |read: &Parsed| put(read, &texts.theirs.plan, id, &by_them);
        if let (Some(base), Some(ours)) = (put(&texts.base), put(&texts.ours)) {
            (texts.base, texts.ours) = (Parsed::of(base), Parsed::of(ours));
        }
    }
    // The moves that only ours made.
    let left = moves(&texts.base.plan, &texts.ours.plan);
    for id in &left {
        let put = |read: &Parsed| put(read, &texts.ours.plan, id, &left);
        if let (Some(base), Some(theirs)) = (put(&texts.base), put(&texts.theirs)) {
            (texts.base, texts.theirs) = (Parsed::of(base), Parsed::of(theirs));
        }
    }
    texts
}

impl Replayed {
    /// Whether one side changed or moved a task whose position the other side changed.
    fn interact(&self) -> bool {
        let (base, ours, theirs) = (&self.base, &self.ours, &self.theirs);
        let our_shifts = shifted(&base.plan, &ours.plan);
        let their_shifts = shifted(&base.plan, &theirs.plan);
        !our_shifts.is_disjoint(&their_shifts)
            || !touched(base, ours).is_disjoint(&their_shifts)
            || !touched(base, theirs).is_disjoint(&our_shifts)
    }
}

/// The tasks whose position among the siblings that both plans have in common changed, including
/// those that another task moved past: when two tasks swap, either one may have moved.
fn shifted(before: &Plan, after: &Plan) -> HashSet<TaskId> {
    let common = common_ids(before, after);
    let places = |plan: &Plan| -> HashMap<TaskId, (Option<TaskId>, usize)> {
        let mut counts: HashMap<Option<usize>, usize> = HashMap::new();
        let mut places = HashMap::new();
        for task in plan.tasks.iter().filter(|task| common.contains(&task.id)) {
            let count = counts.entry(task.parent).or_default();
            *count += 1;
            let parent = task.parent.map(|parent| plan.tasks[parent].id.clone());
            places.insert(task.id.clone(), (parent, *count));
        }
        places
    };
    let (before, mut after) = (places(before), places(after));
    after.retain(|id, place| before.get(id) != Some(place));
    after.into_keys().collect()
}

/// The written ids that occur exactly once in both plans.
fn common_ids(before: &Plan, after: &Plan) -> HashSet<TaskId> {
    let once = |plan: &Plan| -> HashSet<TaskId> {
        let (mut once, mut more) = (HashSet::new(), HashSet::new());
        for task in &plan.tasks {
            let is_new = task.id_origin == IdOrigin::Written && once.insert(task.id.clone());
            if !is_new {
                more.insert(task.id.clone());
            }
        }
        once.retain(|id| !more.contains(id));
        once
    };
    let (mut before, after) = (once(before), once(after));
    before.retain(|id| after.contains(id));
    before
}

/// The tasks that moved, in the order of the later plan.
fn moves(before: &Plan, after: &Plan) -> Vec<TaskId> {
    let pairs = Pairs::of(before, after);
    let moved = moved(before, after, &pairs);
    if moved.iter().all(Option::is_none) {
        return Vec::new();
    }
    let common = common_ids(before, after);
    let tasks = after.tasks.iter().zip(moved);
    tasks
        .filter(|(task, moved)| moved.is_some() && common.contains(&task.id))
        .map(|(task, _)| task.id.clone())
        .collect()
}

/// The tasks that were removed or in which a line changed, including sub-tasks.
fn touched(old: &Parsed, new: &Parsed) -> HashSet<TaskId> {
    let words = |text: &str| -> String {
        let lines = text.split(['\n', '\r']).map(str::trim);
        lines.collect::<Vec<_>>().join("\n")
    };
    let now: HashMap<&TaskId, &Task> = new.plan.tasks.iter().map(|task| (&task.id, task)).collect();
    let written = old
        .plan
        .tasks
        .iter()
        .filter(|task| task.id_origin == IdOrigin::Written);
    written
        .filter(|task| {
            now.get(&task.id).is_none_or(|now| {
                words(&old.text[task.span.clone()]) != words(&new.text[now.span.clone()])
            })
        })
        .map(|task| task.id.clone())
        .collect()
}

/// The position of a task: its previous sibling and its parent.
fn spot<'p>(plan: &'p Plan, id: &TaskId) -> (Option<&'p TaskId>, Option<&'p TaskId>) {
    let Some(index) = plan.index_of(id) else {
        return (None, None);
    };
    let parent = plan.tasks[index].parent;
    let above = plan.tasks[..index]
        .iter()
        .rev()
        .find(|task| task.parent == parent);
    (
        above.map(|task| &task.id),
        parent.map(|parent| &plan.tasks[parent].id),
    )
}

/// The text with a task moved to its position in another plan, where the tasks in `moving` move in
/// that plan's order. Unchanged if the text doesn't have the task; `None` if it can't be put there.
fn put(read: &Parsed, like: &Plan, id: &TaskId, moving: &[TaskId]) -> Option<String> {
    let (text, plan) = (read.text.as_str(), &read.plan);
    if plan.task(id).is_none() {
        return Some(text.to_owned());
    }
    let index = like.index_of(id)?;
    let parent = like.tasks[index].parent;
    let of_family = |task: &&Task| task.parent == parent && plan.task(&task.id).is_some();
    let around = parent.map(|parent| &like.tasks[parent].id);
    // The task's neighbors must have the same parent in this text.
    let is_there = |task: &&Task| {
        let here = plan.task(&task.id).and_then(|task| task.parent);
        here.map(|parent| &plan.tasks[parent].id) == around
    };
    let above = like.tasks[..index]
        .iter()
        .rev()
        .filter(of_family)
        .find(is_there);
    // Later tasks that also move are not in place yet.
    let mut below = like.tasks[index + 1..].iter().filter(of_family);
    let below = below.find(|task| !moving.contains(&task.id) && is_there(task));
    let place = match (above, below, around) {
        (Some(above), ..) => Place::After(above.id.clone()),
        (None, Some(below), _) => Place::Before(below.id.clone()),
        (None, None, Some(around)) if plan.task(around).is_some() => Place::Under(around.clone()),
        (None, None, Some(_)) => return None,
        (None, None, None) => Place::First,
    };
    let named = move_task(text, plan, id, &place).ok()?;
    apply(text, &named.splices).ok().map(|applied| applied.text)
}
