//! Steps that do nothing of what is asked for: those that only look or talk, and those that say what is not done.
//! What they mention is not covered by them, checked by them, or said by them.
//!
//! A plan of nothing else is left alone unless its goal asks for work: "Find out why the export is slow" is done
//! by looking. In languages without a list below, only calls and negations tell.

use plan::{TaskKind, ToolName};

use crate::goal::first_word;
use crate::reading::{Reading, Step};
use crate::verbs::Doing;

/// How a step begins that looks, thinks or talks and leaves nothing behind.
#[rustfmt::skip] // one word a line would bury the list
const LOOKS: &[&str] = &[
    "agree", "analyse", "analyze", "ask", "brainstorm", "browse", "compare", "consider", "contemplate",
    "decide", "discuss", "evaluate", "examine", "explore", "inspect", "investigate", "learn",
    "look", "observe", "open", "ponder", "read", "reflect", "remember", "research", "search", "skim",
    "study", "survey", "talk", "think", "understand", "view", "watch",
];
/// How one begins that says what is not done.
const NEGATIONS: &[&str] = &[
    "do not ",
    "don't ",
    "don’t ",
    "dont ",
    "never ",
    "must not ",
    "should not ",
    "not ",
    "nicht ",
    "niemals ",
    "ne pas ",
    "n'",
    "no debe ",
    "nunca ",
    "nie ",
    "не ",
    "不要",
    "不能",
    "不得",
    "请勿",
    "別",
    "请不要",
];

/// The places in the plan of its steps that do nothing, in order.
pub(crate) fn idle(reading: &Reading<'_>) -> Vec<usize> {
    let steps = reading.steps.iter();
    let idle: Vec<usize> = steps
        .filter(|step| is_idle(step))
        .map(|step| step.index)
        .collect();
    let asks_for_work = || {
        let asked = reading.asked.requirements.first();
        asked.is_some_and(|asked| matches!(Doing::of(&asked.text), Doing::Create | Doing::Change))
    };
    match idle.len() == reading.steps.len() && !asks_for_work() {
        true => Vec::new(),
        false => idle,
    }
}

/// Whether a step says that something is not done.
pub(crate) fn forbids(step: &Step<'_>) -> bool {
    let title = step.task.title.trim_start();
    let opens = |word: &&str| {
        title
            .get(..word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word))
    };
    NEGATIONS.iter().any(opens)
}

fn is_idle(step: &Step<'_>) -> bool {
    forbids(step)
        || only_calls_looks(step)
        || step.task.kind == TaskKind::Normal && only_says_looks(step)
}

/// Whether all that it calls looks.
fn only_calls_looks(step: &Step<'_>) -> bool {
    let mut tools = tools(step).peekable();
    tools.peek().is_some() && step.task.verify.is_empty() && tools.all(ToolName::is_read_only)
}

/// Whether it is one sentence that begins with such a word, and asks for nothing behind it.
fn only_says_looks(step: &Step<'_>) -> bool {
    let task = step.task;
    let works = |part: &str| matches!(Doing::of(part), Doing::Create | Doing::Change);
    let joints = [" and ", ", ", "; ", ". ", " then ", ": ", " to "];
    let parts = joints
        .iter()
        .fold(vec![task.title.as_str()], |parts, joint| {
            parts
                .into_iter()
                .flat_map(|part| part.split(joint))
                .collect()
        });
    LOOKS
        .binary_search(&first_word(&task.title).as_str())
        .is_ok()
        && task.calls.is_empty()
        && task.verify.is_empty()
        && task.body.trim().is_empty()
        && !parts.into_iter().any(works)
}

/// The tools that a step calls.
pub(crate) fn tools(step: &Step<'_>) -> impl Iterator<Item = ToolName> {
    let calls = step.task.calls.iter();
    calls.filter_map(|call| Some(call.parsed.as_ref().ok()?.tool))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_in_order() {
        assert!(LOOKS.is_sorted());
    }
}
