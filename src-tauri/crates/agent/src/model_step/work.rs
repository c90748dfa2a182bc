//! The work of a model on one step, folded from the journal: the model's replies and their results.

use gate::recovery::RecoveryStrategy;

use super::entry::{FailureKind, RecoveryDecision, Report};
use crate::context::{Chosen, ItemKind};
use crate::turn::rounds::changes;
use crate::turn::{CallResult, Reply, Rounds, Usage};

/// The work of a model on one step, over all attempts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Work {
    /// The context that the model has in this attempt.
    pub context: Option<Chosen>,
    /// The replies of this attempt, with their results.
    pub rounds: Rounds,
    /// The model's report that the step is done; `None` once the claim is rejected.
    pub report: Option<Report>,
    /// Whether the report was inferred because the model made none.
    pub is_inferred: bool,
    /// How many claims the step's check has rejected in this attempt.
    pub claims: u32,
    /// The recovery decisions that followed earlier attempts.
    pub recoveries: Vec<RecoveryDecision>,
    /// Number of requests in all attempts.
    pub requests: u32,
    /// How many replies this attempt had when the last claim was rejected.
    pub replies_rejected: usize,
    /// How many replies this attempt had when its changes were last undone.
    pub replies_undone: usize,
    /// Token usage of all requests.
    pub usage: Usage,
    /// Duration of all requests, in milliseconds.
    pub elapsed_ms: u64,
    /// Whether any attempt carried out a call.
    pub has_worked: bool,
    /// Whether a call in any attempt changed something.
    pub has_changed: bool,
    /// How the attempt failed, until a recovery is decided.
    pub trouble: Option<(FailureKind, String)>,
}

impl Work {
    /// Adds the cost of a request that a person stopped.
    pub fn stopped(&mut self, usage: Usage) {
        self.requests += 1;
        self.usage += usage;
    }

    /// Records a reply.
    pub fn replied(&mut self, reply: &Reply) {
        self.requests += 1;
        self.usage += reply.usage;
        self.elapsed_ms += reply.elapsed_ms;
        self.rounds.replied(reply);
    }

    /// Records the result of a call. If no reply of this attempt made the call, it belongs to an
    /// earlier attempt.
    pub fn answered(&mut self, number: usize, result: CallResult) {
        self.has_worked |= result.is_performed;
        let is_done = result.ok && result.is_performed;
        let call = self.rounds.answered(number, result);
        self.has_changed |= is_done && call.is_some_and(changes);
    }

    /// Records the model's report.
    pub fn reported(&mut self, report: &Report, is_inferred: bool) {
        self.report = Some(report.clone());
        self.is_inferred = is_inferred;
    }

    /// Rejects the model's claim and tells the model why.
    pub fn rejected(&mut self, message: &str) {
        self.claims += u32::from(!self.is_trial());
        self.report = None;
        self.is_inferred = false;
        self.replies_rejected = self.rounds.all().len();
        self.rounds.rejected(message);
    }

    /// Records that a rejected change was undone.
    pub fn taken_back(&mut self) {
        self.replies_undone = self.rounds.all().len();
    }

    /// Whether the last rejected change has not been undone.
    pub fn is_rejected_left(&self) -> bool {
        self.replies_rejected > self.replies_undone
    }

    /// Whether the claim was inferred from a change, only to run the check.
    pub fn is_trial(&self) -> bool {
        self.is_inferred && self.has_untried_change()
    }

    /// Whether something has changed since the last claim was rejected.
    pub fn has_untried_change(&self) -> bool {
        let mut performed = self.rounds.performed_after(self.replies_rejected);
        performed.any(|(call, result)| result.ok && changes(call))
    }

    /// Starts another attempt at a failed step. The messages start over, but the costs remain.
    pub fn recovered(&mut self, decision: &RecoveryDecision) {
        self.recoveries.push(decision.clone());
        self.begin_attempt();
    }

    /// Starts over because a person retries the step. All strategies are available again.
    pub fn begin_anew(&mut self) {
        self.recoveries.clear();
        self.begin_attempt();
    }

    fn begin_attempt(&mut self) {
        self.trouble = None;
        // The files may have changed in the meantime.
        self.context = None;
        self.rounds.clear();
        self.report = None;
        self.is_inferred = false;
        self.claims = 0;
        self.replies_rejected = 0;
        self.replies_undone = 0;
    }

    /// Whether the context of this attempt contained lines of files.
    pub fn was_shown_files(&self) -> bool {
        let items = self.context.iter().flat_map(|chosen| &chosen.items);
        items
            .into_iter()
            .any(|item| matches!(item.kind, ItemKind::File { to_line: 1.., .. }))
    }

    /// Whether the model saw any part of this file before its first call.
    pub fn was_shown(&self, path: &str) -> bool {
        let mut items = self.context.iter().flat_map(|chosen| &chosen.items);
        items.any(|item| {
            matches!(&item.kind, ItemKind::File { path: shown, to_line: 1.., .. } if shown == path)
        })
    }

    /// Whether this step already used a strategy.
    pub fn has_tried(&self, strategy: RecoveryStrategy) -> bool {
        self.recoveries
            .iter()
            .any(|decision| decision.strategy == strategy)
    }
}
