//! Indents and outdents tasks.

use super::{Place, move_task};
use crate::edit::dependencies::above;
use crate::edit::{EditError, Named, find};
use crate::model::{Plan, TaskId};

/// Makes a task, with everything under it, the last sub-task of the one above it. Fails with
/// [`EditError::UnknownTask`], [`EditError::NoTaskAbove`], and those of [`move_task`].
pub fn indent(text: &str, plan: &Plan, id: &TaskId) -> Result<Named<TaskId>, EditError> {
    let (index, _) = find(plan, id)?;
    let Some(above) = above(plan, index) else {
        return Err(EditError::NoTaskAbove { id: id.clone() });
    };
    let place = Place::Under(plan.tasks[above].id.clone());
    move_task(text, plan, id, &place)
}

/// Moves a sub-task, with everything under it, after its group. Later siblings stay in the group.
/// Fails with [`EditError::UnknownTask`], [`EditError::AlreadyTopLevel`], and those of
/// [`move_task`].
pub fn outdent(text: &str, plan: &Plan, id: &TaskId) -> Result<Named<TaskId>, EditError> {
    let (index, _) = find(plan, id)?;
    let Some(parent) = plan.tasks[index].parent else {
        return Err(EditError::AlreadyTopLevel { id: id.clone() });
    };
    let place = Place::After(plan.tasks[parent].id.clone());
    move_task(text, plan, id, &place)
}
