//! The rounds of a turn: each a reply, what came of its calls, and what the host said to it.

use std::collections::BTreeMap;

use super::reply::{Call, Reply};
use crate::model_tool::ModelTool;

/// The rounds of one turn, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rounds {
    all: Vec<Round>,
    next_call: usize,
    /// The first round whose answers still hold.
    known_from: usize,
}

/// One reply, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// The reply.
    pub reply: Reply,
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

impl Round {
    /// The first call without a result.
    pub fn open_call(&self) -> Option<(usize, &Call)> {
        let mut calls = self.reply.calls.iter().enumerate();
        calls.find(|(position, _)| !self.results.contains_key(position))
    }

    /// Whether a call of it was carried out or answered.
    pub fn has_results(&self) -> bool {
        !self.results.is_empty()
    }

    /// Its calls that have an answer, each with it, in order.
    pub fn answered(&self) -> impl Iterator<Item = (&Call, &CallResult)> {
        let calls = self.results.iter();
        calls.filter_map(|(at, result)| self.reply.calls.get(*at).map(|call| (call, result)))
    }
}

impl Rounds {
    /// All of them.
    pub fn all(&self) -> &[Round] {
        &self.all
    }

    /// The last one.
    pub fn last(&self) -> Option<&Round> {
        self.all.last()
    }

    /// The number that the next call gets; never used twice, whatever the attempt.
    pub fn next_call(&self) -> usize {
        self.next_call
    }

    /// Takes a reply.
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

    /// Takes what came of a call; the call, unless no reply of these rounds made it.
    pub fn answered(&mut self, number: usize, result: CallResult) -> Option<&Call> {
        let (round, position) = self.place(number)?;
        let round = &mut self.all[round];
        round.results.insert(position, result);
        round.reply.calls.get(position)
    }

    /// Takes what the host said to the last reply.
    pub fn told(&mut self, message: &str) {
        if let Some(round) = self.all.last_mut() {
            round.told.push(message.to_owned());
        }
    }

    /// Takes that a report of the last reply does not hold: what it did not come to is not carried out.
    pub fn rejected(&mut self, message: &str) {
        let claim = self.all.last_mut().and_then(|round| {
            for position in 0..round.reply.calls.len() {
                round.results.entry(position).or_insert_with(|| CallResult {
                    ok: false,
                    content: "Not carried out: the step was reported before it.".to_owned(),
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

    /// Begins anew; numbers go on.
    pub fn clear(&mut self) {
        self.all.clear();
        self.known_from = 0;
    }

    /// What was answered so far may be otherwise now, or is not before the model any more.
    pub fn forget(&mut self) {
        self.known_from = self.all.len();
    }

    /// The number of a call, by its id.
    pub fn number_of(&self, id: &str) -> Option<usize> {
        self.all.iter().rev().find_map(|round| {
            let position = round.reply.calls.iter().position(|call| call.id == id)?;
            Some(round.first_call + position)
        })
    }

    /// The call of a number.
    pub fn call(&self, number: usize) -> Option<&Call> {
        let (round, position) = self.place(number)?;
        self.all[round].reply.calls.get(position)
    }

    /// The rounds in a row, up to the last, of which no call was carried out or answered.
    pub fn barren(&self) -> usize {
        let rounds = self.all.iter().rev();
        rounds.take_while(|round| !round.has_results()).count()
    }

    /// The calls that were carried out, with their results, in order, but those of the first rounds.
    pub fn performed_after(&self, rounds: usize) -> impl Iterator<Item = (&Call, &CallResult)> {
        let answered = self.all.iter().skip(rounds).flat_map(Round::answered);
        answered.filter(|(_, result)| result.is_performed)
    }

    /// All calls that were carried out.
    pub fn performed(&self) -> impl Iterator<Item = (&Call, &CallResult)> {
        self.performed_after(0)
    }

    /// The calls that were carried out and whose answers hold.
    pub(super) fn known(&self) -> impl Iterator<Item = (&Call, &CallResult)> {
        self.performed_after(self.known_from)
    }

    /// Whether anything was written or run.
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

/// Whether something outside may change by a call.
pub fn changes(call: &Call) -> bool {
    ModelTool::named(&call.name).is_some_and(|tool| !tool.only_looks())
}
