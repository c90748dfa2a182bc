//! What the checks of a run say before it changes anything: one that is red by then is not the run's
//! doing, and one that is green shows nothing by itself.
//!
//! Run once, before the first edit; only lines that may run unasked, and only so many.

use plan::Task;

use super::next::Turn;
use super::ready::Leaf;
use super::{Effect, Machine, PlanView};
use crate::destructive;
use crate::journal::{CallOutcome, Entry};
use crate::permissions::{self, Verdict};
use crate::policy;
use crate::progress::Phase;

/// Lines that are run, at most.
const MOST_LINES: usize = 8;
/// No further line is begun after so many milliseconds of them.
const MOST_MS: u64 = 60_000;

impl Machine {
    /// Runs the next line of the baseline before a step changes something. `None` when there is none
    /// left, or something was changed already.
    pub(super) fn baseline(&mut self, view: &PlanView, id: &str) -> Option<Turn> {
        let proofs = &self.state.proofs;
        if proofs.has_changes() || proofs.baseline_ms() >= MOST_MS {
            return None;
        }
        let lines = self.baseline_lines(view).into_iter();
        let mut open = lines.filter(|line| !proofs.has_baseline(line));
        let line = open.next()?;
        self.report(view, id, Phase::Starting, Some(line.clone()));
        self.begin(Effect::CheckBaseline { line });
        Some(Turn::UnderWay)
    }

    /// The checks of the steps that are to come, each line once.
    fn baseline_lines(&self, view: &PlanView) -> Vec<String> {
        let settings = &self.config.verification;
        if settings.is_off() {
            return Vec::new();
        }
        let scope = view.scope(&self.state).into_iter();
        let open: Vec<&Task> = scope
            .filter(|index| view.leaf(&self.state, *index) == Leaf::Open)
            .map(|index| &view.plan.tasks[index])
            .collect();
        let own = open.iter().flat_map(|task| &task.verify).cloned();
        let is_bare = |task: &&Task| task.verify.is_empty() && !policy::only_reads(task);
        let by_workspace = settings.run_tests_after_changes && open.iter().any(is_bare);
        let checks = self.config.workspace_checks.iter();
        let checks = checks.filter(|check| by_workspace && check.is_own);
        let mut lines: Vec<String> = Vec::new();
        for line in own.chain(checks.map(|check| check.line.clone())) {
            if !lines.contains(&line) && self.may_run_unasked(&line) {
                lines.push(line);
            }
        }
        lines.truncate(MOST_LINES);
        lines
    }

    fn may_run_unasked(&self, line: &str) -> bool {
        let call = permissions::call_of_check(line);
        let request = permissions::request_of(&call);
        let (rules, sandboxed) = (&self.config.rules, self.config.sandboxed);
        let said = permissions::judge_in_step(&request, rules, sandboxed, true);
        said == Verdict::Allow && destructive::look_for(&call).is_none()
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
