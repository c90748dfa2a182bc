//! Finds the keywords of a step, and the files that its text names.
//!
//! Words are compared in lower case. Plurals count as singulars, and compound names (`render_rows`,
//! `renderRows`) also match by their parts. Languages written without spaces are compared by pairs
//! of characters.

use plan::word_list::WordList;
use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use plan::{Plan, Task};

use super::groups_above;

const MAX_WORDS: usize = 24;

const MAX_FILES: usize = 12;

const MAX_WORD_BYTES: usize = 80;

/// Stop words, which say nothing about the subject of a text.
const STOP_WORDS: &str = " a about above add added after again all also an and any are as at be been before being \
     below between both but by can change changed check could create did do does doing done down \
     each edit ensure existing few file files find first for from further get had has have having \
     how if in into is it its just let like line lines look make more most must need needs new no nor not now \
     of off on once only or other our out over own plan read run same set should so some step such \
     task tasks test tests than that the their them then there these they this those through to too under until up \
     update use used using very was we were what when where which while who why will with work would write \
     you your \
     aber alle als am an auch auf aus bei bis das dass dem den der des die dies ein eine einem einen \
     einer es für hat im in ist kann mit muss nach nicht noch nur oder sein sich sie sind so soll um \
     und uns vom von vor war wenn werden wie wir wird zu zum zur ";

/// The words of a step, and of the goal and requirements that it serves, without duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StepKeywords {
    pub(crate) own: Vec<String>,
    /// Words of the goal, and of the requirements that the step covers.
    pub(crate) goal: Vec<String>,
}

impl StepKeywords {
    pub(crate) fn of(plan: &Plan, task: &Task) -> Self {
        let mut seen = BTreeSet::new();
        let mut new = |texts: &mut dyn Iterator<Item = &str>| -> Vec<String> {
            let words = texts.flat_map(terms);
            let words = words.filter(|word| seen.insert(word.clone()));
            words.take(MAX_WORDS).collect()
        };
        let own = new(&mut own_texts(task));
        let requirements = plan.requirements.iter();
        let covered = requirements.filter(|requirement| task.covers.contains(&requirement.id));
        let covered = covered.map(|requirement| requirement.text.as_str());
        let goal = new(&mut plan.goal().into_iter().chain(covered));
        Self { own, goal }
    }

    /// The weight of a word: highest for words of the step, lower for words of the goal, and 0 for
    /// all others.
    pub(crate) fn weight(&self, word: &str) -> u32 {
        if self.own.iter().any(|own| own == word) {
            2
        } else if self.goal.iter().any(|goal| goal == word) {
            1
        } else {
            0
        }
    }

    /// The words that occur in a text, in the order in which the step has them.
    pub(crate) fn shared(&self, text: &str) -> Vec<&str> {
        let there: BTreeSet<String> = terms(text).into_iter().collect();
        self.own
            .iter()
            .chain(&self.goal)
            .filter(|word| there.contains(*word))
            .map(String::as_str)
            .collect()
    }
}

fn own_texts(task: &Task) -> impl Iterator<Item = &str> {
    [task.title.as_str(), task.body.as_str()]
        .into_iter()
        .chain(task.accept.iter().map(String::as_str))
        .chain(task.why.as_deref())
        .chain(task.values("note"))
}

/// The words of a text in order, without stop words; may contain duplicates.
pub(crate) fn terms(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let runs = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    for run in runs.filter(|run| !run.is_empty() && run.len() <= MAX_WORD_BYTES) {
        if run.chars().any(is_unspaced) {
            let letters: Vec<char> = run.chars().collect();
            found.extend(
                letters
                    .windows(2)
                    .map(|pair| pair.iter().collect::<String>()),
            );
            continue;
        }
        let whole = run.trim_matches('_');
        push(&mut found, whole);
        let parts = parts(whole);
        if parts.len() > 1 {
            for part in parts {
                push(&mut found, part);
            }
        }
    }
    found
}

fn push(found: &mut Vec<String>, word: &str) {
    let word = word.to_lowercase();
    let is_short = word.chars().count() < 3;
    if is_short || word.chars().all(|c| c.is_ascii_digit()) || is_stop_word(&word) {
        return;
    }
    found.push(singular(word));
}

pub(crate) fn is_stop_word(word: &str) -> bool {
    static SET: LazyLock<HashSet<&str>> =
        LazyLock::new(|| STOP_WORDS.split_ascii_whitespace().collect());
    SET.contains(word)
}

