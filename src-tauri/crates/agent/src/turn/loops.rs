//! Finds a model that goes round in circles: the same call again with nothing changed between, or the
//! same few calls over and over.

use super::reply::Call;
use super::rounds::{CallResult, Round, Rounds, changes};
use crate::envelope::clipped;
use crate::model_tool::ModelTool;

/// The longest circle that is looked for.
const PERIOD: usize = 4;
/// How often a circle that changes something is gone round before it counts.
const ROUNDS: usize = 2;
/// Rounds in a row in which a model made the same call again.
const REPEATS: usize = 2;
/// How often a call is answered without being made before that ends the turn.
const REFUSALS: usize = 3;
/// Bytes of an earlier answer that are repeated in place of making the call again.
const KNOWN: usize = 1_200;

/// How an answer begins that invites a model to make the call again where it is serious about it: no refusal that
/// counts.
pub const NOT_YET: &str = "Not carried out yet";

/// What the same call gave before, if nothing was changed since: the call is not made again.
pub fn known<'a>(rounds: &'a Rounds, call: &Call) -> Option<&'a str> {
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

/// What a model gets in place of a call that it made before, with nothing changed since.
pub fn answer_from_before(rounds: &Rounds, call: &Call) -> Option<String> {
    let known = known(rounds, call)?;
    let what_to_do = match idle(rounds) {
        0 => "Choose another call.",
        _ => "Do not make it again. Change something, or say what you came to.",
    };
    Some(format!(
        "You made this call already and nothing was changed since; it was not made again. It gave:\n{}\n\
         {what_to_do}",
        clipped(known, KNOWN)
    ))
}

/// Why a model does not come out of it by itself, that made a call of its last reply several times though
/// it was only answered.
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
            (times >= REFUSALS).then(|| {
                let (line, told) = (clipped(&line, 200), &result.content);
                format!("the model made the same refused call {times} times: {line}. {told}")
            })
        })
}

/// How many of the last replies in a row made only calls that were not carried out, those that are to be made again
/// left out.
pub(super) fn idle(rounds: &Rounds) -> usize {
    let last = rounds.all().iter().rev();
    let is_again = |result: &CallResult| result.content.starts_with(NOT_YET);
    last.take_while(|round| {
        round.has_results() && round.results.values().all(|result| !result.is_performed)
    })
    .filter(|round| !round.results.values().any(is_again))
    .count()
}

/// The tool of a call that was answered from before twice in a row: it is not offered in the next request,
/// since words alone did not help.
pub fn stuck(rounds: &Rounds) -> Option<ModelTool> {
    let last = rounds.all().iter().rev().take(REPEATS);
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

/// The calls of a circle that the model went round several times, though each of them does something.
pub(super) fn circle(rounds: &Rounds) -> Option<Vec<String>> {
    let lines: Vec<String> = rounds
        .performed()
        .map(|(call, result)| format!("{}\n{}", call.line(), result.content))
        .collect();
    (2..=PERIOD).find_map(|period| {
        let from = lines.len().checked_sub(period * ROUNDS)?;
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
