//! What a parsed plan is made of.
//!
//! Every element keeps the byte range it was read from, so that an edit can be a splice. Ranges
//! count bytes of the text that was parsed, a leading byte-order mark included. Lines count
//! from 1.

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
    /// The id as it is written.
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

/// One revision of a plan file, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// How the file writes its tasks.
    pub dialect: Dialect,
    /// The block between `---` lines at the top; empty when there is none.
    pub front: FrontMatter,
    /// The first level-1 heading.
    pub title: Option<Title>,
    /// The goal that the words above the tasks say: a section `## Goal`, or a line `**Goal:** …`.
    pub stated_goal: Option<String>,
    /// Everything after the front matter and before the `## Tasks` heading, or before the first
    /// task where no such heading exists.
    pub preamble: Span,
    /// The list items under `## Requirements`, in order.
    pub requirements: Vec<Requirement>,
    /// Every task in document order; a sub-task follows its parent.
    pub tasks: Vec<Task>,
    /// The list items under `## Decisions`, in order.
    pub decisions: Vec<DecisionRecord>,
    /// The body of `## Decisions` (after its heading line), when the section exists.
    pub decisions_section: Option<Span>,
    /// `\n`, `\r\n` or `\r`, whichever the file uses most; new lines are written with it.
    pub line_ending: &'static str,
}

/// A heading that names the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title {
    /// Its text without the `#`.
    pub text: String,
    /// Its line.
    pub line: u32,
    /// The text's place.
    pub span: Span,
}

/// The values of the front matter.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrontMatter {
    /// The whole block with both fences; `None` without one.
    pub span: Option<Span>,
    /// `planwright: 1`.
    pub version: Option<u32>,
    /// The plan's id; set once, never changed.
    pub id: Option<String>,
    /// The goal in the user's words.
    pub goal: Option<String>,
    /// The commit the plan was written against.
    pub base: Option<String>,
    /// `iterative` or `hybrid` where the plan grows while it runs.
    pub strategy: Option<String>,
    /// Findings about the plan as a whole that the person does not want to hear of: a code and a
    /// reason each.
    pub mute: Vec<String>,
    /// Template only: phrases of goals it answers, with `{{name}}` where a parameter stands.
    pub matches: Vec<String>,
    /// Template only: the names of its parameters.
    pub params: Vec<String>,
    /// Template only: commands that check the whole plan.
    pub checks: Vec<String>,
    /// Every other scalar key, as written.
    pub other: Vec<(String, String)>,
}

/// One requirement: a list item under `## Requirements`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Requirement {
    /// `R1`; positional when none is written.
    pub id: String,
    /// The requirement's words.
    pub text: String,
    /// Its line.
    #[serde(skip)]
    pub line: u32,
    /// Its place, the whole item.
    #[serde(skip)]
    pub span: Span,
}

/// Whether a task's id stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdOrigin {
    /// The file says it.
    Written,
    /// Counted for display only; it is written when something must refer to it.
    Positional,
}

/// What a task is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskKind {
    /// Work.
    Normal,
    /// A pause at which a person looks.
    Checkpoint,
    /// A question whose answer chooses a branch.
    Decision,
}

/// Who carries a task out, as written in `by:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// A model, or the app where `call:` lines say how.
    Agent,
    /// A person.
    Person,
    /// The agent if a model or a `call:` exists, else a person; also when `by:` is absent.
    Either,
}

