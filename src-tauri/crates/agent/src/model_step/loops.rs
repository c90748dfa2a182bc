//! Finds a model that goes round in circles: the same call again with nothing changed between, or the
//! same few calls over and over.

use serde_json::Value;

use super::entry::StepCall;
use super::work::{Turn, Work};
use crate::model_tool::ModelTool;

/// The longest circle that is looked for.
const PERIOD: usize = 4;
/// How often a circle that changes something is gone round before it counts.
const ROUNDS: usize = 2;
/// Calls in a row that were answered from before, after which the attempt ends.
pub const REPEATS: usize = 3;

/// A call in one line, the same for the same call.
pub fn line(call: &StepCall) -> String {
    let arguments = Value::Object(call.arguments.clone());
    format!("{} {arguments}", call.name)
}

/// What the same call gave before, if nothing was changed since: the model gets that again, and the
/// call is not made.
pub fn known<'a>(work: &'a Work, call: &StepCall) -> Option<&'a str> {
    let tool = ModelTool::of_step(&call.name)?;
    if matches!(tool, ModelTool::AskUser | ModelTool::ReportProgress) {
        return None;
    }
    let wanted = line(call);
    let done: Vec<_> = work.performed().collect();
    for (made, result) in done.into_iter().rev() {
        if line(made) == wanted && result.is_passing {
            return None;
        }
        if line(made) == wanted {
            return Some(&result.content);
        }
        let made = ModelTool::of_step(&made.name);
        if result.ok && made.is_some_and(|made| !made.only_looks()) {
            return None;
        }
    }
    None
}

/// How many of the last replies in a row made only calls that were answered from before.
pub fn idle(work: &Work) -> usize {
    let turns = work.turns.iter().rev();
    turns
        .take_while(|turn| {
            turn.has_results() && turn.results.values().all(|result| !result.is_performed)
        })
        .count()
}

/// The tool of a call that was answered from before twice in a row: it is not offered in the next request,
/// since words alone did not help.
pub fn stuck(work: &Work) -> Option<ModelTool> {
    let [.., first, second] = work.turns.as_slice() else {
        return None;
    };
    let only = |turn: &Turn| match (turn.reply.calls.as_slice(), turn.results.get(&0)) {
        ([call], Some(result)) if !result.is_performed => Some(line(call)),
        _ => None,
    };
    let again = only(second).filter(|again| only(first).as_ref() == Some(again))?;
    let was_made = work.performed().any(|(call, _)| line(call) == again);
    let call = second.reply.calls.first().filter(|_| was_made)?;
    ModelTool::of_step(&call.name)
}

/// The calls of a circle that the model went round several times, though each of them does something.
pub fn circle(work: &Work) -> Option<Vec<String>> {
    let lines: Vec<String> = work
        .performed()
        .map(|(call, result)| format!("{}\n{}", line(call), result.content))
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
