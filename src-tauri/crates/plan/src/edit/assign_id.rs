//! Assigns ids: finds the next free one and writes it when a task has to be referenced.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::content::{PlanContent, apply_first_matching};
use super::draft::Draft;
use super::references::{self, Renames, rename, rename_in};
use super::{EditError, Named, Splice, find};
use crate::model::{IdOrigin, Plan, Task, TaskId, TaskKind};

/// Ensures that a task's id is in the file. A task without one gets the next free `T`, `C` or `D`,
/// in the style of the others, else in bold. References to it by position are replaced by the id.
/// Fails with [`EditError::UnknownTask`]; [`EditError::NoPosition`] if no id would be parsed as
/// one.
pub fn ensure_id(text: &str, plan: &Plan, id: &TaskId) -> Result<Named<TaskId>, EditError> {
    let (index, _) = find(plan, id)?;
    let mut draft = Draft::of(text);
    let (_, id) = ensure(&mut draft, plan.clone(), index)?;
    Ok(Named {
        splices: draft.splices(),
        id,
    })
}

/// Like [`ensure_id`]; also returns the plan after it.
pub(super) fn ensure(
    draft: &mut Draft,
    plan: Plan,
    index: usize,
) -> Result<(Plan, TaskId), EditError> {
    let task = &plan.tasks[index];
    if task.id_origin == IdOrigin::Written {
        let id = task.id.clone();
        return Ok((plan, id));
    }
    let new = next_id(&plan, task.kind);
    match written(draft, &plan, &[(index, new.clone())]) {
        Some(plan) => Ok((plan, new)),
        None => Err(EditError::NoPosition {
            line: format!("**{new}**"),
        }),
    }
}

/// Writes ids before the titles of tasks that have none, all in one style.
fn written(draft: &mut Draft, plan: &Plan, ids: &[(usize, TaskId)]) -> Option<Plan> {
    let renames: Renames = ids
        .iter()
        .map(|(index, new)| (plan.tasks[*index].id.0.clone(), new.0.clone()))
        .collect();
    let mut expected = PlanContent::of(&draft.text, plan);
    for (index, new) in ids {
        expected.tasks[*index].id = Some(new.clone());
    }
    rename_in(&mut expected, &renames);
    let renamed = rename(&draft.text, plan, &renames);
    let ways = styles(&draft.text, plan)
        .into_iter()
        .map(|(before, after)| {
            let own = ids.iter().map(|(index, new)| {
                let task = &plan.tasks[*index];
                let at = task.title_span.start;
                let blank = match draft.text[..at].ends_with([' ', '\t']) {
                    true => "",
                    false => " ",
                };
                let after = match task.title.is_empty() {
                    true => after.trim_end(),
                    false => &after,
                };
                Splice {
                    range: at..at,
                    text: format!("{blank}{before}{new}{after}"),
                }
            });
            own.chain(renamed.iter().cloned()).collect()
        });
    let ways: Vec<Vec<Splice>> = ways.collect();
    apply_first_matching(draft, ways, &expected, |_| ())
}

/// Like [`ensure`] for every task among `names`. Returns the plan after it, and the current names.
/// Names that match no task stay as they are.
pub(super) fn ensure_all(
    draft: &mut Draft,
    plan: Plan,
    names: &[String],
) -> Result<(Plan, Vec<String>), EditError> {
    let index: HashMap<&str, usize> = plan
        .tasks
        .iter()
        .enumerate()
        .rev()
        .map(|(at, task)| (task.id.as_str(), at))
        .collect();
    let places: Vec<Option<usize>> = names
        .iter()
        .map(|name| index.get(name.as_str()).copied())
        .collect();
    let mut counted: Vec<usize> = Vec::new();
    let mut seen: HashSet<usize> = HashSet::new();
    for at in places.iter().flatten() {
        if plan.tasks[*at].id_origin == IdOrigin::Positional && seen.insert(*at) {
            counted.push(*at);
        }
    }
    // Write all ids at once, numbered consecutively.
    let mut next: BTreeMap<char, u64> = BTreeMap::new();
    let ids = counted.iter().map(|at| {
        let kind = plan.tasks[*at].kind;
        let number = next
            .entry(letter(kind))
            .or_insert_with(|| next_number(&plan, kind));
        let id = TaskId(format!("{}{number}", letter(kind)));
        *number += 1;
        (*at, id)
    });
    let ids: Vec<(usize, TaskId)> = ids.collect();
    let mut plan = match ids.as_slice() {
        [] => plan,
        ids => written(draft, &plan, ids).unwrap_or(plan),
    };
    // Writing an id doesn't reorder tasks, so indexes stay valid.
    let mut now = Vec::with_capacity(names.len());
    for (name, place) in names.iter().zip(places) {
        match place {
            Some(index) => {
                let (next, id) = ensure(draft, plan, index)?;
                plan = next;
                now.push(id.0);
            }
            None => now.push(name.clone()),
        }
    }
    Ok((plan, now))
}

/// Text to write before and after an id, in the order to try.
pub(super) fn styles(text: &str, plan: &Plan) -> Vec<(String, String)> {
    let bold = ("**".to_owned(), "** ".to_owned());
    let sample = plan.tasks.iter().rev().find_map(|task| {
        let id = task.id_span.as_ref()?;
        let before = &text[..id.start];
        let mark = ["**", "__"].into_iter().find(|mark| before.ends_with(mark));
        let after = text.get(id.end..task.title_span.start)?;
        (!task.title.is_empty()).then(|| (mark.unwrap_or("").to_owned(), after.to_owned()))
    });
    let mut styles: Vec<_> = sample.into_iter().collect();
    if styles.first() != Some(&bold) {
        styles.push(bold);
    }
    styles
}

/// The letter that begins the ids of a kind of task.
fn letter(kind: TaskKind) -> char {
    match kind {
        TaskKind::Normal => 'T',
        TaskKind::Checkpoint => 'C',
        TaskKind::Decision => 'D',
    }
}

/// The next id after the highest one with the same letter.
pub(super) fn next_id(plan: &Plan, kind: TaskKind) -> TaskId {
    TaskId(format!("{}{}", letter(kind), next_number(plan, kind)))
}

/// The number after the highest one. References to removed tasks count too, so that they don't
/// match a new task by accident.
fn next_number(plan: &Plan, kind: TaskKind) -> u64 {
    let letter = letter(kind);
    let fields = plan.tasks.iter().flat_map(|task| &task.fields);
    let named = fields.flat_map(|field| references::ids_in(&field.key, &field.value));
    let own = plan.tasks.iter().map(|task: &Task| task.id.as_str());
    let records = plan.decisions.iter().map(|record| record.task.as_str());
    let highest = own
        .chain(named)
        .chain(records)
        .filter_map(|id| highest_number(id.strip_prefix(letter)?))
        .max();
    u64::from(highest.unwrap_or(0)) + 1
}

/// The leading number of an id without its letter; huge ones are ignored.
fn highest_number(rest: &str) -> Option<u32> {
    let digits = rest.split('.').next().unwrap_or(rest);
    digits.parse::<u32>().ok().filter(|n| *n < u32::MAX)
}
