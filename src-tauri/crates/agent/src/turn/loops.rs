//! Detects a model that repeats itself: the same call with nothing changed in between, or the same
//! few calls over and over.

use super::reply::Call;
use super::rounds::{CallResult, Round, Rounds, changes};
use crate::envelope::clipped;
use crate::model_tool::ModelTool;

const MAX_PERIOD: usize = 4;
/// Repetitions before a loop of calls is reported.
const MIN_REPETITIONS: usize = 2;
/// Consecutive rounds with the same repeated call before its tool is withheld.
const MAX_REPEATS: usize = 2;
/// How often the same call may be refused before the turn ends.
const MAX_REFUSALS: usize = 3;
/// Maximum bytes of an earlier result that are repeated instead of making the call again.
const MAX_REPEATED_BYTES: usize = 1_200;

/// The start of an answer that asks the model to repeat the call to confirm it; such an answer
/// doesn't count as a refusal.
pub const NOT_YET: &str = "Not carried out yet";

/// The result of an earlier identical call, if nothing has changed since; then the call isn't
/// repeated.
pub fn earlier_result<'a>(rounds: &'a Rounds, call: &Call) -> Option<&'a str> {
    let tool = ModelTool::named(&call.name)?;
    if matches!(tool, ModelTool::AskUser | ModelTool::ReportProgress) {
        return None;
    }
    let wanted = call.line();
    let done: Vec<_> = rounds.known().collect();
    for (made, result) in done.into_iter().rev() {
        if made.line() == wanted {
            return (!result.is_passing).then_some(result.content.as_str());
        }
        if result.ok && changes(made) {
            return None;
        }
    }
    None
}

/// The answer to a call that the model already made, with nothing changed since.
pub fn answer_from_before(rounds: &Rounds, call: &Call) -> Option<String> {
    let known = earlier_result(rounds, call)?;
    let what_to_do = match idle(rounds) {
        0 => "Choose another call.",
        _ => "Do not make it again. Change something, or say what you concluded.",
    };
    Some(format!(
        "You made this call already and nothing was changed since; it was not made again. It gave:\n{}\n\
         {what_to_do}",
        clipped(known, MAX_REPEATED_BYTES)
    ))
}

/// The reason to end the turn if a call of the last reply has been refused too often.
pub(super) fn refused(rounds: &Rounds) -> Option<String> {
    let is_refused = |(call, result): &(&Call, &CallResult)| {
        !result.is_performed && !call.is_report() && !result.content.starts_with(NOT_YET)
    };
    let last = rounds.last()?.answered().filter(is_refused);
    last.map(|(call, result)| (call.line(), result))
        .find_map(|(line, result)| {
            let all = rounds
                .all()
                .iter()
                .flat_map(Round::answered)
                .filter(is_refused);
            let times = all.filter(|(call, _)| call.line() == line).count();
            (times >= MAX_REFUSALS).then(|| {
                let (line, told) = (clipped(&line, 200), &result.content);
                format!("the model repeated a refused call {times} times: {line}. {told}")
            })
        })
}

/// The number of consecutive replies, up to the last, with only refused calls. Answers that start
/// with [`NOT_YET`] aren't counted.
pub(super) fn idle(rounds: &Rounds) -> usize {
    let last = rounds.all().iter().rev();
    let is_again = |result: &CallResult| result.content.starts_with(NOT_YET);
    last.take_while(|round| {
        round.has_results() && round.results.values().all(|result| !result.is_performed)
    })
    .filter(|round| !round.results.values().any(is_again))
    .count()
}

/// The tool of a call that was refused twice in a row because its result is already known. The next
/// request doesn't offer this tool, since telling the model didn't help.
pub fn stuck(rounds: &Rounds) -> Option<ModelTool> {
    let last = rounds.all().iter().rev().take(MAX_REPEATS);
    let only = last.map(|round: &Round| match round.reply.calls.as_slice() {
        [call] => round
            .results
            .get(&0)
            .is_some_and(|result| !result.is_performed)
            .then_some(call),
        _ => None,
    });
    let [Some(second), Some(first)] = only.collect::<Vec<_>>()[..] else {
        return None;
    };
    let again = second.line();
    let was_made = rounds.performed().any(|(call, _)| call.line() == again);
    let tool = ModelTool::named(&second.name);
    tool.filter(|_| was_made && first.line() == again)
}

/// The calls of a loop that the model is in, although each call was carried out.
pub(super) fn cycle(rounds: &Rounds) -> Option<Vec<String>> {
    let lines: Vec<String> = rounds
        .performed()
        .map(|(call, result)| format!("{}\n{}", call.line(), result.content))
        .collect();
    (2..=MAX_PERIOD).find_map(|period| {
        let from = lines.len().checked_sub(period * MIN_REPETITIONS)?;
        let last = &lines[from..];
        let is_circle = last
            .iter()
            .enumerate()
            .all(|(at, line)| *line == last[at % period]);
        is_circle.then(|| {
            let first = last[..period].iter();
            first
                .map(|line| line.lines().next().unwrap_or_default().to_owned())
                .collect()
        })
    })
}
