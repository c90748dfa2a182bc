//! The quality gate: what keeps one step from being carried out.
//!
//! Always on, and per step: the other steps of the plan can still run. A person can let a blocked
//! step pass with a written reason; that, and keeping the reason, is the caller's part. The gate
//! judges by the same rules as the check with two differences: a step that a person will carry out
//! is never too vague, and a destructive step passes where a safeguard stands before it.

use plan::graph::Graph;
use plan::{Plan, Task};

use crate::code::{Code, Severity};
use crate::questions::question;
use crate::recovery::is_guarded;
use crate::report::{Finding, place_first};
use crate::task_rules::{danger, is_work, manifest_empty_path, risk_destructive, tbd_placeholder};
use crate::text::TaskText;
use crate::vague::{Reader, vague_phrase_in, vague_short};

/// Why the step at `index` must not be carried out as it stands; empty when it may. A group is
/// never blocked, because its leaves run, and an `index` outside the plan is not either.
pub fn blocks(plan: &Plan, graph: &Graph, index: usize, has_model: bool) -> Vec<Finding> {
    let Some(task) = plan.tasks.get(index).filter(|task| !task.is_group()) else {
        return Vec::new();
    };
    let text = TaskText::of(task);
    let mut findings: Vec<Finding> = Vec::new();
    if is_work(task) {
        let reader = match Reader::of(task, has_model) {
            Reader::Model => Reader::Model,
            Reader::LikelyPerson | Reader::Person => Reader::Person,
        };
        if let Some(phrase) = danger(&text).filter(|_| !is_guarded(plan, graph, index, &text)) {
            findings.push(risk_destructive(task, &text, phrase, None));
        }
        findings.extend(vague_short(plan, task, &text, reader));
        findings.extend(vague_phrase_in(task, &text, reader, plan.goal()));
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
    let mut finding = Finding::on(task, text.identity(), code, Severity::Major).saying(format!(
        "{} has a call that cannot run: {error}.",
        place_first(task)
    ));
    finding.line = call.line;
    Some(finding)
}
