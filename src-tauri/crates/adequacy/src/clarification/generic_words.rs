//! Generic words such as "the config" or "the page" that match several files.

use std::collections::BTreeSet;

use super::ambiguous_files::{is_linked, one_or_all, texts};
use super::{Ambiguity, AskInput};

/// Words that projects commonly name files after; sorted.
#[rustfmt::skip] // rustfmt would put each word on its own line
const PARTS: &[&str] = &[
    "api", "cache", "client", "config", "configuration", "footer", "form", "header", "index",
    "logger", "menu", "model", "page", "parser", "readme", "router", "schema", "server", "settings",
    "sidebar", "store", "theme", "toolbar",
];

/// References such as "the config", if two or three files are named after the word.
pub(super) fn generic_references(input: &AskInput<'_>) -> Vec<Ambiguity> {
    let Some(paths) = &input.facts.paths else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (task, words) in texts(input) {
        for part in parts(&words) {
            let owners = owners(part, paths);
            if (2..=3).contains(&owners.len()) && !is_linked(input.plan, &owners) {
                found.extend(one_or_all(part, &owners, &words, task));
            }
        }
    }
    found
}

fn parts(text: &str) -> Vec<&'static str> {
    let text = text.to_lowercase();
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let mut found = Vec::new();
    for pair in words.windows(2) {
        let ["the", word] = pair else { continue };
        if let Ok(at) = PARTS.binary_search(word)
            && !found.contains(&PARTS[at])
        {
            found.push(PARTS[at]);
        }
    }
    found
}

/// Files named after the word, excluding tests and documents.
fn owners<'p>(part: &str, paths: &'p BTreeSet<String>) -> Vec<&'p str> {
    let short = if part == "configuration" {
        "config"
    } else {
        part
    };
    let is_aside = |path: &str| {
        let mut folders = path.split('/');
        folders.any(|folder| matches!(folder, "test" | "tests" | "docs" | "examples" | "fixtures"))
    };
    let is_owner = |path: &&str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.split('.').next().unwrap_or(name).to_lowercase();
        (stem == part || stem == short) && !is_aside(path)
    };
    paths.iter().map(String::as_str).filter(is_owner).collect()
}
