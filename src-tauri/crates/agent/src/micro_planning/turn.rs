//! Chooses the next action of a run that creates steps as it goes.

use plan::{By, Plan, Task, TaskId, TaskKind};

use super::new_step::is_of_run;
use super::split::split_depth;
use super::{MAX_SPLITS, Strategy};
use crate::context::groups_above;

/// The next action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn {
    /// Carry this step out.
    CarryOut(TaskId),
    /// First split this step of the outline.
    Split(TaskId),
    /// Request the steps that follow this one; `None` means at the end.
    AskNext(Option<TaskId>),
    /// Nothing is left to do.
    End,
}

/// The next action, given the step that is ready to start, if there is one. Steps that are already
/// in the plan come first, whoever wrote them.
pub fn turn(plan: &Plan, strategy: Strategy, ready: Option<&TaskId>) -> Turn {
    match (strategy, ready) {
        (Strategy::Upfront, None) | (Strategy::Hybrid, None) => Turn::End,
        (Strategy::Iterative, None) => {
            let last = plan.leaves().filter(|(_, task)| task.done).last();
            Turn::AskNext(last.map(|(_, task)| top_of(plan, task)))
        }
        (Strategy::Hybrid, Some(id)) if is_outline(plan, id) => Turn::Split(id.clone()),
        (_, Some(id)) => Turn::CarryOut(id.clone()),
    }
}

/// The top-level task that contains a task.
fn top_of(plan: &Plan, task: &Task) -> TaskId {
    let top = groups_above(plan, task).last();
    top.map_or(&task.id, |top| &top.id).clone()
}

/// Whether a step belongs to an outline: it has no calls, isn't for a person, and wasn't added by a
/// run.
fn is_outline(plan: &Plan, id: &TaskId) -> bool {
    let Some(index) = plan.index_of(id) else {
        return false;
    };
    let task = &plan.tasks[index];
    task.kind == TaskKind::Normal
        && task.by != By::Person
        && task.calls.is_empty()
        && !task.is_group()
        && !is_of_run(task)
        && split_depth(plan, index) < MAX_SPLITS
}
