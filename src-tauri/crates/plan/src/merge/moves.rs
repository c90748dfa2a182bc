//! Tasks that one side moved while the other changed them.
//!
//! Line by line, a task that moved is one that went and one that came. So before lines are compared,
//! what theirs moved is moved in the base and in ours as well, and then what ours moved in the base
//! and in theirs: what is left to compare is what else was changed. Only tasks with a written id that
//! all three have are moved, and only those that the other side touched.

use std::collections::HashSet;

use crate::diff::{Pairs, moved};
use crate::edit::{Place, apply, move_task};
use crate::model::{IdOrigin, Plan, TaskId};
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
    let common = common_ids(&plans);
    let (by_us, by_them) = (moves(base, ours, &common), moves(base, theirs, &common));
    if by_us.is_empty() && by_them.is_empty() {
        return texts;
    }
    let touched_by_us = touched((&texts.base, base), (&texts.ours, ours), &common);
    let touched_by_them = touched((&texts.base, base), (&texts.theirs, theirs), &common);
    let concerns = |moves: &[TaskId], other: &[TaskId], touched: &HashSet<TaskId>| -> Vec<TaskId> {
        let met = |id: &&TaskId| other.contains(id) || touched.contains(*id);
        moves.iter().filter(met).cloned().collect()
    };
    let theirs_first = concerns(&by_them, &by_us, &touched_by_us);
    let mut ours_then = concerns(&by_us, &[], &touched_by_them);
    ours_then.retain(|id| !by_them.contains(id));
    if theirs_first.len() + ours_then.len() > MOST_MOVES {
        return texts;
    }
    for id in by_us.iter().filter(|id| by_them.contains(id)) {
        if spot(ours, id) != spot(theirs, id) {
            texts.twice.push(id.clone());
        }
    }
    for id in &theirs_first {
        let moved = (put(&texts.base, theirs, id), put(&texts.ours, theirs, id));
        if let (Some(base), Some(ours)) = moved {
            (texts.base, texts.ours) = (base, ours);
        }
    }
    for id in &ours_then {
        let moved = (put(&texts.base, ours, id), put(&texts.theirs, ours, id));
        if let (Some(base), Some(theirs)) = moved {
            (texts.base, texts.theirs) = (base, theirs);
        }
    }
    texts
}

/// The written ids that each text has exactly once.
fn common_ids(plans: &[Plan; 3]) -> HashSet<TaskId> {
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
    let [base, ours, theirs] = plans.each_ref().map(once);
    base.into_iter()
        .filter(|id| ours.contains(id) && theirs.contains(id))
        .collect()
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

/// The tasks of which a line changed, sub-tasks included.
fn touched(
    (old_text, old): (&str, &Plan),
    (new_text, new): (&str, &Plan),
    common: &HashSet<TaskId>,
) -> HashSet<TaskId> {
    let words = |text: &str| -> String {
        let lines = text.split(['\n', '\r']).map(str::trim);
        lines.collect::<Vec<_>>().join("\n")
    };
    let mut touched = HashSet::new();
    for task in &old.tasks {
        if common.contains(&task.id)
            && let Some(now) = new.task(&task.id)
            && words(&old_text[task.span.clone()]) != words(&new_text[now.span.clone()])
        {
            touched.insert(task.id.clone());
        }
    }
    touched
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

/// The text with a task where another plan has it; `None` where it cannot go there.
fn put(text: &str, like: &Plan, id: &TaskId) -> Option<String> {
    let plan = parse(text).0;
    let index = like.index_of(id)?;
    let parent = like.tasks[index].parent;
    let of_family =
        |task: &&crate::model::Task| task.parent == parent && plan.task(&task.id).is_some();
    let around = parent.map(|parent| &like.tasks[parent].id);
    // Its neighbours must have that parent here too.
    let is_there = |task: &&crate::model::Task| {
        let here = plan.task(&task.id).and_then(|task| task.parent);
        here.map(|parent| &plan.tasks[parent].id) == around
    };
    let above = like.tasks[..index]
        .iter()
        .rev()
        .filter(of_family)
        .find(is_there);
    let below = like.tasks[index + 1..]
        .iter()
        .filter(of_family)
        .find(is_there);
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
