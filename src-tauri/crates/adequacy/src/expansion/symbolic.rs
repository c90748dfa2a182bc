//! A driver of the loop that needs no model.
use super::{Event, Expansion, Input, Outcome, ReplyForm, RoundRequest, Step};

/// Answers one round.
pub fn reply(request: &RoundRequest) -> Event {
    let edits = request
        .report
        .findings
        .iter()
        .filter(|finding| finding.muted.is_none())
        .filter_map(|finding| {
            let fix = finding.fixes.first()?;
            Some(super::Edit {
                task: finding.task.clone(),
                why: vec![finding.code],
                message: format!("{}.", fix.label),
                mends: fix.mends.clone(),
            })
        })
        .collect();
    Event::Reply {
        reply: ReplyForm::Edits(edits),
        tokens: 0,
    }
}

/// Runs the whole loop.
pub fn expand(input: Input) -> Outcome {
    let (mut expansion, mut step) = Expansion::start(input);
    loop {
        match step {
            Step::Ask(request) => step = expansion.handle(reply(&request)),
            Step::Stop(outcome) => return *outcome,
        }
    }
}
