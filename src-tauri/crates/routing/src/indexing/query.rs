//! The terms that a goal is searched by.

use super::words;
use crate::intake::{Intake, is_idle};

/// The most terms of one search; more would dilute it.
const MAX_TERMS: usize = 16;

/// What is looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// Words as an index has them, those of names in code first.
    pub terms: Vec<String>,
    /// Names in code as the goal writes them.
    pub names: Vec<String>,
}

/// The query of a goal: its names in code and quoted texts, then its plain words that say something.
pub fn query(intake: &Intake) -> Query {
    let exact = intake.search_terms.iter().chain(&intake.identifiers);
    let mut terms: Vec<String> = Vec::new();
    let mut add = |word: &str| {
        if terms.len() < MAX_TERMS && !terms.iter().any(|term| words::alike(term, word)) {
            terms.push(word.to_owned());
        }
    };
    for text in exact {
        words::of(text).iter().for_each(|word| add(word));
    }
    for text in &intake.keywords {
        words::of(text).iter().for_each(|word| add(word));
    }
    // The keywords are the six that a file may be named after; a longer goal says more than that.
    let rest = words::of(&intake.goal);
    for word in rest.iter().filter(|word| !is_idle(word)) {
        add(word);
    }
    Query {
        terms,
        names: intake.identifiers.clone(),
    }
}

#[cfg(test)]
mod tests {
    use adequacy::WorkspaceFacts;

    use super::*;

    fn terms(goal: &str) -> Vec<String> {
        query(&crate::detect(goal, &WorkspaceFacts::default())).terms
    }

    #[test]
    fn a_goal_is_searched_by_what_it_names_and_by_its_telling_words() {
        assert_eq!(
            terms("The CSV export drops the last row of a report, fix it"),
            ["csv", "drops", "row", "report", "export"]
        );
        let found = terms("Have `readRows` skip blank lines");
        assert_eq!(&found[..3], ["read_rows", "read", "rows"]);
        assert!(found.contains(&"blank".to_owned()), "{found:?}");
        assert_eq!(terms("Please fix it"), [""; 0]);
    }
}
