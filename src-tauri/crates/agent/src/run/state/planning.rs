//! The state of planning during a run, folded from the journal.

use crate::journal::{Addition, Cost, Entry, PlanEdit};
use crate::micro_planning::{Checked, Claim};
use crate::run_limits::Spent;
use crate::turn::Usage;

/// The state of planning during a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Planning {
    /// Planned steps that the plan file doesn't contain yet.
    pub pending: Option<Addition>,
    /// The number of steps that the run added.
    pub steps: u32,
    /// Steps that stay whole because they couldn't be split.
    pub whole: Vec<String>,
    /// What was wrong with each answer since the last usable one.
    pub faults: Vec<String>,
    /// The claim that the goal is reached, until it is confirmed or rejected.
    pub claim: Option<Claim>,
    /// Results so far of the commands that check the claim.
    pub checked: Vec<Checked>,
    /// Why the last claim was rejected.
    pub missing: Vec<String>,
    /// How many claims were rejected in a row without a new step in between.
    pub rejected: u32,
    /// Number of requests to the planner.
    pub requests: u32,
    /// Token usage of these requests.
    pub usage: Usage,
    /// Duration of these requests, in milliseconds.
    pub elapsed_ms: u64,
}

/// After this many unusable answers in a row, a step stays whole.
const APART: usize = 2;

impl Planning {
    /// Folds one entry; ignores unrelated ones.
    pub(super) fn apply(&mut self, entry: &Entry) {
        match entry {
            Entry::StepsPlanned { addition, cost } => {
                self.spend(cost);
                self.faults.clear();
                self.missing.clear();
                self.rejected = 0;
                self.claim = None;
                self.pending = Some(addition.clone());
            }
            Entry::StepsRefused { .. } => {
                let refused = self.pending.take();
                self.whole
                    .extend(refused.and_then(|addition| addition.under));
            }
            Entry::PlannerFaulted {
                task,
                message,
                cost,
            } => {
                self.spend(cost);
                self.faults.push(message.clone());
                if let Some(task) = task
                    && self.faults.len() >= APART
                {
                    self.whole.push(task.clone());
                    self.faults.clear();
                }
            }
            Entry::GoalClaimed { claim, cost } => {
                self.spend(cost);
                self.faults.clear();
                self.claim = Some(claim.clone());
                self.checked.clear();
            }
            Entry::GoalChecked { checked } => self.checked.push(checked.clone()),
            Entry::GoalRejected { because } => {
                self.claim = None;
                self.rejected += 1;
                self.missing.clone_from(because);
            }
            Entry::PlanEdited {
                edit: PlanEdit::Add { addition },
                ..
            } => {
                self.steps += u32::try_from(addition.steps.len()).unwrap_or(u32::MAX);
                self.pending = None;
            }
            _ => {}
        }
    }

    fn spend(&mut self, cost: &Cost) {
        self.requests += cost.requests;
        self.usage += cost.usage;
        self.elapsed_ms += cost.elapsed_ms;
    }

    /// What the planner itself has spent.
    pub fn spent(&self) -> Spent {
        Spent {
            steps: self.steps,
            calls: self.requests,
            tokens: self.usage.input + self.usage.output,
            seconds: self.elapsed_ms / 1_000,
        }
    }
}
