//! Steps become lines of the plan file, in its own style.

use plan::edit::{self, EditError, Place, Splice, StepText};
use plan::{Plan, TaskId};

use super::decompose_further;
use super::filling::NewStep;
use crate::journal::Addition;

/// Steps that were added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    /// The change, made on the text that was passed in.
    pub splices: Vec<Splice>,
    /// The ids that the new steps go by in the text after it.
    pub ids: Vec<TaskId>,
}

/// The change that adds steps behind a task and its sub-tasks. `text` is what the file holds now: what a
/// person wrote in it stays as it is. Where the task is gone, or none is given, the steps go behind the
/// last one that is done at the top level, else behind all.
pub fn as_edit(text: &str, after: Option<&TaskId>, steps: &[NewStep]) -> Result<Added, EditError> {
    let (plan, _) = plan::parse(text);
    let known = after.filter(|id| plan.task(id).is_some()).cloned();
    let place = match known.or_else(|| behind(&plan)) {
        Some(id) => Place::After(id),
        None => Place::First,
    };
    at(text, &plan, &place, steps)
}

/// The change that writes what a run adds: parts of a step, or steps of their own.
pub fn splices(text: &str, addition: &Addition) -> Result<Vec<Splice>, EditError> {
    let steps = &addition.steps;
    let added = match (&addition.under, &addition.after) {
        (Some(task), _) => decompose_further(text, &TaskId(task.clone()), steps),
        (None, after) => as_edit(text, after.clone().map(TaskId).as_ref(), steps),
    };
    added.map(|added| added.splices)
}

/// The same at any place.
pub(super) fn at(
    text: &str,
    plan: &Plan,
    place: &Place,
    steps: &[NewStep],
) -> Result<Added, EditError> {
    let mut texts: Vec<StepText> = Vec::with_capacity(steps.len());
    for step in steps {
        texts.push(readable(text, plan, place, step.to_text()));
    }
    let named = edit::add_steps(text, plan, place, &texts)?;
    Ok(Added {
        splices: named.splices,
        ids: named.id,
    })
}

/// The step in words that the plan reads back as they are meant. A model's words may begin like an id, a
/// key or a box.
fn readable(text: &str, plan: &Plan, place: &Place, step: StepText) -> StepText {
    let with = |title: &str, body: &str| StepText {
        title: title.to_owned(),
        body: body.to_owned(),
        fields: step.fields.clone(),
    };
    let title = format!("Do this: {}", step.title);
    let body = format!("Why: {}", step.body);
    let ways = [
        with(&step.title, &step.body),
        with(&step.title, &body),
        with(&title, &step.body),
        with(&title, &body),
    ];
    let is_read =
        |way: &StepText| edit::add_steps(text, plan, place, std::slice::from_ref(way)).is_ok();
    ways.into_iter().find(is_read).unwrap_or(step)
}

/// The last top-level task that is done, else the last one.
fn behind(plan: &Plan) -> Option<TaskId> {
    let top = || plan.tasks.iter().filter(|task| task.parent.is_none());
    let last = top().rfind(|task| task.done).or_else(|| top().next_back());
    last.map(|task| task.id.clone())
}
