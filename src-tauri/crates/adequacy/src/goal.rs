//! What a goal asks for, part by part, in any language, and what it only says beside that.
//!
//! A goal is cut into clauses: at lines and list items, at the ends of sentences, at commas and
//! "and" where a new verb or a new statement begins. Quotes, back-ticks and brackets are never cut.
//! Each clause is a wish, a limit ("without new dependencies", "do not touch the API"), a reason
//! ("because …") or a courtesy ("thank you"). Verbs are known for English, German, French and
//! Spanish; Chinese and Japanese are cut at their own signs. What is not understood stays one part,
//! so a goal in any other language is one part for each sentence.

mod clauses;
mod courtesy;
mod document;
mod joints;
mod lines;
mod verbs;

use std::ops::Range;

pub(crate) use clauses::{Clause, Role};
pub(crate) use document::is_one as is_document;
pub use verbs::{first_word, is_imperative};

/// One thing that a goal asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalPart {
    /// Its words, on one line.
    pub text: String,
    /// Its bytes in the goal.
    pub span: Range<usize>,
}

/// A goal in wishes and limits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Split {
    /// What is asked for, in order.
    pub wishes: Vec<String>,
    /// What is forbidden or to be kept.
    pub constraints: Vec<String>,
}

/// What a goal asks for, one by one, in its own order; at least one part unless the goal is blank.
/// Limits, reasons and courtesies are no parts.
pub fn requirements(goal: &str) -> Vec<GoalPart> {
    if document::is_one(goal) {
        let sentences = document::sentences(goal).into_iter();
        return sentences.map(|span| part(goal, span)).collect();
    }
    parts(goal, &clauses::read(goal))
}

/// The same for a goal that is cut already.
pub(crate) fn parts(goal: &str, clauses: &[Clause]) -> Vec<GoalPart> {
    let mut parts: Vec<GoalPart> = clauses
        .iter()
        .filter(|clause| clause.role == Role::Wish || clause.is_promise(goal))
        .map(|clause| part(goal, clause.span.clone()))
        .collect();
    if parts.is_empty() && !goal.trim().is_empty() {
        let start = goal.len() - goal.trim_start().len();
        parts.push(part(goal, start..goal.trim_end().len()));
    }
    parts
}

fn part(goal: &str, span: Range<usize>) -> GoalPart {
    let words: Vec<&str> = goal[span.clone()].split_whitespace().collect();
    GoalPart {
        text: words.join(" "),
        span,
    }
}

/// Splits a goal into what it asks for and what it forbids or wants kept.
pub fn split(goal: &str) -> Split {
    let mut split = Split::default();
    for clause in clauses::read(goal) {
        let text = part(goal, clause.span.clone()).text;
        match clause.role {
            Role::Wish => split.wishes.push(text),
            Role::Limit => split.constraints.push(text),
            Role::Reason | Role::Courtesy => {}
        }
    }
    split
}

/// The clauses of a goal, those that ask for nothing too.
pub(crate) fn clauses(goal: &str) -> Vec<Clause> {
    clauses::read(goal)
}

#[cfg(test)]
mod tests;
