//! Finds idle steps, which do none of the requested work: their calls only read, they only think or
//! talk, or they state what won't be done. Idle steps don't count as coverage, checks or content.
//!
//! A plan that has only idle steps is accepted unless its goal asks for work: "Find out why the
//! export is slow" needs no changes. In languages without a word list, only calls and negations are
//! considered.

use plan::{TaskKind, ToolName};

use crate::goal::first_word;
use crate::plan_context::{PlanContext, Step};
use crate::verbs::WorkKind;

/// First words of steps that think or talk and produce nothing. "Read" and "find" are not included,
/// because code can do that too.
#[rustfmt::skip] // rustfmt would put each word on its own line
const THINKING_VERBS: &[&str] = &[
    "agree", "analyse", "analyze", "brainstorm", "consider", "contemplate", "decide", "discuss", "dream", "evaluate",
    "examine", "explore", "hope", "imagine", "inspect", "investigate", "learn", "meditate", "muse", "ponder", "reflect",
    "research", "study", "talk", "think", "understand", "weigh", "wonder",
];
/// First words of steps that only look at something. They make a step idle only if all other steps
/// are idle too, because such words can also describe what the code should do.
#[rustfmt::skip] // as above
const LOOKING_VERBS: &[&str] = &[
    "check", "compare", "count", "find", "inspect", "list", "locate", "look", "print", "read", "review", "run", "search",
    "skim", "trace", "view", "watch",
];
/// Beginnings of steps that state what won't be done.
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

/// Indices of the idle steps, in ascending order.
pub(crate) fn idle(context: &PlanContext<'_>) -> Vec<usize> {
    let steps = context.steps.iter();
    let idle: Vec<usize> = steps
        .filter(|step| is_idle(context, step))
        .map(|step| step.index)
        .collect();
    let asks_for_work = || {
        let asked = context.asked.requirements.first();
        asked.is_some_and(|asked| {
            matches!(
                WorkKind::of(&asked.text),
                WorkKind::Create | WorkKind::Change
            )
        })
    };
    let only_looks = |step: &Step<'_>| idle.binary_search(&step.index).is_ok() || looks(step);
    if context.steps.iter().all(only_looks) {
        return match asks_for_work() {
            true => context.steps.iter().map(|step| step.index).collect(),
            false if idle.len() == context.steps.len() => Vec::new(),
            false => idle,
        };
    }
    idle
}

/// Whether a step begins with a verb for looking at something and has no call that changes
/// anything.
fn looks(step: &Step<'_>) -> bool {
    let verb = first_word(&step.task.title);
    LOOKING_VERBS.binary_search(&verb.as_str()).is_ok() && tools(step).all(ToolName::is_read_only)
}

/// Whether a step states that something won't be done.
pub(crate) fn forbids(step: &Step<'_>) -> bool {
    is_negated(step.task.title.trim_start())
}

fn is_negated(title: &str) -> bool {
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

fn is_idle(context: &PlanContext<'_>, step: &Step<'_>) -> bool {
    forbids(step)
        || only_calls_looks(step)
        || step.task.kind == TaskKind::Normal && only_thinks(context, step)
}

/// Whether the step has calls, all of them read-only, and no `verify:` line.
fn only_calls_looks(step: &Step<'_>) -> bool {
    let mut tools = tools(step).peekable();
    tools.peek().is_some() && step.task.verify.is_empty() && tools.all(ToolName::is_read_only)
}

/// Whether the step is a single sentence that begins with a verb for thinking. Not true if the goal
/// asks for that or if the sentence names other work.
fn only_thinks(context: &PlanContext<'_>, step: &Step<'_>) -> bool {
    let task = step.task;
    let verb = first_word(&task.title);
    if THINKING_VERBS.binary_search(&verb.as_str()).is_err() {
        return false;
    }
    let listed = context.listed().iter().map(|one| one.text.as_str());
    let mut asked = context.goal.into_iter().chain(listed);
    let is_asked = |text: &str| text.to_lowercase().contains(verb.trim_end_matches('e'));
    let works = |part: &str| matches!(WorkKind::of(part), WorkKind::Create | WorkKind::Change);
    let separators = [" and ", ", ", "; ", ". ", " then ", ": ", " to "];
    let parts = separators
        .iter()
        .fold(vec![task.title.as_str()], |parts, separator| {
            parts
                .into_iter()
                .flat_map(|part| part.split(separator))
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
    fn a_title_that_resembles_a_negation_is_not_one() {
        assert!(is_negated("Do not add a flag"));
        assert!(!is_negated("Not found page: show the search"));
        assert!(!is_negated("Note the version in README.md"));
        assert!(is_negated("Leave the commands out of the suggestions"));
        assert!(!is_negated("Leave a note in README.md"));
    }

    #[test]
    fn the_word_lists_are_sorted() {
        assert!(THINKING_VERBS.is_sorted() && LOOKING_VERBS.is_sorted());
    }
}
