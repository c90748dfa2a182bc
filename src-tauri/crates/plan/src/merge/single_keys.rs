//! Single-value keys that both sides added on different lines of a task.
//!
//! A line-based merge would keep both, and the last one would silently win. So the lines that ours
//! added are removed before lines are compared, and checked against theirs afterward.

use std::collections::HashMap;

use super::assembly::joined;
use super::insertions::SINGLE;
use super::moves::Replayed;
use super::version::Parsed;
use super::{Conflict, Merged};
use crate::edit::{Splice, apply};
use crate::lines::{after_line_end, line_end, line_start};
use crate::model::{Field, IdOrigin, Plan, Span, Task, TaskId};
use crate::parse::parse;

/// A line that was removed from ours.
#[derive(Debug)]
pub(super) struct RemovedLine {
    task: TaskId,
    key: String,
    value: String,
    line: String,
}

/// Removes the single-value keys from ours that theirs also added to the same task.
pub(super) fn remove_from_ours(sides: &mut Replayed) -> Vec<RemovedLine> {
    let ours = &sides.ours;
    let candidates: Vec<(&Task, &Field)> = ours
        .plan
        .tasks
        .iter()
        .filter(|task| task.id_origin == IdOrigin::Written)
        .flat_map(|task| {
            SINGLE
                .iter()
                .filter_map(move |key| Some((task, only(task, key)?)))
        })
        .collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let (base, theirs) = (by_id(&sides.base.plan), by_id(&sides.theirs.plan));
    let mut said = Vec::new();
    let mut splices = Vec::new();
    for (task, field) in candidates {
        let (Some(was), Some(other)) = (base.get(&task.id), theirs.get(&task.id)) else {
            continue;
        };
        let range = line_of(&ours.text, field);
        let is_one_line = field.span.end <= range.end;
        if was.values(&field.key).next().is_some()
            || only(other, &field.key).is_none()
            || !is_one_line
        {
            continue;
        }
        said.push(RemovedLine {
            task: task.id.clone(),
            key: field.key.to_string(),
            value: field.value.clone(),
            line: ours.text[range.clone()].to_owned(),
        });
        splices.push(Splice {
            range,
            text: String::new(),
        });
    }
    match apply(&ours.text, &splices) {
        Ok(applied) if !said.is_empty() => {
            sides.ours = Parsed::of(applied.text);
            said
        }
        _ => Vec::new(),
    }
}

/// Reports a conflict for each removed line that differs from theirs.
pub(super) fn report_conflicts(merged: &mut Merged, said: Vec<RemovedLine>) {
    if said.is_empty() {
        return;
    }
    let plan = parse(&merged.text).0;
    for said in said {
        let task = plan.task(&said.task);
        let field = task.and_then(|task| only(task, &said.key));
        if field.is_some_and(|field| field.value == said.value) {
            continue;
        }
        let place = match (field, task) {
            (Some(field), _) => line_of(&merged.text, field),
            (None, Some(task)) => {
                let end = line_end(&merged.text, task.span.end);
                let end = after_line_end(&merged.text, end);
                end..end
            }
            (None, None) => merged.text.len()..merged.text.len(),
        };
        let around = merged.conflicts.iter_mut().find(|conflict| {
            conflict.place.start <= place.start && place.end <= conflict.place.end
        });
        match around {
            Some(conflict) => conflict.ours.push_str(&said.line),
            None => merged.conflicts.push(Conflict {
                base: String::new(),
                ours: said.line,
                theirs: merged.text[place.clone()].to_owned(),
                place,
                task: Some(said.task),
                title: task.map_or(String::new(), |task| task.title.clone()),
            }),
        }
    }
    let mut conflicts = std::mem::take(&mut merged.conflicts);
    conflicts.sort_by_key(|conflict| (conflict.place.start, conflict.place.end));
    merged.conflicts = joined(&merged.text, &plan, conflicts);
}

/// The field with a key, if there is exactly one.
fn only<'t>(task: &'t Task, key: &str) -> Option<&'t Field> {
    let mut fields = task.fields.iter().filter(|field| field.key == key);
    let first = fields.next()?;
    fields.next().is_none().then_some(first)
}

fn by_id(plan: &Plan) -> HashMap<&TaskId, &Task> {
    plan.tasks.iter().map(|task| (&task.id, task)).collect()
}

/// The whole line on which a field starts, with its line ending.
fn line_of(text: &str, field: &Field) -> Span {
    let at = field.value_span.start;
    line_start(text, at)..after_line_end(text, line_end(text, at))
}
