//! The steps of a plan that let something out of hands, and `no_way_back` for those that nothing
//! brings back.

use std::sync::LazyLock;

use plan::{Mark, TaskKind};
use regex::Regex;

use crate::code::{Code, Severity};
use crate::fixes;
use crate::hints::Hints;
use crate::mend::Fix;
use crate::places::words_at;
use crate::plan_rules::Verdict;
use crate::reading::{Reading, Step};
use crate::recovery::{Subject, is_rollback, is_safeguard};
use crate::release::{self, Final};
use crate::report::{Finding, place, place_first, quoted};
use crate::task_rules::danger;

/// What was found, by index of the task.
pub(crate) struct Finals(Vec<(usize, Final)>);

impl Finals {
    pub(crate) fn of(reading: &Reading<'_>) -> Self {
        let found = reading.steps.iter().filter_map(|step| {
            if reading.lists_criteria || !step.text.hints().has(Hints::FINAL) {
                return None;
            }
            // What stands under a heading is about its step, and seldom what it does.
            let words = match step.task.mark {
                Mark::Heading => &step.task.title,
                _ => step.text.description(),
            };
            let found = release::find(words).or_else(|| in_commands(step))?;
            Some((step.index, found))
        });
        Self(found.collect())
    }

    /// The tasks that release something.
    pub(crate) fn releases(&self) -> Vec<usize> {
        self.0
            .iter()
            .filter(|(_, found)| found.is_release())
            .map(|(index, _)| *index)
            .collect()
    }

    /// The words that say so, where they stand in the task's description.
    pub(crate) fn words<'r>(&self, reading: &'r Reading<'_>, index: usize) -> Option<&'r str> {
        let at = self
            .0
            .binary_search_by_key(&index, |(index, _)| *index)
            .ok()?;
        let text = reading.step_at(index)?.text.description();
        text.get(self.0[at].1.at.clone())
    }
}

/// In command lines; the place in the description is empty then.
fn in_commands(step: &Step<'_>) -> Option<Final> {
    let found = release::find(step.text.actions()[1])?;
    Some(Final { at: 0..0, ..found })
}

/// Irreversible steps without a way back.
pub(crate) fn no_way_back(reading: &Reading<'_>, finals: &Finals) -> Vec<Verdict> {
    let bare: Vec<&Step<'_>> = finals
        .0
        .iter()
        .filter(|(_, found)| found.is_irreversible())
        .filter_map(|(index, _)| reading.step_at(*index))
        // What destroys says so itself, and asks for the same.
        .filter(|step| !says_a_way(step) && danger(&step.text).is_none())
        .collect();
    if bare.is_empty() {
        return Vec::new();
    }
    let ways: Vec<Subject> = reading
        .steps
        .iter()
        .filter(|step| says_a_way(step))
        .map(|step| Subject::of(step.task, &step.text))
        .collect();
    let mut verdicts = Vec::new();
    for step in bare {
        let own = Subject::of(step.task, &step.text);
        if ways.iter().any(|way| way.covers(&own)) {
            continue;
        }
        let phrase = finals
            .words(reading, step.index)
            .filter(|words| !words.is_empty());
        let phrase = phrase.unwrap_or(&step.task.title);
        let message = format!(
            "{} ({}) is hard to take back and the plan keeps no way back: say how it is undone, or try it \
             on a small part first.",
            place_first(step.task),
            quoted(&step.task.title)
        );
        let finding = Finding::on(
            step.task,
            step.text.identity(),
            Code::NoWayBack,
            Severity::Major,
        )
        .saying(message)
        .at(words_at(step.task, phrase))
        .asking(format!(
            "If {} ({}) turns out wrong, what brings the old state back?",
            place(step.task),
            quoted(&step.task.title)
        ))
        .mended_by(ways_back(reading, step));
        // The dimension of order takes its part.
        verdicts.push(Verdict {
            finding,
            factor: 1.0,
        });
    }
    verdicts
}

/// Whether a step, in any of its lines, keeps a way back or goes in small steps.
fn says_a_way(step: &Step<'_>) -> bool {
    static WAYS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)(?-u:\b)(?:way\s+(?:back|down)|down[ -]?migrations?|reversib(?:le|ly)|feature[ -]?flags?|behind\s+a\s+flag|toggles?|canary|canaries|blue[ /-]green|gradual(?:ly)?|staged\s+rollout|\d+\s?(?:%|percent)|dual[ -]?writ(?:e|es|ing)|both\s+(?:queues|stores|systems|databases|tables|versions)|in\s+parallel\s+with|fall\s?backs?|yank(?:s|ed|ing)?|withdraw(?:s|n|ing)?|previous\s+(?:version|release|image|build))(?-u:\b|)",
        )
        .ok()
    });
    let has_field = || {
        step.task.fields.iter().any(|field| {
            matches!(
                field.key.as_ref(),
                "rollback" | "undo" | "revert" | "fallback"
            )
        })
    };
    let text = step.text.all();
    (step.text.hints().has(Hints::WAY_BACK)
        && (is_safeguard(text)
            || is_rollback(text)
            || WAYS.as_ref().is_some_and(|ways| ways.is_match(text))))
        || has_field()
}

fn ways_back(reading: &Reading<'_>, step: &Step<'_>) -> Vec<Fix> {
    let here = place(step.task);
    vec![
        fixes::noted(
            step.task,
            "rollback: go back to the version before and restore what it worked with",
            format!("Write into {here} that it goes back to the version before"),
        ),
        fixes::step_before(
            reading,
            step.index,
            TaskKind::Normal,
            "Try the next step as a dry run and compare everything with what was expected",
            format!("Put a dry run in front of {here}"),
        ),
    ]
}
