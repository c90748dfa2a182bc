//! The guarantees that the rest of the program relies on when it reads or edits a plan file.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and say what it measured"
)]

mod converting;
mod coverage;
mod dialects;
mod diff;
mod drawn;
mod edits;
mod example;
mod front_matter;
mod fuzz;
mod graph;
mod keys;
mod laws;
mod making;
mod merge;
mod merging;
mod nearest;
mod outline;
mod outline_laws;
mod outline_session;
mod outline_speed;
mod outline_steps;
mod records;
mod source;
mod tasks;

use plan::{Plan, Problem, Task, TaskId};

/// Parses a text and asserts that it has no problems.
fn sound(text: &str) -> Plan {
    let (plan, problems) = plan::parse(text);
    assert_eq!(problems, Vec::new(), "{text}");
    plan
}

fn read(text: &str) -> Plan {
    plan::parse(text).0
}

/// The problems, each in the form `line code`.
fn problems(text: &str) -> Vec<String> {
    let show = |problem: &Problem| format!("{} {}", problem.line, problem.code.as_str());
    plan::parse(text).1.iter().map(show).collect()
}

fn id(text: &str) -> TaskId {
    TaskId::from(text)
}

/// Parses a text and returns its only task.
fn only(text: &str) -> Task {
    let plan = read(text);
    assert_eq!(plan.tasks.len(), 1, "{text:?}");
    plan.tasks[0].clone()
}

fn ids(plan: &Plan) -> Vec<&str> {
    plan.tasks.iter().map(|task| task.id.as_str()).collect()
}
