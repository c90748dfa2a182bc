//! The rounds of a turn. A round is a reply, the results of its calls, and the app's messages about
//! it.

use std::collections::BTreeMap;

use super::reply::{Call, Reply};
use crate::model_tool::ModelTool;

/// All rounds of one turn, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rounds {
    all: Vec<Round>,
    next_call: usize,
    /// The first round whose results are still valid.
    known_from: usize,
}

/// A reply with the results of its calls.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// The model's reply.
    pub reply: Reply,
    /// The number of the first call in the reply.
    pub first_call: usize,
    /// Results of the reply's calls, by position in the reply.
    pub results: BTreeMap<usize, CallResult>,
    /// The app's messages to the model about this reply.
    pub told: Vec<String>,
}

/// The result of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallResult {
    /// Whether it succeeded.
    pub ok: bool,
    /// The text that the model gets.
    pub content: String,
    /// Whether the call was carried out, rather than only answered with a message.
    pub is_performed: bool,
    /// Whether the failure is transient, so that the same call may succeed later.
    pub is_passing: bool,
}

impl Round {
    /// The first call without a result.
    pub fn open_call(&self) -> Option<(usize, &Call)> {
        let mut calls = self.reply.calls.iter().enumerate();
        calls.find(|(position, _)| !self.results.contains_key(position))
    }

    /// Whether any call of this round has a result.
    pub fn has_results(&self) -> bool {
        !self.results.is_empty()
    }

    /// The calls of this round that have a result, in order, each with its result.
    pub fn answered(&self) -> impl Iterator<Item = (&Call, &CallResult)> {
        let calls = self.results.iter();
        calls.filter_map(|(at, result)| self.reply.calls.get(*at).map(|call| (call, result)))
    }
}

impl Rounds {
    /// All rounds.
    pub fn all(&self) -> &[Round] {
        &self.all
    }

    /// The last round.
    pub fn last(&self) -> Option<&Round> {
        self.all.last()
    }

    /// The number of the next call. Numbers are never reused, not even in another attempt.
    pub fn next_call(&self) -> usize {
        self.next_call
    }

    /// Adds a reply.
    pub fn replied(&mut self, reply: &Reply) {
        let first_call = self.next_call;
        self.next_call += reply.calls.len();
        self.all.push(Round {
            reply: reply.clone(),
            first_call,
            results: BTreeMap::new(),
            told: Vec::new(),
        });
    }

    /// Adds the result of a call. Returns the call, or `None` if no call has this number.
    pub fn answered(&mut self, number: usize, result: CallResult) -> Option<&Call> {
        let (round, position) = self.place(number)?;
        let round = &mut self.all[round];
        round.results.insert(position, result);
        round.reply.calls.get(position)
    }

    /// Adds a message from the app about the last reply.
    pub fn told(&mut self, message: &str) {
        if let Some(round) = self.all.last_mut() {
            round.told.push(message.to_owned());
        }
    }

    /// Marks the report in the last reply as rejected, with the message as its result. All other
    /// calls in the reply that have no result yet get one that says that they weren't carried out.
    pub fn rejected(&mut self, message: &str) {
        let claim = self.all.last_mut().and_then(|round| {
            for position in 0..round.reply.calls.len() {
                round.results.entry(position).or_insert_with(|| CallResult {
                    ok: false,
                    content: "Not carried out: the step was already reported as done.".to_owned(),
                    is_performed: false,
                    is_passing: false,
                });
            }
            let position = round.reply.calls.iter().position(Call::is_report)?;
            round.results.get_mut(&position)
        });
        match claim {
            Some(result) => message.clone_into(&mut result.content),
            None => self.told(message),
        }
    }

    /// Removes all rounds. The numbering of calls continues.
    pub fn clear(&mut self) {
        self.all.clear();
        self.known_from = 0;
    }

    /// Marks all results so far as no longer valid, because they are outdated or were dropped from
    /// the model's context.
    pub fn forget(&mut self) {
        self.known_from = self.all.len();
    }

    /// The number of the call with this id.
    pub fn number_of(&self, id: &str) -> Option<usize> {
        self.all.iter().rev().find_map(|round| {
            let position = round.reply.calls.iter().position(|call| call.id == id)?;
            Some(round.first_call + position)
        })
    }

    /// The call with this number.
    pub fn call(&self, number: usize) -> Option<&Call> {
        let (round, position) = self.place(number)?;
        self.all[round].reply.calls.get(position)
    }

    /// The number of rounds in a row, up to the last one, without any results of calls.
    pub fn barren(&self) -> usize {
        let rounds = self.all.iter().rev();
        rounds.take_while(|round| !round.has_results()).count()
    }

    /// The calls that were carried out, in order and with their results, without those in the first
    /// `rounds` rounds.
    pub fn performed_after(&self, rounds: usize) -> impl Iterator<Item = (&Call, &CallResult)> {
        let answered = self.all.iter().skip(rounds).flat_map(Round::answered);
        answered.filter(|(_, result)| result.is_performed)
    }

    /// All calls that were carried out, with their results.
    pub fn performed(&self) -> impl Iterator<Item = (&Call, &CallResult)> {
        self.performed_after(0)
    }

    /// The calls that were carried out and whose results are still valid.
    pub(super) fn known(&self) -> impl Iterator<Item = (&Call, &CallResult)> {
        self.performed_after(self.known_from)
    }

    /// Whether any successful call may have changed something.
    pub fn has_effects(&self) -> bool {
        self.performed()
            .any(|(call, result)| result.ok && changes(call))
    }

    fn place(&self, number: usize) -> Option<(usize, usize)> {
        let round = self
            .all
            .iter()
            .rposition(|round| round.first_call <= number)?;
        let position = number - self.all[round].first_call;
        (position < self.all[round].reply.calls.len()).then_some((round, position))
    }
}

/// Whether a call may have side effects.
pub fn changes(call: &Call) -> bool {
    ModelTool::named(&call.name).is_some_and(|tool| !tool.only_looks())
}
