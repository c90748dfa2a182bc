//! Plan lists, outlines, rows, tasks and findings.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The list of plans in the sidebar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct PlanList {
    /// The plans: first those in the plan folder, then others in the workspace, then those in home
    /// folders.
    pub plans: Vec<PlanSummary>,
    /// Why some existing plans aren't listed and what to do about it, one sentence each.
    pub left_out: Vec<String>,
}

/// One plan in the sidebar.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct PlanSummary {
    /// The plan's key: its absolute path.
    pub plan: String,
    /// The plan's path, relative to the workspace.
    pub path: String,
    /// The plan's title.
    pub title: String,
    /// Its revision; `None` if the file can't be read.
    pub revision: Option<String>,
    /// Its badge.
    pub badge: Option<Badge>,
    /// Number of finished leaf tasks.
    pub done: u32,
    /// Total number of leaf tasks.
    pub total: u32,
    /// Whether every step is done or skipped, and at least one is done.
    pub is_over: bool,
    /// Number of questions waiting for a person.
    pub waiting: u32,
    /// State of its run, unless the run is over: `running`, `waiting`, `paused`, `failed`,
    /// `interrupted`.
    pub run_state: Option<String>,
    /// The review status: `changes_requested`, `approved` or `proposed`.
    pub mark: Option<String>,
    /// Why it can't be used, and what to do.
    pub problem: Option<String>,
    /// `plans` (the plan folder), `workspace` (elsewhere in the workspace) or its home folder, such
    /// as `~/.claude/plans`.
    pub place: String,
    /// The task format it uses.
    pub dialect: Option<String>,
    /// Whether the user has archived it.
    pub is_archived: bool,
}

/// The word and number shown in the shield.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Badge {
    /// The word: `empty`, `outline`, `thin`, `overgrown`, `fair` or `adequate`.
    pub word: String,
    /// The score, 0 to 100.
    pub score: u32,
    /// Number of findings.
    pub findings: u32,
    /// Number of critical findings.
    pub critical: u32,
}

/// A plan without its tasks. Its size doesn't depend on the number of tasks.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct Outline {
    /// The plan's key.
    pub plan: String,
    /// The plan's path, relative to the workspace.
    pub path: String,
    /// The workspace's path.
    pub workspace: String,
    /// The revision that this answer describes.
    pub revision: String,
    /// The title; empty if there is none.
    pub title: String,
    /// The goal, if the front matter has one.
    pub goal: Option<String>,
    /// The text between the title and the first section, rendered; bounded.
    pub intro_html: String,
    /// The same text as Markdown; bounded.
    pub intro: String,
    /// The requirements.
    pub requirements: Vec<Requirement>,
    /// Number of rows.
    pub rows: u32,
    /// Number of finished leaf tasks.
    pub done: u32,
    /// Total number of leaf tasks.
    pub total: u32,
    /// Whether every step is done or skipped, and at least one is done.
    pub is_over: bool,
    /// Its badge.
    pub badge: Badge,
    /// The task format it uses.
    pub dialect: String,
    /// Problems found while parsing; bounded.
    pub problems: Vec<PlanProblem>,
    /// Whether the file is writable.
    pub is_writable: bool,
    /// Why it isn't writable, and what to do.
    pub read_only: Option<String>,
    /// Whether it is outside the workspace and can be copied into it.
    pub is_foreign: bool,
    /// For a plan without tasks: what could be turned into tasks.
    pub could_be_tasks: CouldBeTasks,
    /// Number of unresolved conflicts.
    pub conflicts: u32,
    /// Number of those that involve a change made by the user.
    pub own_conflicts: u32,
    /// Label of the edit that undo would revert, if any.
    pub undo: Option<String>,
    /// Label of the edit that redo would reapply, if any.
    pub redo: Option<String>,
    /// The review status: `changes_requested`, `approved` or `proposed`.
    pub mark: Option<String>,
    /// Id of the plan's latest run, if any.
    pub run: Option<String>,
}

/// How many tasks could be made from a plan that has none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Type)]
pub struct CouldBeTasks {
    /// Number of list items that could become tasks.
    pub items: u32,
    /// Number of headings that could become tasks.
    pub headings: u32,
}

/// A filter on the rows of an outline.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Type)]
pub struct RowFilter {
    /// Ids of collapsed tasks.
    pub folded: Vec<String>,
    /// Conditions that all have to hold: `mine` (assigned to a person), `waiting` (neither done nor
    /// skipped), `findings`. Groups that contain a match are kept.
    pub only: Vec<String>,
    /// Words that a task's title or id has to contain.
    pub words: String,
}

/// The rows that match a filter, as half-open ranges of indices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct RowRuns {
    /// The revision that this answer describes.
    pub revision: String,
    /// The ranges, in document order.
    pub runs: Vec<(u32, u32)>,
    /// Total number of matching rows.
    pub rows: u32,
}

/// One requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Requirement {
    /// The requirement's id.
    pub id: String,
    /// The requirement's text.
    pub text: String,
    /// Whether any task covers it.
    pub is_covered: bool,
    /// Ids of the tasks that cover it; bounded.
    pub covered_by: Vec<String>,
}

/// A problem found while parsing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct PlanProblem {
    /// The kind of problem.
    pub code: String,
    /// Id of the task it concerns, if any.
    pub task: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// The problem and how to fix it, in one sentence.
    pub message: String,
}

/// A page of outline rows.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct RowPage {
    /// The revision that this answer describes.
    pub revision: String,
    /// The index of the first row.
    pub from: u32,
    /// The rows.
    pub rows: Vec<Row>,
}

