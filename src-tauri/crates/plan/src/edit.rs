//! Changes to a plan file, as replacements of byte ranges.
//!
//! Nothing here writes a plan anew: what a change does not name stays as it is, byte for byte, and
//! every change has an exact inverse. New lines take the file's line ending and the task's
//! indentation. A change that adds or takes away a line is tried on the text first; where it would
//! change how anything else is read, another place is looked for.

mod adding;
mod blocks;
mod convert;
mod decision;
mod draft;
mod fields;
mod goal;
mod halves;
mod identity;
mod joined;
mod key_lines;
mod keys;
mod kind;
mod layout;
mod make_tasks;
mod near;
mod outline;
mod page;
mod portrait;
pub(crate) mod references;
mod requirements;
mod steps;
mod trial;
mod waiting;
mod words;

use thiserror::Error;

pub use adding::{StepText, add_steps};
pub use convert::to_native;
pub use decision::record_decision;
pub use fields::{add_note, skip, unskip};
pub use goal::{begin, set_goal};
pub use halves::split_task;
pub use identity::ensure_id;
pub use joined::merge_tasks;
pub use keys::{set_depends, set_field};
pub use kind::set_kind;
pub use make_tasks::{MakeFrom, could_be_tasks, make_tasks};
pub use outline::{NewTask, Place, add_task, delete_task, indent, move_task, named_by, outdent};
pub use page::{intro, set_intro, set_plan_title};
pub use requirements::{add_requirement, delete_requirement, set_requirement};
pub use waiting::{connect, disconnect};
pub use words::{set_body, set_title};

use crate::dialect::{headed, todos};
use crate::graph::Graph;
use crate::model::{Mark, Plan, Span, Task, TaskId};

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// The bytes that go.
    pub range: Span,
    /// What stands there instead.
    pub text: String,
}

/// A text after some splices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The new text.
    pub text: String,
    /// The splices that turn it back into the old one.
    pub inverse: Vec<Splice>,
}

/// A change after which something goes by an id: what was added, moved, or given one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named<I> {
    /// The change; nothing where the id was there already.
    pub splices: Vec<Splice>,
    /// The id in the text after the change.
    pub id: I,
}

