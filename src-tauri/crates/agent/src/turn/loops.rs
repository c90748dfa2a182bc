//! Detects a model that repeats itself: it makes the same call although nothing has changed, or
//! cycles through the same few calls.

use super::reply::Call;
use super::rounds::{CallResult, Round, Rounds, changes};
use crate::envelope::clipped;
use crate::model_tool::ModelTool;

const MAX_PERIOD: usize = 4;
/// Number of repetitions after which a loop of calls is reported.
const MIN_REPETITIONS: usize = 2;
/// After this many rounds in a row with the same repeated call, its tool is no longer offered.
const MAX_REPEATS: usize = 2;
/// How often the same call may be refused before the turn ends.
const MAX_REFUSALS: usize = 3;
/// Maximum size of an earlier result that is shown again instead of making the call again, in
/// bytes.
const MAX_REPEATED_BYTES: usize = 1_200;

/// Prefix of an answer that asks the model to confirm a call by repeating it. Such an answer
/// doesn't count as a refusal.
pub const NOT_YET: &str = "Not carried out yet";

/// The result of an earlier identical call, if nothing has changed since. In that case, the call
/// isn't made again.
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

/// The answer to a call that the model has already made, if nothing has changed since.
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

/// Why the turn must end, if a call in the last reply has been refused too often.
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

/// How many replies in a row, up to the last one, contain only refused calls. Answers that start
/// with [`NOT_YET`] don't count.
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
/// request doesn't offer this tool, because telling the model was not enough.
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

/// The calls that the model makes over and over in the same order, although each one was carried
/// out; `None` if there is no such loop.
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