/// One task as an outline row. Long values are truncated; [`TaskDetail`] has them in full.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct Row {
    /// The row's index, from 0, in document order.
    pub index: u32,
    /// The task's id.
    pub id: String,
    /// Whether the id is written in the file.
    pub has_written_id: bool,
    /// `task`, `group`, `checkpoint` or `decision`.
    pub kind: String,
    /// The nesting depth; 0 for top-level tasks.
    pub depth: u32,
    /// The task's title.
    pub title: String,
    /// The first line of its text.
    pub summary: String,
    /// Whether its checkbox is ticked.
    pub done: bool,
    /// Why it is skipped, if it is.
    pub skipped: Option<String>,
    /// Its recorded origin: `run` if a run added it.
    pub origin: Option<String>,
    /// Who carries it out: `agent`, `person`, or `either` (a model if one is configured).
    pub by: String,
    /// Ids of its dependencies; `None` if it follows the previous task.
    pub depends: Option<Vec<String>>,
    /// Paths of its files in the workspace.
    pub files: Vec<String>,
    /// Its check commands.
    pub verify: Vec<String>,
    /// Ids of the requirements it covers.
    pub covers: Vec<String>,
    /// Options of a checkpoint or decision.
    pub options: Vec<RowOption>,
    /// Its findings.
    pub findings: Vec<RowFinding>,
}

/// An option as shown in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct RowOption {
    /// The label, which is also the answer.
    pub label: String,
    /// The effect of choosing it: `continue`, `stop`, `review`, `skip T4`, `T3, T5`.
    pub effect: String,
}

/// A finding as shown in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct RowFinding {
    /// The finding's id.
    pub id: String,
    /// `critical`, `major`, `minor` or `info`.
    pub severity: String,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Label of the recommended fix, if any.
    pub fix: Option<String>,
}

/// One task in full.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct TaskDetail {
    /// The revision that this answer describes.
    pub revision: String,
    /// The task as an outline row.
    pub row: Row,
    /// Its text as Markdown.
    pub body: String,
    /// Its text, rendered.
    pub body_html: String,
    /// `task`, `checkpoint` or `decision`, as written in the file.
    pub kind: String,
    /// All keys in file order with full values: `depends`, `files`, `verify`, `accept` and so on,
    /// unknown ones included.
    pub fields: Vec<TaskField>,
    /// Tasks that depend on this one.
    pub dependents: Vec<TaskRef>,
    /// Its sub-tasks.
    pub children: Vec<TaskRef>,
    /// Number of its first line in the file.
    pub line: u32,
    /// Its fingerprint, which identifies what an approval of it covers. Answers have to name it.
    pub fingerprint: String,
}

/// The values of one key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TaskField {
    /// The key in lower case.
    pub key: String,
    /// Its values; lists are split and backticks removed.
    pub values: Vec<String>,
}

/// A reference to a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TaskRef {
    /// The task's id.
    pub id: String,
    /// The task's title.
    pub title: String,
}

/// The reasons for a plan's badge.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct FindingsReport {
    /// The revision that this answer describes.
    pub revision: String,
    /// The badge: a word and a number.
    pub badge: Badge,
    /// Short phrases: "8 steps, at least 5 expected", "2 of 2 requirements covered".
    pub summary: Vec<String>,
    /// The plan-level finding codes.
    pub reason_codes: Vec<String>,
    /// The findings, most severe first; bounded.
    pub findings: Vec<WindowFinding>,
    /// Number of further findings.
    pub more: u32,
    /// The dimensions of the score.
    pub dimensions: Vec<ScoreDimension>,
    /// The change that would raise the score most.
    pub missing: Option<ScoreMissing>,
    /// The deductions from the score.
    pub reasons: Vec<ScoreReason>,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct WindowFinding {
    /// Stable as long as the task's own text doesn't change.
    pub id: String,
    /// The finding code.
    pub code: String,
    /// `critical`, `major`, `minor` or `info`.
    pub severity: String,
    /// Id of the task it is about; `None` for the plan as a whole.
    pub task: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// What is wrong, in one sentence.
    pub message: String,
    /// The question to ask, if an answer would resolve it.
    pub question: Option<String>,
    /// Labels of the possible fixes, the recommended one first. If there is a question, these are
    /// its answers.
    pub fixes: Vec<String>,
    /// Why the user muted it, if they did.
    pub muted: Option<String>,
}

/// One of the four dimensions of the score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ScoreDimension {
    /// `coverage`, `substance`, `checks` or `order`.
    pub name: String,
    /// The dimension's score, 0 to 100; `None` if unknown.
    pub share: Option<u32>,
    /// What was credited, in one sentence.
    pub credited: String,
    /// The change that would raise it most.
    pub missing: Option<ScoreMissing>,
}

/// A change that would raise the score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ScoreMissing {
    /// The line it is about, from 1; `None` for the plan as a whole.
    pub line: Option<u32>,
    /// What to do, in one sentence.
    pub message: String,
    /// Points it would add to the score, of 100.
    pub points: u32,
}

/// One deduction from the score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ScoreReason {
    /// The plan-level finding code.
    pub code: String,
    /// Points deducted, of 100.
    pub points: u32,
    /// Why the points were deducted, in one sentence.
    pub message: String,
}

/// A section of the plan: `intro`, `requirements`, `decisions` or a heading's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Section {
    /// The revision that this answer describes.
    pub revision: String,
    /// The Markdown source.
    pub markdown: String,
    /// The sanitized HTML.
    pub html: String,
}