/// Why an edit cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EditError {
    /// No task has this id.
    #[error("the plan has no task {id}; read it again, it may have changed")]
    UnknownTask {
        /// The id asked for.
        id: TaskId,
    },
    /// A range that does not fit the text.
    #[error(
        "an edit was made on another content of the file (bytes {start} to {end} of {length}); read the plan again"
    )]
    OutOfRange {
        /// First byte.
        start: usize,
        /// One behind the last byte.
        end: usize,
        /// The length of the text.
        length: usize,
    },
    /// A plan that tasks cannot be made of.
    #[error("no tasks can be made of this plan: {reason}")]
    NothingToMake {
        /// Why, and what to do.
        reason: &'static str,
    },
    /// Steps that are headings, or stand in the front matter.
    #[error(
        "the steps of this plan are no list of tasks, so that only ticks can be written; turn headings into a list first, or write it in the file"
    )]
    NoList,
    /// Two splices for the same bytes.
    #[error(
        "two edits want to replace the same bytes (from {start}); make them one after the other"
    )]
    Overlap {
        /// Where the second begins.
        start: usize,
    },
    /// Every place for the new line would change how something else is read.
    #[error(
        "there is no place for `{line}` in the file that leaves the rest as it is; look for a code block or comment that is not closed"
    )]
    NoPlace {
        /// The line to add or take away.
        line: String,
    },
    /// Nothing to write.
    #[error("the {what} is empty; give it some text")]
    Empty {
        /// What is missing.
        what: &'static str,
    },
    /// No requirement has this id.
    #[error("the plan has no requirement {id}; read it again, it may have changed")]
    UnknownRequirement {
        /// The id asked for.
        id: String,
    },
    /// The words would be read back as something else, or change how the rest is read.
    #[error("the {what} would be read as something else than it is meant as; {advice}")]
    ReadsOtherwise {
        /// What was to be written.
        what: String,
        /// What to do.
        advice: &'static str,
    },
    /// A value that its key does not take.
    #[error("`{key}` {rule}, and not `{value}`")]
    BadValue {
        /// The key.
        key: String,
        /// What it takes.
        rule: &'static str,
        /// What was given.
        value: String,
    },
    /// A task cannot stand under or behind a part of itself.
    #[error("{id} cannot be moved into itself; choose a place outside of it")]
    IntoItself {
        /// The task.
        id: TaskId,
    },
    /// Tasks would wait for each other, so that none could start.
    #[error("this would be a circle: {}; take one of these out first", circle(.path))]
    Cycle {
        /// The circle in the order of waiting: each waits for the next, the last for the first.
        path: Vec<TaskId>,
    },
    /// There is no task above it that it could go under.
    #[error("{id} is the first at its level, so there is none above it that it could go under")]
    FirstOfItsLevel {
        /// The task.
        id: TaskId,
    },
    /// It is a sub-task of nothing.
    #[error("{id} stands at the top level already")]
    AtTheTop {
        /// The task.
        id: TaskId,
    },
    /// The task does wait, but another place in the file says so.
    #[error("{id} waits for {from} because {reason}; change it there")]
    SaidElsewhere {
        /// What waits.
        id: TaskId,
        /// What it waits for.
        from: TaskId,
        /// What says so.
        reason: String,
    },
    /// A checkpoint and a decision cannot be one task.
    #[error("{first} and {second} are a checkpoint and a decision; make both the same kind first")]
    KindsDiffer {
        /// The one that stays.
        first: TaskId,
        /// The one that goes.
        second: TaskId,
    },
}

/// A circle in words.
fn circle(path: &[TaskId]) -> String {
    // A long circle is told by its beginning.
    const SHOWN: usize = 12;
    let Some((first, rest)) = path.split_first() else {
        return String::new();
    };
    let Some((second, rest)) = rest.split_first() else {
        return format!("{first} waits for itself");
    };
    let mut words = format!("{first} waits for {second}");
    for id in rest.iter().take(SHOWN) {
        words.push_str(&format!(", which waits for {id}"));
    }
    if rest.len() > SHOWN {
        words.push_str(", which waits for …");
    }
    words.push_str(&format!(", which waits for {first}"));
    words
}

/// Applies splices to the text they were made for. Their order counts only where several insert at
/// the same place.
///
/// # Errors
/// [`EditError::OutOfRange`] and [`EditError::Overlap`]; the text is not changed then.
pub fn apply(text: &str, splices: &[Splice]) -> Result<Applied, EditError> {
    let mut ordered: Vec<&Splice> = splices.iter().collect();
    ordered.sort_by_key(|splice| (splice.range.start, splice.range.end));
    let grown: usize = ordered.iter().map(|splice| splice.text.len()).sum();
    let mut after = String::with_capacity(text.len() + grown);
    let mut inverse = Vec::with_capacity(ordered.len());
    let mut copied = 0;
    for splice in ordered {
        let Span { start, end } = splice.range;
        let Some(old) = text.get(start..end) else {
            return Err(EditError::OutOfRange {
                start,
                end,
                length: text.len(),
            });
        };
        let Some(kept) = text.get(copied..start) else {
            return Err(EditError::Overlap { start });
        };
        after.push_str(kept);
        let new_start = after.len();
        after.push_str(&splice.text);
        inverse.push(Splice {
            range: new_start..after.len(),
            text: old.to_owned(),
        });
        copied = end;
    }
    after.push_str(&text[copied..]);
    Ok(Applied {
        text: after,
        inverse,
    })
}

