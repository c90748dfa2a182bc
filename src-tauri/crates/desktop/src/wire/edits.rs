//! Edits to a plan and their outcomes.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::DiffLine;

/// One edit to a plan.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, Type)]
#[serde(tag = "edit", rename_all = "snake_case")]
pub enum Edit {
    /// Sets the plan's title.
    PlanTitle {
        /// The new title.
        text: String,
    },
    /// Sets the plan's goal.
    Goal {
        /// The new goal.
        text: String,
    },
    /// Sets the text between the title and the first section.
    Intro {
        /// The new text, as Markdown.
        text: String,
    },
    /// Sets a requirement's text.
    Requirement {
        /// The requirement's id.
        id: String,
        /// The new text.
        text: String,
    },
    /// Adds a requirement.
    AddRequirement {
        /// The requirement's text.
        text: String,
    },
    /// Deletes a requirement and every `covers:` reference to it.
    DeleteRequirement {
        /// The requirement's id.
        id: String,
    },
    /// Sets a task's title.
    Title {
        /// The task's id.
        task: String,
        /// The new title.
        text: String,
    },
    /// Sets the text under a task's title.
    Body {
        /// The task's id.
        task: String,
        /// The new text, as Markdown.
        text: String,
    },
    /// Sets all values of one key of a task; an empty list removes the key.
    Field {
        /// The task's id.
        task: String,
        /// `files`, `verify`, `accept`, `covers`, `by`, …; for `depends` see [`Edit::Depends`].
        key: String,
        /// The new values.
        values: Vec<String>,
    },
    /// Sets a task's dependencies.
    Depends {
        /// The task's id.
        task: String,
        /// Ids of the new dependencies; `None` for the previous task, empty for no dependencies.
        on: Option<Vec<String>>,
    },
    /// Adds a task.
    AddTask {
        /// Where to insert it.
        place: TaskPlace,
        /// Its title.
        title: String,
        /// `task`, `checkpoint` or `decision`.
        kind: String,
    },
    /// Deletes a task with its sub-tasks and every reference to them.
    DeleteTask {
        /// The task's id.
        task: String,
    },
    /// Moves a task with its sub-tasks.
    MoveTask {
        /// The task's id.
        task: String,
        /// Where to move it.
        place: TaskPlace,
    },
    /// Splits a task in two: text that isn't kept moves to a new task after it.
    SplitTask {
        /// The task's id.
        task: String,
        /// The title of the new task.
        title: String,
        /// The text to keep; the rest moves to the new task. `None` keeps all of it.
        keep_body: Option<String>,
    },
    /// Merges two tasks: the text, keys and sub-tasks of `task` move into `into`.
    MergeTasks {
        /// Id of the task to keep.
        into: String,
        /// Id of the task to remove.
        task: String,
    },
    /// Makes a task the last sub-task of the task above it.
    Indent {
        /// The task's id.
        task: String,
    },
    /// Makes a sub-task the next sibling of its parent.
    Outdent {
        /// The task's id.
        task: String,
    },
    /// Changes a task's kind.
    Kind {
        /// The task's id.
        task: String,
        /// `task`, `checkpoint` or `decision`.
        kind: String,
    },
    /// Adds one dependency.
    Connect {
        /// Id of the task to wait for.
        from: String,
        /// Id of the task that waits.
        to: String,
    },
    /// Removes one dependency.
    Disconnect {
        /// Id of the task that was waited for.
        from: String,
        /// Id of the task that waited for it.
        to: String,
    },
    /// Ticks or unticks a task manually.
    Tick {
        /// The task's id.
        task: String,
        /// Whether to tick it.
        done: bool,
    },
    /// Turns the list items or headings of a plan without tasks into tasks.
    MakeTasks {
        /// What to turn into tasks: `items` or `headings`.
        from: String,
    },
    /// Converts the file to Planwright's own format.
    Convert,
    /// Several edits applied in order, all or none.
    Many {
        /// The edits; `Many` can't be nested.
        edits: Vec<Edit>,
    },
    /// Skips a task for a reason; `None` unskips it.
    Skip {
        /// The task's id.
        task: String,
        /// Why the task is skipped.
        reason: Option<String>,
    },
}

/// A position among the tasks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, Type)]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum TaskPlace {
    /// Before all other tasks.
    First,
    /// Before this task, at the same depth.
    Before {
        /// The task's id.
        task: String,
    },
    /// After this task and its sub-tasks, at the same depth.
    After {
        /// The task's id.
        task: String,
    },
    /// As the last sub-task of this task.
    Under {
        /// The task's id.
        task: String,
    },
}

/// The outcome of an edit, undo, redo or fix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum EditOutcome {
    /// The file was written.
    Written {
        /// The current revision.
        revision: String,
        /// The current id of the task that was added or moved.
        task: Option<String>,
        /// Whether another program's changes were merged.
        merged: bool,
    },
    /// Nothing had to be changed.
    Unchanged {
        /// The current revision.
        revision: String,
    },
    /// Another program changed the same text. Nothing was written.
    Conflict {
        /// The current revision.
        revision: String,
        /// The text that this edit would have written.
        mine: String,
        /// The text now in the file.
        theirs: String,
    },
}

/// A preview of an edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct EditPreview {
    /// The revision that the edit would apply to.
    pub revision: String,
    /// The diff.
    pub diff: Vec<DiffLine>,
    /// Number of tasks after the edit.
    pub tasks: u32,
}

/// A preview of a fix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct FixPreview {
    /// The fix's label.
    pub label: String,
    /// The revision that the fix would apply to.
    pub revision: String,
    /// The diff.
    pub diff: Vec<DiffLine>,
}

/// The effects of deleting a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct DeletePreview {
    /// Sub-tasks that would be deleted too.
    pub children: Vec<super::TaskRef>,
    /// Dependents, which would be relinked to this task's own dependencies.
    pub dependents: Vec<super::TaskRef>,
    /// Ids of the requirements that would no longer be covered.
    pub uncovered: Vec<String>,
    /// The diff.
    pub diff: Vec<DiffLine>,
}
