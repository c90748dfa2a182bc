//! Finds names that match several things in the workspace, such as a file name that exists in two
//! folders.

use plan::{Plan, Task, TaskKind};

use super::{Ambiguity, AskInput, Interpretation, Reversibility};
use crate::mend::Mend;

/// If there are more locations than this, either all of them are meant or the name is too vague for
/// a question.
const MAX_PLACES: usize = 4;

/// File names without a folder, in the goal or a step, that match two to [`MAX_PLACES`] files, none
/// of which the plan links.
pub(super) fn duplicate_file_names(input: &AskInput<'_>) -> Vec<Ambiguity> {
    let Some(paths) = &input.facts.paths else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (task, words) in texts(input) {
        for name in file_names(&words) {
            let ending = format!("/{name}");
            let places: Vec<&str> = paths
                .iter()
                .map(String::as_str)
                .filter(|path| *path == name || path.ends_with(&ending))
                .collect();
            let can_be_asked = (2..=MAX_PLACES).contains(&places.len());
            if can_be_asked && !is_linked(input.plan, &places) {
                found.extend(one_or_all(&name, &places, &words, task));
            }
        }
    }
    found
}

/// The text of every open step, and the goal paired with the first of these steps.
pub(super) fn texts<'a>(input: &AskInput<'a>) -> Vec<(&'a Task, String)> {
    let is_open = |task: &&Task| task.kind == TaskKind::Normal && !task.done && !task.is_group();
    let open: Vec<&Task> = input.plan.tasks.iter().filter(is_open).collect();
    let mut texts: Vec<(&Task, String)> = open
        .iter()
        .map(|task| (*task, format!("{}\n{}", task.title, task.body)))
        .collect();
    if let (Some(goal), Some(first)) = (input.goal(), open.first()) {
        texts.push((first, goal.to_owned()));
    }
    texts
}

/// Whether a step already links one of these files.
pub(super) fn is_linked(plan: &Plan, places: &[&str]) -> bool {
    let linked = plan.tasks.iter().flat_map(|task| &task.files);
    let mut linked = linked.map(|path| path.trim_start_matches("./"));
    linked.any(|path| places.contains(&path))
}

/// The question of whether a name means one of these locations or all of them. Words such as "all",
/// and the mention of a location's folder, make one answer more probable.
pub(super) fn one_or_all(
    name: &str,
    places: &[&str],
    words: &str,
    task: &Task,
) -> Option<Ambiguity> {
    let count = u32::try_from(places.len()).ok()?;
    let hinted: Vec<bool> = places
        .iter()
        .map(|place| is_hinted(place, places, words))
        .collect();
    let hints = hinted.iter().filter(|is| **is).count();
    let says_all = [" all ", " both ", " every ", " each "]
        .iter()
        .any(|word| format!(" {} ", words.to_lowercase()).contains(word));
    let inferred = match (hints == 1, says_all) {
        (true, false) | (false, true) => 0.9,
        _ => 0.5,
    };
    let all = if says_all { 0.9 } else { 0.25 };
    let one = |is_hinted: bool| match (says_all, hints == 1, is_hinted) {
        (true, ..) => 0.1 / f64::from(count),
        (false, true, true) => 0.9,
        (false, true, false) => 0.05,
        (false, false, _) => 0.75 / f64::from(count),
    };
    let mut readings: Vec<Interpretation> = places
        .iter()
        .zip(&hinted)
        .map(|(place, is_hinted)| Interpretation {
            label: format!("Only `{place}`"),
            consequence: format!("The step changes one file, `{place}`."),
            probability: one(*is_hinted),
            complexity: 2,
            reversibility: Reversibility::Reversible,
            mends: vec![link(task, place)],
            note: format!("`{name}` means `{place}` alone"),
        })
        .collect();
    readings.push(Interpretation {
        label: format!("All {count} files"),
        consequence: format!("The step changes {count} files: {}.", in_backticks(places)),
        probability: all,
        complexity: 2 * count,
        reversibility: Reversibility::Reversible,
        mends: places.iter().map(|place| link(task, place)).collect(),
        note: format!("`{name}` means all of {}", in_backticks(places)),
    });
    Some(Ambiguity {
        about: format!("`{name}`"),
        question: format!("Which `{name}` do you mean: {}?", in_backticks(places)),
        stakes: format!(
            "A wrong choice changes the wrong file; changing all of them is {count} times the work."
        ),
        task: Some(task.id.clone()),
        readings,
        inferred,
    })
}

fn link(task: &Task, place: &str) -> Mend {
    Mend::AddValue {
        task: task.id.clone(),
        key: "files".to_owned(),
        value: place.to_owned(),
    }
}

pub(super) fn in_backticks(paths: &[&str]) -> String {
    let file_code_spans: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    file_code_spans.join(", ")
}

/// Whether the surrounding words mention a folder that contains only this location.
fn is_hinted(place: &str, places: &[&str], words: &str) -> bool {
    let words = words.to_lowercase();
    let folders = |path: &str| -> Vec<String> {
        let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
        folders.split('/').map(str::to_lowercase).collect()
    };
    let is_said = |folder: &String| {
        folder.len() > 2
            && words
                .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
                .any(|word| word == folder || word.strip_suffix('s') == Some(folder))
    };
    let is_own = |folder: &String| {
        places
            .iter()
            .filter(|other| **other != place)
            .all(|other| !folders(other).contains(folder))
    };
    folders(place)
        .iter()
        .any(|folder| is_own(folder) && is_said(folder))
}

/// File names without a folder that occur in a text.
fn file_names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for token in text.split(|c: char| c.is_whitespace() || "`\"'(),;:!?".contains(c)) {
        let token = token.trim_end_matches('.');
        let is_name = token.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty()
                && !token.contains('/')
                && (1..=5).contains(&ending.len())
                && ending.starts_with(|c: char| c.is_ascii_alphabetic())
                && ending.bytes().all(|b| b.is_ascii_alphanumeric())
        });
        if is_name && !names.iter().any(|known| known == token) {
            names.push(token.to_owned());
        }
    }
    names
}
