//! The files that stand beside the ones a goal concerns: their tests, and the text that tells people
//! about them. Where there is none, the name of the one to write, after the project's own fashion.

use crate::context::Context;
use crate::intake::Intake;
use crate::text::{Family, family_of, is_code, is_document, is_test, stem};

/// The most test files that stand beside a change.
const MOST: usize = 6;

/// The test files whose name bears a source file's name, such as `test_order.py` for `order.py`; in
/// Rust the sources that hold tests of their own.
pub(super) fn tests(sources: &[String], context: &Context) -> Vec<String> {
    let stems: Vec<String> = sources
        .iter()
        .map(|path| stem(path).to_lowercase())
        .collect();
    let speaks_of = |path: &&String| {
        let own = stem(path).to_lowercase();
        stems
            .iter()
            .any(|source| source == bare(&own) || own == *source)
    };
    let beside = context
        .paths
        .iter()
        .filter(|path| is_test(path) && !sources.contains(path))
        .filter(speaks_of);
    let inside = sources.iter().filter(|path| {
        let text = context.texts.get(*path);
        text.is_some_and(|text| text.contains("#[cfg(test)]"))
    });
    inside.chain(beside).take(MOST).cloned().collect()
}

/// A test's name without what makes it a test's.
fn bare(stem: &str) -> &str {
    let stem = stem.strip_prefix("test_").unwrap_or(stem);
    ["_test", "_tests", "_spec"]
        .into_iter()
        .find_map(|ending| stem.strip_suffix(ending))
        .unwrap_or(stem)
}

/// The test file to write for the first of these sources, named and placed as the project's other
/// tests of that language are. `None` where the project has no such test to go by.
pub(super) fn new_test(sources: &[String], context: &Context) -> Option<String> {
    let source = sources
        .iter()
        .find(|path| is_code(path) && !is_test(path))?;
    let family = family_of(source);
    let extension = source.rsplit_once('.')?.1;
    let folder = |path: &str| {
        path.rsplit_once('/')
            .map_or("", |(folder, _)| folder)
            .to_owned()
    };
    if family == Family::Go {
        return Some(format!("{}_test.go", source.strip_suffix(".go")?));
    }
    let like = context
        .paths
        .iter()
        .filter(|path| is_test(path) && family_of(path) == family)
        .filter(|path| !matches!(stem(path), "__init__" | "conftest" | "mod" | "setup"))
        .filter(|path| path.ends_with(&format!(".{extension}")))
        .max_by_key(|path| shared(&folder(path), &folder(source)))?;
    let own = stem(like);
    // A folder's main file is known by the folder.
    let subject = match stem(source) {
        "__init__" | "index" | "mod" => folder(source).rsplit('/').next().unwrap_or("").to_owned(),
        stem => stem.to_owned(),
    };
    let fashion = |name: &str| -> String {
        let core = bare(name);
        match (family, own == core) {
            (Family::Rust, _) | (_, true) => subject.clone(),
            (_, false) => own.replacen(core, &subject, 1),
        }
    };
    if subject.is_empty() {
        return None;
    }
    let name = like.rsplit('/').next().unwrap_or(like);
    let endings = name.strip_prefix(own).unwrap_or_default();
    let place = folder(like);
    let slash = if place.is_empty() { "" } else { "/" };
    let path = format!("{place}{slash}{}{endings}", fashion(own));
    (!context.paths.contains(&path) && is_test(&path)).then_some(path)
}

/// How many characters two folders have in common at their start.
fn shared(one: &str, other: &str) -> usize {
    one.chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .count()
}

/// The document that is known by the word for what is in it, such as a changelog.
pub(super) fn known_document(goal: &str) -> Option<&'static str> {
    let goal = goal.to_lowercase();
    let has = |word: &str| {
        goal.split(|c: char| !c.is_alphanumeric())
            .any(|part| part == word)
    };
    if has("changelog") {
        Some("CHANGELOG.md")
    } else if has("contributing") {
        Some("CONTRIBUTING.md")
    } else {
        None
    }
}

/// Where a text about the goal's subject belongs: the document that mentions it, the README before
/// others; else any README; else any page of `docs/`.
pub(super) fn document(intake: &Intake, context: &Context) -> Option<String> {
    let terms = intake.terms();
    let about = |path: &str| -> usize {
        let counted = |term: &String| {
            let places = context.found(term);
            places.iter().filter(|place| place.path == path).count()
        };
        terms.iter().map(counted).sum::<usize>()
    };
    let pages = context.paths.iter().filter(|path| {
        let is_page = is_document(path) && !context.guidance.contains(path);
        is_page && (is_readme(path) || is_in_docs(path))
    });
    pages
        .max_by_key(|path| {
            let mentions = about(path);
            let top = is_readme(path) && !path.contains('/');
            (
                mentions > 0,
                top,
                mentions,
                is_readme(path),
                std::cmp::Reverse(path.as_str()),
            )
        })
        .cloned()
}

/// The document to write where there is none: a page of `docs/` if the project has that folder.
pub(super) fn new_document(intake: &Intake, context: &Context) -> String {
    let source = intake.named_paths.iter().find(|path| is_code(path));
    let folder = ["docs", "doc"].into_iter().find(|folder| {
        context
            .paths
            .iter()
            .any(|path| crate::context::holds(folder, path))
    });
    match (folder, source) {
        (Some(folder), Some(source)) => format!("{folder}/{}.md", stem(source)),
        _ => "README.md".to_owned(),
    }
}

fn is_readme(path: &str) -> bool {
    stem(path).eq_ignore_ascii_case("readme")
}

fn is_in_docs(path: &str) -> bool {
    let folder = path.split('/').next().unwrap_or_default();
    path.contains('/') && matches!(folder, "docs" | "doc")
}
