//! Runs checks before the run changes anything, to get a baseline. If a check fails in the
//! baseline, the run isn't to blame; if it passes, a later pass proves nothing by itself.
//!
//! This happens once, before the first edit. Only a limited number of checks run, all of them
//! checks that need no approval. If every step needs approval, a step's own checks run once the
//! step is approved, before its first edit. Checks of steps for a person, and of steps that depend
//! on them, are skipped.

use std::collections::BTreeSet;

use gate::policy::Policy;
use gate::{Action, Decision, Permit, decide, destructive, permissions, policy};
use plan::{By, Task};

use super::next::Turn;
use super::ready::Leaf;
use super::{Effect, Machine, PlanView};
use crate::journal::{CallOutcome, Entry};
use crate::progress::Phase;

const MAX_LINES: usize = 8;
/// Once the checks have taken this many milliseconds in total, no more checks are started.
const MAX_MS: u64 = 60_000;

impl Machine {
    /// Runs the next check of the baseline before a step changes something. `None` if no check is
    /// left or something has already changed.
    pub(super) fn baseline(&mut self, view: &PlanView, id: &str) -> Option<Turn> {
        let proofs = &self.state.proofs;
        let by_one = (self.state.started.policy == Policy::Each).then_some(id);
        if proofs.has_changes(by_one) || proofs.baseline_ms() >= MAX_MS {
            return None;
        }
        let lines = self.baseline_lines(view, by_one).into_iter();
        let mut open = lines.filter(|(line, _)| !proofs.has_baseline(line));
        let (line, permit) = open.next()?;
        self.report(view, id, Phase::Starting, Some(line.clone()));
        let task = id.to_owned();
        Some(self.begin(Effect::CheckBaseline { task, line, permit }))
    }

    /// The checks of the upcoming steps, or only of the given step, without duplicates.
    fn baseline_lines(&self, view: &PlanView, one: Option<&str>) -> Vec<(String, Permit)> {
        let settings = &self.config.verification;
        if settings.is_off() {
            return Vec::new();
        }
        let scope = view.scope(&self.state).into_iter();
        let is_open = |index: &usize| view.leaf(&self.state, *index) == Leaf::Open;
        let is_persons = |task: &Task| {
            task.is_pause() || task.carried_out_by(self.config.has_model()) == By::Person
        };
        let mut waiting = BTreeSet::new();
        for (index, task) in view.plan.leaves() {
            if is_open(&index) && is_persons(task) {
                waiting.insert(index);
                waiting.extend(view.graph.dependents(index));
            }
        }
        let open: Vec<&Task> = scope
            .filter(|index| is_open(index) && !waiting.contains(index))
            .map(|index| &view.plan.tasks[index])
            .filter(|task| one.is_none_or(|one| task.id.as_str() == one))
            .collect();
        let own = open.iter().flat_map(|task| &task.verify).cloned();
        let is_bare = |task: &&Task| task.verify.is_empty() && !policy::only_reads(task);
        let by_workspace = settings.run_tests_after_changes && open.iter().any(is_bare);
        let checks = self.config.workspace_checks.iter();
        let checks = checks.filter(|check| by_workspace && check.is_own);
        let mut lines: Vec<(String, Permit)> = Vec::new();
        for line in own.chain(checks.map(|check| check.line.clone())) {
            if lines.iter().all(|(known, _)| *known != line)
                && let Some(permit) = self.unasked(&line)
            {
                lines.push((line, permit));
            }
        }
        lines.truncate(MAX_LINES);
        lines
    }

    /// The permit for a check, if it needs no approval.
    fn unasked(&self, line: &str) -> Option<Permit> {
        let call = permissions::call_of_check(line);
        let action = Action::Check {
            line: line.to_owned(),
        };
        match decide(self.case(None, action, &self.state.granted)) {
            Decision::Permit(permit) if destructive::inspection_for(&call).is_none() => {
                Some(permit)
            }
            _ => None,
        }
    }

    /// Whether all checks of a step are known to have passed before the step changed anything.
    pub(super) fn was_true_before(&self, task: &Task) -> bool {
        let mut lines = task.verify.iter();
        !task.verify.is_empty() && lines.all(|line| self.state.proofs.before(line) == Some(true))
    }

    pub(super) fn take_baseline(&mut self, task: String, line: String, mut outcome: CallOutcome) {
        self.plan_is_fresh = false;
        outcome.lost = self.unapproved_loss(&task, &outcome);
        self.record(Entry::BaselineChecked {
            task,
            line,
            outcome,
        });
    }

    /// A note if a failing check also failed before the run; otherwise empty.
    pub(super) fn as_before(&self, line: &str) -> &'static str {
        match self.state.proofs.before(line) {
            Some(false) => "; it was already failing before the run",
            _ => "",
        }
    }
}
