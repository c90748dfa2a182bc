//! Finds the tests and documentation that belong to the files that a goal concerns. If there are
//! none, proposes a name for a new file that follows the project's conventions.

use crate::context::Context;
use crate::intake::Intake;
use crate::text::{Family, family_of, is_code, is_document, is_test, stem};

const MAX_TESTS: usize = 6;

/// The test files named after a source, such as `test_order.py` for `order.py`; for Rust, also the
/// sources themselves if they contain tests.
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
    let companions = context
        .paths
        .iter()
        .filter(|path| is_test(path) && !sources.contains(path))
        .filter(speaks_of);
    let inside = sources.iter().filter(|path| {
        let text = context.texts.get(*path);
        text.is_some_and(|text| text.contains("#[cfg(test)]"))
    });
    inside.chain(companions).take(MAX_TESTS).cloned().collect()
}

/// A test's name without its test prefix or suffix.
fn bare(stem: &str) -> &str {
    let stem = stem.strip_prefix("test_").unwrap_or(stem);
    ["_test", "_tests", "_spec"]
        .into_iter()
        .find_map(|ending| stem.strip_suffix(ending))
        .unwrap_or(stem)
}

/// The test file to create for the first of these sources, named and placed like the project's
/// other tests in that language. `None` if there is no such test to imitate.
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
    // The subject of a folder's main file is the folder.
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

/// The length of two folders' common prefix, in characters.
fn shared(one: &str, other: &str) -> usize {
    one.chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .count()
}

/// The usual file name of a document that a goal refers to by its type, such as a changelog.
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

/// Where documentation about the goal's subject belongs: a document that mentions it, preferably
/// the README; otherwise any README; otherwise any page of `docs/`.
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

/// The document to create if there is none: if there is a folder for documents, a page that is
/// named after the source in the goal; otherwise the README.
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
