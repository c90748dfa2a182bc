//! Removes tasks and the references to them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{subtree_end, update_references};
use crate::edit::content::{PlanContent, Root, apply_first_matching, matching_plan};
use crate::edit::dependencies::{TaskIndex, with_ids};
use crate::edit::draft::Draft;
use crate::edit::key_lines::{KeyLines, write_all};
use crate::edit::layout::{item_with_gap, without_lines};
use crate::edit::references::{ids_in, option_without, without};
use crate::edit::{EditError, Splice, find};
use crate::model::{Plan, Task, TaskId};

/// Removes a task with its sub-tasks, and all references to it:
///
/// - In `depends:`. A `depends:` that would become empty gets what the removed task waited for (its
///   own `depends:`, else the task above it, else what its group waits for), or `none` if there was
///   nothing. This way, no task starts earlier than before.
/// - In options. A decision's option with no tasks left leads to `none`; a checkpoint's option to
///   skip the task becomes `continue`.
/// - The record of a removed decision.
///
/// A task without explicit dependencies then waits for the task that is now above it. Fails with
/// [`EditError::UnknownTask`]; [`EditError::NoPosition`] if the rest of the file would parse
/// differently without those lines.
pub fn delete_task(text: &str, plan: &Plan, id: &TaskId) -> Result<Vec<Splice>, EditError> {
    let (index, _) = find(plan, id)?;
    let own = index..subtree_end(plan, index);
    let removed = Removed::of(plan, own.clone());
    let mut draft = Draft::of(text);
    let (changes, named) = removed.changes(plan);
    let mut now = match changes.is_empty() {
        true => plan.clone(),
        false => {
            let (now, _) = with_ids(&mut draft, plan, &named)?;
            // Compute the changes again, since references by position now use the written ids.
            let (changes, _) = removed.changes(&now);
            write_all(&mut draft, &now, &changes)?
        }
    };
    now = removed.remove_records(&mut draft, now);
    let mut expected = PlanContent::of(&draft.text, &now);
    let rest = cut(&mut draft, &now, index, &expected)?;
    let order: Vec<Option<usize>> = (0..now.tasks.len())
        .filter(|at| !own.contains(at))
        .map(Some)
        .collect();
    expected.reordered(&order, None, NO_ROOT);
    update_references(&mut draft, &now, rest, &order, expected)?;
    Ok(draft.splices())
}

/// The tasks outside of this one whose `depends:` or options reference it or one of its sub-tasks,
/// in order: those that [`delete_task`] changes. For tasks that wait for it without naming it, see
/// [`crate::graph::Graph::dependents`].
pub fn named_by(plan: &Plan, id: &TaskId) -> Vec<TaskId> {
    let Some(index) = plan.index_of(id) else {
        return Vec::new();
    };
    let own = index..subtree_end(plan, index);
    let removed = Removed::of(plan, own.clone());
    let tasks = plan.tasks.iter().enumerate();
    tasks
        .filter(|(at, task)| !own.contains(at) && removed.is_named_by(task))
        .map(|(_, task)| task.id.clone())
        .collect()
}

const NO_ROOT: Root = Root {
    task: Some(usize::MAX),
    parent: None,
};

/// Removes the lines of a task with its sub-tasks. `before` is the content of the plan before the
/// removal.
pub(super) fn cut(
    draft: &mut Draft,
    plan: &Plan,
    index: usize,
    before: &PlanContent,
) -> Result<Plan, EditError> {
    let own = index..subtree_end(plan, index);
    let order: Vec<Option<usize>> = (0..plan.tasks.len())
        .filter(|at| !own.contains(at))
        .map(Some)
        .collect();
    let mut expected = before.clone();
    expected.reordered(&order, None, NO_ROOT);
    let task = &plan.tasks[index];
    let with_gap = without_lines(&draft.text, [item_with_gap(&draft.text, &task.span)]);
    let alone = without_lines(&draft.text, [task.span.clone()]);
    let found = apply_first_matching(draft, [with_gap, alone], &expected, |_| ());
    found.ok_or_else(|| EditError::NoPosition {
        line: task.title.clone(),
    })
}

/// The tasks to remove.
#[derive(Debug)]
struct Removed {
    /// Their ids, except ids that an earlier task also has.
    names: BTreeSet<String>,
    own: Range<usize>,
}

