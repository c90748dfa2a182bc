//! Collects the most important context of a step: results that it builds on, decisions, notes
//! pinned by a person, and files that don't exist.

use std::collections::BTreeSet;

use plan::{Plan, Task};

use super::{FileText, Item, ItemKind, Material, Summary, groups_above, near_paths};
use crate::envelope::{escaped, one_line};

const SUMMARY_BYTES: usize = 900;

/// Maximum length of a note, in bytes; generous, because a person wrote it.
const NOTE_BYTES: usize = 3_000;

/// Maximum number of similar paths suggested for a missing one.
const NEARBY: usize = 3;

/// All pinned items, the most important first.
pub(super) fn of(
    plan: &Plan,
    task: &Task,
    summaries: &[Summary],
    material: &Material,
) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut told = BTreeSet::new();
    for summary in summaries
        .iter()
        .filter(|summary| told.insert(&summary.task))
    {
        items.push(of_summary(summary));
    }
    items.extend(decisions(plan, task));
    let mut seen = BTreeSet::new();
    for (note, reason) in notes(plan, task, &material.notes) {
        let text = one_line(note, NOTE_BYTES);
        if !text.is_empty() && seen.insert(text.clone()) {
            items.push(Item::new(
                ItemKind::Note,
                format!("Note: {}", escaped(&text)),
                reason,
            ));
        }
    }
    items.extend(
        material
            .missing
            .iter()
            .map(|path| missing(path, &material.nearby)),
    );
    items.extend(material.files.iter().filter_map(unshown));
    items
}

fn of_summary(summary: &Summary) -> Item {
    let Summary {
        task,
        title,
        text,
        is_inferred,
    } = summary;
    let said = one_line(text, SUMMARY_BYTES);
    let mut line = format!("Done earlier: {task} “{}”", one_line(title, 200));
    if !said.is_empty() {
        line.push_str(": ");
        line.push_str(&said);
    }
    let reason = if *is_inferred {
        line.push_str(" (inferred from what the step did)");
        format!(
            "The step depends on {task}, whose result was inferred because none was \
                 reported."
        )
    } else {
        format!("The step depends on {task}.")
    };
    let kind = ItemKind::Summary { task: task.clone() };
    Item::new(kind, escaped(&line), reason)
}

/// All decisions that a person made, starting with those that the step depends on.
fn decisions(plan: &Plan, task: &Task) -> Vec<Item> {
    let waits = |id: &plan::TaskId| task.depends.iter().flatten().any(|other| other == id);
    let mut answered: Vec<_> = plan
        .decisions
        .iter()
        .filter(|record| record.answer.is_some())
        .collect();
    answered.sort_by_key(|record| !waits(&record.task));
    let items = answered.into_iter().filter_map(|record| {
        let answer = record.answer.as_deref()?;
        let asked = plan.task(&record.task).map_or("", |task| &task.title);
        let asked = format!("{} {}", record.task, one_line(asked, 200));
        let text = format!("Decided: {} → {}", asked.trim_end(), one_line(answer, 300));
        let reason = format!("A person decided {}.", record.task);
        Some(Item::new(ItemKind::Note, escaped(&text), reason))
    });
    items.collect()
}

/// The notes on the step, on its groups, and on the workspace.
fn notes<'p>(plan: &'p Plan, task: &'p Task, workspace: &'p [String]) -> Vec<(&'p str, String)> {
    let mut notes: Vec<(&str, String)> = Vec::new();
    let own = "A person pinned this note to the step.";
    notes.extend(task.values("note").map(|note| (note, own.to_owned())));
    for group in groups_above(plan, task) {
        let reason = format!(
            "A person pinned this note to {}, which contains the step.",
            group.id
        );
        notes.extend(group.values("note").map(|note| (note, reason.clone())));
    }
    let everywhere = "The workspace settings add this note to every step.";
    notes.extend(
        workspace
            .iter()
            .map(|note| (note.as_str(), everywhere.to_owned())),
    );
    notes
}

fn missing(path: &str, nearby: &[String]) -> Item {
    let near: Vec<String> = near_paths(path, nearby.iter().map(String::as_str), NEARBY)
        .into_iter()
        .map(|near| format!("`{}`", one_line(near, 200)))
        .collect();
    let shown = one_line(path, 200);
    let text = match near.is_empty() {
        true => format!("There is no file `{shown}` yet."),
        false => format!("There is no file `{shown}`. There is {}.", near.join(", ")),
    };
    let kind = ItemKind::Missing {
        path: path.to_owned(),
    };
    let reason = "The step names this file, but it doesn't exist.".to_owned();
    Item::new(kind, escaped(&text), reason)
}

/// An item for a file that exists but has no text to show.
fn unshown(file: &FileText) -> Option<Item> {
    let why = file.unshown.as_deref()?;
    let kind = ItemKind::File {
        path: file.path.clone(),
        from_line: 0,
        to_line: 0,
    };
    let text = format!(
        "`{}` {}; it is not shown.",
        one_line(&file.path, 200),
        one_line(why, 200)
    );
    let reason = "The step names this file, but it has no text to show.".to_owned();
    Some(Item::new(kind, escaped(&text), reason))
}