/// Ticks a task: what stands in its box becomes `x`. Nothing for a task that is ticked.
///
/// # Errors
/// [`EditError::UnknownTask`].
pub fn tick(plan: &Plan, id: &TaskId) -> Result<Vec<Splice>, EditError> {
    mark(plan, id, true)
}

/// Opens a task's box again. Nothing for a task that is not ticked.
///
/// # Errors
/// [`EditError::UnknownTask`].
pub fn untick(plan: &Plan, id: &TaskId) -> Result<Vec<Splice>, EditError> {
    mark(plan, id, false)
}

/// Opens a task's box again, and those of the groups around it.
///
/// # Errors
/// [`EditError::UnknownTask`].
pub fn reopen(plan: &Plan, id: &TaskId) -> Result<Vec<Splice>, EditError> {
    let mut splices = Vec::new();
    let mut at = Some(find_any(plan, id)?.0);
    while let Some(index) = at {
        let task = &plan.tasks[index];
        splices.extend(mark(plan, &task.id, false)?);
        at = task.parent;
    }
    splices.sort_by_key(|splice| splice.range.start);
    Ok(splices)
}

fn mark(plan: &Plan, id: &TaskId, done: bool) -> Result<Vec<Splice>, EditError> {
    let task = find_any(plan, id)?.1;
    if task.done == done {
        return Ok(Vec::new());
    }
    // A heading may have a box too; its signs are longer than a letter.
    let has_sign = task.mark == Mark::Heading && task.box_span.len() != 1;
    let text = match (task.mark, done) {
        (Mark::Heading, true) if has_sign => headed::DONE,
        (Mark::Heading, false) if has_sign => "",
        (Mark::Status, true) if task.box_span.is_empty() => todos::FIRST,
        (Mark::Status, true) => todos::DONE,
        (Mark::Status, false) => todos::OPEN,
        (_, true) => "x",
        (_, false) => " ",
    };
    Ok(vec![Splice {
        range: task.box_span.clone(),
        text: text.to_owned(),
    }])
}

/// A task that can be edited.
fn find<'p>(plan: &'p Plan, id: &TaskId) -> Result<(usize, &'p Task), EditError> {
    let (index, task) = find_any(plan, id)?;
    match task.mark {
        Mark::Box => Ok((index, task)),
        Mark::Heading | Mark::Status => Err(EditError::NoList),
    }
}

/// Fails where no step is a list item: only ticks can be written there.
fn must_be_list(plan: &Plan) -> Result<(), EditError> {
    let is_list = plan.tasks.is_empty() || plan.tasks.iter().any(|task| task.mark == Mark::Box);
    if is_list {
        Ok(())
    } else {
        Err(EditError::NoList)
    }
}

fn find_any<'p>(plan: &'p Plan, id: &TaskId) -> Result<(usize, &'p Task), EditError> {
    let index = plan
        .index_of(id)
        .ok_or_else(|| EditError::UnknownTask { id: id.clone() })?;
    Ok((index, &plan.tasks[index]))
}

/// The groups to tick: those that are not, although every leaf is done, is optional, or was left out
/// by the recorded answer of a decision. At least one leaf must be done.
pub fn finished_groups(plan: &Plan) -> Vec<TaskId> {
    if plan.tasks.iter().all(|task| task.children.is_empty()) {
        return Vec::new();
    }
    let graph = Graph::of(plan);
    let left_out = |leaf: usize| {
        let answer = |decision: &Task| plan.answer_on_record(decision);
        graph.left_out_by(plan, leaf, answer).is_some()
    };
    let is_finished = |group: usize| {
        let leaves = graph.needed_leaves_of(group);
        leaves.iter().any(|leaf| plan.tasks[*leaf].done)
            && leaves
                .iter()
                .all(|leaf| plan.tasks[*leaf].done || left_out(*leaf))
    };
    plan.tasks
        .iter()
        .enumerate()
        .filter(|(index, task)| task.is_group() && !task.done && is_finished(*index))
        .map(|(_, task)| task.id.clone())
        .collect()
}
