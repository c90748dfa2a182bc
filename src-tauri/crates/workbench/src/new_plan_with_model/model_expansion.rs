//! The steps of `gs-llm-deep` after the draft: one request for gaps, then a limited number of
//! rounds.

use std::sync::Arc;

use adequacy::expansion::{Event, LoopMode, Outcome, ReplyForm, RoundRequest, Settings as Bounds};
use planning::drafting::{critique, validate_tasks};
use repair::{read_object, read_tasks};

use super::NoPlan;
use super::drafting::Draft;
use super::requester::{Answer, Question, Requester};
use crate::checking;
use crate::expansion;
use crate::new_plan::basis::PlanningBasis;
use crate::wire::PlanningEvent;

/// Expected length of an answer about gaps, in tokens.
const GAPS_TARGET: u32 = 600;

/// Expected length of a round's answer, in tokens: a few new steps and some lines.
const ROUND_TARGET: u32 = 2_000;

/// Expands a draft after a critique. The returned sentences describe what was done.
pub(super) fn deepen(
    requester: &mut Requester<'_>,
    basis: &PlanningBasis,
    draft: &Draft,
) -> Result<(Outcome, Vec<String>), NoPlan> {
    let bounds = &basis.settings.expansion;
    let mut reasons = Vec::new();
    let gaps = match gaps(requester, basis, draft) {
        Ok(gaps) => gaps,
        Err(NoPlan::Answer(why) | NoPlan::Model(why)) => {
            reasons.push(format!("critique: findings only, because {why}"));
            Vec::new()
        }
        Err(error) => return Err(error),
    };
    reasons.extend(gaps.iter().map(|gap| format!("gap: {gap}")));
    // Rules can't see the gaps that a model found, so all rounds are used for them.
    let loop_mode = match gaps.is_empty() && bounds.loop_mode != LoopMode::Force {
        true => LoopMode::Auto,
        false => LoopMode::Force,
    };
    let bounds = Bounds {
        loop_mode,
        ..bounds.clone()
    };
    let outcome = grow(requester, &draft.text, basis.around.clone(), &bounds, &gaps)?;
    reasons.push(format!("expansion: {}", outcome.stop_reason.sentence()));
    Ok((outcome, reasons))
}

/// Runs expansion rounds with a model and reports each.
pub(crate) fn grow(
    requester: &mut Requester<'_>,
    text: &str,
    facts: Arc<adequacy::WorkspaceFacts>,
    bounds: &Bounds,
    gaps: &[String],
) -> Result<Outcome, NoPlan> {
    let used = requester.used();
    let mut failed = None;
    let cancel = requester.cancel_token();
    let is_cancelled = || cancel.is_cancelled();
    let mut ask = |request: &RoundRequest| match round(requester, request, gaps) {
        Ok(event) => event,
        Err(NoPlan::Cancelled) => Event::Cancelled,
        Err(error) => {
            failed = Some(error);
            Event::ModelFailed
        }
    };
    let outcome = expansion::grow_with(
        text,
        facts,
        bounds,
        used,
        !gaps.is_empty(),
        &mut ask,
        &is_cancelled,
    )?;
    match failed {
        // Keep what was achieved so far.
        Some(NoPlan::Model(why) | NoPlan::Answer(why)) => {
            requester.notice(format!("The model couldn't expand the plan: {why}"));
        }
        Some(error) => return Err(error),
        None => {}
    }
    for round in &outcome.rounds {
        requester.tell(PlanningEvent::Round {
            number: round.number,
            is_accepted: round.is_accepted,
            message: round.message.clone(),
        });
    }
    Ok(outcome)
}

fn gaps(
    requester: &mut Requester<'_>,
    basis: &PlanningBasis,
    draft: &Draft,
) -> Result<Vec<String>, NoPlan> {
    if !requester.is_within(basis.settings.expansion.refine_budget_tokens) {
        return Err(NoPlan::Answer("the token budget is used up".to_owned()));
    }
    let (plan, problems) = plan::parse(&draft.text);
    let report = checking::report(&plan, &problems, &basis.around);
    let answer = requester.ask(Question {
        purpose: "gaps",
        system: critique::GAPS_SYSTEM,
        message: critique::gaps_message(&basis.intake, &draft.around, &plan, &report),
        target: GAPS_TARGET,
        schema: Some(critique::gaps_schema()),
    })?;
    let text = match answer {
        Answer::Whole(text) => text,
        Answer::Broken(why) => return Err(NoPlan::Answer(format!("the answer {why}"))),
    };
    let said = read_object(&text, &critique::GAPS_KEYS);
    requester.note_json(said.is_some())?;
    match said {
        Some(said) => Ok(critique::gaps(&said)),
        None => Err(NoPlan::Answer("the answer had no list of gaps".to_owned())),
    }
}

/// Runs one round. Files and tools in the answer are checked against the workspace before they
/// reach the plan.
fn round(
    requester: &mut Requester<'_>,
    request: &RoundRequest,
    gaps: &[String],
) -> Result<Event, NoPlan> {
    let before = requester.used();
    let answer = requester.ask(Question {
        purpose: "round",
        system: critique::ROUND_SYSTEM,
        message: critique::round_message(request, gaps),
        target: request.output_cap.min(ROUND_TARGET),
        schema: Some(critique::round_schema()),
    })?;
    let tokens = requester.used().saturating_sub(before);
    let reply = match answer {
        // Deliberately unreadable: the loop then retries with a shorter request.
        Answer::Broken(_) => ReplyForm::Text(String::new()),
        Answer::Whole(text) => {
            let read = read_tasks(&text);
            requester.note_json(read.is_ok())?;
            match read {
                Ok(tasks) => {
                    let (tasks, left_out) = validate_tasks(tasks, &request.facts);
                    for said in left_out {
                        requester.notice(format!("Ignored: {said}"));
                    }
                    ReplyForm::Tasks(tasks)
                }
                Err(_) => ReplyForm::Text(text),
            }
        }
    };
    Ok(Event::Reply { reply, tokens })
}
