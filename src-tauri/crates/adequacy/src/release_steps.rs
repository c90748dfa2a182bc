//! Finds release steps and other irreversible steps, and raises `no_way_back` for those without a
//! rollback.

use std::sync::LazyLock;

use plan::{Mark, TaskKind};
use regex::Regex;

use crate::code::{Code, Severity};
use crate::fixes;
use crate::hints::Hints;
use crate::mend::Fix;
use crate::plan_context::{PlanContext, Step};
use crate::plan_rules::Verdict;
use crate::release::{self, ReleaseAction};
use crate::report::{Finding, place, place_first, quoted};
use crate::safeguards::{Subject, is_rollback, is_safeguard};
use crate::spans::words_at;
use crate::task_rules::danger;

/// The release actions, by index of the task.
pub(crate) struct ReleaseSteps(Vec<(usize, ReleaseAction)>);

impl ReleaseSteps {
    pub(crate) fn of(context: &PlanContext<'_>) -> Self {
        let found = context.steps.iter().filter_map(|step| {
            if context.lists_criteria || !step.text.hints().has(Hints::RELEASE) {
                return None;
            }
            // Text below a heading describes the step but is not its action.
            let words = match step.task.mark {
                Mark::Heading => &step.task.title,
                _ => step.text.description(),
            };
            let found = release::find(words).or_else(|| in_commands(step))?;
            Some((step.index, found))
        });
        Self(found.collect())
    }

    /// Indices of the tasks that release something.
    pub(crate) fn releases(&self) -> Vec<usize> {
        self.0
            .iter()
            .filter(|(_, found)| found.is_release())
            .map(|(index, _)| *index)
            .collect()
    }

    /// The words that describe the release, if they are in the task's description.
    pub(crate) fn words<'r>(&self, context: &'r PlanContext<'_>, index: usize) -> Option<&'r str> {
        let at = self
            .0
            .binary_search_by_key(&index, |(index, _)| *index)
            .ok()?;
        let text = context.step_at(index)?.text.description();
        text.get(self.0[at].1.at.clone())
    }
}

/// A release found in a command line; its range in the description is empty.
fn in_commands(step: &Step<'_>) -> Option<ReleaseAction> {
    let found = release::find(step.text.actions()[1])?;
    Some(ReleaseAction { at: 0..0, ..found })
}

/// Findings about irreversible steps without a rollback.
pub(crate) fn no_way_back(context: &PlanContext<'_>, release_steps: &ReleaseSteps) -> Vec<Verdict> {
    let bare: Vec<&Step<'_>> = release_steps
        .0
        .iter()
        .filter(|(_, found)| found.is_irreversible())
        .filter_map(|(index, _)| context.step_at(*index))
        // Destructive steps have their own finding, which gives the same advice.
        .filter(|step| !mentions_rollback(step) && danger(&step.text).is_none())
        .collect();
    if bare.is_empty() {
        return Vec::new();
    }
    let ways: Vec<Subject> = context
        .steps
        .iter()
        .filter(|step| mentions_rollback(step))
        .map(|step| Subject::of(step.task, &step.text))
        .collect();
    let mut verdicts = Vec::new();
    for step in bare {
        let own = Subject::of(step.task, &step.text);
        if ways.iter().any(|way| way.covers(&own)) {
            continue;
        }
        let phrase = release_steps
            .words(context, step.index)
            .filter(|words| !words.is_empty());
        let phrase = phrase.unwrap_or(&step.task.title);
        let message = format!(
            "{} ({}) is hard to undo and the plan has no rollback: say how to undo it, or try it \
             on a small part first.",
            place_first(step.task),
            quoted(&step.task.title)
        );
        let finding = Finding::for_task(
            step.task,
            step.text.identity(),
            Code::NoWayBack,
            Severity::Major,
        )
        .with_message(message)
        .at(words_at(step.task, phrase))
        .with_question(format!(
            "If {} ({}) goes wrong, how will you restore the previous state?",
            place(step.task),
            quoted(&step.task.title)
        ))
        .with_fixes(rollback_fixes(context, step));
        // The order dimension already accounts for it.
        verdicts.push(Verdict {
            finding,
            factor: 1.0,
        });
    }
    verdicts
}

/// Whether any line of a step mentions a rollback or a gradual rollout.
fn mentions_rollback(step: &Step<'_>) -> bool {
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

fn rollback_fixes(context: &PlanContext<'_>, step: &Step<'_>) -> Vec<Fix> {
    let here = place(step.task);
    vec![
        fixes::add_note(
            step.task,
            "rollback: go back to the version before and restore what it worked with",
            format!("Add a rollback note to {here}"),
        ),
        fixes::step_before(
            context,
            step.index,
            TaskKind::Normal,
            "Try the next step as a dry run and compare everything with what was expected",
            format!("Add a dry run before {here}"),
        ),
    ]
}
