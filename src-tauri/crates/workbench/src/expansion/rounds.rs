//! Runs the expansion loop, by rules alone or by rules and then a model.

use std::sync::Arc;

use adequacy::WorkspaceFacts;
use adequacy::expansion::{
    Event, Expansion, Input, Outcome, RoundRequest, Settings as Bounds, Status, Step, symbolic,
};

use crate::error::{Error, Result};

/// Runs the loop to its end, by rules alone. Fails with [`crate::Code::Cancelled`].
pub fn grow(
    text: &str,
    facts: Arc<WorkspaceFacts>,
    bounds: &Bounds,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Outcome> {
    let input = input_of(text, facts, bounds, 0, false);
    let (mut expansion, mut step) = Expansion::start(input);
    loop {
        step = match step {
            Step::Stop(outcome) => return Ok(*outcome),
            Step::Ask(_) if is_cancelled() => {
                expansion.handle(Event::Cancelled);
                return Err(stopped());
            }
            Step::Ask(request) => expansion.handle(symbolic::reply(&request)),
        };
    }
}

/// Runs the loop to its end, first by rules at no cost, then with as many rounds of `ask` as the
/// limits allow. `tokens` is the number of tokens already used for the plan. With `has_gaps`, the
/// model gets rounds even if the rules find nothing to do. Fails with [`crate::Code::Cancelled`].
pub fn grow_with(
    text: &str,
    facts: Arc<WorkspaceFacts>,
    bounds: &Bounds,
    tokens: u64,
    has_gaps: bool,
    ask: &mut dyn FnMut(&RoundRequest) -> Event,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Outcome> {
    let input = input_of(text, facts, bounds, tokens, has_gaps);
    let (mut expansion, mut step) = Expansion::start(input.clone());
    let mut taken = Vec::new();
    while let Step::Ask(request) = &step {
        if is_cancelled() {
            return Err(stopped());
        }
        let reply = symbolic::reply(request);
        let next = expansion.handle(reply.clone());
        if !is_accepted(&next, request.round) {
            break;
        }
        taken.push(reply);
        step = next;
    }
    // Rounds by rules don't count against the model's rounds.
    let rounds = u32::try_from(taken.len()).unwrap_or(u32::MAX);
    let settings = Bounds {
        max_refine_rounds: bounds.max_refine_rounds.saturating_add(rounds),
        ..bounds.clone()
    };
    let (mut expansion, mut step) = Expansion::start(Input { settings, ..input });
    for reply in taken {
        step = expansion.handle(reply);
    }
    loop {
        step = match step {
            Step::Stop(outcome) if outcome.status == Status::Cancelled => return Err(stopped()),
            Step::Stop(outcome) => return Ok(*outcome),
            Step::Ask(_) if is_cancelled() => return Err(stopped()),
            Step::Ask(request) => expansion.handle(ask(&request)),
        };
    }
}

/// Whether the round with this number was accepted.
fn is_accepted(next: &Step, round: u32) -> bool {
    match next {
        Step::Ask(request) => request.refused.is_none() && request.repair.is_none(),
        Step::Stop(outcome) => {
            let ended = outcome.rounds.iter().find(|ended| ended.number == round);
            ended.is_some_and(|ended| ended.is_accepted)
        }
    }
}

fn input_of(
    text: &str,
    facts: Arc<WorkspaceFacts>,
    bounds: &Bounds,
    tokens: u64,
    has_gaps: bool,
) -> Input {
    Input {
        text: text.to_owned(),
        goal: None,
        scope: Vec::new(),
        facts,
        has_model: false,
        settings: bounds.clone(),
        tokens_used: tokens,
        has_gaps,
    }
}

fn stopped() -> Error {
    err!(Cancelled: "cancelled; nothing was written")
}

#[cfg(test)]
mod tests {
    use adequacy::expansion::{LoopMode, ReplyForm, StopReason};
    use repair::ReplyTask;

    use super::*;

    const THIN: &str = "\
---
planwright: 1
id: x-0000
goal: Add a csv flag to the report command and describe it in the manual
---
# Add a csv flag

## Requirements
- R1 The report command takes a csv flag
- R2 The manual describes it

## Tasks
- [ ] **T1** Add the csv flag to `report.py`
  - covers: R1
";

    /// The rounds for which a loop asked the model, and its result.
    fn asked(rounds: u32, answer: &dyn Fn(&RoundRequest) -> Event) -> (Vec<u32>, Outcome) {
        let facts = WorkspaceFacts {
            paths: Some(["report.py".to_owned()].into()),
            commands: vec!["python3 -m unittest".to_owned()],
            ..WorkspaceFacts::default()
        };
        let bounds = Bounds {
            loop_mode: LoopMode::Force,
            max_refine_rounds: rounds,
            ..Bounds::default()
        };
        let mut numbers = Vec::new();
        let mut ask = |request: &RoundRequest| {
            numbers.push(request.round);
            answer(request)
        };
        let facts = Arc::new(facts);
        let outcome = grow_with(THIN, facts, &bounds, 0, true, &mut ask, &|| false);
        (numbers, outcome.unwrap())
    }

    #[test]
    fn code_goes_first_and_leaves_the_model_all_its_rounds() {
        let note = |request: &RoundRequest| {
            let task = ReplyTask {
                id: "T1".to_owned(),
                accept: vec![format!("case {} is printed", request.round)],
                // Makes the replies differ; equal ones would end the loop.
                estimated_complexity: u8::try_from(request.round).ok(),
                ..ReplyTask::default()
            };
            Event::Reply {
                reply: ReplyForm::Tasks(vec![task]),
                tokens: 10,
            }
        };
        let (numbers, outcome) = asked(2, &note);
        let by_code = numbers[0] - 1;
        assert!(by_code >= 1, "code had something to do: {outcome:?}");
        assert_eq!(numbers, [by_code + 1, by_code + 2]);
        assert!(outcome.rounds.iter().all(|round| round.is_accepted));
        assert!(
            outcome.text.contains("- files: `report.py`"),
            "{}",
            outcome.text
        );
        assert!(
            outcome
                .text
                .contains(&format!("case {} is printed", by_code + 2))
        );
        assert_eq!(outcome.stop_reason, StopReason::MaxRefineRounds);
    }

    #[test]
    fn a_model_that_fails_takes_nothing_back() {
        let (numbers, outcome) = asked(2, &|_| Event::ModelFailed);
        assert_eq!(numbers.len(), 1);
        assert_eq!(outcome.stop_reason, StopReason::CompletionFailed);
        assert!(
            outcome.text.contains("- files: `report.py`"),
            "{}",
            outcome.text
        );
    }
}
