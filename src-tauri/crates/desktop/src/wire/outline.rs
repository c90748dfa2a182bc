//! Plans as lists, outlines, rows, tasks and findings.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The list on the left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct PlanList {
    /// The plans: those of the plan folder first, then others, then those of home folders.
    pub plans: Vec<PlanSummary>,
    /// What is not in it though it is there, one sentence each with what to do.
    pub left_out: Vec<String>,
}

/// One plan in the list on the left.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct PlanSummary {
    /// The plan's key: its absolute path.
    pub plan: String,
    /// Relative to the workspace.
    pub path: String,
    /// Its title.
    pub title: String,
    /// Its revision; absent when it cannot be read.
    pub revision: Option<String>,
    /// Its badge.
    pub badge: Option<Badge>,
    /// Leaf tasks done.
    pub done: u32,
    /// Leaf tasks.
    pub total: u32,
    /// How many questions wait for a person.
    pub waiting: u32,
    /// Its run, while one goes on: `running`, `waiting`, `paused`, `failed`, `interrupted`.
    pub run_state: Option<String>,
    /// `changes_requested`, `approved` or `proposed`.
    pub mark: Option<String>,
    /// Why it cannot be used, with what to do.
    pub problem: Option<String>,
    /// `plans` (the plan folder), `workspace` (elsewhere in it) or the home folder it lies in, such as `~/.claude/plans`.
    pub place: String,
    /// How it writes its tasks.
    pub dialect: Option<String>,
}

/// The word and number of the shield.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Badge {
    /// `empty`, `outline`, `thin`, `overgrown`, `fair` or `adequate`.
    pub word: String,
    /// 0 to 100.
    pub score: u32,
    /// How many findings there are.
    pub findings: u32,
    /// How many of them are critical.
    pub critical: u32,
}

/// The head of a plan: everything but its tasks. Its size does not depend on how many there are.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct Outline {
    /// The plan's key.
    pub plan: String,
    /// Relative to the workspace.
    pub path: String,
    /// The workspace.
    pub workspace: String,
    /// The revision that this answer is of.
    pub revision: String,
    /// The title; empty when it has none.
    pub title: String,
    /// The goal, where the front matter names one.
    pub goal: Option<String>,
    /// The prose between title and first section, rendered; bounded.
    pub intro_html: String,
    /// The same as it is written; bounded.
    pub intro: String,
    /// What the goal asks for.
    pub requirements: Vec<Requirement>,
    /// How many rows there are.
    pub rows: u32,
    /// Leaf tasks done.
    pub done: u32,
    /// Leaf tasks.
    pub total: u32,
    /// Its badge.
    pub badge: Badge,
    /// How it writes its tasks.
    pub dialect: String,
    /// What the reader found odd; bounded.
    pub problems: Vec<PlanProblem>,
    /// Whether the file can be written.
    pub is_writable: bool,
    /// Why not, with what to do.
    pub read_only: Option<String>,
    /// Whether it lies outside of the workspace and can be copied into it.
    pub is_foreign: bool,
    /// What could become tasks, in a plan without any.
    pub could_be_tasks: CouldBeTasks,
    /// How many conflicts wait for the person.
    pub conflicts: u32,
    /// Label of the edit that undo takes back, if any.
    pub undo: Option<String>,
    /// Label of the edit that redo brings again, if any.
    pub redo: Option<String>,
    /// `changes_requested`, `approved` or `proposed`.
    pub mark: Option<String>,
    /// The newest run of this plan.
    pub run: Option<String>,
}

/// How many things of a plan without tasks could become some.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Type)]
pub struct CouldBeTasks {
    /// List items.
    pub items: u32,
    /// Headings.
    pub headings: u32,
}

/// Which rows an outline shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Type)]
pub struct RowFilter {
    /// Tasks whose sub-tasks are folded away.
    pub folded: Vec<String>,
    /// What a row must be, all of it: `mine` (a person's), `waiting` (not done, not skipped), `findings`. Groups around a match stay.
    pub only: Vec<String>,
    /// Words that title or id have in them.
    pub words: String,
}

/// The rows that a filter leaves, as runs of indices: `from`, and one behind the last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct RowRuns {
    /// The revision that this answer is of.
    pub revision: String,
    /// In document order.
    pub runs: Vec<(u32, u32)>,
    /// How many rows these are.
    pub rows: u32,
}

/// One requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Requirement {
    /// Its id.
    pub id: String,
    /// Its words.
    pub text: String,
    /// Whether some task covers it.
    pub is_covered: bool,
    /// The tasks that cover it; bounded.
    pub covered_by: Vec<String>,
}

/// Something odd that the reader saw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct PlanProblem {
    /// The kind.
    pub code: String,
    /// The task concerned.
    pub task: Option<String>,
    /// From 1.
    pub line: u32,
    /// One sentence that says what to do.
    pub message: String,
}

/// Some rows of the outline.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct RowPage {
    /// The revision that this answer is of.
    pub revision: String,
    /// The index of the first row.
    pub from: u32,
    /// The rows.
    pub rows: Vec<Row>,
}

