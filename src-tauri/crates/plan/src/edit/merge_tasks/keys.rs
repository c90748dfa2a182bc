//! Combines the keys of two tasks that are merged.

use crate::edit::keys::{Shape, shape};
use crate::inline::{is_nothing, pieces, without_ticks};
use crate::model::{Plan, Task, TaskKind};

/// The keys of the first task that change, except `depends:`, with their new lines.
pub(super) fn joined(plan: &Plan, first: usize, second: usize) -> Vec<(String, Vec<String>)> {
    let (kept, gone) = (&plan.tasks[first], &plan.tasks[second]);
    let mut keys: Vec<&str> = Vec::new();
    for field in &gone.fields {
        if !keys.contains(&field.key.as_ref()) && field.key != "depends" {
            keys.push(&field.key);
        }
    }
    let mut changed: Vec<(String, Vec<String>)> = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    if !keys.contains(&"skipped") && kept.skipped.is_some() {
        keys.push("skipped");
    }
    for key in keys {
        let lines = match key {
            "note" => {
                notes.extend(gone.values(key).map(str::to_owned));
                continue;
            }
            "skipped" => skipped(kept, gone, &mut notes),
            "option" => options(kept, gone, &mut notes),
            _ => match shape(key) {
                Shape::List => list(kept, gone, key),
                Shape::Lines => separate_lines(kept, gone, key),
                Shape::One => one(kept, gone, key, &mut notes),
            },
        };
        changed.extend(lines.map(|lines| (key.to_owned(), lines)));
    }
    let mut all: Vec<String> = kept.values("note").map(str::to_owned).collect();
    let before = all.len();
    for note in notes {
        if !note.is_empty() && !all.contains(&note) {
            all.push(note);
        }
    }
    if all.len() > before {
        changed.push(("note".to_owned(), all));
    }
    changed
}

/// Combines values on one line: the first task's, then the second's that are new.
fn list(kept: &Task, gone: &Task, key: &str) -> Option<Vec<String>> {
    let all = |task: &Task| -> Vec<String> {
        let values = task.values(key).filter(|value| !is_nothing(value));
        values.flat_map(pieces).map(str::to_owned).collect()
    };
    let mut united = all(kept);
    let before = united.len();
    for piece in all(gone) {
        let is_known = united
            .iter()
            .any(|known| without_ticks(known) == without_ticks(&piece));
        if !is_known {
            united.push(piece);
        }
    }
    (united.len() > before).then(|| vec![united.join(", ")])
}

/// Combines values on separate lines.
fn separate_lines(kept: &Task, gone: &Task, key: &str) -> Option<Vec<String>> {
    let mut united: Vec<String> = kept
        .values(key)
        .filter(|value| !value.is_empty())
        .map(str::to_owned)
        .collect();
    let before = united.len();
    for value in gone.values(key).filter(|value| !value.is_empty()) {
        if !united.iter().any(|known| known == value) {
            united.push(value.to_owned());
        }
    }
    (united.len() > before).then_some(united)
}

/// Combines options, matching them by label.
fn options(kept: &Task, gone: &Task, notes: &mut Vec<String>) -> Option<Vec<String>> {
    let mut united: Vec<String> = kept.values("option").map(str::to_owned).collect();
    let before = united.len();
    for (value, option) in gone.values("option").zip(&gone.options) {
        let same = kept
            .options
            .iter()
            .find(|known| known.label == option.label);
        match same {
            None => united.push(value.to_owned()),
            Some(known) if known.effect == option.effect => {}
            Some(_) => notes.push(dropped_value(gone, "option", value)),
        }
    }
    (united.len() > before).then_some(united)
}

/// Combines a key that has a single value.
fn one(kept: &Task, gone: &Task, key: &str, notes: &mut Vec<String>) -> Option<Vec<String>> {
    let value = gone.values(key).last()?;
    let Some(own) = kept.values(key).last() else {
        // A regular step merged into a checkpoint doesn't change how the checkpoint asks.
        if key == "confirm" && kept.kind != TaskKind::Normal {
            notes.push(dropped_value(gone, key, value));
            return None;
        }
        return Some(vec![value.to_owned()]);
    };
    if without_ticks(own).eq_ignore_ascii_case(without_ticks(value)) {
        return None;
    }
    match key {
        "complexity" => {
            let higher = gone
                .complexity
                .filter(|_| gone.complexity > kept.complexity)?;
            Some(vec![higher.to_string()])
        }
        "why" => Some(vec![format!("{own}; {value}")]),
        "type" => (kept.kind == TaskKind::Normal).then(|| vec![value.to_owned()]),
        _ => {
            notes.push(dropped_value(gone, key, value));
            None
        }
    }
}

/// The `skipped:` of the merged task, which is skipped only if both were.
fn skipped(kept: &Task, gone: &Task, notes: &mut Vec<String>) -> Option<Vec<String>> {
    let words = |task: &Task, reason: &str| match reason.is_empty() {
        true => format!("{} was skipped", task.id),
        false => format!("{} was skipped: {reason}", task.id),
    };
    match (&kept.skipped, &gone.skipped) {
        (Some(own), Some(other)) if own == other || other.is_empty() => None,
        (Some(own), Some(other)) if own.is_empty() => Some(vec![other.clone()]),
        (Some(own), Some(other)) => Some(vec![format!("{own}; {other}")]),
        (Some(own), None) => {
            notes.push(words(kept, own));
            Some(Vec::new())
        }
        (None, Some(other)) => {
            notes.push(words(gone, other));
            None
        }
        (None, None) => None,
    }
}

fn dropped_value(gone: &Task, key: &str, value: &str) -> String {
    format!("{} had `{key}: {value}`", gone.id)
}
