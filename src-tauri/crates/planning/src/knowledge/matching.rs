//! Decides whether a text is relevant to a goal, by exact names or by informative plain words.

use std::collections::{BTreeMap, BTreeSet};

use crate::context::Context;
use crate::intake::Intake;
use crate::text::{self, Shape};

/// Maximum number of files that a plain word may match; a word that matches more, such as `test`,
/// is ignored.
const MAX_FILES_PER_WORD: usize = 3;

/// Minimum number of the goal's plain words that a relevant text contains; a single word occurs in
/// too many texts.
const MIN_WORDS: usize = 2;

/// The goal's words to look for in texts.
#[derive(Debug)]
pub(super) struct GoalWords<'i> {
    names: Vec<&'i str>,
    /// The stems of those words that occur in only a few of the texts.
    stems: BTreeSet<String>,
}

/// How strongly a text matches the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextMatch {
    /// The number of names from the goal that occur in the text.
    pub(super) names: usize,
    /// The number of plain words of the goal that occur in the text in any form.
    pub(super) words: usize,
}

impl TextMatch {
    /// Whether the plain words alone make the text relevant.
    pub(super) fn is_by_words(self) -> bool {
        self.words >= MIN_WORDS
    }
}

impl<'i> GoalWords<'i> {
    /// The words of a goal, without those that occur in many of the texts.
    pub(super) fn of<'t>(intake: &'i Intake, texts: impl Iterator<Item = &'t str>) -> Self {
        let all: BTreeSet<String> = intake.keywords.iter().map(|word| stem(word)).collect();
        let mut count = 0;
        let mut standing: BTreeMap<String, usize> = BTreeMap::new();
        for text in texts {
            count += 1;
            for stem in stems(text).intersection(&all) {
                *standing.entry(stem.clone()).or_default() += 1;
            }
        }
        let most = (count / 6).max(4);
        let is_rare = |stem: &String| standing.get(stem).is_none_or(|count| *count <= most);
        let mut names: Vec<&str> = Vec::new();
        for name in intake.identifiers.iter().chain(&intake.search_terms) {
            // A short plain word isn't used as a name, since it occurs everywhere.
            if name.chars().count() >= 3 && !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        Self {
            names,
            stems: all.into_iter().filter(is_rare).collect(),
        }
    }

    /// How strongly a text matches the goal.
    pub(super) fn touch(&self, text: &str) -> TextMatch {
        let stems = stems(text);
        TextMatch {
            names: self
                .names
                .iter()
                .filter(|name| contains_name(text, name))
                .count(),
            words: self.stems.intersection(&stems).count(),
        }
    }
}

/// Whether a name from the goal occurs in a file or is the file's own name.
pub(super) fn contains_goal_name(path: &str, intake: &Intake, context: &Context) -> bool {
    intake.identifiers.iter().any(|name| {
        let places = context.found(name).iter();
        places.map(|place| place.path.as_str()).any(|at| at == path)
            || text::stem(path).eq_ignore_ascii_case(name)
    })
}

/// Whether a plain word of the goal identifies this file and few others: it is part of the file's
/// name or defined there. Tests only count if no other file matches, since most tests are named
/// after their source.
pub(super) fn is_distinctive(path: &str, intake: &Intake, context: &Context) -> bool {
    intake.keywords.iter().any(|word| {
        let wanted = stem(word);
        let is_named_after = |path: &str| stems(text::stem(path)).contains(&wanted);
        let defining: BTreeSet<&str> = context
            .found(word)
            .iter()
            .filter(|place| matches!(place.shape, Shape::Definition | Shape::Member))
            .map(|place| place.path.as_str())
            .collect();
        if !is_named_after(path) && !defining.contains(path) {
            return false;
        }
        let bearing = context.paths.iter().map(String::as_str);
        let all: BTreeSet<&str> = bearing
            .filter(|path| is_named_after(path))
            .chain(defining.iter().copied())
            .collect();
        let tests = all.iter().filter(|path| text::is_test(path)).count();
        match all.len() - tests {
            0 => tests < MAX_FILES_PER_WORD,
            others => others <= MAX_FILES_PER_WORD,
        }
    })
}

/// Whether a text contains a name or path as a whole, not followed or preceded by a letter, digit
/// or `_`.
pub(super) fn contains_name(text: &str, name: &str) -> bool {
    let is_word_char = |c: char| c.is_alphanumeric() || c == '_';
    let begins = name.chars().next().is_some_and(is_word_char);
    let ends = name.chars().next_back().is_some_and(is_word_char);
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text[..at].chars().next_back().is_some_and(is_word_char);
            let after = text[at + name.len()..]
                .chars()
                .next()
                .is_some_and(is_word_char);
            !(begins && before || ends && after)
        })
}

/// Whether a text contains a workspace path as a whole, not as the end of a longer one.
pub(super) fn contains_path(text: &str, path: &str) -> bool {
    contains_name(text, path) && !text.contains(&format!("/{path}"))
}

/// The stems of the words in a text, including those of the parts of identifiers such as
/// `read_rows`.
fn stems(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() >= 3)
        .map(stem)
        .collect()
}

/// A lowercase word without its suffix: `rows` and `row`, `parsing` and `parsed` have the same
/// stem.
fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    let base = ["ing", "ies", "es", "ed", "s", "e", "y"]
        .iter()
        .find_map(|ending| {
            word.strip_suffix(ending)
                .filter(|base| base.chars().count() >= 3)
        });
    base.map_or_else(|| word.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_counts_as_a_whole() {
        for (text, name, is_there) in [
            ("rows are made by read_rows()", "read_rows", true),
            ("rows are made by read_rows_fast", "read_rows", false),
            ("pass --json twice", "--json", true),
            ("pass --jsonl twice", "--json", false),
            ("see src/cli.py:12", "src/cli.py", true),
            ("see src/cli.pyc", "src/cli.py", false),
            ("über_x", "ber_x", false),
            ("", "", false),
        ] {
            assert_eq!(contains_name(text, name), is_there, "{text}: {name}");
        }
    }

    #[test]
    fn a_path_is_not_the_end_of_another_one() {
        assert!(contains_path("it is in src/cli.py.", "src/cli.py"));
        assert!(!contains_path("it is in lib/src/cli.py.", "src/cli.py"));
        assert!(!contains_path("it is in docs/README.md", "README.md"));
    }

    #[test]
    fn forms_of_a_word_are_one() {
        for (one, other) in [
            ("rows", "row"),
            ("parsing", "parsed"),
            ("queries", "query"),
            ("caches", "cache"),
        ] {
            assert_eq!(stem(one), stem(other));
        }
        assert_ne!(stem("import"), stem("importance"));
    }
}
