//! The search terms of a goal.
//!
//! Every word of the goal is a term, weighted by its rarity in the workspace. Words that are common
//! in goals of any kind count less. The scope before a subject (`fix(parser): …`, `sync: …`) names
//! a location, so it only matches paths.

use super::tokens;
use crate::intake::{Intake, is_generic_word};

/// Maximum number of terms per search; more would dilute the search.
const MAX_TERMS: usize = 16;
/// Maximum scope length, in bytes; a longer text before a colon is a sentence.
const MAX_SCOPE: usize = 40;
/// Weight of a plain word.
const PLAIN: f64 = 0.3;

/// A search query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// The terms: those of the scope first, plain words last.
    pub terms: Vec<Term>,
    /// Identifiers as written in the goal.
    pub names: Vec<String>,
}

/// A search term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The word as stored in the index.
    pub word: String,
    /// The word's role in the goal.
    pub role: Role,
}

/// A word's role in a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is specific to the goal.
    Distinctive,
    /// It is a word that could occur in any goal.
    Plain,
    /// It names a location: a folder, a package, a file.
    Scope,
}

impl Term {
    /// Its weight, before rarity is taken into account.
    pub fn weight(&self) -> f64 {
        match self.role {
            Role::Plain => PLAIN,
            Role::Distinctive | Role::Scope => 1.0,
        }
    }
}

/// The query for a goal: first its scope, then its identifiers and quoted texts, then its words.
pub fn query(intake: &Intake) -> Query {
    let mut terms: Vec<Term> = Vec::new();
    let mut add = |word: &str, role: Role| {
        if terms.len() < MAX_TERMS && !terms.iter().any(|term| tokens::alike(&term.word, word)) {
            let word = word.to_owned();
            terms.push(Term { word, role });
        }
    };
    let goal = without_references(&intake.goal);
    let (scope, rest) = scoped(&goal);
    for word in tokens::of(scope) {
        add(&word, Role::Scope);
    }
    for text in intake.search_terms.iter().chain(&intake.identifiers) {
        for word in tokens::of(text) {
            add(&word, Role::Distinctive);
        }
    }
    let (plain, telling): (Vec<String>, Vec<String>) = tokens::of(rest)
        .into_iter()
        .partition(|word| is_generic_word(word));
    for word in &telling {
        add(word, Role::Distinctive);
    }
    for word in &plain {
        add(word, Role::Plain);
    }
    Query {
        terms,
        names: intake.identifiers.clone(),
    }
}

/// Splits a goal into its scope, as in commit subjects, and the rest. The type before the
/// parentheses is dropped.
fn scoped(goal: &str) -> (&str, &str) {
    let Some((head, rest)) = goal.split_once(": ") else {
        return ("", goal);
    };
    let head = head.trim_end_matches('!');
    let inside = head
        .split_once('(')
        .and_then(|(kind, scope)| Some((kind, scope.strip_suffix(')')?)))
        .filter(|(kind, _)| !kind.is_empty() && kind.chars().all(char::is_alphanumeric));
    let scope = inside.map_or(head, |(_, scope)| scope);
    let is_name = |c: char| c.is_alphanumeric() || "-_/.,@*".contains(c);
    let is_scope = head.len() <= MAX_SCOPE
        && scope
            .split(", ")
            .all(|part| !part.is_empty() && part.chars().all(is_name));
    if is_scope { (scope, rest) } else { ("", goal) }
}

/// A text without numbers of issues and pull requests such as `(#1234)`, which don't help to find
/// files.
fn without_references(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('#') {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        let behind = after.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_one = behind.len() < after.len() && !behind.starts_with(char::is_alphanumeric);
        kept.push_str(before);
        kept.push(if is_one { ' ' } else { '#' });
        rest = if is_one { behind } else { after };
    }
    kept.push_str(rest);
    kept
}

/// The distinct words of a change description, without suffixes and references.
pub(super) fn subject_words(text: &str) -> Vec<String> {
    let mut subject_words: Vec<String> = Vec::new();
    for word in tokens::of(&without_references(text)) {
        let root = tokens::root(&word);
        if !subject_words.iter().any(|known| known == root) {
            subject_words.push(root.to_owned());
        }
    }
    subject_words
}

#[cfg(test)]
mod tests {
    use adequacy::WorkspaceFacts;

    use super::*;

    fn terms(goal: &str, role: Role) -> Vec<String> {
        let terms = query(&crate::detect(goal, &WorkspaceFacts::default())).terms;
        let of_role = terms.into_iter().filter(|term| term.role == role);
        of_role.map(|term| term.word).collect()
    }

    #[test]
    fn a_goal_is_searched_by_names_and_distinctive_words() {
        let goal = "The CSV export drops the last row of a report, fix it";
        assert_eq!(
            terms(goal, Role::Distinctive),
            ["csv", "export", "drops", "row", "report"]
        );
        assert_eq!(terms(goal, Role::Plain), ["last", "fix"]);
        let found = terms("Have `readRows` skip blank lines", Role::Distinctive);
        assert_eq!(&found[..3], ["read_rows", "read", "rows"]);
        assert!(found.contains(&"blank".to_owned()), "{found:?}");
        assert_eq!(terms("Please fix it", Role::Distinctive), [""; 0]);
    }

    #[test]
    fn a_leading_scope_names_a_location() {
        for (goal, scope, rest) in [
            (
                "fix(compiler-sfc): keep the order",
                "compiler-sfc",
                "keep the order",
            ),
            ("sync: wake all waiters", "sync", "wake all waiters"),
            ("tpl/hash: use another", "tpl/hash", "use another"),
            ("feat(a, b)!: both", "a, b", "both"),
            ("One sentence: and another", "", "One sentence: and another"),
            ("Use std::min", "", "Use std::min"),
        ] {
            assert_eq!(scoped(goal), (scope, rest), "{goal}");
        }
        let goal = "fix(compiler): keep the order";
        assert_eq!(terms(goal, Role::Scope), ["compiler"]);
        assert_eq!(terms(goal, Role::Distinctive), ["order"]);
    }

    #[test]
    fn issue_numbers_are_dropped() {
        assert_eq!(
            without_references("Sort rows (#123), #7a and # x"),
            "Sort rows ( ), #7a and # x"
        );
    }
}
