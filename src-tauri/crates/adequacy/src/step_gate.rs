//! The quality gate: blocks individual steps that are unfit to be carried out.
//!
//! The gate is always on and blocks only single steps; the other steps of the plan can still run. A
//! person can override a block with a written reason, which the caller handles and stores. The gate
//! uses the same rules as the check, with two exceptions: a step for a person is never too vague,
//! and a destructive step passes if a safeguard precedes it.

use plan::graph::Graph;
use plan::{Plan, Task};

use crate::code::{Code, Severity};
use crate::finding_questions::question;
use crate::report::{Finding, place_first};
use crate::safeguards::is_guarded;
use crate::task_rules::{danger, is_work, manifest_empty_path, risk_destructive, tbd_placeholder};
use crate::task_text::TaskText;
use crate::vague::{Executor, vague_phrase_in, vague_short};

/// Why the step at `index` must not be carried out as it is; empty if it may be. Groups are never
/// blocked, because only their leaves run, and neither is an `index` outside the plan.
pub fn blocks(plan: &Plan, graph: &Graph, index: usize, has_model: bool) -> Vec<Finding> {
    let Some(task) = plan.tasks.get(index).filter(|task| !task.is_group()) else {
        return Vec::new();
    };
    let text = TaskText::of(task);
    let mut findings: Vec<Finding> = Vec::new();
    if is_work(task) {
        let executor = match Executor::of(task, has_model) {
            Executor::Model => Executor::Model,
            Executor::LikelyPerson | Executor::Person => Executor::Person,
        };
        if let Some(phrase) = danger(&text).filter(|_| !is_guarded(plan, graph, index, &text)) {
            findings.push(risk_destructive(task, &text, phrase, None));
        }
        findings.extend(vague_short(plan, task, &text, executor));
        findings.extend(vague_phrase_in(task, &text, executor, plan.goal()));
        findings.extend(tbd_placeholder(task, &text));
    }
    findings.extend(manifest_empty_path(task, &text));
    findings.extend(bad_call(task, &text));
    for finding in &mut findings {
        finding.question = question(finding.code, task, &text, plan.goal());
    }
    findings
}

fn bad_call(task: &Task, text: &TaskText) -> Option<Finding> {
    let (call, error) = task
        .calls
        .iter()
        .find_map(|call| Some((call, call.parsed.as_ref().err()?)))?;
    let code = Code::Problem(plan::ProblemCode::BadCall);
    let mut finding = Finding::for_task(task, text.identity(), code, Severity::Major).with_message(
        format!("{} has an invalid call: {error}.", place_first(task)),
    );
    finding.line = call.line;
    Some(finding)
}
