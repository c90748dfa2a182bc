//! Recognizes paths in a goal by their form.

use std::sync::LazyLock;

use adequacy::WorkspaceFacts;
use plan::word_list::WordList;
use regex::Regex;

use super::names::{self, pattern};
use crate::among;

static PATH: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"[\w@.*~/\\-]*[\w*/][\w@.*/-]*"));

const KNOWN_FILES: WordList =
    WordList("README CHANGELOG Makefile Dockerfile LICENSE CONTRIBUTING Justfile Procfile");

/// Folders below which a path is recognized even without a file extension.
const ROOTS: WordList =
    WordList("src/ docs/ doc/ test/ tests/ lib/ crates/ app/ packages/ scripts/");

pub(super) fn is_known_extension(extension: &str) -> bool {
    among(
        extension.to_ascii_lowercase().as_str(),
        "py pyi js jsx mjs cjs ts tsx rs go c h cc cpp hpp java kt swift cs rb php sh \
    bash md rst txt adoc json yaml yml toml ini cfg conf csv tsv html css scss xml \
    sql lock log bak tmp orig old swp png svg pdf vue svelte proto tex env mk gradle \
    ipynb dat out pyc zip gz",
    )
}

/// The paths and file patterns that a goal names, in its order. Absolute paths and paths with `..`
/// are ignored: a plan must not leave its workspace.
pub(super) fn paths(goal: &str, facts: &WorkspaceFacts) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let Some(pattern) = PATH.as_ref() else {
        return found;
    };
    for word in pattern.find_iter(goal) {
        let before = &goal[..word.start()];
        if before.ends_with("://") || before.ends_with(':') && word.as_str().starts_with("//") {
            continue;
        }
        let text = word
            .as_str()
            .trim_end_matches(['.', ',', ';', ':'])
            .trim_start_matches("./");
        if text.is_empty()
            || text.starts_with(['/', '~', '-'])
            || text.contains("..")
            || text.contains('\\')
        {
            continue;
        }
        let name = text
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .unwrap_or(text);
        let extension = name.rsplit_once('.').is_some_and(|(stem, end)| {
            is_known_extension(end) && (!stem.is_empty() || text.contains('*'))
        });
        let any_of_a_kind = text.starts_with("*.") && text.len() > 2;
        let rooted = ROOTS.iter().any(|folder| text.starts_with(folder));
        let known = facts.paths.as_ref().is_some_and(|paths| {
            paths.contains(text)
                || (text.contains('/') || goal.contains(&format!("{text}/")))
                    && paths
                        .iter()
                        .any(|path| crate::context::holds(text.trim_end_matches('/'), path))
        });
        let named = KNOWN_FILES.contains(name);
        let call = goal[word.end()..].starts_with("()") || goal[word.end()..].starts_with('(');
        let folder = text.ends_with('/') && text.len() > 1;
        if (extension || any_of_a_kind || rooted || known || named || folder) && !call {
            let text = text.to_owned();
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
    found
}

static FOLDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:folders?|director(?:y|ies))\s+(?:called\s+|named\s+)?[`'\x22]?(\.?[\w][\w.-]*)|[`'\x22]?(\.?\b[\w][\w.-]*)[`'\x22]?\s+(?:folders?|director(?:y|ies))\b",
    )
});

/// Bare words that a goal to delete something uses as folder names: `dist` in "remove the folder
/// dist" or, next to paths, in "remove lib/old.js and dist".
pub(super) fn removed_folders(clause: &str, paths: &[String]) -> Vec<String> {
    let clause = super::imperative(clause);
    let verb = super::clauses::first_word(clause);
    let mut found: Vec<String> = Vec::new();
    if !among(&verb, "remove delete clean drop prune purge") {
        return found;
    }
    let usable = |word: &str| {
        word.len() > 1
            && !names::is_plain_word(word)
            && !super::clauses::is_imperative(&word.to_lowercase())
            && !among(
                word,
                "it them all any each whole entire stale unused obsolete",
            )
    };
    if let Some(pattern) = FOLDER.as_ref() {
        for captures in pattern.captures_iter(clause) {
            let word = captures.get(1).or(captures.get(2));
            // The last component of a path is not a separate folder: "examples/repo directories".
            let word = word.filter(|word| !clause[..word.start()].ends_with('/'));
            found.extend(
                word.map(|word| word.as_str().trim_end_matches('.').to_owned())
                    .filter(|word| usable(word)),
            );
        }
    }
    let items = items(clause);
    let is_path = |item: &&str| {
        let mut words = item.split(' ');
        words.any(|word| paths.iter().any(|path| path == word))
    };
    if items.iter().any(is_path) {
        for item in &items {
            let item = item.strip_prefix("the ").unwrap_or(item);
            if !item.contains(' ') && usable(item) && !paths.iter().any(|path| path == item) {
                found.push(item.to_owned());
            }
        }
    }
    found
}

/// The items that a clause lists after its verb, split at commas and "and".
pub(super) fn items(clause: &str) -> Vec<&str> {
    let clause = super::imperative(clause);
    let object = clause.trim_start_matches(char::is_alphabetic);
    object
        .split(", ")
        .flat_map(|part| part.split(" and "))
        .map(|item| {
            item.trim()
                .trim_start_matches("and ")
                .trim_matches(['`', '"', '\'', '.'])
        })
        .filter(|item| !item.is_empty())
        .collect()
}