/// Converts a plural to its singular: `rows` to `row`.
fn singular(mut word: String) -> String {
    let is_plural = word.len() > 3
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !word.ends_with("is");
    if is_plural {
        word.pop();
    }
    word
}

/// Whether the character belongs to a script without spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}

/// Splits a compound name into words: `exit`, `Plan`, `Mode` for `exitPlanMode`.
pub(crate) fn parts(name: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let pieces = name.split(|c: char| !c.is_alphanumeric());
    for piece in pieces.filter(|piece| !piece.is_empty()) {
        let mut start = 0;
        let mut was_small = false;
        for (at, c) in piece.char_indices() {
            if c.is_uppercase() && was_small {
                parts.push(&piece[start..at]);
                start = at;
            }
            was_small = c.is_lowercase() || c.is_ascii_digit();
        }
        parts.push(&piece[start..]);
    }
    parts
}

/// The files that a step names in `files:`, in its calls, its text and its checks; if there are
/// none, the files of its groups. Excludes patterns and paths outside the workspace.
pub(crate) fn files(plan: &Plan, task: &Task) -> Vec<String> {
    let listed = |paths: &mut dyn Iterator<Item = &str>| -> Vec<String> {
        let mut seen = BTreeSet::new();
        let paths = paths.filter_map(workspace_path);
        let paths = paths.filter(|path| seen.insert(path.clone()));
        paths.take(MAX_FILES).collect()
    };
    let calls = task
        .calls
        .iter()
        .filter_map(|call| call.parsed.as_ref().ok());
    let texts = own_texts(task).chain(task.verify.iter().map(String::as_str));
    let named = task.files.iter().map(String::as_str);
    let named = named.chain(calls.filter_map(plan::ToolCall::path));
    let found = listed(&mut named.chain(texts.flat_map(paths_in)));
    if !found.is_empty() {
        return found;
    }
    let groups = groups_above(plan, task);
    listed(&mut groups.flat_map(|group| group.files.iter().map(String::as_str)))
}

/// A path relative to the workspace; `None` for a pattern, a folder, or a path outside the
/// workspace.
fn workspace_path(written: &str) -> Option<String> {
    let path = written.trim().trim_start_matches("./");
    let is_odd = path.is_empty()
        || path.ends_with('/')
        || path.starts_with(['/', '~', '-'])
        || path.contains(['*', '?', '{', '}', '\0', '\n'])
        || path.split('/').any(|name| name == "..");
    (!is_odd).then(|| path.to_owned())
}

/// The words of a text that look like file paths: they have a folder and an extension, or a common
/// extension.
pub fn paths_in(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '`' | '"' | '\'' | ',' | ';' | '(' | ')' | '[' | ']' | '<' | '>' | '|' | '='
            )
    });
    let mut found: Vec<&str> = Vec::new();
    for word in words {
        // The line number in `src/a.rs:40` and a final period aren't part of the path.
        let word = word.trim_end_matches(['.', ':', '!', '?']);
        let word = match word.split_once(':') {
            Some((path, line)) if line.starts_with(|c: char| c.is_ascii_digit()) => path,
            _ => word,
        };
        if is_path(word) && !found.contains(&word) {
            found.push(word);
        }
    }
    found
}

/// Extensions by which a file name is recognized even without a folder.
const ENDINGS: WordList = WordList(
    "rs py ts tsx js jsx mjs cjs go java kt c h cc cpp hpp cs rb php swift scala sh bash zsh ps1 \
     md rst txt adoc html css scss json jsonc yaml yml toml ini cfg conf env lock xml csv tsv sql proto \
     graphql gradle cmake mk svg vue svelte lua pl ex exs erl hs clj dart nix tf ipynb",
);

fn is_path(word: &str) -> bool {
    if word.len() > 200 || word.contains("://") || word.contains('@') || word.contains('\\') {
        return false;
    }
    let name = word.rsplit('/').next().unwrap_or(word);
    let has_ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !ending.is_empty()
            && (!stem.is_empty() || word.contains('/'))
            && ending.len() <= 8
            && ending.chars().all(|c| c.is_ascii_alphanumeric())
            && (word.contains('/') || ENDINGS.has_in_any_case(ending))
    });
    let is_known =
        WordList("Makefile Dockerfile Justfile justfile Gemfile Rakefile LICENSE .gitignore .env")
            .contains(name);
    has_ending || is_known
}
