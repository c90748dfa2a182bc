//! Files of the workspace, linked to the steps that name them.

use plan::{Task, TaskKind};

use super::{Proposal, Seen};
use crate::expansion::merge::Edit;
use crate::mend::Mend;
use crate::report::place_first;

/// The open steps of a plan.
pub(super) fn steps<'a>(seen: &'a Seen<'_>) -> impl Iterator<Item = &'a Task> {
    let leaves = seen.best.plan.leaves().map(|(_, task)| task);
    leaves.filter(|task| task.kind == TaskKind::Normal && !task.done)
}

/// Every step that names a file of the workspace in its words and does not link it.
pub(super) fn facts(seen: &Seen<'_>) -> Vec<Proposal> {
    let mut found = Vec::new();
    for task in steps(seen) {
        let words = format!("{}\n{}", task.title, task.body);
        for path in paths_in(seen, &words) {
            if !task.files.contains(&path) {
                found.push(Proposal {
                    edit: link(task, path),
                    is_fact: true,
                });
            }
        }
    }
    found
}

fn link(task: &Task, path: String) -> Edit {
    Edit {
        task: Some(task.id.clone()),
        why: Vec::new(),
        message: format!("{} names `{path}`.", place_first(task)),
        mends: vec![Mend::AddValue {
            task: task.id.clone(),
            key: "files".to_owned(),
            value: path,
        }],
    }
}

/// The files of the workspace that a text names: by their path, or by a name that only one has.
fn paths_in(seen: &Seen<'_>, text: &str) -> Vec<String> {
    let Some(paths) = &seen.request.facts.paths else {
        return Vec::new();
    };
    let mut found: Vec<String> = Vec::new();
    for token in text.split(|c: char| c.is_whitespace() || "`\"'(),;:!?".contains(c)) {
        let token = token.trim_end_matches('.').trim_start_matches("./");
        // A bare word is a word; a name with an ending is a file.
        if token.len() < 4 || !token.contains('.') {
            continue;
        }
        let path = match paths.contains(token) {
            true => Some(token),
            false => {
                let ending = format!("/{token}");
                let mut named = paths.iter().filter(|path| path.ends_with(&ending));
                match (named.next(), named.next()) {
                    (Some(path), None) => Some(path.as_str()),
                    _ => None,
                }
            }
        };
        if let Some(path) = path.filter(|path| !found.iter().any(|known| known == path)) {
            found.push(path.to_owned());
        }
    }
    found
}
