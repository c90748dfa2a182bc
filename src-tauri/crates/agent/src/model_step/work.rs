//! What the journal says of a model at work on one step: its replies, and what came of them.

use gate::recovery::RecoveryStrategy;

use super::entry::{FailureKind, RecoveryDecision, Report};
use crate::context::{Chosen, ItemKind};
use crate::turn::rounds::changes;
use crate::turn::{CallResult, Reply, Rounds, Usage};

/// A model's work on one step, in all its attempts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Work {
    /// What the model gets to see of the workspace, in this attempt.
    pub context: Option<Chosen>,
    /// The replies of this attempt, with what came of them.
    pub rounds: Rounds,
    /// What the model claims, until its claim is rejected.
    pub report: Option<Report>,
    /// Whether nobody reported and the record was inferred.
    pub is_inferred: bool,
    /// How often the step's check did not pass what was claimed, in this attempt.
    pub claims: u32,
    /// How the earlier attempts ended.
    pub recoveries: Vec<RecoveryDecision>,
    /// Requests of all attempts.
    pub requests: u32,
    /// How many replies this attempt had when the last claim was rejected.
    pub replies_rejected: usize,
    /// How many replies this attempt had when its changes were taken back last.
    pub replies_undone: usize,
    /// What all of them cost.
    pub usage: Usage,
    /// How long they took, in milliseconds.
    pub elapsed_ms: u64,
    /// Whether any call of any attempt was carried out.
    pub has_worked: bool,
    /// Whether any call of any attempt changed something.
    pub has_changed: bool,
    /// How the attempt failed, while what comes next is not decided.
    pub trouble: Option<(FailureKind, String)>,
}

impl Work {
    /// A request that a person ended cost this.
    pub fn stopped(&mut self, usage: Usage) {
        self.requests += 1;
        self.usage += usage;
    }

    /// Takes a reply.
    pub fn replied(&mut self, reply: &Reply) {
        self.requests += 1;
        self.usage += reply.usage;
        self.elapsed_ms += reply.elapsed_ms;
        self.rounds.replied(reply);
    }

    /// Takes what came of a call. One that no reply of this attempt made is of an earlier attempt.
    pub fn answered(&mut self, number: usize, result: CallResult) {
        self.has_worked |= result.is_performed;
        let is_done = result.ok && result.is_performed;
        let call = self.rounds.answered(number, result);
        self.has_changed |= is_done && call.is_some_and(changes);
    }

    /// Takes what the model reports.
    pub fn reported(&mut self, report: &Report, is_inferred: bool) {
        self.report = Some(report.clone());
        self.is_inferred = is_inferred;
    }

    /// The claim does not hold: the model gets to know why.
    pub fn rejected(&mut self, message: &str) {
        self.claims += u32::from(!self.is_trial());
        self.report = None;
        self.is_inferred = false;
        self.replies_rejected = self.rounds.all().len();
        self.rounds.rejected(message);
    }

    /// What did not pass is back as it was.
    pub fn taken_back(&mut self) {
        self.replies_undone = self.rounds.all().len();
    }

    /// Whether what was rejected last still stands in the files.
    pub fn is_rejected_left(&self) -> bool {
        self.replies_rejected > self.replies_undone
    }

    /// Whether what is claimed is no claim of the model's: its check is run because something was changed.
    pub fn is_trial(&self) -> bool {
        self.is_inferred && self.has_untried_change()
    }

    /// Whether something was changed since a claim was rejected last.
    pub fn has_untried_change(&self) -> bool {
        let mut performed = self.rounds.performed_after(self.replies_rejected);
        performed.any(|(call, result)| result.ok && changes(call))
    }

    /// A step that failed is tried anew: the words begin again, what they cost stays.
    pub fn recovered(&mut self, decision: &RecoveryDecision) {
        self.recoveries.push(decision.clone());
        self.begin_attempt();
    }

    /// A person has the step tried again: every way is open again.
    pub fn begin_anew(&mut self) {
        self.recoveries.clear();
        self.begin_attempt();
    }

    fn begin_attempt(&mut self) {
        self.trouble = None;
        // The files may be others now.
        self.context = None;
        self.rounds.clear();
        self.report = None;
        self.is_inferred = false;
        self.claims = 0;
        self.replies_rejected = 0;
        self.replies_undone = 0;
    }

    /// Whether what was chosen for this attempt held lines of files.
    pub fn was_shown_files(&self) -> bool {
        let items = self.context.iter().flat_map(|chosen| &chosen.items);
        items
            .into_iter()
            .any(|item| matches!(item.kind, ItemKind::File { to_line: 1.., .. }))
    }

    /// Whether any part of this file was shown to the model before its first call.
    pub fn was_shown(&self, path: &str) -> bool {
        let mut items = self.context.iter().flat_map(|chosen| &chosen.items);
        items.any(|item| {
            matches!(&item.kind, ItemKind::File { path: shown, to_line: 1.., .. } if shown == path)
        })
    }

    /// Whether a strategy was used for this step already.
    pub fn has_tried(&self, strategy: RecoveryStrategy) -> bool {
        self.recoveries
            .iter()
            .any(|decision| decision.strategy == strategy)
    }
}
