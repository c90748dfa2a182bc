//! What the checks of a run say before it changes anything: one that is red by then is not the run's
//! doing, and one that is green shows nothing by itself.
//!
//! Run once, before the first edit; only lines that may run unasked, and only so many.

use gate::{Action, Decision, Permit, decide, destructive, permissions, policy};
use plan::Task;

use super::next::Turn;
use super::ready::Leaf;
use super::{Effect, Machine, PlanView};
use crate::journal::{CallOutcome, Entry};
use crate::progress::Phase;

/// Lines that are run, at most.
const MAX_LINES: usize = 8;
/// No further line is begun after so many milliseconds of them.
const MAX_MS: u64 = 60_000;

impl Machine {
    /// Runs the next line of the baseline before a step changes something. `None` when there is none
    /// left, or something was changed already.
    pub(super) fn baseline(&mut self, view: &PlanView, id: &str) -> Option<Turn> {
        let proofs = &self.state.proofs;
        if proofs.has_changes() || proofs.baseline_ms() >= MAX_MS {
            return None;
        }
        let lines = self.baseline_lines(view).into_iter();
        let mut open = lines.filter(|(line, _)| !proofs.has_baseline(line));
        let (line, permit) = open.next()?;
        self.report(view, id, Phase::Starting, Some(line.clone()));
        self.begin(Effect::CheckBaseline { line, permit });
        Some(Turn::UnderWay)
    }

    /// The checks of the steps that are to come, each line once.
    fn baseline_lines(&self, view: &PlanView) -> Vec<(String, Permit)> {
        let settings = &self.config.verification;
        if settings.is_off() {
            return Vec::new();
        }
        let scope = view.scope(&self.state).into_iter();
        // Nothing behind a gate runs before the gate is answered, and neither do its checks.
        let is_due = |index: &usize| {
            view.leaf(&self.state, *index) == Leaf::Open && !view.is_gated(&self.state, *index)
        };
        let open: Vec<&Task> = scope
            .filter(is_due)
            .map(|index| &view.plan.tasks[index])
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

    /// The permit for a check about which nobody has to be asked.
    fn unasked(&self, line: &str) -> Option<Permit> {
        let call = permissions::call_of_check(line);
        let action = Action::Check {
            line: line.to_owned(),
        };
        match decide(self.case(None, action, &self.state.granted)) {
            Decision::Permit(permit) if destructive::look_for(&call).is_none() => Some(permit),
            _ => None,
        }
    }

    pub(super) fn take_baseline(&mut self, line: String, outcome: CallOutcome) {
        self.plan_is_fresh = false;
        if outcome.cancelled {
            return;
        }
        self.record(Entry::BaselineChecked { line, outcome });
    }

    /// What is said of a check that fails, where it failed before the run as well.
    pub(super) fn as_before(&self, line: &str) -> &'static str {
        match self.state.proofs.before(line) {
            Some(false) => "; it was already failing before the run",
            _ => "",
        }
    }
}
