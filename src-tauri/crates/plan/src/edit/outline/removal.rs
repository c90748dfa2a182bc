//! Takes tasks away, and what others say about them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{settle_names, subtree_end};
use crate::edit::draft::Draft;
use crate::edit::key_lines::{KeyLines, write_all};
use crate::edit::layout::{item_with_gap, without_lines};
use crate::edit::portrait::{Portrait, Root, first_that_reads, reads_as};
use crate::edit::references::{ids_in, option_without, without};
use crate::edit::waiting::{Names, with_ids};
use crate::edit::{EditError, Splice, find};
use crate::model::{Plan, Task, TaskId};

/// Takes a task away with its sub-tasks, and its name out of what others say:
///
/// - `depends:` loses it. One that would lose its last id waits for what the removed task waited
///   for (its own `depends:`, else the task above it, else what its group waits for), and says
///   `none` where that was nothing. So nobody starts earlier than before.
/// - An option loses it. One of a decision that would lose its last task leads to `none`; a
///   checkpoint's `skip` of it becomes `continue`.
/// - The record of a removed decision goes.
///
/// A task that says nothing about its order waits for the one that is above it then.
///
/// # Errors
/// [`EditError::UnknownTask`]; [`EditError::NoPlace`] where the rest of the file would read
/// differently without those lines.
pub fn delete_task(text: &str, plan: &Plan, id: &TaskId) -> Result<Vec<Splice>, EditError> {
    let (index, _) = find(plan, id)?;
    let own = index..subtree_end(plan, index);
    let gone = Gone::of(plan, own.clone());
    let mut draft = Draft::of(text);
    let (changes, named) = gone.changes(plan);
    let mut now = match changes.is_empty() {
        true => plan.clone(),
        false => {
            let (now, _) = with_ids(&mut draft, plan, &named)?;
            // An id that was just written changes what the lines say.
            let (changes, _) = gone.changes(&now);
            write_all(&mut draft, &now, &changes)?
        }
    };
    now = gone.take_records(&mut draft, now);
    let mut expected = Portrait::of(&draft.text, &now);
    let rest = cut(&mut draft, &now, index, &expected)?;
    let order: Vec<Option<usize>> = (0..now.tasks.len())
        .filter(|at| !own.contains(at))
        .map(Some)
        .collect();
    expected.reordered(&order, None, NO_ROOT);
    settle_names(&mut draft, &now, rest, &order, expected)?;
    Ok(draft.splices())
}

/// The tasks outside of this one whose `depends:` or options name it or one of its sub-tasks, in
/// order: those that [`delete_task`] changes. Who waits for it without naming it is what
/// [`crate::graph::Graph::dependents`] tells.
pub fn named_by(plan: &Plan, id: &TaskId) -> Vec<TaskId> {
    let Some(index) = plan.index_of(id) else {
        return Vec::new();
    };
    let own = index..subtree_end(plan, index);
    let gone = Gone::of(plan, own.clone());
    let tasks = plan.tasks.iter().enumerate();
    tasks
        .filter(|(at, task)| !own.contains(at) && gone.is_named_by(task))
        .map(|(_, task)| task.id.clone())
        .collect()
}

const NO_ROOT: Root = Root {
    task: Some(usize::MAX),
    parent: None,
};

/// Takes the lines of a task with its sub-tasks away. `before` is what the plan says.
pub(super) fn cut(
    draft: &mut Draft,
    plan: &Plan,
    index: usize,
    before: &Portrait,
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
    let found = first_that_reads(draft, [with_gap, alone], &expected, |_| ());
    found.ok_or_else(|| EditError::NoPlace {
        line: task.title.clone(),
    })
}

/// Tasks that go.
#[derive(Debug)]
struct Gone {
    /// Their names, as far as no other task goes by them.
    names: BTreeSet<String>,
    own: Range<usize>,
}

impl Gone {
    fn of(plan: &Plan, own: Range<usize>) -> Self {
        let named = |tasks: &[Task]| -> BTreeSet<String> {
            tasks.iter().map(|task| task.id.0.clone()).collect()
        };
        // The first task with an id is the one that is meant by it.
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

    /// The lines of all tasks without the names, and the tasks that they name instead.
    fn changes(&self, plan: &Plan) -> (Vec<KeyLines>, Vec<String>) {
        let names = Names::of(plan);
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

    /// What the removed tasks that a task names waited for, as far as it stays.
    fn waited_for(&self, plan: &Plan, names: &Names<'_>, at: usize) -> Vec<usize> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = names.resolve(plan.tasks[at].depends.as_deref().unwrap_or_default());
        while let Some(next) = open.pop() {
            if !self.own.contains(&next) {
                found.insert(next);
            } else if seen.insert(next) {
                open.extend(said_before(plan, names, next));
            }
        }
        found.remove(&at);
        // A group that the task stands in cannot be waited for from inside.
        let mut around = plan.tasks[at].parent;
        while let Some(group) = around {
            found.remove(&group);
            around = plan.tasks[group].parent;
        }
        found.into_iter().collect()
    }

    /// Takes the records of removed decisions away, where nothing else would change by it.
    fn take_records(&self, draft: &mut Draft, plan: Plan) -> Plan {
        let is_gone = |task: &TaskId| self.names.contains(task.as_str());
        let records = plan.decisions.iter().filter(|record| is_gone(&record.task));
        let spans: Vec<_> = records.map(|record| record.span.clone()).collect();
        if spans.is_empty() {
            return plan;
        }
        let mut expected = Portrait::of(&draft.text, &plan);
        expected.decisions.retain(|(task, ..)| !is_gone(task));
        let splices = without_lines(&draft.text, spans);
        match reads_as(&draft.text, &splices, &expected) {
            Some(after) if draft.change(&splices).is_ok() => after,
            _ => plan,
        }
    }
}

/// What a task waits for by its own line or place, else what the nearest group that says something
/// waits for.
fn said_before(plan: &Plan, names: &Names<'_>, index: usize) -> Vec<usize> {
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
