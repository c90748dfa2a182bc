//! Describes a changed key in a few words.

use std::borrow::Cow;

use crate::model::{By, Task, TaskKind};

/// Maximum number of names to list; longer lists are only counted.
const MAX_NAMES: usize = 3;

/// Describes what changed in a key. `was` and `is` are its values as written; `now` maps an id from
/// the earlier version to the later one.
pub(super) fn notes_of_key(
    key: &str,
    (old, was): (&Task, &[Cow<'_, str>]),
    (new, is): (&Task, &[&str]),
    now: impl Fn(&str) -> String,
) -> Vec<String> {
    let counted = |one: &str| vec![counted(one, was.len(), is.len())];
    match key {
        "verify" => counted("check"),
        "accept" => counted("acceptance criterion"),
        "call" => counted("call"),
        "option" => counted("option"),
        "note" => counted("note"),
        "why" => counted("reason"),
        "assume" => counted("assumption"),
        "depends" => depends(old, new, now),
        "covers" => list_changes(
            &old.covers,
            &new.covers,
            ("covers", "requirements"),
            "no longer covers",
            "covered requirements reordered",
        ),
        "files" => list_changes(
            &old.files,
            &new.files,
            ("touches", "files"),
            "no longer touches",
            "file list rewritten",
        ),
        "tools" => list_changes(
            &old.tools,
            &new.tools,
            ("may use", "tools"),
            "may no longer use",
            "tool list rewritten",
        ),
        "complexity" => vec![match (old.complexity, new.complexity) {
            (Some(was), Some(is)) => format!("complexity {is} (was {was})"),
            (None, Some(is)) => format!("complexity {is}"),
            _ => "complexity removed".to_owned(),
        }],
        "by" => vec![
            match new.by {
                By::Person => "assigned to a person",
                By::Agent => "assigned to the agent",
                By::Either => "assigned to the agent or a person",
            }
            .to_owned(),
        ],
        "type" => vec![
            match new.kind {
                TaskKind::Normal => "now a regular step",
                TaskKind::Checkpoint => "now a checkpoint",
                TaskKind::Decision => "now a decision",
            }
            .to_owned(),
        ],
        "confirm" => vec![
            if new.confirm {
                "now requires an answer"
            } else {
                "now only notifies"
            }
            .to_owned(),
        ],
        "skipped" => vec!["skip reason changed".to_owned()],
        other => vec![match (was.is_empty(), is.is_empty()) {
            (true, _) => format!("`{other}` added"),
            (_, true) => format!("`{other}` removed"),
            _ => format!("`{other}` changed"),
        }],
    }
}

/// Describes how the number of values changed: `check added`, `1 of 2 checks removed`, `check
/// changed`.
fn counted(one: &str, was: usize, is: usize) -> String {
    let many = match one.strip_suffix("criterion") {
        Some(stem) => format!("{stem}criteria"),
        None => format!("{one}s"),
    };
    match (was, is) {
        (0, 1) => format!("{one} added"),
        (0, is) => format!("{is} {many} added"),
        (1, 0) => format!("{one} removed"),
        (_, 0) => format!("all {many} removed"),
        (was, is) if is == was + 1 => format!("another {one} added"),
        (was, is) if is > was => format!("{} more {many} added", is - was),
        (was, is) if was > is => format!("{} of {was} {many} removed", was - is),
        (1, _) => format!("{one} changed"),
        _ => format!("{many} changed"),
    }
}

fn depends(old: &Task, new: &Task, now: impl Fn(&str) -> String) -> Vec<String> {
    let names = |task: &Task| -> Option<Vec<String>> {
        let ids = task.depends.as_ref()?;
        Some(ids.iter().map(|id| id.0.clone()).collect())
    };
    let was: Option<Vec<String>> = names(old).map(|ids| ids.iter().map(|id| now(id)).collect());
    let is = names(new);
    match (was, is) {
        (_, None) => vec!["depends on the previous step again".to_owned()],
        (_, Some(is)) if is.is_empty() => vec!["no longer has dependencies".to_owned()],
        (was, Some(is)) => list_changes(
            &was.unwrap_or_default(),
            &is,
            ("depends on", "steps"),
            "no longer depends on",
            "dependency list rewritten",
        ),
    }
}

/// Describes the names that a list gained and lost.
fn list_changes(
    was: &[String],
    is: &[String],
    (has, many): (&str, &str),
    has_no_more: &str,
    otherwise: &str,
) -> Vec<String> {
    let missing = |from: &[String], to: &[String]| -> Vec<String> {
        from.iter()
            .filter(|name| !to.contains(name))
            .cloned()
            .collect()
    };
    let named = |says: &str, names: &[String], more: &str| {
        (!names.is_empty()).then(|| {
            if names.len() > MAX_NAMES {
                format!("{says} {}{more} {many}", names.len())
            } else {
                format!("{says} {}", names.join(", "))
            }
        })
    };
    let mut notes: Vec<String> = Vec::new();
    notes.extend(named(has, &missing(is, was), " more"));
    notes.extend(named(has_no_more, &missing(was, is), ""));
    if notes.is_empty() {
        notes.push(otherwise.to_owned());
    }
    notes
}
