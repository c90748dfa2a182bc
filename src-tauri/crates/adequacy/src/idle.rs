//! Steps that do nothing of what is asked for: those whose calls only look, those that only think or talk, and
//! those that say what is not done. What they mention is not covered by them, checked by them, or said by them.
//!
//! A plan of nothing else is left alone unless its goal asks for work: "Find out why the export is slow" is done
//! by looking. In languages without a list below, only calls and negations tell.

use plan::{TaskKind, ToolName};

use crate::goal::first_word;
use crate::reading::{Reading, Step};
use crate::verbs::Doing;

/// How a step begins that thinks or talks and leaves nothing behind. "Read" and "find" are not among them: programs
/// do that too.
#[rustfmt::skip] // one word a line would bury the list
const THINKS: &[&str] = &[
    "agree", "analyse", "analyze", "brainstorm", "consider", "contemplate", "decide", "discuss", "dream", "evaluate",
    "examine", "explore", "hope", "imagine", "inspect", "investigate", "learn", "meditate", "muse", "ponder", "reflect",
    "research", "study", "talk", "think", "understand", "weigh", "wonder",
];
/// How one begins that only looks, where the others do too: a program may read and compare, and no plan of work does
/// nothing else.
#[rustfmt::skip] // as above
const LOOKS: &[&str] = &[
    "check", "compare", "count", "find", "inspect", "list", "locate", "look", "print", "read", "review", "run", "search",
    "skim", "trace", "view", "watch",
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
        .filter(|step| is_idle(reading, step))
        .map(|step| step.index)
        .collect();
    let asks_for_work = || {
        let asked = reading.asked.requirements.first();
        asked.is_some_and(|asked| matches!(Doing::of(&asked.text), Doing::Create | Doing::Change))
    };
    let only_looks = |step: &Step<'_>| idle.binary_search(&step.index).is_ok() || looks(step);
    if reading.steps.iter().all(only_looks) {
        return match asks_for_work() {
            true => reading.steps.iter().map(|step| step.index).collect(),
            false if idle.len() == reading.steps.len() => Vec::new(),
            false => idle,
        };
    }
    idle
}

/// Whether a step begins with a word for looking and calls nothing that changes anything.
fn looks(step: &Step<'_>) -> bool {
    let verb = first_word(&step.task.title);
    LOOKS.binary_search(&verb.as_str()).is_ok() && tools(step).all(ToolName::is_read_only)
}

/// Whether a step says that something is not done.
pub(crate) fn forbids(step: &Step<'_>) -> bool {
    says_no(step.task.title.trim_start())
}

fn says_no(title: &str) -> bool {
    let opens = |word: &&str| {
        title
            .get(..word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word))
    };
    let is_left = || {
        if !opens(&"leave ") {
            return false;
        }
        let plain = title.to_ascii_lowercase();
        let is_as_it_is = [
            " alone",
            " out of ",
            " as it is",
            " as they are",
            " unchanged",
        ];
        is_as_it_is.iter().any(|words| plain.contains(words))
    };
    NEGATIONS.iter().any(opens) || is_left()
}

fn is_idle(reading: &Reading<'_>, step: &Step<'_>) -> bool {
    forbids(step)
        || only_calls_looks(step)
        || step.task.kind == TaskKind::Normal && only_thinks(reading, step)
}

/// Whether all that it calls looks.
fn only_calls_looks(step: &Step<'_>) -> bool {
    let mut tools = tools(step).peekable();
    tools.peek().is_some() && step.task.verify.is_empty() && tools.all(ToolName::is_read_only)
}

/// Whether it is one sentence that begins with such a word, which is not what is asked for, and asks for nothing
/// behind it.
fn only_thinks(reading: &Reading<'_>, step: &Step<'_>) -> bool {
    let task = step.task;
    let verb = first_word(&task.title);
    if THINKS.binary_search(&verb.as_str()).is_err() {
        return false;
    }
    let listed = reading.listed().iter().map(|one| one.text.as_str());
    let mut asked = reading.goal.into_iter().chain(listed);
    let is_asked = |text: &str| text.to_lowercase().contains(verb.trim_end_matches('e'));
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
    !asked.any(is_asked)
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
    fn what_only_begins_like_a_negation_is_none() {
        assert!(says_no("Do not add a flag"));
        assert!(!says_no("Not found page: show the search"));
        assert!(!says_no("Note the version in README.md"));
        assert!(says_no("Leave the commands out of the suggestions"));
        assert!(!says_no("Leave a note in README.md"));
    }

    #[test]
    fn the_words_are_in_order() {
        assert!(THINKS.is_sorted() && LOOKS.is_sorted());
    }
}
