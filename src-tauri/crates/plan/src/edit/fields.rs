//! Keys that the app writes under a task: `skipped` and `note`.

use super::layout::{key_places, prefixes};
use super::trial::Trial;
use super::{EditError, Splice, find};
use crate::inline::single_line;
use crate::lines;
use crate::model::{Field, Plan, TaskId};

const SKIPPED: &str = "skipped";

/// Writes `- skipped: reason` under a task, or replaces the reason if it is already skipped. The
/// box stays open. Whitespace in the reason is collapsed to fit one line. Fails with
/// [`EditError::UnknownTask`], [`EditError::NoPosition`].
pub fn skip(text: &str, plan: &Plan, id: &TaskId, reason: &str) -> Result<Vec<Splice>, EditError> {
    let (index, task) = find(plan, id)?;
    let reason = single_line(reason);
    let Some(field) = task.fields.iter().rev().find(|field| field.key == SKIPPED) else {
        return add(text, plan, index, SKIPPED, &reason);
    };
    let blank = if field.value.is_empty() && !reason.is_empty() {
        " "
    } else {
        ""
    };
    let splice = Splice {
        range: field.value_span.clone(),
        text: format!("{blank}{reason}"),
    };
    Ok(vec![splice])
}

/// Removes the `skipped` lines of a task. No change for a task that is not skipped. Fails with
/// [`EditError::UnknownTask`], [`EditError::NoPosition`].
pub fn unskip(text: &str, plan: &Plan, id: &TaskId) -> Result<Vec<Splice>, EditError> {
    let (index, task) = find(plan, id)?;
    let is_skip = |field: &&Field| field.key == SKIPPED;
    let splices: Vec<Splice> = task
        .fields
        .iter()
        .filter(is_skip)
        .map(|field| without_line(text, field))
        .collect();
    let mut trial = Trial::of(text, plan, index);
    trial.task_content.fields.retain(|(key, _)| key != SKIPPED);
    match splices.is_empty() || trial.reads(&splices) {
        true => Ok(splices),
        false => Err(EditError::NoPosition {
            line: format!("- {SKIPPED}:"),
        }),
    }
}

/// Writes `- note: …` under a task, collapsed to one line. Fails with [`EditError::UnknownTask`],
/// [`EditError::NoPosition`], [`EditError::Empty`].
pub fn add_note(
    text: &str,
    plan: &Plan,
    id: &TaskId,
    note: &str,
) -> Result<Vec<Splice>, EditError> {
    let (index, _) = find(plan, id)?;
    let note = single_line(note);
    if note.is_empty() {
        return Err(EditError::Empty { what: "note" });
    }
    add(text, plan, index, "note", &note)
}

/// Removes a key's line. Its continuation lines stay: they may be the user's prose.
fn without_line(text: &str, field: &Field) -> Splice {
    let start = field.span.start;
    let end = lines::line_end(text, field.value_span.start);
    let next = lines::after_line_end(text, end);
    // Removing the last line of a file without a final line ending also removes the line
    // ending before it.
    let start = if next == end {
        text[..start].trim_end_matches(['\n', '\r']).len()
    } else {
        start
    };
    Splice {
        range: start..next,
        text: String::new(),
    }
}

fn add(
    text: &str,
    plan: &Plan,
    index: usize,
    key: &str,
    value: &str,
) -> Result<Vec<Splice>, EditError> {
    let task = &plan.tasks[index];
    let line = if value.is_empty() {
        format!("{key}:")
    } else {
        format!("{key}: {value}")
    };
    let mut trial = Trial::of(text, plan, index);
    let new = (key.to_owned(), value.to_owned());
    trial.task_content.fields.push(new);
    for prefix in prefixes(text, task) {
        for at in key_places(text, plan, task) {
            let splice = Splice {
                range: at..at,
                text: format!("{}{prefix}{line}", plan.line_ending),
            };
            let splices = vec![splice];
            if trial.reads(&splices) {
                return Ok(splices);
            }
        }
    }
    Err(EditError::NoPosition {
        line: format!("- {line}"),
    })
}
