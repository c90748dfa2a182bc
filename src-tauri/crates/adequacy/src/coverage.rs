//! Which requirements the plan takes care of, by the `covers:` lines of its tasks.

use std::collections::HashSet;

use plan::Task;

use crate::code::{Code, Severity};
use crate::plan_rules::Verdict;
use crate::reading::Reading;
use crate::report::{Finding, quoted};

/// The plan's requirements, counted.
pub(crate) struct Coverage {
    /// Share of the requirements that some task names; `None` without requirements.
    pub(crate) share: Option<f64>,
    /// One per requirement that no task names. The first carries the factor for all of them.
    pub(crate) verdicts: Vec<Verdict>,
}

impl Coverage {
    pub(crate) fn of(reading: &Reading<'_>) -> Self {
        let plan = reading.plan;
        if plan.requirements.is_empty() {
            return Self {
                share: None,
                verdicts: Vec::new(),
            };
        }
        let named: HashSet<&str> = plan
            .tasks
            .iter()
            .flat_map(|task| &task.covers)
            .map(String::as_str)
            .collect();
        let open: Vec<_> = plan
            .requirements
            .iter()
            .filter(|requirement| !named.contains(requirement.id.as_str()))
            .collect();
        let (all, missing) = (plan.requirements.len(), open.len());
        let factor = if missing * 2 > all { 0.70 } else { 0.84 };
        let verdicts = open
            .into_iter()
            .enumerate()
            .map(|(nth, requirement)| {
                let code = Code::UncoveredRequirement;
                let message = format!(
                    "No step covers requirement {} ({}): add `covers: {}` to the step that does, or a step \
                     for it.",
                    requirement.id,
                    quoted(&requirement.text),
                    requirement.id
                );
                let mut finding = Finding::of_plan(plan, &requirement.text, code, Severity::Major);
                finding.line = requirement.line;
                let finding = finding.saying(message);
                Verdict { finding, factor: if nth == 0 { factor } else { 1.0 } }
            })
            .collect();
        Self {
            share: Some((all - missing) as f64 / all as f64),
            verdicts,
        }
    }
}

/// Whether a task, or a group it is part of, says what it covers.
pub(crate) fn is_mapped(reading: &Reading<'_>, task: &Task) -> bool {
    let mut at = Some(task);
    while let Some(task) = at {
        if !task.covers.is_empty() {
            return true;
        }
        at = task.parent.map(|parent| &reading.plan.tasks[parent]);
    }
    false
}