/// One task as its row shows it. Long values are cut; [`TaskDetail`] has them whole.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct Row {
    /// From 0, in document order.
    pub index: u32,
    /// Its id.
    pub id: String,
    /// Whether the file writes the id.
    pub has_written_id: bool,
    /// `task`, `group`, `checkpoint` or `decision`.
    pub kind: String,
    /// 0 at the top.
    pub depth: u32,
    /// Its title.
    pub title: String,
    /// The first line of its prose.
    pub summary: String,
    /// Whether its box is ticked.
    pub done: bool,
    /// Why it is left out, when it is.
    pub skipped: Option<String>,
    /// Where it comes from, where it says so: `run` for a step that a run added.
    pub origin: Option<String>,
    /// Who carries it out: `agent`, `person`, or `either`, which is a model where there is one.
    pub by: String,
    /// Ids; `None` where it waits for the one above.
    pub depends: Option<Vec<String>>,
    /// Workspace paths.
    pub files: Vec<String>,
    /// Command lines.
    pub verify: Vec<String>,
    /// Requirement ids.
    pub covers: Vec<String>,
    /// Choices of a checkpoint or decision.
    pub options: Vec<RowOption>,
    /// Its findings.
    pub findings: Vec<RowFinding>,
}

/// A choice as its row shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct RowOption {
    /// What the person reads and answers with.
    pub label: String,
    /// What it does: `continue`, `stop`, `review`, `skip T4`, `T3, T5`.
    pub effect: String,
}

/// A finding as its row shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct RowFinding {
    /// Its id.
    pub id: String,
    /// `critical`, `major`, `minor` or `info`.
    pub severity: String,
    /// One sentence.
    pub message: String,
    /// What mending it is called.
    pub fix: Option<String>,
}

/// One task, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct TaskDetail {
    /// The revision that this answer is of.
    pub revision: String,
    /// As its row shows it.
    pub row: Row,
    /// The prose as written.
    pub body: String,
    /// The prose rendered.
    pub body_html: String,
    /// `task`, `checkpoint` or `decision` as the file says.
    pub kind: String,
    /// Whole, in order: `depends`, `files`, `verify`, `accept` and so on, unknown keys too.
    pub fields: Vec<TaskField>,
    /// Tasks that wait for this one.
    pub dependents: Vec<TaskRef>,
    /// Its sub-tasks.
    pub children: Vec<TaskRef>,
    /// Its first line in the file.
    pub line: u32,
    /// Its fingerprint: what an approval of it covers. Answers name it.
    pub fingerprint: String,
}

/// The values of one key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TaskField {
    /// In lower case.
    pub key: String,
    /// Lists are taken apart; back-ticks are taken off.
    pub values: Vec<String>,
}

/// A task named elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TaskRef {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
}

/// Why the badge is what it is.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct FindingsReport {
    /// The revision that this answer is of.
    pub revision: String,
    /// Word and number.
    pub badge: Badge,
    /// In words, one piece each: "8 tasks, at least 5 expected", "2 of 2 requirements covered".
    pub summary: Vec<String>,
    /// The plan-level codes.
    pub reason_codes: Vec<String>,
    /// The findings, the most severe first; bounded.
    pub findings: Vec<WindowFinding>,
    /// How many more there are.
    pub more: u32,
    /// What the number is made of.
    pub dimensions: Vec<ScoreDimension>,
    /// What would add most to it.
    pub missing: Option<ScoreMissing>,
    /// What took from it.
    pub reasons: Vec<ScoreReason>,
}

/// One reason why a plan is not adequate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct WindowFinding {
    /// Stable while the task's own text stays.
    pub id: String,
    /// The kind.
    pub code: String,
    /// `critical`, `major`, `minor` or `info`.
    pub severity: String,
    /// The task; absent for the plan as a whole.
    pub task: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// One plain sentence.
    pub message: String,
    /// What to ask, where a question would settle it.
    pub question: Option<String>,
    /// What each way to mend it is called, the one to recommend first. With a question they are its
    /// answers.
    pub fixes: Vec<String>,
    /// Why the person does not want to hear of it.
    pub muted: Option<String>,
}

/// One of the four dimensions of the score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ScoreDimension {
    /// `coverage`, `substance`, `checks` or `order`.
    pub name: String,
    /// 0 to 100; absent where it cannot be known.
    pub share: Option<u32>,
    /// One plain sentence: what was credited.
    pub credited: String,
    /// What would add most to it.
    pub missing: Option<ScoreMissing>,
}

/// A change that would lift the score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ScoreMissing {
    /// The line that it is about, from 1; absent where it is about the plan as a whole.
    pub line: Option<u32>,
    /// One plain sentence: what to do.
    pub message: String,
    /// Points of 100 that it would add to the score.
    pub points: u32,
}

/// One factor of the score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ScoreReason {
    /// The plan-level code.
    pub code: String,
    /// Points of 100 that it cost.
    pub points: u32,
    /// One plain sentence.
    pub message: String,
}

/// A section of the plan: `intro`, `requirements`, `decisions` or the text of a heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Section {
    /// The revision that this answer is of.
    pub revision: String,
    /// As written.
    pub markdown: String,
    /// Rendered and sanitised.
    pub html: String,
}
