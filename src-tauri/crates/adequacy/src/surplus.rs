//! Steps without use: duplicates, filler, and steps that serve no requirement.

use std::collections::{HashMap, HashSet};

use plan::Task;

use crate::code::{Code, Severity};
use crate::coverage::is_mapped;
use crate::identity::fingerprint;
use crate::plan_rules::{Verdict, verdict};
use crate::reading::Reading;
use crate::report::{Finding, place, place_first, quoted};

/// The steps of one plan that could go.
pub(crate) struct Surplus {
    /// One for each step that says the same as one above it.
    pub(crate) duplicates: Vec<Finding>,
    steps: usize,
}

impl Surplus {
    /// `fillers` are the indices of the steps already found to be filler.
    pub(crate) fn of(reading: &Reading<'_>, fillers: &HashSet<usize>) -> Self {
        let maps = !reading.plan.requirements.is_empty()
            && reading
                .plan
                .tasks
                .iter()
                .any(|task| !task.covers.is_empty());
        let mut seen: HashMap<u64, &Task> = HashMap::with_capacity(reading.steps.len());
        let mut duplicates = Vec::new();
        let mut steps = 0;
        for step in &reading.steps {
            let first = *seen
                .entry(doing(step.task, step.text.identity()))
                .or_insert(step.task);
            let is_duplicate = !std::ptr::eq(first, step.task);
            if is_duplicate {
                let code = Code::DuplicateTask;
                let text = step.text.identity();
                duplicates.push(Finding::on(step.task, text, code, Severity::Minor).saying(
                    format!(
                        "{} says the same as {} ({}): delete one, or say what is different.",
                        place_first(step.task),
                        place(first),
                        quoted(&step.task.title)
                    ),
                ));
            }
            let is_unmapped = maps && !is_mapped(reading, step.task);
            if is_duplicate || is_unmapped || fillers.contains(&step.index) {
                steps += 1;
            }
        }
        Self { duplicates, steps }
    }

    /// The plan code behind the badge `overgrown`. It takes nothing from the score: length alone
    /// is not worse work.
    pub(crate) fn overgrown(&self, reading: &Reading<'_>) -> Option<Verdict> {
        reading.goal?;
        let count = reading.steps.len();
        if count <= 3 * reading.floor as usize || self.steps * 5 < count {
            return None;
        }
        let message = format!(
            "The goal asks for about {} steps and the plan has {count}, {} of them duplicate, empty of \
             content or serving no requirement: delete or merge those.",
            reading.floor, self.steps
        );
        verdict(reading, Code::Overgrown, Severity::Minor, 1.0, message)
    }
}

/// What a step does, as a number: its words and everything it would touch or run.
fn doing(task: &Task, description: u64) -> u64 {
    let mut number = description;
    let calls = task.calls.iter().map(|call| call.raw.as_str());
    let details = task
        .files
        .iter()
        .chain(&task.verify)
        .chain(&task.accept)
        .map(String::as_str);
    for detail in details.chain(calls) {
        number = number.rotate_left(5) ^ fingerprint(detail);
    }
    number
}
