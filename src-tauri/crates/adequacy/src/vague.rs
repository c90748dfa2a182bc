//! Rules about vague steps: too few words, or a phrase that postpones the details.

use plan::{By, Dialect, Mark, Plan, Task};

use crate::code::{Code, Severity};
use crate::dimensions::runs_command;
use crate::report::{Finding, place_first, quoted};
use crate::spans::words_at;
use crate::task_text::{TaskText, vague_phrase};
use crate::terms::{self, Kind};
use crate::verbs::is_check;

/// Who carries out the step, which determines how serious vagueness is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Executor {
    /// A model.
    Model,
    /// A person, although the plan does not say so.
    LikelyPerson,
    /// The plan says `by: person`.
    Person,
}

impl Executor {
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
    executor: Executor,
) -> Option<Finding> {
    const SHORTEST_BYTES: usize = 12;
    let says_exactly = !task.calls.is_empty() && task.calls.iter().all(|call| call.parsed.is_ok());
    if text.specification().trim().len() >= SHORTEST_BYTES
        || says_exactly
        || runs_command(&task.title)
        || executor == Executor::Person
        || is_listed(plan, task)
    {
        return None;
    }
    let title = quoted(&task.title);
    Some(
        Finding::for_task(task, text.identity(), Code::VagueShort, vagueness(executor)).with_message(format!(
            "{} says only {title}: name the file or behavior to change, and the expected result.",
            place_first(task)
        )),
    )
}

/// Whether a task is an item of a list introduced by the line above, such as "Install these
/// packages:".
fn is_listed(plan: &Plan, task: &Task) -> bool {
    let group = task.parent.and_then(|parent| plan.tasks.get(parent));
    // In formats without keys, sub-tasks describe the details of a step.
    group.is_some_and(|group| {
        group.title.ends_with([':', '：'])
            || plan.dialect != Dialect::Native && group.mark == Mark::Box
    })
}

pub(crate) fn vague_phrase_in(
    task: &Task,
    text: &TaskText,
    executor: Executor,
    goal: Option<&str>,
) -> Option<Finding> {
    if executor == Executor::Person {
        return None;
    }
    let phrase = vague(text, goal)?;
    Some(
        Finding::for_task(
            task,
            text.identity(),
            Code::VaguePhrase,
            vagueness(executor),
        )
        .with_message(format!(
            "{} says “{phrase}”, which is vague: describe the exact change instead.",
            place_first(task)
        ))
        .at(words_at(task, phrase)),
    )
}

/// The vague phrase of a step.
pub(crate) fn vague<'t>(text: &'t TaskText, goal: Option<&str>) -> Option<&'t str> {
    let text = text.description();
    // Checking "various cases" is not vague.
    let is_of_cases = |phrase: &str| phrase.eq_ignore_ascii_case("various") && is_check(text);
    vague_phrase(text, goal, |phrase| {
        is_of_cases(phrase) || is_clarified(phrase, text)
    })
}

/// Whether specific words next to an ambiguous phrase make its meaning clear.
fn is_clarified(phrase: &str, text: &str) -> bool {
    const MIN_SPECIFIC_WORDS: usize = 2;
    const ALWAYS: [&str; 5] = ["tbd", "todo", "fix stuff", "somehow", "something"];
    if ALWAYS.contains(&&*phrase.to_ascii_lowercase()) {
        return false;
    }
    let mut telling = 0;
    terms::of(text, None, &mut |_, kind, word| {
        telling += usize::from(kind != Kind::Common && !phrase.contains(word))
    });
    telling >= MIN_SPECIFIC_WORDS
}

fn vagueness(executor: Executor) -> Severity {
    match executor {
        Executor::Model => Severity::Major,
        Executor::LikelyPerson | Executor::Person => Severity::Minor,
    }
}
