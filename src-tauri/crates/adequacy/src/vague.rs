//! Words that leave open what a step does: too few of them, or a phrase that puts it off.

use plan::{By, Dialect, Mark, Plan, Task};

use crate::code::{Code, Severity};
use crate::dimensions::runs_command;
use crate::places::words_at;
use crate::report::{Finding, place_first, quoted};
use crate::terms::{self, Kind};
use crate::text::{TaskText, vague_phrase};
use crate::verbs::is_check;

/// Who reads a step's words: they decide how much vagueness weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// A model will act on them.
    Model,
    /// A person will, although the plan does not say so.
    LikelyPerson,
    /// The plan says `by: person`.
    Person,
}

impl Reader {
    pub(crate) fn of(task: &Task, has_model: bool) -> Self {
        match (task.by, task.carried_out_by(has_model)) {
            (By::Person, _) => Self::Person,
            (_, By::Person) => Self::LikelyPerson,
            _ => Self::Model,
        }
    }
}

pub(crate) fn vague_short(
    plan: &Plan,
    task: &Task,
    text: &TaskText,
    reader: Reader,
) -> Option<Finding> {
    const SHORTEST_BYTES: usize = 12;
    let says_exactly = !task.calls.is_empty() && task.calls.iter().all(|call| call.parsed.is_ok());
    if text.specification().trim().len() >= SHORTEST_BYTES
        || says_exactly
        || runs_command(&task.title)
        || reader == Reader::Person
        || is_listed(plan, task)
    {
        return None;
    }
    let title = quoted(&task.title);
    Some(
        Finding::on(task, text.identity(), Code::VagueShort, vagueness(reader))
            .saying(format!(
                "{} says only {title}: name the file or behaviour to change and what is true afterwards.",
                place_first(task)
            )),
    )
}

/// Whether a task is an item of a list that the line above it introduces: "Install these packages:".
fn is_listed(plan: &Plan, task: &Task) -> bool {
    let group = task.parent.and_then(|parent| plan.tasks.get(parent));
    // Formats without keys have sub-tasks for what belongs to a step.
    group.is_some_and(|group| {
        group.title.ends_with([':', '：'])
            || plan.dialect != Dialect::Native && group.mark == Mark::Box
    })
}

pub(crate) fn vague_phrase_in(
    task: &Task,
    text: &TaskText,
    reader: Reader,
    goal: Option<&str>,
) -> Option<Finding> {
    if reader == Reader::Person {
        return None;
    }
    let phrase = vague(text, goal)?;
    Some(
        Finding::on(task, text.identity(), Code::VaguePhrase, vagueness(reader))
            .saying(format!(
                "{} says “{phrase}”, which leaves open what is meant: write the exact change in its place.",
                place_first(task)
            ))
            .at(words_at(task, phrase)),
    )
}

/// The phrase of a step that puts work off.
pub(crate) fn vague<'t>(text: &'t TaskText, goal: Option<&str>) -> Option<&'t str> {
    let text = text.description();
    // A check of various cases is none that is put off.
    let is_of_cases = |phrase: &str| phrase.eq_ignore_ascii_case("various") && is_check(text);
    vague_phrase(text, goal, |phrase| {
        is_of_cases(phrase) || is_told_beside(phrase, text)
    })
}

/// Whether a phrase that can be vague stands among words of their own that say what is meant.
fn is_told_beside(phrase: &str, text: &str) -> bool {
    const MANY: usize = 2;
    const ALWAYS: [&str; 5] = ["tbd", "todo", "fix stuff", "somehow", "something"];
    if ALWAYS.contains(&&*phrase.to_ascii_lowercase()) {
        return false;
    }
    let mut telling = 0;
    terms::of(text, None, &mut |_, kind, word| {
        telling += usize::from(kind != Kind::Common && !phrase.contains(word))
    });
    telling >= MANY
}

fn vagueness(reader: Reader) -> Severity {
    match reader {
        Reader::Model => Severity::Major,
        Reader::LikelyPerson | Reader::Person => Severity::Minor,
    }
}
