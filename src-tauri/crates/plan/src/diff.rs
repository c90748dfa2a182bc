//! Compares two versions of a plan, task by task.
//!
//! Tasks are matched by their written ids. A task without one is matched by content: first by
//! equal title, then by similarity at the same position, so that a task inserted above doesn't
//! make all others look new. A task counts as moved if its order relative to the others
//! changed; the tasks that it passed don't count. Whitespace, line endings and the order of
//! different keys are ignored.
//!
//! Works on parsed plans; never fails.

mod moves;
mod notes;
mod outside;
mod pairs;
mod summary;
mod task;
mod words;

pub use summary::summary;
pub use words::{RunKind, WordRun, words};

pub(crate) use moves::moved;
pub(crate) use pairs::Pairs;
pub(crate) use words::tokens;

use crate::model::{Plan, TaskId};

/// The differences between two versions of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlanDiff {
    /// The changed tasks, in the order of the later version; a removed task is at its old position.
    pub tasks: Vec<TaskDiff>,
    /// The number of unchanged tasks in the later version.
    pub unchanged: usize,
    /// The number of tasks in the earlier version.
    pub tasks_before: usize,
    /// The changes outside of tasks: `title`, front matter keys (`goal`), requirements by id,
    /// `answer to D1`, and prose by section name. The part before the first heading is the
    /// `introduction`.
    pub around: Vec<PartDiff>,
}

/// The changes of one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskDiff {
    /// Its id in the later version, or in the earlier one if it was removed.
    pub id: TaskId,
    /// The most important change.
    pub kind: ChangeKind,
    /// Its current title, or its last one if it was removed.
    pub title: String,
    /// Details beyond `kind`, in a few words each: `check removed`, `depends on T2`,
    /// `moved below T5`.
    pub notes: Vec<String>,
    /// The changed parts: `title`, `text`, and keys by name. For an added or removed task, its text
    /// and keys, all of them added or removed.
    pub parts: Vec<PartDiff>,
    /// Its index among the tasks of the earlier version.
    pub before: Option<usize>,
    /// Its index among the tasks of the later version.
    pub after: Option<usize>,
}

/// One part, before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartDiff {
    /// The name of the part.
    pub name: String,
    /// Its words, in reading order.
    pub words: Vec<WordRun>,
}

crate::named! {
    without serde:
    /// The most important change of a task; of several, the one listed first here.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ChangeKind {
        /// Only the later version has it.
        Added = "added",
        /// Only the earlier version has it.
        Removed = "removed",
        /// Its title or its text changed.
        Reworded = "reworded",
        /// It was skipped.
        Skipped = "skipped",
        /// It was ticked.
        Done = "done",
        /// It was unticked.
        Reopened = "reopened",
        /// Its position changed.
        Moved = "moved",
        /// Anything else changed, such as its keys.
        Changed = "changed",
    }
}

/// Compares two versions. Each plan must be the one parsed from its text.
pub fn diff(before: (&str, &Plan), after: (&str, &Plan)) -> PlanDiff {
    let pairs = Pairs::of(before.1, after.1);
    let places_left = moved(before.1, after.1, &pairs);
    let places = task::RenumberedIds::of(before.1, after.1, &pairs);
    let mut unchanged = 0;
    // Each task with its sort position. A removed task comes before the task that took its place.
    let mut found: Vec<(usize, bool, TaskDiff)> = Vec::new();
    for (index, task) in after.1.tasks.iter().enumerate() {
        let change = match pairs.before[index] {
            None => Some(task::added_or_removed(task, index, ChangeKind::Added)),
            Some(old) => {
                let moved = places_left[index].as_deref();
                task::compared(before.1, after.1, &places, (old, index), moved)
            }
        };
        match change {
            Some(change) => found.push((index, true, change)),
            None => unchanged += 1,
        }
    }
    let mut place = 0;
    for (index, task) in before.1.tasks.iter().enumerate() {
        match pairs.after[index] {
            Some(new) if places_left[new].is_none() => place = new + 1,
            Some(_) => {}
            None => {
                let change = task::added_or_removed(task, index, ChangeKind::Removed);
                found.push((place, false, change));
            }
        }
    }
    found.sort_by_key(|(place, is_there, _)| (*place, *is_there));
    PlanDiff {
        tasks: found.into_iter().map(|(.., change)| change).collect(),
        unchanged,
        tasks_before: before.1.tasks.len(),
        around: outside::outside(before, after),
    }
}
