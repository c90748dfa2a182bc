//! Splits a goal into requirements, constraints and context.
//!
//! A goal is any text: a line, a list, an issue report with a traceback, a document. It is split at
//! its Markdown blocks (`blocks`), at the ends of sentences (`sentences`), and where one sentence
//! asks for several things (`separators`). Each clause keeps its words and position and is one of
//! three things: a requirement, a constraint ("without new dependencies", "do not touch the API"),
//! or context: titles, steps to reproduce, code, tracebacks, reasons, greetings. Every meaningful
//! word ends up in one of them. A sentence that cannot be interpreted is one requirement, so a goal
//! in any language has a requirement for each sentence or list item.

mod blocks;
mod clauses;
mod constraints;
mod courtesy;
mod sections;
mod sentences;
mod separators;
mod trace;
mod verbs;

use std::collections::HashSet;
use std::ops::Range;

pub use verbs::{first_word, is_imperative, is_plain_wish, says_tests_pass};

/// A clause of a goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalPart {
    /// The clause's text, on one line.
    pub text: String,
    /// The clause's byte range in the goal.
    pub span: Range<usize>,
}

/// The clauses of a goal, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Goal {
    /// The requirements, without duplicates; at least one unless the goal is blank.
    pub requirements: Vec<GoalPart>,
    /// The constraints: what is forbidden or must not change.
    pub constraints: Vec<GoalPart>,
    /// Everything else.
    pub context: Vec<GoalPart>,
    /// Whether the goal is a document: it has headings, a title above prose, or several sentences
    /// of prose. A document describes more than it asks for.
    pub is_document: bool,
}

/// A range of a goal with a single role.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Clause {
    /// The byte range, without surrounding punctuation.
    span: Range<usize>,
    role: Role,
}

/// The role of a clause. If a goal has no explicit requirement, the clauses with the first of these
/// roles that occurs count as requirements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Role {
    /// It asks for something.
    Requirement,
    /// It forbids something or says to leave something unchanged.
    Constraint,
    /// The error message in a traceback.
    Failure,
    /// A heading, or the introduction to a list.
    Title,
    /// Other information.
    Context,
}

/// Parses a goal.
pub fn read(whole: &str) -> Goal {
    let inner = sentences::without_quotes(whole);
    let (goal, quote) = (&whole[inner.clone()], inner.start);
    let flat = sentences::flat(goal);
    let quoted = sentences::quoted(&flat);
    let blocks = blocks::of(goal);
    let is_document = blocks::is_document(goal, &flat, &quoted, &blocks);
    let mut clauses = clauses::of(&flat, &quoted, &blocks, is_document);
    let asked = clauses.iter().map(|clause| clause.role).min();
    for clause in &mut clauses {
        if Some(clause.role) == asked {
            clause.role = Role::Requirement;
        }
    }
    let mut read = Goal {
        is_document,
        ..Goal::default()
    };
    let mut seen = HashSet::new();
    for clause in clauses {
        let part = part(goal, clause.span);
        let list = match clause.role {
            Role::Requirement => &mut read.requirements,
            Role::Constraint => &mut read.constraints,
            Role::Failure | Role::Title | Role::Context => &mut read.context,
        };
        let mut is_new = || seen.insert((clause.role, part.text.to_lowercase()));
        if clause.role > Role::Constraint || is_new() {
            list.push(part);
        }
    }
    if read.requirements.is_empty() && !goal.trim().is_empty() {
        let start = goal.len() - goal.trim_start().len();
        read.requirements
            .push(part(goal, start..goal.trim_end().len()));
    }
    let lists = [
        &mut read.requirements,
        &mut read.constraints,
        &mut read.context,
    ];
    for part in lists.into_iter().flatten() {
        part.span = part.span.start + quote..part.span.end + quote;
    }
    read
}

/// The requirements of a goal, in order; at least one unless the goal is blank.
pub fn requirements(goal: &str) -> Vec<GoalPart> {
    read(goal).requirements
}

fn part(goal: &str, span: Range<usize>) -> GoalPart {
    let words: Vec<&str> = goal[span.clone()].split_whitespace().collect();
    GoalPart {
        text: words.join(" "),
        span,
    }
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
