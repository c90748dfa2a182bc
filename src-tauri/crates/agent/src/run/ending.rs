//! Ends a run and builds its final message.

use std::collections::BTreeSet;

use adequacy::{CheckInput, Code, PlanDepth, WorkspaceFacts};
use plan::{Plan, Task};

use super::next::Turn;
use super::ready::Leaf;
use super::recheck::Due;
use super::state::{Standing, TaskState};
use super::{Machine, PlanView, questions};
use crate::journal::{EndState, Entry, SkippedBy};
use gate::answers::Answer;

impl Machine {
    /// Ends the run. Effects in progress are still completed, but nothing new is started.
    pub(super) fn end(&mut self, state: EndState, message: String) -> Turn {
        if self.in_progress.is_empty() {
            self.answer_host_at_the_end(state, &message);
            self.record(Entry::Ended { state, message });
        } else if self.ending.is_none() {
            self.ending = Some((state, message));
        }
        Turn::Again
    }

    pub(super) fn failures(&self) -> String {
        let failed = self.failed_here.iter().map(|failed| {
            let known = self.state.tasks.get(failed).cloned().unwrap_or_default();
            let reason = known.reason.unwrap_or_default();
            let end = match known.is_refused {
                true => "was not carried out",
                false => "failed",
            };
            format!("{failed} {end}: {reason}")
        });
        failed.collect::<Vec<_>>().join("; ")
    }

    /// Called when every step has ended. Reruns checks that may now fail, asks about unverified and
    /// skipped steps, and ends the run with the resulting state.
    pub(super) fn finish(&mut self, view: &PlanView) -> Turn {
        if let Some(turn) = self.recheck(view, Due::All) {
            return turn;
        }
        let (mut unverified, mut skipped) = (Vec::new(), Vec::new());
        for index in view.scope(&self.state) {
            let task = &view.plan.tasks[index];
            let Some(known) = self.state.tasks.get(task.id.as_str()).cloned() else {
                continue;
            };
            let settled = match known.standing {
                Standing::Done if known.is_unverified() => {
                    unverified.push(task.id.as_str());
                    self.ask_to_sign(task, &known)
                }
                Standing::Skipped(SkippedBy::Model) => {
                    skipped.push(task.id.as_str());
                    self.ask_about_skipped(task, &known)
                }
                _ => None,
            };
            if let Some(turn) = settled {
                return turn;
            }
        }
        let uncovered = self.uncovered_requirements(view);
        let mut said = Vec::new();
        if !skipped.is_empty() {
            said.push(format!("skipped by the model: {}", skipped.join(", ")));
        }
        if !uncovered.is_empty() {
            said.push(format!(
                "not covered by any completed step: {}",
                uncovered.join(", ")
            ));
        }
        let state = match (said.is_empty(), unverified.is_empty()) {
            (false, _) => EndState::Incomplete,
            (true, false) => EndState::Unverified,
            (true, true) => EndState::Done,
        };
        if !unverified.is_empty() {
            said.push(format!("not verified: {}", unverified.join(", ")));
        }
        let upto = self.state.started.upto.as_deref();
        let upto = upto.map_or(String::new(), |last| format!(" up to {last}"));
        let message = match said.is_empty() {
            true => format!("every step{upto} is done or skipped"),
            false => format!("every step{upto} has finished; {}", said.join("; ")),
        };
        self.end(state, message)
    }

    /// Asks the person whether to retry or skip a step that the model skipped.
    fn ask_about_skipped(&mut self, task: &Task, known: &TaskState) -> Option<Turn> {
        let id = task.id.as_str();
        Some(match self.ask(questions::skipped_by_model(task, known))? {
            Answer::Retry | Answer::Recover { .. } => self.record(Entry::Retried {
                task: id.to_owned(),
            }),
            answer => self.refused(id, answer),
        })
    }

    /// The requirements that no finished step covers. If only part of the plan was approved,
    /// requirements that the other steps cover are left out.
    fn uncovered_requirements(&self, view: &PlanView) -> Vec<String> {
        if self.is_signed_off(&view.plan) {
            return Vec::new();
        }
        let scope = view.scope(&self.state);
        let leaves: Vec<usize> = view.plan.leaves().map(|(index, _)| index).collect();
        let is_whole = scope.len() == leaves.len();
        // Unverified steps are reported separately.
        let is_done = |index: &usize| view.leaf(&self.state, *index) == Leaf::Done;
        let says_nothing = view.plan.tasks.iter().all(|task| task.covers.is_empty());
        if says_nothing && (!is_whole || leaves.iter().any(is_done)) {
            return match is_whole {
                true => requirements_left(&view.plan),
                false => Vec::new(),
            };
        }
        let requirements = view.plan.requirements.iter();
        let uncovered = requirements.filter(|requirement| {
            let covers = |index: &&usize| covers(&view.plan, **index, &requirement.id);
            let mut covering = leaves.iter().filter(covers);
            let is_due = covering.clone().all(|index| scope.contains(index))
                && (is_whole || covering.clone().next().is_some());
            is_due && !covering.any(is_done)
        });
        uncovered
            .map(|requirement| requirement.id.clone())
            .collect()
    }
}

/// The requirements that no step of a plan covers: neither with `covers:` nor, if no step has a
/// `covers:` line, by its wording.
pub fn requirements_left(plan: &Plan) -> Vec<String> {
    if plan.requirements.is_empty() {
        return Vec::new();
    }
    let named: BTreeSet<&String> = plan.tasks.iter().flat_map(|task| &task.covers).collect();
    let facts = WorkspaceFacts::default();
    let report = named.is_empty().then(|| {
        adequacy::check(&CheckInput {
            requirements: &[],
            plan,
            problems: &[],
            goal: None,
            depth: PlanDepth::default(),
            scope: &[],
            before: None,
            facts: &facts,
            has_model: true,
        })
    });
    let is_left = |line: u32| {
        let findings = report.iter().flat_map(|report| &report.findings);
        let mut of_line =
            findings.filter(|finding| finding.line == line && finding.muted.is_none());
        of_line.any(|finding| finding.code == Code::UncoveredRequirement)
    };
    let left = plan.requirements.iter().filter(|one| match report {
        Some(_) => is_left(one.line),
        None => !named.contains(&one.id),
    });
    left.map(|one| one.id.clone()).collect()
}

/// Whether a step or one of its groups covers a requirement.
fn covers(plan: &Plan, index: usize, requirement: &str) -> bool {
    let mut at = Some(index);
    while let Some(index) = at {
        let task = &plan.tasks[index];
        if task.covers.iter().any(|one| one == requirement) {
            return true;
        }
        at = task.parent;
    }
    false
}
