//! The quality gate: what keeps one step from being carried out.
//!
//! Always on, and per step: the other steps of the plan can still run. A person can let a blocked
//! step pass with a written reason; that, and keeping the reason, is the caller's part. The gate
//! judges by the same rules as the check with two differences: a step that a person will carry out
//! is never too vague, and a destructive step passes where a safeguard stands before it.

use std::collections::HashSet;

use plan::graph::Graph;
use plan::{Plan, Task, TaskKind};

use crate::code::{Code, Severity};
use crate::danger::{destructive_phrase, is_safeguard};
use crate::questions::question;
use crate::report::{Finding, place_first};
use crate::task_rules::{
    Reader, is_work, manifest_empty_path, risk_destructive, tbd_placeholder, vague_phrase_in,
    vague_short,
};
use crate::text::TaskText;

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
        let risk = risk_destructive(task, &text).filter(|_| !is_guarded(plan, graph, index));
        findings.extend(risk);
        findings.extend(vague_short(task, &text, reader));
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

/// Whether everything the step waits for, directly or not, includes a pause for a person or a step
/// that keeps a way back.
fn is_guarded(plan: &Plan, graph: &Graph, index: usize) -> bool {
    let mut seen: HashSet<usize> = HashSet::from([index]);
    let mut open: Vec<usize> = graph.waits_for(index).to_vec();
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        if plan.tasks.get(at).is_some_and(guards) {
            return true;
        }
        open.extend_from_slice(graph.waits_for(at));
    }
    false
}

fn guards(task: &Task) -> bool {
    if task.skipped.is_some() {
        return false;
    }
    match task.kind {
        // One that only notifies stops nothing.
        TaskKind::Checkpoint => task.confirm,
        TaskKind::Decision => false,
        TaskKind::Normal => {
            let text = TaskText::of(task);
            let actions = text.actions();
            actions.into_iter().any(is_safeguard)
                && !actions
                    .into_iter()
                    .any(|action| destructive_phrase(action).is_some())
        }
    }
}
