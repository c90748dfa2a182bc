//! What the journal says of a model at work on one step: its replies, and what came of them.

use std::collections::BTreeMap;

use gate::recovery::RecoveryStrategy;

use super::entry::{FailureKind, RecoveryDecision, Report, StepCall, StepReply};
use crate::context::{Chosen, ItemKind};
use crate::model_tool::ModelTool;
use crate::session::reply::Usage;

/// A model's work on one step, in all its attempts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Work {
    /// What the model gets to see of the workspace, in this attempt.
    pub context: Option<Chosen>,
    /// The replies of this attempt.
    pub turns: Vec<Turn>,
    /// The number that the next call of this step gets; never used twice, whatever the attempt.
    pub next_call: usize,
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

/// One reply, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// The reply.
    pub reply: StepReply,
    /// The number of its first call.
    pub first_call: usize,
    /// What came of its calls, by their place in the reply.
    pub results: BTreeMap<usize, CallResult>,
    /// What the host said to it.
    pub told: Vec<String>,
}

/// What came of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallResult {
    /// Whether it did what it should.
    pub ok: bool,
    /// What the model gets.
    pub content: String,
    /// Whether it was carried out, and not only answered.
    pub is_performed: bool,
    /// Whether it failed for a cause outside the call, so that the same call may succeed later.
    pub is_passing: bool,
}

impl Turn {
    /// The first call without a result.
    pub fn open_call(&self) -> Option<(usize, &StepCall)> {
        let mut calls = self.reply.calls.iter().enumerate();
        calls.find(|(position, _)| !self.results.contains_key(position))
    }

    /// Whether a call of it was carried out or answered.
    pub fn has_results(&self) -> bool {
        !self.results.is_empty()
    }
}

impl Work {
    /// Takes a reply.
    pub fn replied(&mut self, reply: &StepReply) {
        self.requests += 1;
        self.usage += reply.usage;
        self.elapsed_ms += reply.elapsed_ms;
        let first_call = self.next_call;
        self.next_call += reply.calls.len();
        self.turns.push(Turn {
            reply: reply.clone(),
            first_call,
            results: BTreeMap::new(),
            told: Vec::new(),
        });
    }

    /// Takes what came of a call. One that no reply of this attempt made is of an earlier attempt.
    pub fn answered(&mut self, call: usize, result: CallResult) {
        self.has_worked |= result.is_performed;
        if let Some((turn, position)) = self.place(call) {
            let made = self.turns[turn].reply.calls.get(position);
            let tool = made.and_then(|made| ModelTool::of_step(&made.name));
            let changes = tool.is_some_and(|tool| !tool.only_looks());
            self.has_changed |= changes && result.ok && result.is_performed;
            self.turns[turn].results.insert(position, result);
        }
    }

    /// Takes what the host said to the last reply.
    pub fn told(&mut self, message: &str) {
        if let Some(turn) = self.turns.last_mut() {
            turn.told.push(message.to_owned());
        }
    }

    /// Takes what the model reports.
    pub fn reported(&mut self, report: &Report, is_inferred: bool) {
        self.report = Some(report.clone());
        self.is_inferred = is_inferred;
    }

    /// The claim does not hold: the model gets to know why.
    pub fn rejected(&mut self, message: &str) {
        self.report = None;
        self.is_inferred = false;
        self.claims += 1;
        self.replies_rejected = self.turns.len();
        let claim = self.turns.last_mut().and_then(|turn| {
            for position in 0..turn.reply.calls.len() {
                turn.results.entry(position).or_insert_with(|| CallResult {
                    ok: false,
                    content: "Not carried out: the step was reported before it.".to_owned(),
                    is_performed: false,
                    is_passing: false,
                });
            }
            let position = turn.reply.calls.iter().position(StepCall::is_report)?;
            turn.results.get_mut(&position)
        });
        match claim {
            Some(result) => message.clone_into(&mut result.content),
            None => self.told(message),
        }
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
        self.turns.clear();
        self.report = None;
        self.is_inferred = false;
        self.claims = 0;
        self.replies_rejected = 0;
    }

    /// The call of a number, in this attempt.
    pub fn call(&self, number: usize) -> Option<&StepCall> {
        let (turn, position) = self.place(number)?;
        self.turns[turn].reply.calls.get(position)
    }

    /// The replies in a row, up to the last, of which no call was carried out or answered.
    pub fn barren(&self) -> usize {
        let turns = self.turns.iter().rev();
        turns.take_while(|turn| !turn.has_results()).count()
    }

    /// Whether anything was written or run in this attempt.
    pub fn has_effects(&self) -> bool {
        self.performed().any(|(call, result)| {
            let tool = ModelTool::of_step(&call.name);
            result.ok && tool.is_some_and(|tool| !tool.only_looks())
        })
    }

    /// The calls that were carried out in this attempt, with their results, in order.
    pub fn performed(&self) -> impl Iterator<Item = (&StepCall, &CallResult)> {
        self.performed_after(0)
    }

    /// The same without those of the first replies.
    pub fn performed_after(
        &self,
        replies: usize,
    ) -> impl Iterator<Item = (&StepCall, &CallResult)> {
        self.turns.iter().skip(replies).flat_map(|turn| {
            turn.results
                .iter()
                .filter(|(_, result)| result.is_performed)
                .filter_map(|(position, result)| {
                    turn.reply.calls.get(*position).map(|call| (call, result))
                })
        })
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

    fn place(&self, number: usize) -> Option<(usize, usize)> {
        let turn = self
            .turns
            .iter()
            .rposition(|turn| turn.first_call <= number)?;
        let position = number - self.turns[turn].first_call;
        (position < self.turns[turn].reply.calls.len()).then_some((turn, position))
    }
}
