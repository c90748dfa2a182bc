//! What a goal says, read whole: what it asks for, what it forbids, and what it only tells.
//!
//! A goal is any text: a line, a list, an issue report with a traceback, a document. It is cut at its
//! Markdown blocks (`blocks`), at the ends of its sentences (`sentences`), and where one sentence asks
//! for several things (`joints`). Each clause keeps its own words and its place, and is one of three:
//! a requirement, a constraint ("without new dependencies", "do not touch the API"), or context: titles,
//! steps to reproduce, code, tracebacks, reasons, greetings. No word that carries meaning is in none of them.
//! What is not understood stays whole and is a requirement, so a goal in any language is one
//! requirement for each sentence or list item.

mod blocks;
mod clauses;
mod courtesy;
mod joints;
mod limits;
mod sections;
mod sentences;
mod trace;
mod verbs;

use std::collections::HashSet;
use std::ops::Range;

pub use verbs::{first_word, is_imperative, is_plain_wish, says_tests_pass};

/// Words of a goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalPart {
    /// Its words, on one line.
    pub text: String,
    /// Its bytes in the goal.
    pub span: Range<usize>,
}

/// A goal, clause by clause, each in the goal's own order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Goal {
    /// What must be done; at least one unless the goal is blank, and no two alike.
    pub requirements: Vec<GoalPart>,
    /// What is forbidden, or to be left as it is.
    pub constraints: Vec<GoalPart>,
    /// Everything else.
    pub context: Vec<GoalPart>,
    /// Whether it is written as a document: with headings, a title over prose, or several sentences of prose. It
    /// describes more than it asks for.
    pub is_document: bool,
}

/// A stretch of a goal with one purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Clause {
    /// Its bytes, without the signs around it.
    span: Range<usize>,
    role: Role,
}

/// What a clause is for. Where nothing is asked for in so many words, the first of these that the goal has is
/// what it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Role {
    /// It asks for something.
    Requirement,
    /// It forbids something, or wants something left as it is.
    Constraint,
    /// What a traceback says went wrong.
    Failure,
    /// A heading, or what introduces a list.
    Title,
    /// It tells something.
    Context,
}

/// Reads a goal.
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

/// What a goal asks for, one by one, in its own order; at least one part unless the goal is blank.
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
mod laws;
#[cfg(test)]
mod tests;
