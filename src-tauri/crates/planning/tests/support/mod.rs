//! Builds a survey from files in memory, as `tools::survey` does from a folder.

pub(crate) mod shop;

use std::collections::{BTreeMap, BTreeSet};

use planning::template::{Pick, load};
use planning::{Context, Draft, Intake, detect, project, solve, text};

/// A context with these files, searched for a goal's terms.
pub(crate) fn context(files: &[(&str, &str)], intake: &Intake) -> Context {
    let paths: BTreeSet<String> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
    let all: BTreeMap<String, String> = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect();
    let mut occurrences = BTreeMap::new();
    let mut texts = BTreeMap::new();
    for term in &intake.terms() {
        let mut found = Vec::new();
        for (path, text) in &all {
            let here = text::occurrences(path, text, term);
            if !here.is_empty() || intake.named_paths.contains(path) {
                texts.insert(path.clone(), text.clone());
            }
            found.extend(here);
        }
        occurrences.insert(term.clone(), found);
    }
    let wanted: BTreeMap<String, String> = project::wanted(&paths)
        .into_iter()
        .filter_map(|path| Some((path.clone(), all.get(&path)?.clone())))
        .collect();
    Context {
        projects: project::detect(&paths, &wanted),
        paths,
        occurrences,
        texts,
        folders: BTreeMap::new(),
        guidance: Vec::new(),
        limits: Vec::new(),
        ..Context::default()
    }
}

/// The draft for a goal on these files, with the built-in templates only.
pub(crate) fn draft(files: &[(&str, &str)], goal: &str) -> Draft {
    draft_with(files, goal, &[])
}

/// The draft for a goal on these files, with a user's templates as well.
pub(crate) fn draft_with(files: &[(&str, &str)], goal: &str, user: &[(String, String)]) -> Draft {
    let intake = detect(goal, &Default::default());
    let context = context(files, &intake);
    let templates = load(user);
    solve(&intake, &context, &templates.all, Pick::ByGoal, "0000")
        .expect("a built-in template answers")
}
