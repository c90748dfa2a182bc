//! Writes all values of one key of a task.

use std::borrow::Cow;

use super::dependencies::{TaskIndex, with_ids};
use super::draft::Draft;
use super::key_lines::finish;
use super::references::{Renames, ids_in, renamed};
use super::{EditError, Splice, find};
use crate::inline::{
    as_code_span, is_nothing, leading_code_span, paths, pieces, references, single_line,
    without_ticks,
};
use crate::model::{Plan, Task, TaskId};
use crate::parse::is_known_key;

/// The layout of a key's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// All on one line, separated by commas.
    List,
    /// Each on its own line.
    Lines,
    /// A single value.
    One,
}

/// The layout of this key's values.
pub(super) fn shape(key: &str) -> Shape {
    match key {
        "files" | "tools" | "covers" => Shape::List,
        "by" | "complexity" | "why" | "type" | "confirm" | "skipped" => Shape::One,
        _ => Shape::Lines,
    }
}

/// Writes all values of a key; no values remove its lines. `depends files tools covers` are written
/// on one line, `by complexity why type confirm skipped` take one value, every other key has one
/// line per value. `files`, `verify` and `call` are written in backticks unless the file writes
/// them without. Each value is collapsed to one line; empty ones are dropped. Lines whose value
/// doesn't change are not touched.
///
/// Values of `depends` and options may reference tasks by position (`#2`); those get an id first.
/// Without `depends`, the task waits for the one above it; see [`set_depends`]. Fails with
/// [`EditError::UnknownTask`]; [`EditError::BadValue`] for a value that is invalid or would not
/// parse back; [`EditError::NoPosition`]; for `depends` those of [`set_depends`].
pub fn set_field(
    text: &str,
    plan: &Plan,
    id: &TaskId,
    key: &str,
    values: &[String],
) -> Result<Vec<Splice>, EditError> {
    let key = key.to_ascii_lowercase();
    let values: Vec<String> = values
        .iter()
        .map(|value| single_line(value))
        .filter(|value| !value.is_empty())
        .collect();
    if key == "depends" {
        let ids: Vec<TaskId> = values
            .iter()
            .flat_map(|value| references(value))
            .map(TaskId)
            .collect();
        let says_none = !values.is_empty() && ids.is_empty();
        let ids = (says_none || !ids.is_empty()).then_some(ids.as_slice());
        return set_depends(text, plan, id, ids);
    }
    let (index, _) = find(plan, id)?;
    if !(is_known_key(&key) || !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase())) {
        return Err(bad(&key, "must be one word of lowercase letters", &key));
    }
    check(&key, &values)?;
    if has_values(&plan.tasks[index], &key, &values) {
        return Ok(Vec::new());
    }
    let mut draft = Draft::of(text);
    let mut values = values;
    let mut plan = Cow::Borrowed(plan);
    if key == "option" {
        for value in &mut values {
            let named: Vec<String> = ids_in(&key, value).into_iter().map(str::to_owned).collect();
            let (next, now) = with_ids(&mut draft, &plan, &named)?;
            let next = match next {
                Cow::Borrowed(_) => None,
                Cow::Owned(next) => Some(next),
            };
            plan = next.map_or(plan, Cow::Owned);
            let renames: Renames = named.into_iter().zip(now).collect();
            *value = renamed(&key, value, &renames);
        }
    }
    let lines = written(&plan, index, &key, &values)?;
    finish(draft, &plan, index, &key, &lines)
}

/// Writes a task's dependencies: `None` for the task above it (no line), an empty list for no
/// dependencies (`depends: none`). Tasks referenced by position get an id first. Fails with
/// [`EditError::UnknownTask`]; [`EditError::BadValue`] for the task itself, or for an invalid id;
/// [`EditError::Cycle`] if it would close a new cycle; [`EditError::NoPosition`].
pub fn set_depends(
    text: &str,
    plan: &Plan,
    id: &TaskId,
    ids: Option<&[TaskId]>,
) -> Result<Vec<Splice>, EditError> {
    const KEY: &str = "depends";
    let (index, _) = find(plan, id)?;
    let mut names: Vec<String> = Vec::new();
    for named in ids.unwrap_or_default() {
        if references(named.as_str()) != [named.as_str()] {
            return Err(bad(KEY, "must list step ids", named.as_str()));
        }
        if named == id {
            return Err(bad(KEY, "must not list the step itself", named.as_str()));
        }
        if !names.contains(&named.0) {
            names.push(named.0.clone());
        }
    }
    if plan.tasks[index].depends.as_deref() == ids {
        return Ok(Vec::new());
    }
    let known = TaskIndex::of(plan);
    known.reject_cycle(plan, index, ids.map(|ids| known.resolve(ids)))?;
    let mut draft = Draft::of(text);
    let (plan, names) = with_ids(&mut draft, plan, &names)?;
    let lines = match (ids, names.is_empty()) {
        (None, _) => Vec::new(),
        (Some(_), true) => vec!["none".to_owned()],
        (Some(_), false) => vec![names.join(", ")],
    };
    finish(draft, &plan, index, KEY, &lines)
}

