//! Adds steps to a plan file in the style of the file.

use plan::edit::{self, EditError, Place, Splice, StepText};
use plan::{Plan, TaskId};

use super::decompose_further;
use super::new_step::NewStep;
use crate::journal::Addition;

/// Steps added to a plan file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    /// The change to the text that was passed in.
    pub splices: Vec<Splice>,
    /// The ids of the new steps in the resulting text.
    pub ids: Vec<TaskId>,
}

/// The change that adds steps after a task and its sub-tasks. `text` is the current text of the
/// file; the rest of it stays unchanged. If no task is given or the task no longer exists, the
/// steps are added after the last completed top-level task, or at the end if none is done.
pub fn as_edit(text: &str, after: Option<&TaskId>, steps: &[NewStep]) -> Result<Added, EditError> {
    let (plan, _) = plan::parse(text);
    let known = after.filter(|id| plan.task(id).is_some()).cloned();
    let place = match known.or_else(|| insertion_point(&plan)) {
        Some(id) => Place::After(id),
        None => Place::First,
    };
    at(text, &plan, &place, steps)
}

/// The change that adds the steps planned by a run, either as parts of a step or at the top level.
pub fn splices(text: &str, addition: &Addition) -> Result<Vec<Splice>, EditError> {
    let steps = &addition.steps;
    let added = match (&addition.under, &addition.after) {
        (Some(task), _) => decompose_further(text, &TaskId(task.clone()), steps),
        (None, after) => as_edit(text, after.clone().map(TaskId).as_ref(), steps),
    };
    added.map(|added| added.splices)
}

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

/// Rewords a step that the plan's parser would misread, because a model's words may begin like an
/// id, a key or a checkbox.
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

/// The last completed top-level task, or the last task if none is done.
fn insertion_point(plan: &Plan) -> Option<TaskId> {
    let top = || plan.tasks.iter().filter(|task| task.parent.is_none());
    let last = top().rfind(|task| task.done).or_else(|| top().next_back());
    last.map(|task| task.id.clone())
}
