//! Merges requests that a rename or move fulfills anyway ("and update the imports", "fix all links
//! to it") into the preceding requirement.

use std::sync::LazyLock;

use regex::Regex;

use super::clauses::{Goal, first_word};
use super::names::pattern;

const WISH: &str = r"(?:(?:update|fix|adjust|adapt|correct|change)\s+(?:(?:all|the|any|its|their|every|of|existing)\s+)*(?:import\s+statements?|imports?|references?|links?|usages?|uses|callers?|call\s+sites?|paths?|mentions?|occurrences?)(?:\s+(?:to|of|in)\s+(?:it|them|the\s+code|the\s+project))?|(?:alle\s+)?(?:links?|verweise|importe?|aufrufe|verwendungen)\s+(?:darauf\s+)?(?:anpassen|aktualisieren)|passe\s+(?:alle\s+|die\s+)*(?:links?|verweise|importe?|aufrufe)\s+an)(?:\s+(?:accordingly|everywhere|too|as\s+well|entsprechend))?";

static ALONE: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(&format!(r"(?i)^(?:and\s+|und\s+)?{WISH}[.!]?$")));
static BEHIND: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(&format!(r"(?i)\s*,?\s+(?:and|und|&)\s+{WISH}[.!]?$")));

/// A clause without such a request at its end.
pub(super) fn without(clause: &str) -> &str {
    let found = BEHIND.as_ref().and_then(|behind| behind.find(clause));
    found.map_or(clause, |found| &clause[..found.start()])
}

/// The goal with each such request merged into the preceding rename or move.
pub(super) fn merged(mut read: Goal, goal: &str) -> Goal {
    let renames =
        |text: &str| crate::among(&first_word(text), "rename move git mv benenne verschiebe");
    let is_one = |text: &str| ALONE.as_ref().is_some_and(|alone| alone.is_match(text));
    let mut at = 1;
    while at < read.requirements.len() {
        let before = &read.requirements[at - 1];
        let begins = before.span.start;
        if !renames(&before.text) || !is_one(&read.requirements[at].text) {
            at += 1;
            continue;
        }
        let part = read.requirements.remove(at);
        let whole = &mut read.requirements[at - 1];
        // The two may be separate sentences: "Rename a to b. Fix the links."
        whole.text = format!(
            "{} and {}",
            whole.text.trim_end_matches('.'),
            lowered(&part.text)
        );
        whole.span = begins..part.span.end.min(goal.len());
    }
    read
}

fn lowered(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(letters).collect()
    })
}
