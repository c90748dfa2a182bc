//! Edits: what a person changes in a plan, and what came of it.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::DiffLine;

/// One change of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, Type)]
#[serde(tag = "edit", rename_all = "snake_case")]
pub enum Edit {
    /// The plan's title.
    PlanTitle {
        /// The new words.
        text: String,
    },
    /// The plan's goal.
    Goal {
        /// The new words.
        text: String,
    },
    /// The prose between the title and the first section.
    Intro {
        /// Markdown.
        text: String,
    },
    /// The words of a requirement.
    Requirement {
        /// Which.
        id: String,
        /// The new words.
        text: String,
    },
    /// A further requirement.
    AddRequirement {
        /// Its words.
        text: String,
    },
    /// A requirement goes, and what names it under `covers:`.
    DeleteRequirement {
        /// Which.
        id: String,
    },
    /// A task's title.
    Title {
        /// Which.
        task: String,
        /// The new words.
        text: String,
    },
    /// The prose under a task's title.
    Body {
        /// Which.
        task: String,
        /// Markdown.
        text: String,
    },
    /// All values of one key of a task; none removes the key.
    Field {
        /// Which.
        task: String,
        /// `files`, `verify`, `accept`, `covers`, `by`, …; for `depends` see [`Edit::Depends`].
        key: String,
        /// The new values.
        values: Vec<String>,
    },
    /// What a task waits for.
    Depends {
        /// Which.
        task: String,
        /// `None`: the one above. Empty: nothing.
        on: Option<Vec<String>>,
    },
    /// A new task.
    AddTask {
        /// Where.
        place: TaskPlace,
        /// Its title.
        title: String,
        /// `task`, `checkpoint` or `decision`.
        kind: String,
    },
    /// A task goes, with its sub-tasks and what names it.
    DeleteTask {
        /// Which.
        task: String,
    },
    /// A task moves, with its sub-tasks.
    MoveTask {
        /// Which.
        task: String,
        /// Where to.
        place: TaskPlace,
    },
    /// A task becomes two: the prose that does not stay goes to a new task behind it.
    SplitTask {
        /// Which.
        task: String,
        /// The title of the new task.
        title: String,
        /// The prose that stays; the rest goes to the new one. `None`: all of it stays.
        keep_body: Option<String>,
    },
    /// Two tasks become one: the second's words, keys and sub-tasks go into the first.
    MergeTasks {
        /// Which stays.
        into: String,
        /// Which goes.
        task: String,
    },
    /// A task becomes the last sub-task of the one above it.
    Indent {
        /// Which.
        task: String,
    },
    /// A sub-task becomes the next sibling of its parent.
    Outdent {
        /// Which.
        task: String,
    },
    /// A task becomes another kind.
    Kind {
        /// Which.
        task: String,
        /// `task`, `checkpoint` or `decision`.
        kind: String,
    },
    /// One task waits for a further one.
    Connect {
        /// What is waited for.
        from: String,
        /// What waits.
        to: String,
    },
    /// One task does not wait for another any more.
    Disconnect {
        /// What was waited for.
        from: String,
        /// What waited.
        to: String,
    },
    /// Ticks or unticks a task by hand.
    Tick {
        /// Which.
        task: String,
        /// Whether it is done.
        done: bool,
    },
    /// List items or headings of a plan without tasks become tasks.
    MakeTasks {
        /// `items` or `headings`.
        from: String,
    },
    /// The file is brought into Planwright's own format.
    Convert,
    /// Several edits as one, in order; all or none.
    Many {
        /// The edits. None of them is `Many`.
        edits: Vec<Edit>,
    },
    /// Left out, with a reason; `None` takes it in again.
    Skip {
        /// Which.
        task: String,
        /// Why.
        reason: Option<String>,
    },
}

/// A place among the tasks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, Type)]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum TaskPlace {
    /// Before every other.
    First,
    /// Before this one, at the same depth.
    Before {
        /// Which.
        task: String,
    },
    /// Behind this one and its sub-tasks, at the same depth.
    After {
        /// Which.
        task: String,
    },
    /// As the last sub-task of this one.
    Under {
        /// Which.
        task: String,
    },
}

/// What came of an edit, an undo, a redo or a fix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum EditOutcome {
    /// It is in the file.
    Written {
        /// The revision now.
        revision: String,
        /// The task that was added or moved, under its id now.
        task: Option<String>,
        /// Whether somebody else's change was kept beside it.
        merged: bool,
    },
    /// Nothing had to change.
    Unchanged {
        /// The revision now.
        revision: String,
    },
    /// Somebody else changed the same thing. Nothing was written.
    Conflict {
        /// The revision now.
        revision: String,
        /// What this edit wanted there.
        mine: String,
        /// What stands there now.
        theirs: String,
    },
}

/// What an edit would change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct EditPreview {
    /// The revision it would be made on.
    pub revision: String,
    /// The lines.
    pub diff: Vec<DiffLine>,
    /// How many tasks there would be.
    pub tasks: u32,
}

/// What a fix would change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct FixPreview {
    /// What it is called.
    pub label: String,
    /// The revision it would be made on.
    pub revision: String,
    /// The lines.
    pub diff: Vec<DiffLine>,
}

/// What deleting a task takes along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct DeletePreview {
    /// Sub-tasks that go with it.
    pub children: Vec<super::TaskRef>,
    /// Tasks that wait for it and will wait for what it waits for.
    pub dependents: Vec<super::TaskRef>,
    /// Requirements that nothing would cover any more.
    pub uncovered: Vec<String>,
    /// The lines.
    pub diff: Vec<DiffLine>,
}
