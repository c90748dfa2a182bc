//! Takes tasks away, and what others say about them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{settle_names, subtree_end};
use crate::edit::draft::Draft;
use crate::edit::identity::ensure_all;
use crate::edit::keys::write_lines;
use crate::edit::layout::{item_with_gap, without_lines};
use crate::edit::portrait::{Portrait, Root, first_that_reads, reads_as};
use crate::edit::references::{ids_in, option_without, without};
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
    let mut now = plan.clone();
    for at in (0..plan.tasks.len()).filter(|at| !own.contains(at)) {
        now = gone.take_from(&mut draft, now, at)?;
    }
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

    /// Takes the names out of what one task says.
    fn take_from(&self, draft: &mut Draft, plan: Plan, at: usize) -> Result<Plan, EditError> {
        let task = &plan.tasks[at];
        if !self.is_named_by(task) {
            return Ok(plan);
        }
        let is_gone = |id: &str| self.names.contains(id);
        let options: Vec<String> = task
            .values("option")
            .map(|value| option_without(value, is_gone).unwrap_or_else(|| value.to_owned()))
            .collect();
        let depends: Vec<&str> = task.values("depends").collect();
        let names_gone = depends
            .iter()
            .any(|value| ids_in("depends", value).into_iter().any(is_gone));
        let left: Vec<String> = match names_gone {
            true => depends
                .iter()
                .filter_map(|value| without(value, is_gone))
                .collect(),
            false => depends.iter().map(|value| (*value).to_owned()).collect(),
        };
        let inherits = names_gone && left.is_empty();
        let plan = write_lines(draft, &plan, at, "option", &options)?;
        if !inherits {
            return write_lines(draft, &plan, at, "depends", &left);
        }
        let before: Vec<String> = self
            .waited_for(&plan, at)
            .into_iter()
            .map(|before| plan.tasks[before].id.0.clone())
            .collect();
        let (plan, names) = ensure_all(draft, plan, &before)?;
        let line = match names.is_empty() {
            true => "none".to_owned(),
            false => names.join(", "),
        };
        write_lines(draft, &plan, at, "depends", &[line])
    }

    /// What the removed tasks that a task names waited for, as far as it stays.
    fn waited_for(&self, plan: &Plan, at: usize) -> Vec<usize> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let named = plan.tasks[at].depends.iter().flatten();
        let mut open: Vec<usize> = named.filter_map(|id| plan.index_of(id)).collect();
        while let Some(next) = open.pop() {
            if !self.own.contains(&next) {
                found.insert(next);
            } else if seen.insert(next) {
                open.extend(said_before(plan, next));
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

/// What a task waits for by its own line or place: `depends:`, else the one above it, else what its
/// group waits for.
fn said_before(plan: &Plan, index: usize) -> Vec<usize> {
    let mut at = index;
    loop {
        let task = &plan.tasks[at];
        if let Some(depends) = &task.depends {
            return depends.iter().filter_map(|id| plan.index_of(id)).collect();
        }
        let siblings = plan.tasks[..at].iter().enumerate();
        let above = siblings
            .rev()
            .find(|(_, other)| other.parent == task.parent);
        match (above, task.parent) {
            (Some((above, _)), _) => return vec![above],
            (None, Some(parent)) => at = parent,
            (None, None) => return Vec::new(),
        }
    }
}
