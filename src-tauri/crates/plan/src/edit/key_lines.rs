//! Rewrites the lines of a key, for one task or for many at once.

use super::content::{PlanContent, apply_first_matching};
use super::draft::Draft;
use super::layout::{is_owner, key_places, prefixes, without_lines};
use super::trial::Trial;
use super::{EditError, Splice};
use crate::lines;
use crate::model::{Field, Plan};
use crate::reparse::plan_after;

/// Rewrites the lines of a key to these values, in this order. Lines that already match stay.
pub(super) fn write_lines(
    draft: &mut Draft,
    plan: &Plan,
    index: usize,
    key: &str,
    values: &[String],
) -> Result<Plan, EditError> {
    let splices = change(&draft.text, plan, index, key, values)?;
    if splices.is_empty() {
        return Ok(plan.clone());
    }
    let before = draft.text.clone();
    draft.change(&splices)?;
    Ok(plan_after(&before, plan, &draft.text))
}

/// Like [`write_lines`], as the last step of a draft.
pub(super) fn finish(
    mut draft: Draft,
    plan: &Plan,
    index: usize,
    key: &str,
    values: &[String],
) -> Result<Vec<Splice>, EditError> {
    let splices = change(&draft.text, plan, index, key, values)?;
    draft.change(&splices)?;
    Ok(draft.splices())
}

/// The splices that change the lines of a key to these values.
fn change(
    text: &str,
    plan: &Plan,
    index: usize,
    key: &str,
    values: &[String],
) -> Result<Vec<Splice>, EditError> {
    let fields = plan.tasks[index].fields.iter();
    let old: Vec<&Field> = fields.filter(|field| field.key == key).collect();
    if old.iter().map(|field| &field.value).eq(values) {
        return Ok(Vec::new());
    }
    let mut trial = Trial::of(text, plan, index);
    let fields = &mut trial.task_content.fields;
    fields.retain(|(of, _)| of != key);
    fields.extend(values.iter().map(|value| (key.to_owned(), value.clone())));
    trial.moves_answers = matches!(key, "option" | "type");
    let ways = match old.first() {
        Some(_) => vec![overwrite(text, plan, &old, values)],
        None => insert_new(text, plan, index, key, values),
    };
    let found = ways.into_iter().find(|splices| trial.reads(splices));
    found.ok_or_else(|| EditError::NoPosition {
        line: format!("- {key}: {}", values.join(", ")),
    })
}

/// All lines of one key of one task.
#[derive(Debug, Clone)]
pub(super) struct KeyLines {
    /// The task's index.
    pub(super) at: usize,
    pub(super) key: &'static str,
    pub(super) lines: Vec<String>,
}

/// Like [`write_lines`] for several tasks, in one pass if possible.
pub(super) fn write_all(
    draft: &mut Draft,
    plan: &Plan,
    changes: &[KeyLines],
) -> Result<Plan, EditError> {
    let text = &draft.text;
    let mut splices = Vec::new();
    let mut expected = PlanContent::of(text, plan);
    for KeyLines { at, key, lines } in changes {
        let fields = plan.tasks[*at].fields.iter();
        let old: Vec<&Field> = fields.filter(|field| field.key == *key).collect();
        match old.is_empty() {
            false => splices.extend(overwrite(text, plan, &old, lines)),
            true => splices.extend(
                insert_new(text, plan, *at, key, lines)
                    .into_iter()
                    .next()
                    .unwrap_or_default(),
            ),
        }
        let fields = &mut expected.tasks[*at].fields;
        fields.retain(|(of, _)| of != key);
        fields.extend(lines.iter().map(|line| ((*key).to_owned(), line.clone())));
    }
    let reads_answers = changes.iter().any(|change| change.key == "option");
    let settle = |plan_content: &mut PlanContent| {
        for task_content in &mut plan_content.tasks {
            task_content.fields.sort_by(|(a, _), (b, _)| a.cmp(b));
        }
        if reads_answers {
            plan_content.decisions.clear();
        }
    };
    if let Some(plan) = apply_first_matching(draft, [splices], &expected, settle) {
        return Ok(plan);
    }
    let mut plan = plan.clone();
    for KeyLines { at, key, lines } in changes {
        plan = write_lines(draft, &plan, *at, key, lines)?;
    }
    Ok(plan)
}

/// Writes new values over the lines of old ones; removes surplus lines, appends missing ones.
fn overwrite(text: &str, plan: &Plan, old: &[&Field], values: &[String]) -> Vec<Splice> {
    let (owners, listed): (Vec<&Field>, Vec<&Field>) =
        old.iter().copied().partition(|field| is_owner(text, field));
    let line = |field: &Field| field.span.start..lines::line_end(text, field.value_span.start);
    let surplus = owners.iter().skip(values.len());
    let mut splices = without_lines(text, listed.iter().chain(surplus).map(|field| line(field)));
    for (field, value) in owners.iter().zip(values) {
        if field.value != *value {
            let blank = if field.value.is_empty() { " " } else { "" };
            splices.push(Splice {
                range: field.value_span.clone(),
                text: format!("{blank}{value}"),
            });
        }
    }
    if let Some(last) = owners.last()
        && values.len() > owners.len()
    {
        let mark = &text[last.span.start..last.value_span.start];
        let end = match listed.is_empty() {
            true => lines::line_end(text, last.span.end),
            false => lines::line_end(text, last.value_span.start),
        };
        let blank = if mark.ends_with([' ', '\t']) { "" } else { " " };
        let new = values[owners.len()..]
            .iter()
            .map(|value| format!("{}{mark}{blank}{value}", plan.line_ending));
        splices.push(Splice {
            range: end..end,
            text: new.collect(),
        });
    }
    splices
}

/// Lines for a key that the task doesn't have yet: every position with every indentation.
fn insert_new(
    text: &str,
    plan: &Plan,
    index: usize,
    key: &str,
    values: &[String],
) -> Vec<Vec<Splice>> {
    let task = &plan.tasks[index];
    let mut ways = Vec::new();
    for prefix in prefixes(text, task) {
        let new: String = values
            .iter()
            .map(|value| format!("{}{prefix}{key}: {value}", plan.line_ending))
            .collect();
        ways.extend(key_places(text, plan, task).into_iter().map(|at| {
            vec![Splice {
                range: at..at,
                text: new.clone(),
            }]
        }));
    }
    ways
}
