//! Resolves cycles that arise when tasks move into a group.

use std::ops::Range;

use crate::edit::EditError;
use crate::edit::dependencies::{TaskIndex, with_ids};
use crate::edit::draft::Draft;
use crate::edit::key_lines::{KeyLines, write_all};
use crate::edit::references::{ids_in, without};
use crate::model::Plan;

const KEY: &str = "depends";

/// Removes cycles between subtrees and the groups that contain them: a group can't wait for its own
/// sub-task (it gets `none` if it had no other dependency), nor a sub-task for its group. Instead,
/// such a sub-task waits for the task above it in the group, or else for what the group waits for.
/// The subtrees are siblings.
pub(super) fn break_cycles(
    draft: &mut Draft,
    plan: Plan,
    trees: &[Range<usize>],
) -> Result<Plan, EditError> {
    let (changes, instead) = changes(&plan, trees);
    if changes.is_empty() {
        return Ok(plan);
    }
    let (now, _) = with_ids(draft, &plan, &instead)?;
    // Compute the changes again, since references by position now use the written ids.
    let (changes, _) = self::changes(&now, trees);
    write_all(draft, &now, &changes)
}

/// The lines to write, and the tasks that those lines newly reference.
fn changes(plan: &Plan, trees: &[Range<usize>]) -> (Vec<KeyLines>, Vec<String>) {
    let names = TaskIndex::of(plan);
    let mut found = Vec::new();
    let mut named = Vec::new();
    for tree in trees {
        // Each group that contains the tree, with the child of the group that leads to it.
        let mut groups: Vec<(usize, usize)> = Vec::new();
        let mut inner = tree.start;
        while let Some(group) = plan.tasks[inner].parent {
            groups.push((group, inner));
            inner = group;
        }
        for at in tree.clone() {
            found.extend(without_groups(plan, &names, at, &groups, &mut named));
        }
    }
    let is_inside = |id: &str| {
        let at = names.at(id);
        at.is_some_and(|at| trees.iter().any(|tree| tree.contains(&at)))
    };
    let mut around = trees.first().and_then(|tree| plan.tasks[tree.start].parent);
    while let Some(at) = around {
        let task = &plan.tasks[at];
        let names_inside = |value: &str| ids_in(KEY, value).into_iter().any(is_inside);
        if task.values(KEY).any(names_inside) {
            let left = task
                .values(KEY)
                .filter_map(|value| without(value, is_inside));
            let mut lines: Vec<String> = left.collect();
            if lines.is_empty() {
                lines.push("none".to_owned());
            }
            found.push(KeyLines {
                at,
                key: KEY,
                lines,
            });
        }
        around = task.parent;
    }
    (found, named)
}

/// The new `depends:` lines of a task, without the groups that contain it; `None` if it names none
/// of them.
fn without_groups(
    plan: &Plan,
    names: &TaskIndex<'_>,
    at: usize,
    groups: &[(usize, usize)],
    named: &mut Vec<String>,
) -> Option<KeyLines> {
    let task = &plan.tasks[at];
    let said = names.resolve(task.depends.as_deref()?);
    let is_group = |id: &str| {
        names
            .at(id)
            .is_some_and(|at| groups.iter().any(|(group, _)| *group == at))
    };
    let names_group = |value: &str| ids_in(KEY, value).into_iter().any(is_group);
    if !task.values(KEY).any(names_group) {
        return None;
    }
    let left = task
        .values(KEY)
        .filter_map(|value| without(value, is_group));
    let mut lines: Vec<String> = left.collect();
    if let Some(last) = lines.last_mut() {
        let inner = groups.iter().filter(|(group, _)| said.contains(group));
        let instead = inner.flat_map(|(_, inner)| names.by_place(plan, *inner));
        for before in instead.filter(|before| !said.contains(before)) {
            let id = &plan.tasks[before].id.0;
            last.push_str(", ");
            last.push_str(id);
            named.push(id.clone());
        }
    }
    Some(KeyLines {
        at,
        key: KEY,
        lines,
    })
}
