//! Decides whether the goal is reached. The model's statement is only a claim, so the user's checks
//! and the steps' checks run. If they are not conclusive, a person decides in a closing step that
//! the run adds.
//!
//! [`Claim`] lists the conditions. Nobody has approved the checks in the workspace's own settings,
//! so they run only after the person has seen them in the closing step.

use gate::permissions::request_of_check;
use gate::{Action, Decision, decide};
use plan::{Plan, TaskId};

use super::next::Turn;
use super::state::Planning;
use super::{Effect, Machine, PlanView};
use crate::journal::{CallOutcome, Cost, EndState, Entry};
use crate::micro_planning::{self, Checked, Claim, NewStep, Verdict, closing_step};

/// After this many rejected claims in a row, the run stops.
const CLAIMS: u32 = 3;

impl Machine {
    /// Whether a person has confirmed, in the plan's closing step, that the goal is reached.
    pub(super) fn is_signed_off(&self, plan: &Plan) -> bool {
        closing_step(plan).is_some_and(|closing| closing.done)
    }

    /// Why the last claim was rejected, by checks or by the person.
    pub(super) fn missing(&self, plan: &Plan, planning: &Planning) -> Vec<String> {
        let said = closing_step(plan).and_then(|closing| closing.skipped.as_deref());
        let said = said.map(|words| format!("A person says that the goal is not reached: {words}"));
        planning.missing.iter().cloned().chain(said).collect()
    }

    /// Advances the check of a claim. `None` if the claim is confirmed and the run is over.
    pub(super) fn check_claim(
        &mut self,
        view: &PlanView,
        planning: &Planning,
        claim: &Claim,
    ) -> Option<Turn> {
        if let Some(turn) = self.check_next_of(planning, claim) {
            return Some(turn);
        }
        let unseen = &self.config.unseen_checks;
        match claim.judge(&planning.checked) {
            Verdict::Reached if unseen.is_empty() => None,
            Verdict::Reached | Verdict::Unverified => {
                let step = NewStep::closing(&view.plan, unseen);
                Some(self.add_by_rule(step))
            }
            Verdict::NotReached { because } if planning.rejected + 1 >= CLAIMS => {
                // A requirement that no step covers becomes a step, whatever the model says.
                if let Some(step) = micro_planning::fallback(&view.plan) {
                    return Some(self.add_by_rule(step));
                }
                let message = format!(
                    "the model says the goal is reached, but it isn't: {}",
                    because.join("; ")
                );
                Some(self.end(EndState::Failed, message))
            }
            Verdict::NotReached { because } => Some(self.record(Entry::GoalRejected { because })),
        }
    }

    /// After the last step by a model, runs the project's own checks once more, as for a claim,
    /// because the steps' checks may have missed something. `None` if there is nothing to check or
    /// every check passed.
    pub(super) fn check_at_the_end(&mut self, view: &PlanView) -> Option<Turn> {
        let has_changed = |id: &&String| {
            let known = self.state.tasks.get(*id);
            known.is_some_and(|step| step.work.has_changed)
        };
        let last = self.state.order.iter().rfind(has_changed)?;
        let last = view.plan.task(&TaskId(last.clone()))?;
        let is_due = self.config.verification.run_tests_after_changes
            && !self.config.project_checks.is_empty()
            && self.state.started.upto.is_none()
            // A step without its own check already had to pass these checks.
            && !last.verify.is_empty();
        if !is_due {
            return None;
        }
        let planning = self.state.planning.clone();
        let Some(claim) = &planning.claim else {
            let claim = Claim {
                checks: self.config.project_checks.clone(),
                open: Vec::new(),
            };
            return Some(self.record(Entry::GoalClaimed {
                claim,
                cost: Cost::default(),
            }));
        };
        if let Some(turn) = self.check_next_of(&planning, claim) {
            return Some(turn);
        }
        let Verdict::NotReached { because } = claim.judge(&planning.checked) else {
            return None;
        };
        let was_red = claim
            .checks
            .iter()
            .any(|line| !self.as_before(line).is_empty());
        let as_before = match was_red {
            true => " It was already failing before the run.",
            false => "",
        };
        let message = format!(
            "every step has finished, but the project's own check fails: {}.{as_before} Fix it, \
             then resume.",
            because.join("; ").trim_end_matches('.')
        );
        // When the run is resumed, the checks run again.
        self.record(Entry::GoalRejected { because });
        Some(self.end(EndState::Failed, message))
    }

    /// Runs the first check of a claim that hasn't been run yet.
    fn check_next_of(&mut self, planning: &Planning, claim: &Claim) -> Option<Turn> {
        let is_unchecked = |line: &&String| {
            let mut checked = planning.checked.iter();
            !checked.any(|checked| checked.command == **line)
        };
        let line = claim.checks.iter().find(is_unchecked)?.clone();
        // The user's settings or a finished step name the check, which counts as approval unless a
        // rule forbids it.
        let granted = [request_of_check(&line)].into();
        let action = Action::Check { line: line.clone() };
        let Decision::Permit(permit) = decide(self.case(None, action, &granted)) else {
            return Some(self.record(Entry::GoalChecked {
                checked: Checked {
                    command: line,
                    is_ok: false,
                    said: "a permission rule forbids it".to_owned(),
                },
            }));
        };
        Some(self.begin(Effect::CheckGoal { line, permit }))
    }

    /// Adds a step that no model proposed after all other steps.
    pub(super) fn add_by_rule(&mut self, step: NewStep) -> Turn {
        self.record(Entry::steps_planned(None, vec![step], Cost::default()))
    }

    pub(super) fn take_goal_check(&mut self, line: String, outcome: &CallOutcome) {
        self.plan_is_fresh = false;
        let lost = outcome.lost.as_deref();
        let lost = lost.map(|lost| format!("it {}: {}\n", lost.what, lost.subjects.join(", ")));
        self.record(Entry::GoalChecked {
            checked: Checked {
                command: line,
                is_ok: outcome.ok && lost.is_none(),
                said: format!(
                    "{}{}\n{}",
                    lost.unwrap_or_default(),
                    outcome.summary,
                    outcome.output
                ),
            },
        });
    }
}
