//! Compares one task before and after.

use std::borrow::Cow;
use std::collections::HashMap;

use super::notes::notes_of_key;
use super::pairs::same_fields;
use super::{ChangeKind, Pairs, PartDiff, RunKind, TaskDiff, WordRun, words};
use crate::model::{Field, IdOrigin, Plan, Task};

/// Describes an added or removed task.
pub(super) fn added_or_removed(task: &Task, index: usize, kind: ChangeKind) -> TaskDiff {
    let run = if kind == ChangeKind::Added {
        RunKind::Added
    } else {
        RunKind::Removed
    };
    let mut parts = Vec::new();
    let mut part = |name: &str, text: String| {
        if !text.is_empty() {
            parts.push(PartDiff {
                name: name.to_owned(),
                words: vec![WordRun { kind: run, text }],
            });
        }
    };
    part("text", task.body.clone());
    for key in keys([task]) {
        part(key, values(task, key).join("\n"));
    }
    let is_added = kind == ChangeKind::Added;
    TaskDiff {
        id: task.id.clone(),
        kind,
        title: task.title.clone(),
        notes: Vec::new(),
        parts,
        before: (!is_added).then_some(index),
        after: is_added.then_some(index),
    }
}

/// Compares a task that exists in both versions; `None` if it is unchanged. `moved` describes its
/// new position.
pub(super) fn compared(
    before: &Plan,
    after: &Plan,
    places: &RenumberedIds<'_>,
    (old_index, new_index): (usize, usize),
    moved: Option<&str>,
) -> Option<TaskDiff> {
    let (old, new) = (&before.tasks[old_index], &after.tasks[new_index]);
    let is_renamed = new.id_origin == IdOrigin::Written && old.id != new.id;
    let lost_id = new.id_origin == IdOrigin::Positional && old.id_origin == IdOrigin::Written;
    let is_same = old.title == new.title
        && old.marker == new.marker
        && old.body == new.body
        && same_fields(old, new)
        && (old.optional, old.parallel) == (new.optional, new.parallel)
        && (&old.covers, &old.depends) == (&new.covers, &new.depends)
        && !old.fields.iter().any(names_by_place);
    if is_same && moved.is_none() && !is_renamed && !lost_id {
        return None;
    }
    let mut kinds = Vec::new();
    let mut notes = Vec::new();
    let mut parts = Vec::new();
    let mut part = |name: &str, old: &str, new: &str| {
        parts.push(PartDiff {
            name: name.to_owned(),
            words: words(old, new),
        });
    };
    if old.title != new.title {
        kinds.push(ChangeKind::Reworded);
        part("title", &old.title, &new.title);
    }
    if !same_words(&old.body, &new.body) {
        kinds.push(ChangeKind::Reworded);
        part("text", &old.body, &new.body);
    }
    match (old.done, new.done) {
        (false, true) => kinds.push(ChangeKind::Done),
        (true, false) => kinds.push(ChangeKind::Reopened),
        _ if old.marker != new.marker && !new.done => notes.push(match new.marker {
            ' ' | '\t' => "box cleared".to_owned(),
            marker => format!("box set to `{marker}`"),
        }),
        _ => {}
    }
    if is_renamed {
        let old = &old.id;
        notes.push(format!("renamed from {old} to {}", new.id));
    } else if lost_id {
        notes.push(format!("id {} removed", old.id));
    }
    match (old.optional, new.optional) {
        (false, true) => notes.push("now optional".to_owned()),
        (true, false) => notes.push("no longer optional".to_owned()),
        _ => {}
    }
    match (old.parallel, new.parallel) {
        (false, true) => notes.push("no longer depends on the previous step".to_owned()),
        (true, false) => notes.push("depends on the previous step again".to_owned()),
        _ => {}
    }
    let keys = keys([old, new]);
    // Some dialects express these with markers or in prose instead of a key.
    for (key, differs) in [
        ("covers", old.covers != new.covers),
        ("depends", old.depends != new.depends),
    ] {
        if differs && !keys.contains(&key) {
            notes.extend(notes_of_key(key, (old, &[]), (new, &[]), str::to_owned));
        }
    }
    for key in keys {
        let was: Vec<Cow<'_, str>> = values(old, key)
            .into_iter()
            .map(|value| match is_reference(key) {
                true => places.renumbered(value),
                false => Cow::Borrowed(value),
            })
            .collect();
        let is = values(new, key);
        if was == is {
            continue;
        }
        part(key, &was.join("\n"), &is.join("\n"));
        match key {
            "skipped" if was.is_empty() => kinds.push(ChangeKind::Skipped),
            "skipped" if is.is_empty() => notes.push("no longer skipped".to_owned()),
            _ => {
                let found = notes_of_key(key, (old, &was), (new, &is), |id| {
                    places.renumbered(id).into_owned()
                });
                notes.extend(found);
            }
        }
    }
    if let Some(moved) = moved {
        kinds.push(ChangeKind::Moved);
        notes.push(moved.to_owned());
    }
    kinds.sort_unstable();
    kinds.dedup();
    let kind = match kinds.first() {
        Some(kind) => *kind,
        None if notes.is_empty() && parts.is_empty() => return None,
        None => ChangeKind::Changed,
    };
    let also = kinds.iter().skip(1).rev().filter_map(|kind| match kind {
        ChangeKind::Skipped => Some("skipped"),
        ChangeKind::Done => Some("done"),
        ChangeKind::Reopened => Some("open again"),
        // A moved task already has a note that says where.
        _ => None,
    });
    for kind in also {
        notes.insert(0, kind.to_owned());
    }
    Some(TaskDiff {
        id: new.id.clone(),
        kind,
        title: new.title.clone(),
        notes,
        parts,
        before: Some(old_index),
        after: Some(new_index),
    })
}

