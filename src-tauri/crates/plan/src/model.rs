//! The data model of a parsed plan.
//!
//! Every element keeps the byte range that it was parsed from, so that an edit can be a
//! splice. Offsets count bytes of the parsed text, including a leading byte-order mark. Line
//! numbers start at 1.

mod dialect;
mod problem;
mod task;

use std::borrow::Cow;
use std::fmt;

use crate::call::{CallError, ToolCall};
pub use dialect::{Dialect, Mark};
pub use problem::{Problem, ProblemCode};
use serde::Serialize;

/// A byte range in the parsed text.
pub type Span = std::ops::Range<usize>;

/// The id of a task: opaque, stable, unique in a well-formed plan.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct TaskId(pub String);

impl TaskId {
    /// The id as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for TaskId {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// A parsed revision of a plan file.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The format of its tasks.
    pub dialect: Dialect,
    /// The values of the block between `---` lines at the top; empty if there is none.
    pub front: FrontMatter,
    /// The first level-1 heading.
    pub title: Option<Title>,
    /// The goal stated in the text above the tasks, in a section `## Goal` or a line `**Goal:** …`.
    pub stated_goal: Option<String>,
    /// Everything between the front matter and the `## Tasks` heading, or the first task if there
    /// is no such heading.
    pub preamble: Span,
    /// The list items under `## Requirements`, in order.
    pub requirements: Vec<Requirement>,
    /// Every task in document order; a sub-task follows its parent.
    pub tasks: Vec<Task>,
    /// The list items under `## Decisions`, in order.
    pub decisions: Vec<DecisionRecord>,
    /// The body of `## Decisions`, without its heading line.
    pub decisions_section: Option<Span>,
    /// `\n`, `\r\n` or `\r`, whichever the file uses most; new lines are written with it.
    pub line_ending: &'static str,
}

/// A heading that names the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title {
    /// Its text without the `#`.
    pub text: String,
    /// Its line number.
    pub line: u32,
    /// The span of the text.
    pub span: Span,
}

/// The values of the front matter.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrontMatter {
    /// The whole block including both fences; `None` if there is none.
    pub span: Option<Span>,
    /// The format version: `planwright: 1`.
    pub version: Option<u32>,
    /// The plan's id; set once, never changed.
    pub id: Option<String>,
    /// The goal in the user's words.
    pub goal: Option<String>,
    /// The commit that the plan was written for.
    pub base: Option<String>,
    /// `upfront`, `iterative` or `hybrid`: whether the plan grows while it runs.
    pub strategy: Option<String>,
    /// Muted findings about the plan as a whole, each with a code and a reason.
    pub mute: Vec<String>,
    /// Template only: phrases that a goal may open with; `{{name}}` stands for a parameter.
    pub matches: Vec<String>,
    /// Template only: the names of its parameters.
    pub params: Vec<String>,
    /// Template only: commands that check the result of the whole plan.
    pub checks: Vec<String>,
    /// All other keys with a single value, as written.
    pub other: Vec<(String, String)>,
}

/// A requirement: a list item under `## Requirements`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Requirement {
    /// Its id, such as `R1`; derived from its position if none is written.
    pub id: String,
    /// The text of the requirement.
    pub text: String,
    /// Its line number.
    #[serde(skip)]
    pub line: u32,
    /// The span of the whole item.
    #[serde(skip)]
    pub span: Span,
}

/// Whether a task's id is in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdOrigin {
    /// The id is in the file.
    Written,
    /// The id is derived from the position and only displayed. An id is written to the file once
    /// something has to reference the task.
    Positional,
}

/// The type of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskKind {
    /// A regular step.
    Normal,
    /// A pause for the user to review.
    Checkpoint,
    /// A question whose answer chooses a branch.
    Decision,
}

/// Who carries out a task, according to `by:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// A model, or Planwright itself if there are `call:` lines.
    Agent,
    /// A person.
    Person,
    /// The agent if there is a model or a `call:`, else a person. The default if `by:` is absent.
    Either,
}

/// A task: a task-list item, a numbered heading, or an entry of `todos:`.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Its id.
    pub id: TaskId,
    /// Whether the id is in the file.
    pub id_origin: IdOrigin,
    /// The span of the id, without emphasis, if it is written.
    pub id_span: Option<Span>,
    /// The rest of the first line after the box and id, trimmed.
    pub title: String,
    /// The span of the title.
    pub title_span: Span,
    /// The line number of the box.
    pub line: u32,
    /// The character in the box; a blank box has `' '`.
    pub marker: char,
    /// How the file marks the task as done.
    pub mark: Mark,
    /// The span that a tick replaces: the character in the box, the check mark, or the value of
    /// `status:`. Empty for `[]`, and if the heading or the `status:` has none.
    pub box_span: Span,
    /// Whether it is done: the marker is `x` or `X`.
    pub done: bool,
    /// Whether the file marks it as optional (`- [ ]*`). Other tasks wait for it only if their
    /// `depends:` names it.
    pub optional: bool,
    /// Whether the file marks it as parallel to the task above it (`[P]`, `(P)`).
    pub parallel: bool,
    /// The number of headings above it that are of level 1 or 2 or begin with "Phase". Parallel
    /// tasks still wait for the previous phase.
    pub phase: u32,
    /// Its type.
    pub kind: TaskKind,
    /// Its explicit dependencies, as written; `None` if its position defines them.
    pub depends: Option<Vec<TaskId>>,
    /// `files:`, as workspace paths.
    pub files: Vec<String>,
    /// `tools:`, the tools that a model gets for it.
    pub tools: Vec<String>,
    /// `call:` lines in order.
    pub calls: Vec<Call>,
    /// `covers:`, the ids of requirements.
    pub covers: Vec<String>,
    /// `complexity:`, from 1 to 10.
    pub complexity: Option<u8>,
    /// `accept:` lines.
    pub accept: Vec<String>,
    /// `verify:` command lines, without backticks.
    pub verify: Vec<String>,
    /// `by:`; `Either` if absent.
    pub by: By,
    /// `why:`, the reason for the task.
    pub why: Option<String>,
    /// `option:` lines of a checkpoint or decision.
    pub options: Vec<ChoiceOption>,
    /// `confirm:`; if false, a checkpoint shows a notice and doesn't pause.
    pub confirm: bool,
    /// `skipped:`, the reason why it was skipped.
    pub skipped: Option<String>,
    /// All `key: value` items in order, including unknown keys.
    pub fields: Vec<Field>,
    /// The prose under the title, without keys and sub-tasks, trimmed.
    pub body: String,
    /// Index of the parent in [`Plan::tasks`].
    pub parent: Option<usize>,
    /// Indexes of the direct sub-tasks; a task with any is a group.
    pub children: Vec<usize>,
    /// Nesting depth; 0 at the top level.
    pub depth: usize,
    /// Everything that belongs to the task, including sub-tasks: from the start of its first line
    /// to the end of its last non-blank line, without its line ending.
    pub span: Span,
}

