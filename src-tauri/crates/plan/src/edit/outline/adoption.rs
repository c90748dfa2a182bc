//! Takes a task away and gives its sub-tasks to another one.

use super::sites::sites;
use super::{At, Lines, out_of_circles, put, removal, settle_names, subtree_end};
use crate::edit::EditError;
use crate::edit::draft::Draft;
use crate::edit::portrait::{Portrait, Root};
use crate::model::Plan;

/// Takes the lines of a task away and puts its sub-tasks behind those of `into`, which does not
/// stand inside of it. What names tasks by their place names the same ones; no sub-task waits for
/// the group it stands in. Returns the plan then.
pub(in crate::edit) fn adopt(
    draft: &mut Draft,
    plan: &Plan,
    from: usize,
    into: usize,
) -> Result<Plan, EditError> {
    let gone = from..subtree_end(plan, from);
    let children: Vec<Lines> = plan.tasks[from]
        .children
        .iter()
        .map(|child| Lines::of(&draft.text, &plan.tasks[*child]))
        .collect();
    let before = Portrait::of(&draft.text, plan);
    let rest = removal::cut(draft, plan, from, &before)?;
    let at = At::Under(into).without(&gone);
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
    for (face, old) in expected.tasks.iter_mut().zip(&order) {
        if old.is_some_and(|old| plan.tasks[old].parent == Some(from)) {
            face.parent = parent;
        }
    }
    let after = match children.is_empty() {
        true => rest,
        false => {
            let sites = sites(&draft.text, &rest, at);
            put(draft, &rest, &sites, &[children], &expected)?
        }
    };
    let after = settle_names(draft, plan, after, &order, expected)?;
    let Some(parent) = parent else {
        return Ok(after);
    };
    let children = after.tasks[parent].children.iter();
    let trees: Vec<_> = children
        .map(|child| *child..subtree_end(&after, *child))
        .collect();
    out_of_circles(draft, after, &trees)
}
