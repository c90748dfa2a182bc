//! Links steps to the workspace files that they mention.

use plan::{Task, TaskKind};

use super::{Proposal, RecipeInput};
use crate::expansion::merge::Edit;
use crate::mend::Mend;
use crate::report::place_first;

/// The open steps of a plan.
pub(super) fn steps<'a>(input: &'a RecipeInput<'_>) -> impl Iterator<Item = &'a Task> {
    let leaves = input.best.plan.leaves().map(|(_, task)| task);
    leaves.filter(|task| task.kind == TaskKind::Normal && !task.done)
}

/// Links for every step that mentions a workspace file without linking it.
pub(super) fn facts(input: &RecipeInput<'_>) -> Vec<Proposal> {
    let mut found = Vec::new();
    for task in steps(input) {
        let words = format!("{}\n{}", task.title, task.body);
        for path in paths_in(input, &words) {
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

/// Workspace files that a text mentions, by path or by a unique file name.
fn paths_in(input: &RecipeInput<'_>, text: &str) -> Vec<String> {
    let Some(paths) = &input.request.facts.paths else {
        return Vec::new();
    };
    let mut found: Vec<String> = Vec::new();
    for token in text.split(|c: char| c.is_whitespace() || "`\"'(),;:!?".contains(c)) {
        let token = token.trim_end_matches('.').trim_start_matches("./");
        // Only a name with an extension is taken for a file.
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
