//! Removes a task and gives its sub-tasks to another one.

use super::sites::sites;
use super::{IndexedPlace, TaskLines, break_cycles, put, removal, subtree_end, update_references};
use crate::edit::EditError;
use crate::edit::content::{PlanContent, Root};
use crate::edit::draft::Draft;
use crate::model::Plan;

/// Removes the lines of a task and appends its sub-tasks to those of `into`, which must not be
/// nested in it. References that use positional ids keep pointing at the same tasks, and no
/// sub-task ends up waiting for the group that contains it. Returns the resulting plan.
pub(in crate::edit) fn adopt(
    draft: &mut Draft,
    plan: &Plan,
    from: usize,
    into: usize,
) -> Result<Plan, EditError> {
    let gone = from..subtree_end(plan, from);
    let children: Vec<TaskLines> = plan.tasks[from]
        .children
        .iter()
        .map(|child| TaskLines::of(&draft.text, &plan.tasks[*child]))
        .collect();
    let before = PlanContent::of(&draft.text, plan);
    let rest = removal::cut(draft, plan, from, &before)?;
    let at = IndexedPlace::Under(into).without(&gone);
    let end = subtree_end(plan, into);
    let stays = |at: &usize| !gone.contains(at);
    let mut order: Vec<Option<usize>> = (0..end).filter(stays).map(Some).collect();
    order.extend((gone.start + 1..gone.end).map(Some));
    order.extend((end..plan.tasks.len()).filter(stays).map(Some));
    let mut expected = before;
    expected.reordered(
        &order,
        None,
        Root {
            task: Some(usize::MAX),
            parent: None,
        },
    );
    let parent = order.iter().position(|old| *old == Some(into));
    for (task_content, old) in expected.tasks.iter_mut().zip(&order) {
        if old.is_some_and(|old| plan.tasks[old].parent == Some(from)) {
            task_content.parent = parent;
        }
    }
    let after = match children.is_empty() {
        true => rest,
        false => {
            let sites = sites(&draft.text, &rest, at);
            put(draft, &rest, &sites, &[children], &expected)?
        }
    };
    let after = update_references(draft, plan, after, &order, expected)?;
    let Some(parent) = parent else {
        return Ok(after);
    };
    let children = after.tasks[parent].children.iter();
    let trees: Vec<_> = children
        .map(|child| *child..subtree_end(&after, *child))
        .collect();
    break_cycles(draft, after, &trees)
}