impl Removed {
    fn of(plan: &Plan, own: Range<usize>) -> Self {
        let named = |tasks: &[Task]| -> BTreeSet<String> {
            tasks.iter().map(|task| task.id.0.clone()).collect()
        };
        // A duplicate id refers to the first task that has it.
        let before = named(&plan.tasks[..own.start]);
        let mut names = named(&plan.tasks[own.clone()]);
        names.retain(|name| !before.contains(name));
        Self { names, own }
    }

    fn is_named_by(&self, task: &Task) -> bool {
        let fields = task.fields.iter();
        let mut names = fields.flat_map(|field| ids_in(&field.key, &field.value));
        names.any(|name| self.names.contains(name))
    }

    /// The lines to rewrite, without references to removed tasks, and the tasks that they reference
    /// instead.
    fn changes(&self, plan: &Plan) -> (Vec<KeyLines>, Vec<String>) {
        let names = TaskIndex::of(plan);
        let is_gone = |id: &str| self.names.contains(id);
        let mut changes = Vec::new();
        let mut named = Vec::new();
        for (at, task) in plan.tasks.iter().enumerate() {
            if self.own.contains(&at) || !self.is_named_by(task) {
                continue;
            }
            let names_gone =
                |key: &'static str| move |value: &str| ids_in(key, value).into_iter().any(is_gone);
            if task.values("option").any(names_gone("option")) {
                let options = task.values("option").map(|value| {
                    option_without(value, is_gone).unwrap_or_else(|| value.to_owned())
                });
                changes.push(KeyLines {
                    at,
                    key: "option",
                    lines: options.collect(),
                });
            }
            if !task.values("depends").any(names_gone("depends")) {
                continue;
            }
            let left = task.values("depends");
            let mut lines: Vec<String> = left.filter_map(|value| without(value, is_gone)).collect();
            if lines.is_empty() {
                let before = self.waited_for(plan, &names, at);
                let before: Vec<&str> = before
                    .into_iter()
                    .map(|before| plan.tasks[before].id.as_str())
                    .collect();
                named.extend(before.iter().map(|id| (*id).to_owned()));
                lines.push(match before.is_empty() {
                    true => "none".to_owned(),
                    false => before.join(", "),
                });
            }
            changes.push(KeyLines {
                at,
                key: "depends",
                lines,
            });
        }
        (changes, named)
    }

    /// What the removed tasks that a task references wait for, excluding removed tasks.
    fn waited_for(&self, plan: &Plan, names: &TaskIndex<'_>, at: usize) -> Vec<usize> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = names.resolve(plan.tasks[at].depends.as_deref().unwrap_or_default());
        while let Some(next) = open.pop() {
            if !self.own.contains(&next) {
                found.insert(next);
            } else if seen.insert(next) {
                open.extend(dependencies_of(plan, names, next));
            }
        }
        found.remove(&at);
        // A task can't wait for a group that contains it.
        let mut around = plan.tasks[at].parent;
        while let Some(group) = around {
            found.remove(&group);
            around = plan.tasks[group].parent;
        }
        found.into_iter().collect()
    }

    /// Removes the records of removed decisions, if that changes nothing else.
    fn remove_records(&self, draft: &mut Draft, plan: Plan) -> Plan {
        let is_gone = |task: &TaskId| self.names.contains(task.as_str());
        let records = plan.decisions.iter().filter(|record| is_gone(&record.task));
        let spans: Vec<_> = records.map(|record| record.span.clone()).collect();
        if spans.is_empty() {
            return plan;
        }
        let mut expected = PlanContent::of(&draft.text, &plan);
        expected.decisions.retain(|(task, ..)| !is_gone(task));
        let splices = without_lines(&draft.text, spans);
        match matching_plan(&draft.text, &splices, &expected) {
            Some(after) if draft.change(&splices).is_ok() => after,
            _ => plan,
        }
    }
}

/// A task's own dependencies (explicit or implicit); if it has none, those of the nearest enclosing
/// group with a `depends:`.
fn dependencies_of(plan: &Plan, names: &TaskIndex<'_>, index: usize) -> Vec<usize> {
    let own = names.waits_for(plan, index);
    if !own.is_empty() || plan.tasks[index].depends.is_some() {
        return own;
    }
    let mut around = plan.tasks[index].parent;
    while let Some(group) = around {
        if let Some(depends) = &plan.tasks[group].depends {
            return names.resolve(depends);
        }
        around = plan.tasks[group].parent;
    }
    Vec::new()
}
