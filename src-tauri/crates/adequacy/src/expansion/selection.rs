//! Applies selected changes of an expansion to the plan they were proposed for.
//!
//! A task that was not selected leaves no trace: nothing refers to it, and its neighbors keep the
//! positions that they would have with it. Does no IO.

use std::collections::BTreeSet;

use plan::edit::{EditError, Place};
use plan::{Plan, TaskId};

use super::change::{Change, ChangeKind};
use super::combine::is_handle;
use super::preserve::lost_dependencies;
use crate::mend::{Mend, PlanEditor};

/// Returns the text with the selected changes and all changes they depend on. An empty selection
/// returns the text unchanged, byte for byte; a complete one returns the best text of the loop.
/// References to new tasks that were not selected are left out. If the selection alone would create
/// a dependency cycle, the new task that prevents it is added.
///
/// # Errors
/// The errors of [`plan::edit`], if the changes were made for another text.
pub fn accept(
    text: &str,
    plan: &Plan,
    changes: &[Change],
    chosen: &[String],
) -> Result<String, EditError> {
    let mut chosen = chosen.to_vec();
    let refused = match made(text, plan, changes, &closure(changes, &chosen)) {
        Ok(made) => return Ok(made),
        Err(refused) => refused,
    };
    // A task without `depends:` implicitly depends on the task before it. If a new task between two
    // tasks is missing, the earlier task can be one that in turn depends on the later one.
    let left = |chosen: &[String]| -> Vec<String> {
        let taken = closure(changes, chosen);
        let left = changes.iter().filter(|change| {
            change.kind == ChangeKind::Added && !taken.contains(change.id.as_str())
        });
        left.map(|change| change.id.clone()).collect()
    };
    loop {
        let left = left(&chosen);
        let Some(first) = left.first() else {
            return Err(refused);
        };
        for one in &left {
            let with = [chosen.as_slice(), std::slice::from_ref(one)].concat();
            if let Ok(made) = made(text, plan, changes, &closure(changes, &with)) {
                return Ok(made);
            }
        }
        chosen.push(first.clone());
    }
}

/// Ids of the selected changes and everything they depend on.
fn closure<'c>(changes: &'c [Change], chosen: &[String]) -> BTreeSet<&'c str> {
    let mut taken = BTreeSet::new();
    let mut open: Vec<&str> = chosen.iter().map(String::as_str).collect();
    while let Some(id) = open.pop() {
        let Some(change) = changes.iter().find(|change| change.id == id) else {
            continue;
        };
        if taken.insert(change.id.as_str()) {
            open.extend(change.needs.iter().map(String::as_str));
        }
    }
    taken
}

/// The text with exactly these changes.
fn made(
    text: &str,
    plan: &Plan,
    changes: &[Change],
    taken: &BTreeSet<&str>,
) -> Result<String, EditError> {
    let is_left = |change: &Change| !taken.contains(change.id.as_str());
    // Also apply all changes to a second copy, to get the positions of tasks whose neighbors are
    // missing.
    let mut whole = PlanEditor::of(text, plan);
    let mut part = PlanEditor::of(text, plan);
    let has_gaps = !taken.is_empty()
        && changes
            .iter()
            .any(|change| change.kind == ChangeKind::Added && is_left(change));
    for change in changes {
        for mend in &change.mends {
            if has_gaps {
                whole.apply(mend)?;
            }
            if is_left(change) {
                continue;
            }
            let Some(mut mend) = without_others(mend, taken) else {
                continue;
            };
            match &mut mend {
                Mend::AddTask { handle, place, .. } => {
                    replace_missing_neighbor(place, handle, &whole, &part)
                }
                Mend::MoveTask { task, place } => {
                    replace_missing_neighbor(place, task, &whole, &part)
                }
                _ => {}
            }
            part.apply(&mend)?;
        }
    }
    if has_gaps {
        // A task without `depends:` implicitly depends on the task before it. That can now be a new
        // task that doesn't itself depend on its predecessor.
        let whole = lost_dependencies(plan, whole.plan(), &whole.places(plan));
        let lost = lost_dependencies(plan, part.plan(), &part.places(plan));
        for (task, on) in lost.into_iter().filter(|one| !whole.contains(one)) {
            part.apply(&Mend::Connect {
                from: plan.tasks[on].id.clone(),
                to: plan.tasks[task].id.clone(),
            })?;
        }
    }
    Ok(part.into_text())
}

/// A step without references to new tasks that are missing; `None` if nothing remains.
fn without_others(mend: &Mend, taken: &BTreeSet<&str>) -> Option<Mend> {
    let is_there = |name: &str| !is_handle(name) || taken.contains(name);
    Some(match mend {
        Mend::AddValue { task, key, value } => {
            let is_known = is_there(task.as_str()) && (key != "depends" || is_there(value));
            return is_known.then(|| mend.clone());
        }
        Mend::SetValues { task, key, values } if key == "depends" => Mend::SetValues {
            task: task.clone(),
            key: key.clone(),
            values: values.iter().filter(|id| is_there(id)).cloned().collect(),
        },
        Mend::Connect { from, to } | Mend::Disconnect { from, to } => {
            let is_known = is_there(from.as_str()) && is_there(to.as_str());
            return is_known.then(|| mend.clone());
        }
        Mend::AddTask {
            handle,
            place: at,
            kind,
            title,
            fields,
        } => Mend::AddTask {
            handle: handle.clone(),
            place: at.clone(),
            kind: *kind,
            title: title.clone(),
            fields: fields
                .iter()
                .filter(|(key, value)| key != "depends" || is_there(value))
                .cloned()
                .collect(),
        },
        other => other.clone(),
    })
}

/// Replaces a position next to a missing task with one after the nearest existing task before it
/// or, if there is none, before the nearest one after it.
fn replace_missing_neighbor(
    place: &mut Place,
    task: &TaskId,
    whole: &PlanEditor<'_>,
    part: &PlanEditor<'_>,
) {
    let (Place::Before(beside) | Place::After(beside)) = &*place else {
        return;
    };
    if !is_handle(beside.as_str()) || part.names().contains(beside) {
        return;
    }
    let (parent, before, behind) = whole.neighbors(task);
    let mut there = before
        .iter()
        .rev()
        .filter(|name| part.names().contains(name));
    let mut next = behind.iter().filter(|name| part.names().contains(name));
    *place = match (there.next(), next.next(), parent) {
        (Some(name), _, _) => Place::After(name.clone()),
        (None, Some(name), _) => Place::Before(name.clone()),
        (None, None, Some(parent)) => Place::Under(parent),
        (None, None, None) => Place::First,
    };
}
