//! The checks of a step: running and repeating them, and the verdict on the step.

use gate::Action;
use gate::policy;
use plan::Task;

use super::next::Turn;
use super::state::{Standing, TaskState};
use super::{Effect, Machine, PlanView};
use crate::journal::{CallOutcome, Changes, Entry};
use crate::progress::Phase;
use crate::verification::{self, Verdict, VerdictInput};

impl Machine {
    pub(super) fn next_check(
        &mut self,
        view: &PlanView,
        task: &Task,
        state: &TaskState,
    ) -> Option<Turn> {
        let id = task.id.as_str();
        for (check, (line, is_named)) in self.checks_of(task, state).into_iter().enumerate() {
            match state.checks.get(&check) {
                Some(outcome) if outcome.ok => continue,
                // Run the check again without changes: if it then passes, it is flaky.
                Some(_) if !self.is_exhausted(state, check) => {}
                // The check already failed before this step.
                Some(_) if task.verify.is_empty() && !self.as_before(&line).is_empty() => continue,
                Some(outcome) if self.is_claimed_by_host(task, state) => {
                    return Some(self.reject_host_claim(task, &outcome.clone()));
                }
                Some(outcome) if self.is_by_model(task) => {
                    self.reject_claim(view, task, &outcome.clone());
                    return Some(Turn::Again);
                }
                Some(outcome) => return Some(self.fail_on(id, outcome)),
                None => {}
            }
            if !self.may_check(id) {
                return Some(Turn::Nothing);
            }
            return Some(self.begin_check(view, task, check, line, is_named));
        }
        None
    }

    /// Reruns the checks of a failed step, since a person may have fixed the cause. `None` if the
    /// step has no checks or wasn't carried out completely, or if a check has failed since the last
    /// change.
    pub(super) fn check_anew(
        &mut self,
        view: &PlanView,
        task: &Task,
        known: &TaskState,
    ) -> Option<Turn> {
        let lines = self.checks_of(task, known);
        let is_carried_out =
            self.is_carried_out(task, known) && known.calls.values().all(|call| call.ok);
        if lines.is_empty() || !is_carried_out || known.is_refused {
            return None;
        }
        for (check, (line, is_named)) in lines.into_iter().enumerate() {
            let proofs = &self.state.proofs;
            if proofs.failures(&line) > 0 {
                return None;
            }
            let has_passed = known.checks.get(&check).is_some_and(|check| check.ok);
            if !has_passed || proofs.is_stale(&line) {
                // A check sees the whole workspace, so it must wait until no other step is in
                // progress.
                if !self.in_progress.is_empty() {
                    return Some(Turn::Nothing);
                }
                return Some(self.begin_check(view, task, check, line, is_named));
            }
        }
        if !self.in_progress.is_empty() {
            return Some(Turn::Nothing);
        }
        let task = task.id.0.clone();
        Some(self.begin(Effect::Measure { task }))
    }

    pub(super) fn begin_check(
        &mut self,
        view: &PlanView,
        task: &Task,
        check: usize,
        line: String,
        is_named: bool,
    ) -> Turn {
        let id = task.id.as_str();
        let action = Action::Check { line: line.clone() };
        let permit = match self.may(view, task, action, is_named) {
            Ok(permit) => permit,
            Err(turn) => return turn,
        };
        self.report(view, id, Phase::Processing, Some(line.clone()));
        self.begin(Effect::Check {
            task: id.to_owned(),
            check,
            line,
            permit,
        })
    }

    /// The command lines that check a step, each with whether the approved step names it.
    pub(super) fn checks_of(&self, task: &Task, state: &TaskState) -> Vec<(String, bool)> {
        let (settings, others) = (&self.config.verification, &self.config.workspace_checks);
        let checks = verification::checks(settings, task, &state.calls, others).into_iter();
        checks
            .map(|check| (check.line.to_owned(), check.is_named))
            .collect()
    }

    /// Whether there is a check that would run after this step changes something.
    pub(super) fn has_check(&self, task: &Task) -> bool {
        let settings = &self.config.verification;
        let by_workspace =
            settings.run_tests_after_changes && !self.config.workspace_checks.is_empty();
        !settings.is_off() && (!task.verify.is_empty() || by_workspace)
    }

    /// Whether a check has run as often as the settings allow. A check that consistently rejected a
    /// model's claims runs only once for each further claim.
    fn is_exhausted(&self, state: &TaskState, check: usize) -> bool {
        let runs = state.check_runs.get(&check).copied().unwrap_or_default();
        let is_steady = state.work.report.is_some() && state.steady_checks.contains(&check);
        is_steady || runs >= self.config.verification.max_verification_attempts
    }

    pub(super) fn finish_check(
        &mut self,
        task: String,
        check: usize,
        line: String,
        outcome: CallOutcome,
    ) {
        self.plan_is_fresh = false;
        let as_before = self.as_before(&line);
        let mut outcome = CallOutcome {
            command: outcome.command.or(Some(line)),
            ..outcome
        };
        outcome.lost = self.unapproved_loss(&task, &outcome);
        let known = self.state.tasks.get(&task);
        if known.is_some_and(|state| state.standing != Standing::Running) {
            // This reran the check of a finished step. The result is judged together with the other
            // reruns.
            self.record(Entry::Checked {
                task,
                check,
                outcome,
            });
            return;
        }
        let by_model = known.is_some_and(|state| state.work.report.is_some());
        let failed_before = known.is_some_and(|state| state.failed_checks.contains(&check));
        let is_flaky = outcome.ok && failed_before;
        let failed = (!outcome.ok && !by_model).then(|| outcome.summary.clone());
        self.record(Entry::Checked {
            task: task.clone(),
            check,
            outcome: CallOutcome {
                is_flaky,
                ..outcome
            },
        });
        let known = self.state.tasks.get(&task);
        let is_over = known.is_none_or(|state| self.is_exhausted(state, check));
        let is_to_blame = as_before.is_empty() || self.has_own_check(&task);
        if let Some(reason) = failed.filter(|_| is_over && is_to_blame) {
            self.fail(task, format!("its check failed: {reason}{as_before}"));
        }
    }

    /// The verdict on a step; `None` if the plan no longer contains the step.
    pub(super) fn verdict(
        &self,
        id: &str,
        known: &TaskState,
        changes: &Changes,
    ) -> Option<Verdict> {
        let view = &self.view;
        let task = view.task(id)?;
        let checks = self.checks_of(task, known).into_iter();
        let lines: Vec<String> = checks.map(|(line, _)| line).collect();
        let verdict = verification::verdict(&VerdictInput {
            verification: &self.config.verification,
            task,
            calls: &known.calls,
            lines: &lines,
            checks: &known.checks,
            changes: (!policy::only_reads(task)).then_some(changes),
            is_signed: known.signed.is_some(),
        });
        let red = lines.iter().enumerate().filter(|(at, _)| {
            let outcome = known.checks.get(at);
            known.signed.is_none() && outcome.is_some_and(|outcome| !outcome.ok)
        });
        Some(red.fold(verdict, |mut verdict, (_, line)| {
            verdict.is_verified = false;
            let as_before = self.as_before(line);
            verdict.reasons.push(format!("`{line}` failed{as_before}"));
            verdict
        }))
    }

    fn has_own_check(&self, id: &str) -> bool {
        let mut tasks = self.view.plan.tasks.iter();
        tasks.any(|task| task.id.as_str() == id && !task.verify.is_empty())
    }
}
