//! What two contents of a plan say differently, task by task.
//!
//! A task is known by its written id. One without is known by what it says: the same title first,
//! then the most similar one in the same place, so that a task put in above does not make all the
//! others new ones. A task has moved when it left the order of the others; those that it passed
//! have not. Blanks, line ends and the order of different keys are no difference.
//!
//! Works on what was parsed; never fails.

mod around;
mod moves;
mod notes;
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

/// What became of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlanDiff {
    /// The tasks that read otherwise, in the order of the later content; one that is gone stands
    /// where it stood.
    pub tasks: Vec<TaskDiff>,
    /// How many tasks of the later content are as they were.
    pub unchanged: usize,
    /// How many tasks the earlier content has.
    pub tasks_before: usize,
    /// What reads otherwise outside of tasks: `title`, keys of the front matter (`goal`),
    /// requirements by id, `answer of D1`, and prose by the name of its section, the part before
    /// the first heading being the `introduction`.
    pub around: Vec<PartDiff>,
}

/// What became of one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskDiff {
    /// Its id in the later content, or in the earlier one when it is gone.
    pub id: TaskId,
    /// The most telling change.
    pub kind: ChangeKind,
    /// Its title now, or as it was when it is gone.
    pub title: String,
    /// Everything else that the kind does not say, in a few words each: `lost its check`, `waits
    /// for T2`, `moved below T5`.
    pub notes: Vec<String>,
    /// What reads otherwise: `title`, `text`, and keys by name. A task that is new or gone has its
    /// text and keys here, all of them added or removed.
    pub parts: Vec<PartDiff>,
    /// Its index among the tasks of the earlier content.
    pub before: Option<usize>,
    /// Its index among the tasks of the later content.
    pub after: Option<usize>,
}

/// One part before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartDiff {
    /// What it is.
    pub name: String,
    /// Its words, in reading order.
    pub words: Vec<WordRun>,
}

/// The most telling change of a task; of several, the one named first here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// The earlier content does not have it.
    Added,
    /// The later content does not have it.
    Removed,
    /// Its title or its text reads otherwise.
    Reworded,
    /// It is left out now.
    Skipped,
    /// It is ticked now.
    Done,
    /// It is no longer ticked.
    Reopened,
    /// It stands in another place.
    Moved,
    /// Its keys say something else.
    Changed,
}

impl ChangeKind {
    /// The name used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Reworded => "reworded",
            Self::Skipped => "skipped",
            Self::Done => "done",
            Self::Reopened => "reopened",
            Self::Moved => "moved",
            Self::Changed => "changed",
        }
    }
}

/// What `after` says differently from `before`. Each plan is the one that its text was parsed to.
pub fn diff(before: (&str, &Plan), after: (&str, &Plan)) -> PlanDiff {
    let pairs = Pairs::of(before.1, after.1);
    let places_left = moved(before.1, after.1, &pairs);
    let places = task::Places::of(before.1, after.1, &pairs);
    let mut unchanged = 0;
    // With the place each has in the list: a task that is gone comes before the one that stands
    // where it stood.
    let mut found: Vec<(usize, bool, TaskDiff)> = Vec::new();
    for (index, task) in after.1.tasks.iter().enumerate() {
        let change = match pairs.before[index] {
            None => Some(task::whole(task, index, ChangeKind::Added)),
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
                let change = task::whole(task, index, ChangeKind::Removed);
                found.push((place, false, change));
            }
        }
    }
    found.sort_by_key(|(place, is_there, _)| (*place, *is_there));
    PlanDiff {
        tasks: found.into_iter().map(|(.., change)| change).collect(),
        unchanged,
        tasks_before: before.1.tasks.len(),
        around: around::around(before, after),
    }
}
