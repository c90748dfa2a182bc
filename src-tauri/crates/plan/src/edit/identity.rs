//! Ids: the next free one, and writing one where something must refer to a task.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::draft::Draft;
use super::portrait::{Portrait, first_that_reads};
use super::references::{self, Renames, rename, rename_in};
use super::{EditError, Named, Splice, find};
use crate::model::{IdOrigin, Plan, Task, TaskId, TaskKind};

/// Makes sure that a task's id stands in the file: one that has none gets the next free `T`, `C` or
/// `D`, in the style of the others, else bold. Whatever named the task by its place names it by its
/// id then.
///
/// # Errors
/// [`EditError::UnknownTask`]; [`EditError::NoPlace`] where no id would be read as one.
pub fn ensure_id(text: &str, plan: &Plan, id: &TaskId) -> Result<Named<TaskId>, EditError> {
    let (index, _) = find(plan, id)?;
    let mut draft = Draft::of(text);
    let (_, id) = ensure(&mut draft, plan.clone(), index)?;
    Ok(Named {
        splices: draft.splices(),
        id,
    })
}

/// As [`ensure_id`], with the plan after it.
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
        None => Err(EditError::NoPlace {
            line: format!("**{new}**"),
        }),
    }
}

/// Writes ids in front of the titles of tasks that have none, all in one style.
fn written(draft: &mut Draft, plan: &Plan, ids: &[(usize, TaskId)]) -> Option<Plan> {
    let renames: Renames = ids
        .iter()
        .map(|(index, new)| (plan.tasks[*index].id.0.clone(), new.0.clone()))
        .collect();
    let mut expected = Portrait::of(&draft.text, plan);
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
    first_that_reads(draft, ways, &expected, |_| ())
}

/// As [`ensure`] for every task among `names`; the plan after it, and the names as they are then.
/// Names of nothing stay.
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
    // All in one go, each with the number after that of the one before.
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
    // Giving one task an id moves no other, so places stay good names until they are looked up.
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

/// What stands around the ids of a file, the first to be tried first.
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

/// The letter of a kind of task.
fn letter(kind: TaskKind) -> char {
    match kind {
        TaskKind::Normal => 'T',
        TaskKind::Checkpoint => 'C',
        TaskKind::Decision => 'D',
    }
}

/// The id after the highest one with its letter.
pub(super) fn next_id(plan: &Plan, kind: TaskKind) -> TaskId {
    TaskId(format!("{}{}", letter(kind), next_number(plan, kind)))
}

/// The number after the highest one. Ids that are only named (of tasks that are gone) count too, so
/// that nothing begins to mean a new task by chance.
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

/// The number that an id's rest begins with; huge ones are left out of account.
fn highest_number(rest: &str) -> Option<u32> {
    let digits = rest.split('.').next().unwrap_or(rest);
    digits.parse::<u32>().ok().filter(|n| *n < u32::MAX)
}
