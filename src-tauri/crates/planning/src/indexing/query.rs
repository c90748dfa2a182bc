//! The terms that a goal is searched by.
//!
//! Every word of it is one: how much it says is told by how rare it is where it is looked for. Words that
//! goals of any kind are made of count less, and the scope in front of a subject (`fix(parser): …`,
//! `sync: …`) is looked for in paths alone, since it names a place.

use super::words;
use crate::intake::{Intake, is_idle};

/// The most terms of one search; more would dilute it.
const MAX_TERMS: usize = 16;
/// The longest scope, in bytes: what is longer is a sentence with a colon.
const MAX_SCOPE: usize = 40;
/// How much a plain word counts.
const PLAIN: f64 = 0.3;

/// What is looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// Words as an index has them: those of names in code first, those of plain words last.
    pub terms: Vec<Term>,
    /// Names in code as the goal writes them.
    pub names: Vec<String>,
}

/// A word that is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// As an index has it.
    pub word: String,
    /// What it is in the goal.
    pub role: Role,
}

/// What a word is in a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It says what the goal is about.
    Telling,
    /// Any goal may have it.
    Plain,
    /// It names a place: a folder, a package, a file.
    Scope,
}

impl Term {
    /// How much it counts, for one as rare as others.
    pub fn weight(&self) -> f64 {
        match self.role {
            Role::Plain => PLAIN,
            Role::Telling | Role::Scope => 1.0,
        }
    }
}

/// The query of a goal: its scope, its names in code and quoted texts, then its words.
pub fn query(intake: &Intake) -> Query {
    let mut terms: Vec<Term> = Vec::new();
    let mut add = |word: &str, role: Role| {
        if terms.len() < MAX_TERMS && !terms.iter().any(|term| words::alike(&term.word, word)) {
            let word = word.to_owned();
            terms.push(Term { word, role });
        }
    };
    let goal = without_references(&intake.goal);
    let (scope, rest) = scoped(&goal);
    for word in words::of(scope) {
        add(&word, Role::Scope);
    }
    for text in intake.search_terms.iter().chain(&intake.identifiers) {
        for word in words::of(text) {
            add(&word, Role::Telling);
        }
    }
    let (plain, telling): (Vec<String>, Vec<String>) =
        words::of(rest).into_iter().partition(|word| is_idle(word));
    for word in &telling {
        add(word, Role::Telling);
    }
    for word in &plain {
        add(word, Role::Plain);
    }
    Query {
        terms,
        names: intake.identifiers.clone(),
    }
}

/// The scope in front of a goal, as the subjects of commits have it, and what follows it. What stands
/// before its brackets is a kind of work, and left out.
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

/// A text without the numbers of issues and reviews, such as `(#1234)`: no file is found by them.
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

/// The words of what was said of a change, without endings and references, each once.
pub(super) fn told(text: &str) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for word in words::of(&without_references(text)) {
        let root = words::root(&word);
        if !told.iter().any(|known| known == root) {
            told.push(root.to_owned());
        }
    }
    told
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
    fn a_goal_is_searched_by_what_it_names_and_by_its_telling_words() {
        let goal = "The CSV export drops the last row of a report, fix it";
        assert_eq!(
            terms(goal, Role::Telling),
            ["csv", "export", "drops", "row", "report"]
        );
        assert_eq!(terms(goal, Role::Plain), ["last", "fix"]);
        let found = terms("Have `readRows` skip blank lines", Role::Telling);
        assert_eq!(&found[..3], ["read_rows", "read", "rows"]);
        assert!(found.contains(&"blank".to_owned()), "{found:?}");
        assert_eq!(terms("Please fix it", Role::Telling), [""; 0]);
    }

    #[test]
    fn a_scope_in_front_names_a_place() {
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
        assert_eq!(terms(goal, Role::Telling), ["order"]);
    }

    #[test]
    fn numbers_of_issues_are_no_words() {
        assert_eq!(
            without_references("Sort rows (#123), #7a and # x"),
            "Sort rows ( ), #7a and # x"
        );
    }
}
