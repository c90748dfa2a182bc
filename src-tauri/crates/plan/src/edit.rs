//! Changes to a plan file, as replacements of byte ranges.
//!
//! A plan is never re-serialized: a change keeps every byte that it doesn't concern, and has an
//! exact inverse. New lines use the file's line ending and the
//! task's indentation. A change that adds or removes a line is first tried on the text; if it would
//! change how anything else parses, another position is tried.

mod add_steps;
mod assign_id;
mod blocks;
mod content;
mod convert;
mod decision;
mod dependencies;
mod draft;
mod fields;
mod goal;
mod key_lines;
mod keys;
mod kind;
mod layout;
mod local_check;
mod make_tasks;
mod merge_tasks;
mod outline;
mod page;
pub(crate) mod references;
mod requirements;
mod sequence;
mod split_task;
mod task_text;
mod trial;

use thiserror::Error;

pub use add_steps::{StepText, add_steps};
pub use assign_id::ensure_id;
pub use convert::to_native;
pub use decision::record_decision;
pub use dependencies::{connect, disconnect};
pub use fields::{add_note, skip, unskip};
pub use goal::{begin, set_goal};
pub use keys::{set_depends, set_field};
pub use kind::set_kind;
pub use make_tasks::{MakeFrom, could_be_tasks, make_tasks};
pub use merge_tasks::merge_tasks;
pub use outline::{NewTask, Place, add_task, delete_task, indent, move_task, named_by, outdent};
pub use page::{intro, set_intro, set_plan_title};
pub use requirements::{add_requirement, delete_requirement, set_requirement};
pub use split_task::split_task;
pub use task_text::{set_body, set_title};

use crate::dialect::{heading_steps, todos};
use crate::graph::Graph;
use crate::model::{Mark, Plan, Span, Task, TaskId};

/// Replaces a byte range of a plan's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// The bytes to replace.
    pub range: Span,
    /// The replacement.
    pub text: String,
}

/// A text after applying splices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The new text.
    pub text: String,
    /// The splices that turn it back into the old one.
    pub inverse: Vec<Splice>,
}

/// A change, and the resulting id of the task that was added, moved or given an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named<I> {
    /// The change; empty if the task already had the id.
    pub splices: Vec<Splice>,
    /// The id in the changed text.
    pub id: I,
}

/// Why an edit failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EditError {
    /// No task has this id.
    #[error("no step {id} in the plan; reload it, it may have changed")]
    UnknownTask {
        /// The requested id.
        id: TaskId,
    },
    /// The range is outside the text.
    #[error(
        "the edit (bytes {start} to {end} of {length}) was made for another version of the file; reload the plan"
    )]
    OutOfRange {
        /// Start of the range, in bytes.
        start: usize,
        /// End of the range in bytes, exclusive.
        end: usize,
        /// The length of the text.
        length: usize,
    },
    /// Nothing in the plan can be turned into tasks.
    #[error("can't create steps from this plan: {reason}")]
    NothingToConvert {
        /// The reason and what to do.
        reason: &'static str,
    },
    /// The steps are headings or in the front matter.
    #[error(
        "the steps of this plan aren't task-list items, so they can only be marked as done; convert headings to a list first, or edit the file"
    )]
    NotAList,
    /// Two splices replace the same bytes.
    #[error("two edits replace the same bytes (from {start}); apply them one at a time")]
    Overlap {
        /// Where the second one starts.
        start: usize,
    },
    /// Every position for the new line would change how something else parses.
    #[error(
        "can't write `{line}` without changing the meaning of other lines; look for an unclosed code block or comment"
    )]
    NoPosition {
        /// The line to add or remove.
        line: String,
    },
    /// The text is empty.
    #[error("the {what} is empty; enter some text")]
    Empty {
        /// The name of the missing text.
        what: &'static str,
    },
    /// No requirement has this id.
    #[error("no requirement {id} in the plan; reload it, it may have changed")]
    UnknownRequirement {
        /// The requested id.
        id: String,
    },
    /// The text would be parsed as something else, or change how the rest is parsed.
    #[error("the {what} would be parsed differently than intended; {advice}")]
    Misparsed {
        /// What was to be written, such as the title.
        what: String,
        /// What to do.
        advice: &'static str,
    },
    /// The value is invalid for this key.
    #[error("invalid value `{value}`: `{key}` {rule}")]
    BadValue {
        /// The key.
        key: String,
        /// The values that the key accepts.
        rule: &'static str,
        /// The invalid value.
        value: String,
    },
    /// A task can't be moved under or after one of its own sub-tasks.
    #[error("{id} cannot be moved into itself; choose a position outside it")]
    IntoItself {
        /// The task's id.
        id: TaskId,
    },
    /// Tasks would wait for each other, so none could start.
    #[error("this would create a cycle: {}; remove one of these dependencies first", describe_cycle(.path))]
    Cycle {
        /// The cycle: each task waits for the next, the last for the first.
        path: Vec<TaskId>,
    },
    /// There is no task above it to nest it under.
    #[error("can't indent {id}: it is the first step at its level")]
    NoTaskAbove {
        /// The task's id.
        id: TaskId,
    },
    /// The task is not a sub-task.
    #[error("{id} is already at the top level")]
    AlreadyTopLevel {
        /// The task's id.
        id: TaskId,
    },
    /// The dependency exists, but is not defined by the task itself.
    #[error("{id} depends on {from} because {reason}; change it there")]
    DefinedElsewhere {
        /// Id of the task that waits.
        id: TaskId,
        /// Id of the task that it waits for.
        from: TaskId,
        /// What defines the dependency.
        reason: String,
    },
    /// A checkpoint and a decision can't be merged.
    #[error(
        "can't merge a checkpoint and a decision ({first}, {second}); give both the same type first"
    )]
    KindsDiffer {
        /// Id of the task to keep.
        first: TaskId,
        /// Id of the task to merge into it.
        second: TaskId,
    },
}

