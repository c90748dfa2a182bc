//! Ids: the next free one, and writing one where something must refer to a task.

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
    let renames: Renames = [(task.id.0.clone(), new.0.clone())].into();
    let mut expected = Portrait::of(&draft.text, &plan);
    expected.tasks[index].id = Some(new.clone());
    rename_in(&mut expected, &renames);
    let at = task.title_span.start;
    let blank = match draft.text[..at].ends_with([' ', '\t']) {
        true => "",
        false => " ",
    };
    let renamed = rename(&draft.text, &plan, &renames);
    let ways = styles(&draft.text, &plan)
        .into_iter()
        .map(|(before, after)| {
            let after = if task.title.is_empty() {
                after.trim_end()
            } else {
                &after
            };
            let mut splices = vec![Splice {
                range: at..at,
                text: format!("{blank}{before}{new}{after}"),
            }];
            splices.extend(renamed.iter().cloned());
            splices
        });
    let ways: Vec<Vec<Splice>> = ways.collect();
    match first_that_reads(draft, ways, &expected, |_| ()) {
        Some(plan) => Ok((plan, new)),
        None => Err(EditError::NoPlace {
            line: format!("**{new}**"),
        }),
    }
}

/// As [`ensure`] for every task among `names`; the plan after it, and the names as they are then.
/// Names of nothing stay.
pub(super) fn ensure_all(
    draft: &mut Draft,
    mut plan: Plan,
    names: &[String],
) -> Result<(Plan, Vec<String>), EditError> {
    // Giving one task an id moves no other, so places stay good names until they are looked up.
    let mut now = Vec::with_capacity(names.len());
    for name in names {
        let id = TaskId(name.clone());
        match plan.index_of(&id) {
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

/// The id after the highest one with its letter. Ids that are only named (of tasks that are gone)
/// count too, so that nothing begins to mean a new task by chance.
pub(super) fn next_id(plan: &Plan, kind: TaskKind) -> TaskId {
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
    TaskId(format!("{letter}{}", highest.unwrap_or(0) + 1))
}

/// The number that an id's rest begins with; huge ones are left out of account.
fn highest_number(rest: &str) -> Option<u32> {
    let digits = rest.split('.').next().unwrap_or(rest);
    digits.parse::<u32>().ok().filter(|n| *n < u32::MAX)
}
