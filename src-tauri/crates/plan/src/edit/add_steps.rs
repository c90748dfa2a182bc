//! Adds whole steps: title, prose and keys at once.

use super::keys::set_field;
use super::outline::{NewTask, Place, add_task};
use super::sequence::EditSequence;
use super::task_text::set_body;
use super::{EditError, Named};
use crate::model::{Plan, TaskId, TaskKind};

/// A step to add, with its prose and keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StepText {
    /// The title; whitespace is collapsed to fit one line.
    pub title: String,
    /// The prose under it; may be empty.
    pub body: String,
    /// Its keys in the order to write them, each with all its values.
    pub fields: Vec<(String, Vec<String>)>,
}

/// Adds consecutive steps, starting at `place`, in the style of the file as [`add_task`] does.
/// Returns the ids that the steps have afterwards. Without steps, nothing changes. Fails like
/// [`add_task`], [`set_body`] and [`set_field`]; in that case, nothing is added.
pub fn add_steps(
    text: &str,
    plan: &Plan,
    place: &Place,
    added: &[StepText],
) -> Result<Named<Vec<TaskId>>, EditError> {
    let mut steps = EditSequence::of(text, plan);
    let mut place = place.clone();
    let mut places: Vec<usize> = Vec::with_capacity(added.len());
    for step in added {
        let task = NewTask {
            title: step.title.clone(),
            kind: TaskKind::Normal,
        };
        let new = add_task(steps.text(), &steps.plan, &place, &task)?;
        steps.make(&new.splices)?;
        let index = steps
            .plan
            .index_of(&new.id)
            .ok_or_else(|| EditError::UnknownTask { id: new.id.clone() })?;
        let id = |steps: &EditSequence| steps.plan.tasks[index].id.clone();
        if !step.body.trim().is_empty() {
            let splices = set_body(steps.text(), &steps.plan, &id(&steps), &step.body)?;
            steps.make(&splices)?;
        }
        for (key, values) in &step.fields {
            let splices = set_field(steps.text(), &steps.plan, &id(&steps), key, values)?;
            steps.make(&splices)?;
        }
        places.push(index);
        place = Place::After(id(&steps));
    }
    let ids = places
        .into_iter()
        .map(|index| steps.plan.tasks[index].id.clone())
        .collect();
    Ok(Named {
        splices: steps.splices(),
        id: ids,
    })
}