/// Describes a cycle.
fn describe_cycle(path: &[TaskId]) -> String {
    // Longer cycles are truncated.
    const SHOWN: usize = 12;
    let Some((first, rest)) = path.split_first() else {
        return String::new();
    };
    let Some((second, rest)) = rest.split_first() else {
        return format!("{first} depends on itself");
    };
    let mut words = format!("{first} depends on {second}");
    for id in rest.iter().take(SHOWN) {
        words.push_str(&format!(", which depends on {id}"));
    }
    if rest.len() > SHOWN {
        words.push_str(", which depends on …");
    }
    words.push_str(&format!(", which depends on {first}"));
    words
}

/// Applies splices to the text they were made for. Their order matters only if several insert at
/// the same position. Fails with [`EditError::OutOfRange`] and [`EditError::Overlap`]; in that
/// case, nothing is changed.
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

/// Ticks a task: writes `x` into its box, or the mark that its format uses. No change if it is
/// ticked. Fails with [`EditError::UnknownTask`].
pub fn tick(plan: &Plan, id: &TaskId) -> Result<Vec<Splice>, EditError> {
    mark(plan, id, true)
}

/// Unticks a task. No change if it is not ticked. Fails with [`EditError::UnknownTask`].
pub fn untick(plan: &Plan, id: &TaskId) -> Result<Vec<Splice>, EditError> {
    mark(plan, id, false)
}

/// Unticks a task and its groups. Fails with [`EditError::UnknownTask`].
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
    // A heading may also have a checkbox; its check marks are longer than one byte.
    let has_sign = task.mark == Mark::Heading && task.box_span.len() != 1;
    let text = match (task.mark, done) {
        (Mark::Heading, true) if has_sign => heading_steps::DONE,
        (Mark::Heading, false) if has_sign => "",
        (Mark::Status, true) if task.box_span.is_empty() => todos::DONE_AFTER_COLON,
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

/// Finds a task that can be edited.
fn find<'p>(plan: &'p Plan, id: &TaskId) -> Result<(usize, &'p Task), EditError> {
    let (index, task) = find_any(plan, id)?;
    match task.mark {
        Mark::Box => Ok((index, task)),
        Mark::Heading | Mark::Status => Err(EditError::NotAList),
    }
}

/// Fails if no step is a list item, since only ticks can be written then.
fn must_be_list(plan: &Plan) -> Result<(), EditError> {
    let is_list = plan.tasks.is_empty() || plan.tasks.iter().any(|task| task.mark == Mark::Box);
    if is_list {
        Ok(())
    } else {
        Err(EditError::NotAList)
    }
}

fn find_any<'p>(plan: &'p Plan, id: &TaskId) -> Result<(usize, &'p Task), EditError> {
    let index = plan
        .index_of(id)
        .ok_or_else(|| EditError::UnknownTask { id: id.clone() })?;
    Ok((index, &plan.tasks[index]))
}

/// The groups to tick: unticked groups whose leaves are all done, optional, or skipped by the
/// recorded answer of a decision. At least one leaf must be done.
pub fn finished_groups(plan: &Plan) -> Vec<TaskId> {
    if plan.tasks.iter().all(|task| task.children.is_empty()) {
        return Vec::new();
    }
    let graph = Graph::of(plan);
    let left_out = |leaf: usize| {
        let answer = |decision: &Task| plan.recorded_answer(decision);
        graph.skipped_by(plan, leaf, answer).is_some()
    };
    let is_finished = |group: usize| {
        let leaves = graph.required_leaves_of(group);
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