/// One task: a task-list item, or a heading that is counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Its id.
    pub id: TaskId,
    /// Whether the id stands in the file.
    pub id_origin: IdOrigin,
    /// The place of the id's letters (without the bold marks), when written.
    pub id_span: Option<Span>,
    /// The first line after box and id, trimmed.
    pub title: String,
    /// The title's place.
    pub title_span: Span,
    /// The line of the box.
    pub line: u32,
    /// What stands in the box; a blank box holds `' '`.
    pub marker: char,
    /// How the file says that it is done.
    pub mark: Mark,
    /// The place of what stands in the box, or of the sign: what a tick replaces. Empty for `[]`, and
    /// for a heading without a sign.
    pub box_span: Span,
    /// Whether the marker is `x` or `X`.
    pub done: bool,
    /// Whether the file marks it as one that may be left out (`- [ ]*`). No other task waits for it
    /// because of its place; only `depends:` makes one wait.
    pub optional: bool,
    /// Whether the file marks it as one that does not wait for the one above it (`[P]`, `(P)`).
    pub parallel: bool,
    /// How many headings of level 1 or 2, or that begin with "Phase", stand above it. What may run
    /// in parallel still waits for the phase before.
    pub phase: u32,
    /// What it is for.
    pub kind: TaskKind,
    /// What it says it waits for, as written; `None` where the order of the file decides.
    pub depends: Option<Vec<TaskId>>,
    /// `files:`, workspace paths.
    pub files: Vec<String>,
    /// `tools:`.
    pub tools: Vec<String>,
    /// `call:` lines in order.
    pub calls: Vec<Call>,
    /// `covers:`, requirement ids.
    pub covers: Vec<String>,
    /// `complexity:` 1 to 10.
    pub complexity: Option<u8>,
    /// `accept:` lines.
    pub accept: Vec<String>,
    /// `verify:` command lines, as written without back-ticks.
    pub verify: Vec<String>,
    /// `by:`; `Either` when absent.
    pub by: By,
    /// `why:`.
    pub why: Option<String>,
    /// `option:` lines of a checkpoint or decision.
    pub options: Vec<ChoiceOption>,
    /// `confirm:`; false makes a checkpoint a notice.
    pub confirm: bool,
    /// `skipped:`, the reason.
    pub skipped: Option<String>,
    /// Every `key: value` item in order, the unknown ones too.
    pub fields: Vec<Field>,
    /// The prose under the title, keys and sub-tasks left out, trimmed.
    pub body: String,
    /// Index of the parent in [`Plan::tasks`].
    pub parent: Option<usize>,
    /// Indices of the direct sub-tasks; a task with any is a group.
    pub children: Vec<usize>,
    /// 0 at the top.
    pub depth: usize,
    /// Everything that belongs to the task, sub-tasks included: from the start of its first line
    /// to the end of its last non-blank line (line ending excluded).
    pub span: Span,
}

/// One `key: value` item of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The key in lower case. One that the format has takes no room of its own.
    pub key: Cow<'static, str>,
    /// The value as written on its line, trimmed.
    pub value: String,
    /// The value's place.
    pub value_span: Span,
    /// The whole item: from the start of its line to the end of it, line ending excluded.
    pub span: Span,
    /// Its line.
    pub line: u32,
}

/// One `call:` line.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// As written, without back-ticks.
    pub raw: String,
    /// Its line.
    pub line: u32,
    /// The call, or why it is none.
    pub parsed: Result<ToolCall, CallError>,
}

/// One `option:` of a checkpoint or decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceOption {
    /// What the person reads and answers with.
    pub label: String,
    /// What choosing it does.
    pub effect: ChoiceEffect,
}

/// What choosing an option does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChoiceEffect {
    /// Go on.
    Continue,
    /// Go on without these tasks.
    Skip(Vec<TaskId>),
    /// Show the changes and stay parked.
    Review,
    /// End the run.
    Stop,
    /// Decision only: these tasks run, the other branches' are skipped.
    Branch(Vec<TaskId>),
}

/// One line under `## Decisions`: `- D1 open`, or `- D1: <label> — <who>, <when>[: why]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionRecord {
    /// The decision's task id.
    pub task: TaskId,
    /// The chosen label; `None` while open.
    pub answer: Option<String>,
    /// The rest of the line (who, when, why), as written.
    pub detail: String,
    /// Its line.
    pub line: u32,
    /// The whole line, line ending excluded.
    pub span: Span,
}

impl Plan {
    /// How many tasks are done and how many there are, as `(done, total)`, by the rule of the
    /// dialect: the native format counts the tasks that are carried out, every other one its boxes
    /// at any depth, or what its `todos` have not cancelled. Only `x` and `X` are done; boxes in
    /// fences are text.
    pub fn counted(&self) -> (usize, usize) {
        let leaves_only = crate::dialect::rules(self.dialect).counts_leaves();
        self.tasks
            .iter()
            .filter(|task| !leaves_only || task.children.is_empty())
            .filter(|task| task.mark != Mark::Status || task.skipped.is_none())
            .fold((0, 0), |(done, total), task| {
                (done + usize::from(task.done), total + 1)
            })
    }

    /// The answer that the file holds for a decision.
    pub fn answer_on_record(&self, decision: &Task) -> Option<&str> {
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

    /// The same, for an id as text.
    pub fn index_of_name(&self, id: &str) -> Option<usize> {
        self.tasks.iter().position(|task| task.id.as_str() == id)
    }

    /// What the plan is for: front matter `goal`, or `overview` of a plan with `todos`; else what the words
    /// above the tasks say, else the title.
    pub fn goal(&self) -> Option<&str> {
        self.front
            .goal
            .as_deref()
            .or_else(|| self.overview())
            .or(self.stated_goal.as_deref())
            .or_else(|| self.title.as_ref().map(|title| title.text.as_str()))
    }

    /// What a plan with its steps in the front matter says there of itself.
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