/// One `key: value` item of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The key in lower case. Known keys are borrowed.
    pub key: Cow<'static, str>,
    /// The value as written on its line, trimmed.
    pub value: String,
    /// The span of the value.
    pub value_span: Span,
    /// The whole item, without its final line ending.
    pub span: Span,
    /// Its line number.
    pub line: u32,
}

/// One `call:` line.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The text of the call as written, without backticks.
    pub raw: String,
    /// Its line number.
    pub line: u32,
    /// The parsed call, or why it is invalid.
    pub parsed: Result<ToolCall, CallError>,
}

/// One `option:` of a checkpoint or decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceOption {
    /// The text that the user sees and chooses.
    pub label: String,
    /// The effect of choosing it.
    pub effect: ChoiceEffect,
}

/// The effect of choosing an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChoiceEffect {
    /// Continue the run.
    Continue,
    /// Continue without these tasks.
    Skip(Vec<TaskId>),
    /// Show the changes and stay paused.
    Review,
    /// End the run.
    Stop,
    /// Decision only: these tasks run, those of the other branches are skipped.
    Branch(Vec<TaskId>),
}

/// One line under `## Decisions`: `- D1 open`, or `- D1: <label> — <who>, <when>[: why]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionRecord {
    /// The id of the decision.
    pub task: TaskId,
    /// The chosen label; `None` if the decision is open.
    pub answer: Option<String>,
    /// The rest of the line (who, when, why), as written.
    pub detail: String,
    /// Its line number.
    pub line: u32,
    /// The whole line, without its line ending.
    pub span: Span,
}

impl Plan {
    /// The number of done tasks and of all tasks, as `(done, total)`. What counts depends on the
    /// dialect: leaf tasks in native and heading plans, `todos` that aren't cancelled, and tasks at
    /// any depth in all others.
    pub fn counted(&self) -> (usize, usize) {
        self.counted_tasks()
            .filter(|task| task.mark != Mark::Status || task.skipped.is_none())
            .fold((0, 0), |(done, total), task| {
                (done + usize::from(task.done), total + 1)
            })
    }

    /// Whether every task that counts is done or skipped, and at least one is done.
    pub fn is_over(&self) -> bool {
        self.counted_tasks().any(|task| task.done)
            && self
                .counted_tasks()
                .all(|task| task.done || task.skipped.is_some())
    }

    fn counted_tasks(&self) -> impl Iterator<Item = &Task> {
        let leaves_only = crate::dialect::rules(self.dialect).counts_leaves();
        self.tasks
            .iter()
            .filter(move |task| !leaves_only || task.children.is_empty())
    }

    /// The recorded answer to a decision.
    pub fn recorded_answer(&self, decision: &Task) -> Option<&str> {
        let mut records = self.decisions.iter();
        let record = records.find(|record| record.task == decision.id)?;
        record.answer.as_deref()
    }

    /// The first task with this id.
    pub fn task(&self, id: &TaskId) -> Option<&Task> {
        self.index_of(id).map(|index| &self.tasks[index])
    }

    /// The index of the first task with this id.
    pub fn index_of(&self, id: &TaskId) -> Option<usize> {
        self.index_of_name(id.as_str())
    }

    /// The index of the first task with this id, given as a string.
    pub fn index_of_name(&self, id: &str) -> Option<usize> {
        self.tasks.iter().position(|task| task.id.as_str() == id)
    }

    /// The goal: `goal` in the front matter, or `overview` of a plan with `todos`; else the goal in
    /// the text above the tasks, else the title.
    pub fn goal(&self) -> Option<&str> {
        self.front
            .goal
            .as_deref()
            .or_else(|| self.overview())
            .or(self.stated_goal.as_deref())
            .or_else(|| self.title.as_ref().map(|title| title.text.as_str()))
    }

    /// The `overview` in the front matter of a plan with `todos`.
    fn overview(&self) -> Option<&str> {
        let is_overview =
            |(key, _): &&(String, String)| self.dialect == Dialect::Todos && key == "overview";
        let found = self.front.other.iter().find(is_overview);
        found
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// The tasks that are carried out: those without sub-tasks, in document order.
    pub fn leaves(&self) -> impl Iterator<Item = (usize, &Task)> {
        self.tasks
            .iter()
            .enumerate()
            .filter(|(_, task)| task.children.is_empty())
    }
}
