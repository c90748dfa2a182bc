//! Missing paths for which the workspace contains several similar ones.

use std::collections::BTreeSet;

use plan::Task;

use super::ambiguous_files::in_backticks;
use super::{Ambiguity, AskInput, Interpretation, Reversibility};
use crate::mend::Mend;
use crate::task_text::is_real_path;

/// Steps whose `files:` names a missing file, if two or three existing files have similar names.
/// With one similar file, the finding about the path already suggests it; with none, the step is
/// assumed to create the file.
pub(super) fn missing(input: &AskInput<'_>) -> Vec<Ambiguity> {
    let Some(paths) = &input.facts.paths else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for task in &input.plan.tasks {
        if task.done || makes_files(task) {
            continue;
        }
        for path in &task.files {
            let path = path.trim_start_matches("./");
            if !is_real_path(path) || paths.contains(path) || path.ends_with('/') {
                continue;
            }
            let near = near(path, paths);
            if (2..=3).contains(&near.len()) {
                found.push(ambiguity(task, path, &near));
            }
        }
    }
    found
}

/// Whether a step says that it creates a file.
fn makes_files(task: &Task) -> bool {
    let makes = [
        "create",
        "add",
        "new",
        "write",
        "introduce",
        "generate",
        "move",
        "rename",
        "extract",
    ];
    let title = task.title.to_lowercase();
    let mut words = title.split(|c: char| !c.is_alphanumeric());
    words.any(|word| makes.contains(&word))
}

/// Files with the same name in another folder, or nearly the same name in the same folder.
fn near<'p>(path: &str, paths: &'p BTreeSet<String>) -> Vec<&'p str> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_near = |other: &&str| {
        let (at, other) = other.rsplit_once('/').unwrap_or(("", other));
        other.eq_ignore_ascii_case(name) || at == folder && is_alike(name, other)
    };
    paths.iter().map(String::as_str).filter(is_near).collect()
}

/// Whether two names differ only in their extension or in up to two letters.
fn is_alike(one: &str, other: &str) -> bool {
    let stem = |name: &str| name.split('.').next().unwrap_or(name).to_lowercase();
    let (one, other) = (stem(one), stem(other));
    one == other || one.len() > 4 && strsim::levenshtein(&one, &other) <= 2
}

fn ambiguity(task: &Task, path: &str, near: &[&str]) -> Ambiguity {
    let with = |place: &str| {
        let files = task
            .files
            .iter()
            .map(|file| match file.trim_start_matches("./") == path {
                true => place.to_owned(),
                false => file.clone(),
            });
        vec![Mend::SetValues {
            task: task.id.clone(),
            key: "files".to_owned(),
            values: files.collect(),
        }]
    };
    let share = 0.8 / near.len() as f64;
    let mut readings: Vec<Interpretation> = near
        .iter()
        .map(|place| Interpretation {
            label: format!("Use `{place}`"),
            consequence: format!("The step changes `{place}` instead of `{path}`."),
            probability: share,
            complexity: 2,
            reversibility: Reversibility::Reversible,
            mends: with(place),
            note: format!("`{path}` means `{place}`"),
        })
        .collect();
    readings.push(Interpretation {
        label: format!("Create `{path}`"),
        consequence: format!("The step creates `{path}`; code that uses it has to be added too."),
        probability: 0.2,
        complexity: 4,
        reversibility: Reversibility::Reversible,
        mends: Vec::new(),
        note: format!("`{path}` is a new file"),
    });
    Ambiguity {
        about: format!("`{path}`"),
        question: format!(
            "`{path}` does not exist. Did you mean {}, or a new file?",
            in_backticks(near)
        ),
        stakes: "The step could change the wrong file or create a duplicate.".to_owned(),
        task: Some(task.id.clone()),
        readings,
        inferred: 0.5,
    }
}
