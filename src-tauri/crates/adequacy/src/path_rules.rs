//! Calls on files that will not be there.
//!
//! Raised only where the workspace's paths are known. A file counts as there if it exists, or if
//! any step above names it or runs a command, which may create anything.

use std::collections::HashSet;

use plan::{Task, ToolName};

use crate::code::{Code, Severity};
use crate::reading::{Reading, paths};
use crate::report::{Finding, place_first};
use crate::text::is_real_path;

pub(crate) fn findings(reading: &Reading<'_>) -> Vec<Finding> {
    let facts = reading.input.facts;
    if facts.paths.is_none() {
        return Vec::new();
    }
    let mut named: HashSet<&str> = HashSet::new();
    let mut findings = Vec::new();
    for step in &reading.steps {
        let absent = needed(step.task).find(|path| {
            is_real_path(path) && !named.contains(tidy(path)) && facts.has_file(path) == Some(false)
        });
        if let Some(path) = absent {
            let code = Code::PathMissing;
            let text = step.text.identity();
            findings.push(Finding::on(step.task, text, code, Severity::Major).saying(format!(
                "{} works on `{path}`, which is not in the workspace and which no step above writes: correct \
                 the path, or add the step that creates it.",
                place_first(step.task)
            )));
        }
        if runs_command(step.task) {
            return findings;
        }
        named.extend(paths(step.task).map(tidy));
    }
    findings
}

fn tidy(path: &str) -> &str {
    path.trim_start_matches("./")
}

/// The files that the task's calls can only work on when they exist.
fn needed(task: &Task) -> impl Iterator<Item = &str> {
    task.calls
        .iter()
        .filter_map(|call| call.parsed.as_ref().ok())
        .filter(|call| {
            matches!(
                call.tool,
                ToolName::ReadFile | ToolName::EditFile | ToolName::DeleteFile
            )
        })
        .filter_map(|call| call.path())
}

fn runs_command(task: &Task) -> bool {
    let runs = |call: &plan::ToolCall| call.tool == ToolName::RunCommand;
    task.calls
        .iter()
        .any(|call| call.parsed.as_ref().is_ok_and(runs))
}