const AMBIGUOUS: &str = "can't represent this value";

fn bad(key: &str, rule: &'static str, value: &str) -> EditError {
    EditError::BadValue {
        key: key.to_owned(),
        rule,
        value: value.to_owned(),
    }
}

/// Checks that a key accepts these values.
fn check(key: &str, values: &[String]) -> Result<(), EditError> {
    if let (Shape::One, [_, second, ..]) = (shape(key), values) {
        return Err(bad(key, "takes a single value", second));
    }
    for value in values {
        let bare = without_ticks(value).trim().to_ascii_lowercase();
        let (known, rule): (&[&str], _) = match key {
            "by" => (
                &["agent", "person", "either"],
                "must be agent, person or either",
            ),
            "type" => (
                &["task", "normal", "checkpoint", "decision"],
                "must be task, checkpoint or decision",
            ),
            "confirm" => (&["yes", "no", "true", "false"], "must be yes or no"),
            "complexity" => {
                let number = bare.strip_suffix("/10").unwrap_or(&bare).trim();
                let is_known = number.parse().is_ok_and(|n: u8| (1..=10).contains(&n));
                match is_known {
                    true => continue,
                    false => return Err(bad(key, "must be a whole number from 1 to 10", value)),
                }
            }
            _ => continue,
        };
        if !known.contains(&bare.as_str()) {
            return Err(bad(key, rule, value));
        }
    }
    Ok(())
}

/// The parser of a key's line, for keys whose values have their own syntax.
fn reader(key: &str) -> Option<fn(&str) -> Vec<String>> {
    Some(match key {
        "files" => paths,
        "tools" => |line| {
            let tools = pieces(line).into_iter().map(without_ticks);
            tools
                .filter(|tool| !is_nothing(tool))
                .map(str::to_owned)
                .collect()
        },
        "covers" => references,
        "verify" | "call" => |line| vec![without_ticks(line).trim().to_owned()],
        _ => return None,
    })
}

/// Whether a task already has these values, however they are written.
fn has_values(task: &Task, key: &str, values: &[String]) -> bool {
    let Some(read) = reader(key) else {
        return task.values(key).eq(values);
    };
    let said: Vec<String> = task.values(key).flat_map(read).collect();
    let meant = values.iter().map(|value| without_ticks(value).trim());
    said.iter().map(String::as_str).eq(meant)
        && (said.is_empty() == (task.values(key).count() == 0))
}

/// The values as written after `key:`, one string per line.
fn written(
    plan: &Plan,
    index: usize,
    key: &str,
    values: &[String],
) -> Result<Vec<String>, EditError> {
    let Some(read) = reader(key) else {
        return Ok(values.to_vec());
    };
    let own = plan.tasks[index].fields.iter();
    let all = plan.tasks.iter().flat_map(|task| &task.fields);
    let sample = own
        .chain(all)
        .find(|field| field.key == key && !field.value.is_empty());
    let by_default = matches!(key, "files" | "verify" | "call");
    let ticks_first = sample.map_or(by_default, |field| {
        leading_code_span(&field.value).is_some()
    });
    let mut bare = Vec::with_capacity(values.len());
    let mut lines = Vec::with_capacity(values.len());
    for value in values {
        // Backticks around a value are not part of it.
        let value = without_ticks(value).trim();
        let in_ticks = as_code_span(value);
        let ways = match ticks_first {
            true => [in_ticks.as_str(), value],
            false => [value, in_ticks.as_str()],
        };
        let Some(way) = ways.into_iter().find(|way| read(way) == [value]) else {
            return Err(bad(key, AMBIGUOUS, value));
        };
        lines.push(way.to_owned());
        bare.push(value.to_owned());
    }
    if shape(key) != Shape::List || lines.is_empty() {
        return Ok(lines);
    }
    // On one line, the backticks of one value can pair with those of the next.
    let in_ticks = bare.iter().map(|value| as_code_span(value));
    let in_ticks = in_ticks.collect::<Vec<_>>().join(", ");
    [lines.join(", "), in_ticks]
        .into_iter()
        .find(|line| read(line) == bare)
        .map(|line| vec![line])
        .ok_or_else(|| bad(key, AMBIGUOUS, &bare.join(", ")))
}