/// The distinct keys of some tasks, in order of appearance.
fn keys<'t>(tasks: impl IntoIterator<Item = &'t Task>) -> Vec<&'t str> {
    let mut keys: Vec<&str> = Vec::new();
    for field in tasks.into_iter().flat_map(|task| &task.fields) {
        if !keys.contains(&field.key.as_ref()) {
            keys.push(&field.key);
        }
    }
    keys
}

fn values<'t>(task: &'t Task, key: &str) -> Vec<&'t str> {
    let of_key = task.fields.iter().filter(|field| field.key == key);
    of_key.map(|field| field.value.as_str()).collect()
}

fn same_words(a: &str, b: &str) -> bool {
    a == b || a.split_whitespace().eq(b.split_whitespace())
}

fn is_reference(key: &str) -> bool {
    matches!(key, "depends" | "option")
}

/// Whether a field references a task by position. A different task may have that position now.
fn names_by_place(field: &Field) -> bool {
    is_reference(&field.key) && field.value.contains('#')
}

/// Maps positional ids (`#2`) of the earlier version to ids of the later one.
#[derive(Debug, Default)]
pub(super) struct RenumberedIds<'p>(HashMap<&'p str, &'p str>);

impl<'p> RenumberedIds<'p> {
    pub(super) fn of(before: &'p Plan, after: &'p Plan, pairs: &Pairs) -> Self {
        let mut fields = before.tasks.iter().flat_map(|task| &task.fields);
        if !fields.any(names_by_place) {
            return Self::default();
        }
        let tasks = before.tasks.iter().zip(&pairs.after);
        let names = tasks.filter_map(|(old, new)| {
            let new = &after.tasks[(*new)?];
            (old.id_origin == IdOrigin::Positional).then_some((old.id.as_str(), new.id.as_str()))
        });
        Self(names.collect())
    }

    fn renumbered<'v>(&self, value: &'v str) -> Cow<'v, str> {
        if self.0.is_empty() || !value.contains('#') {
            return Cow::Borrowed(value);
        }
        let mut out = String::with_capacity(value.len());
        let mut rest = value;
        while let Some(at) = rest.find('#') {
            out.push_str(&rest[..at]);
            let length = 1 + rest[at + 1..]
                .bytes()
                .take_while(|byte| byte.is_ascii_digit() || *byte == b'.')
                .count();
            let name = rest[at..at + length].trim_end_matches('.');
            out.push_str(self.0.get(name).copied().unwrap_or(name));
            rest = &rest[at + name.len()..];
        }
        out.push_str(rest);
        Cow::Owned(out)
    }
}
