//! Tasks that one side moved while the other changed them.
//!
//! Line by line, a task that moved is one that went and one that came. So before lines are compared,
//! what theirs moved is moved in the base and in ours as well, and then what ours moved in the base
//! and in theirs: what is left to compare is what else was changed. A task that one side only moved
//! and the other took away is gone. Only tasks with a written id are moved, and only where the other
//! side touched or moved one of those that have another place now.

use std::collections::{HashMap, HashSet};

use crate::diff::{Pairs, moved};
use crate::edit::{Place, apply, move_task};
use crate::model::{IdOrigin, Plan, Task, TaskId};
use crate::parse::parse;

/// More moves than this are left to the lines.
const MOST_MOVES: usize = 24;

/// The three texts after moves were made alike.
#[derive(Debug)]
pub(super) struct Replayed {
    pub(super) base: String,
    pub(super) ours: String,
    pub(super) theirs: String,
    /// Tasks that both moved, to different places.
    pub(super) twice: Vec<TaskId>,
}

/// Makes the moves of each side on the other two texts.
pub(super) fn replayed(base: String, ours: String, theirs: String) -> Replayed {
    let mut texts = Replayed {
        base,
        ours,
        theirs,
        twice: Vec::new(),
    };
    let plans = [&texts.base, &texts.ours, &texts.theirs].map(|text| parse(text).0);
    let [base, ours, theirs] = &plans;
    let (ours_too, theirs_too) = (common_ids(base, ours), common_ids(base, theirs));
    let (by_us, by_them) = (
        moves(base, ours, &ours_too),
        moves(base, theirs, &theirs_too),
    );
    if by_us.is_empty() && by_them.is_empty() {
        return texts;
    }
    let our_shifts = shifted(base, ours, &ours_too);
    let their_shifts = shifted(base, theirs, &theirs_too);
    let we_touched = touched((&texts.base, base), (&texts.ours, ours));
    let they_touched = touched((&texts.base, base), (&texts.theirs, theirs));
    if our_shifts.is_disjoint(&their_shifts)
        && we_touched.is_disjoint(&their_shifts)
        && they_touched.is_disjoint(&our_shifts)
    {
        return texts;
    }
    if by_us.len() + by_them.len() > MOST_MOVES {
        return texts;
    }
    for id in by_us.iter().filter(|id| by_them.contains(id)) {
        if spot(ours, id) != spot(theirs, id) {
            texts.twice.push(id.clone());
        }
    }
    for id in &by_them {
        let (base, ours) = (
            put(&texts.base, theirs, id, &by_them),
            put(&texts.ours, theirs, id, &by_them),
        );
        if let (Some(base), Some(ours)) = (base, ours) {
            (texts.base, texts.ours) = (base, ours);
        }
    }
    // What we moved that they did not.
    let [base, ours] = [&texts.base, &texts.ours].map(|text| parse(text).0);
    let left = moves(&base, &ours, &common_ids(&base, &ours));
    for id in &left {
        let (base, theirs) = (
            put(&texts.base, &ours, id, &left),
            put(&texts.theirs, &ours, id, &left),
        );
        if let (Some(base), Some(theirs)) = (base, theirs) {
            (texts.base, texts.theirs) = (base, theirs);
        }
    }
    texts
}

/// The tasks that stand at another place among those siblings that all three texts have, the ones
/// that were passed included: which of two that changed places has moved is a matter of view.
fn shifted(before: &Plan, after: &Plan, common: &HashSet<TaskId>) -> HashSet<TaskId> {
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

/// The written ids that both plans have exactly once.
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
fn moves(before: &Plan, after: &Plan, common: &HashSet<TaskId>) -> Vec<TaskId> {
    let pairs = Pairs::of(before, after);
    let moved = moved(before, after, &pairs);
    let tasks = after.tasks.iter().zip(moved);
    tasks
        .filter(|(task, moved)| moved.is_some() && common.contains(&task.id))
        .map(|(task, _)| task.id.clone())
        .collect()
}

/// The tasks of which a line changed, sub-tasks included, or that are gone.
fn touched((old_text, old): (&str, &Plan), (new_text, new): (&str, &Plan)) -> HashSet<TaskId> {
    let words = |text: &str| -> String {
        let lines = text.split(['\n', '\r']).map(str::trim);
        lines.collect::<Vec<_>>().join("\n")
    };
    let now: HashMap<&TaskId, &Task> = new.tasks.iter().map(|task| (&task.id, task)).collect();
    let written = old
        .tasks
        .iter()
        .filter(|task| task.id_origin == IdOrigin::Written);
    written
        .filter(|task| {
            now.get(&task.id).is_none_or(|now| {
                words(&old_text[task.span.clone()]) != words(&new_text[now.span.clone()])
            })
        })
        .map(|task| task.id.clone())
        .collect()
}

/// The task above among its siblings, else the one around it.
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

/// The text with a task where another plan has it, among others that are `moving` in the order of
/// that plan; the same text when it does not have the task, and
/// `None` where the task cannot go there.
fn put(text: &str, like: &Plan, id: &TaskId, moving: &[TaskId]) -> Option<String> {
    let plan = parse(text).0;
    if plan.task(id).is_none() {
        return Some(text.to_owned());
    }
    let index = like.index_of(id)?;
    let parent = like.tasks[index].parent;
    let of_family = |task: &&Task| task.parent == parent && plan.task(&task.id).is_some();
    let around = parent.map(|parent| &like.tasks[parent].id);
    // Its neighbours must have that parent here too.
    let is_there = |task: &&Task| {
        let here = plan.task(&task.id).and_then(|task| task.parent);
        here.map(|parent| &plan.tasks[parent].id) == around
    };
    let above = like.tasks[..index]
        .iter()
        .rev()
        .filter(of_family)
        .find(is_there);
    // Those that follow and move as well are not in their places yet.
    let mut below = like.tasks[index + 1..].iter().filter(of_family);
    let below = below.find(|task| !moving.contains(&task.id) && is_there(task));
    let place = match (above, below, around) {
        (Some(above), ..) => Place::After(above.id.clone()),
        (None, Some(below), _) => Place::Before(below.id.clone()),
        (None, None, Some(around)) if plan.task(around).is_some() => Place::Under(around.clone()),
        (None, None, Some(_)) => return None,
        (None, None, None) => Place::First,
    };
    let named = move_task(text, &plan, id, &place).ok()?;
    apply(text, &named.splices).ok().map(|applied| applied.text)
}
