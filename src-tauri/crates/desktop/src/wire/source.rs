//! A plan's source text, search hits, pictures, and the laid-out graph.

use serde::Serialize;
use specta::Type;

/// The source text of one revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct SourceView {
    /// The revision that this answer describes.
    pub revision: String,
    /// The text without a byte-order mark. Invalid UTF-8 is shown as replacement characters.
    pub text: String,
    /// `lf`, `crlf`, `cr` or `mixed`. Lines of `text` end in line feeds unless it is `mixed`.
    pub line_ending: String,
    /// Whether it can be edited here.
    pub is_writable: bool,
    /// Why it can't be edited, and what to do.
    pub problem: Option<String>,
}

/// How a text would be read as a plan, for checking while the user types.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct TextReport {
    /// The badge: a word and a number.
    pub badge: super::Badge,
    /// Findings and parse problems; bounded.
    pub marks: Vec<TextMark>,
    /// Line ranges of tasks, for folding; bounded. Line numbers start at 1.
    pub tasks: Vec<TextTask>,
}

/// A finding or parse problem at a position in the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TextMark {
    /// The finding's id; `None` for a parse problem.
    pub finding: Option<String>,
    /// The code of the finding or problem.
    pub code: String,
    /// `critical`, `major`, `minor` or `info`.
    pub severity: String,
    /// What is wrong, in one sentence.
    pub message: String,
    /// The line, from 1.
    pub line: u32,
    /// The first column, from 0, in UTF-16 units.
    pub from: u32,
    /// The column after the last one.
    pub to: u32,
    /// Labels of the possible fixes, the recommended one first.
    pub fixes: Vec<String>,
}

/// A fix as text replacements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TextFix {
    /// The fix's label.
    pub label: String,
    /// Non-overlapping replacements, in UTF-16 units from the start of the given text.
    pub changes: Vec<TextReplacement>,
}

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TextReplacement {
    /// Start of the range to replace.
    pub from: u32,
    /// End of the range, exclusive.
    pub to: u32,
    /// The new text.
    pub text: String,
}

/// The lines of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TextTask {
    /// The task's id.
    pub id: String,
    /// Number of its first line.
    pub line: u32,
    /// Number of its last line, including sub-tasks.
    pub end: u32,
}

/// A search hit in a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct SearchHit {
    /// The plan's key.
    pub plan: String,
    /// The plan's path, relative to the workspace.
    pub path: String,
    /// The plan's title.
    pub title: String,
    /// The revision that was searched.
    pub revision: String,
    /// Id of the task that contains the line, if any.
    pub task: Option<String>,
    /// The task's title.
    pub task_title: Option<String>,
    /// The line's number, from 1.
    pub line: u32,
    /// The line's text, truncated around the first match.
    pub excerpt: Vec<super::WordRun>,
}

/// A picture in the workspace, referenced from a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Picture {
    /// The picture as a `data:` URL.
    pub data: String,
}

/// The task graph of a plan, laid out. Positions are in pixels at 100 %, from the top left.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct GraphView {
    /// The revision that this answer describes.
    pub revision: String,
    /// The tasks and groups in document order; bounded.
    pub nodes: Vec<GraphNode>,
    /// The dependencies, without transitive ones.
    pub edges: Vec<GraphEdge>,
    /// Number of tasks left out of the drawing.
    pub more: u32,
}

/// One task, or a group of tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct GraphNode {
    /// The task's id.
    pub id: String,
    /// `task`, `group`, `checkpoint` or `decision`.
    pub kind: String,
    /// Its title; long ones are truncated.
    pub title: String,
    /// Id of the group that contains it, if any.
    pub group: Option<String>,
    /// Who carries it out: see [`Row::by`](super::Row::by).
    pub by: String,
    /// `done`, `skipped`, `ready` (no open dependencies) or `waiting`.
    pub state: String,
    /// Number of unfinished tasks that depend on it, directly or indirectly.
    pub unblocks: u32,
    /// Number of findings.
    pub findings: u32,
    /// Severity of its worst finding.
    pub severity: Option<String>,
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// A dependency between two tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct GraphEdge {
    /// Id of the task to wait for.
    pub from: String,
    /// Id of the task that waits.
    pub to: String,
    /// `depends` (written), `order` (the previous task, by default) or `branch` (an option of a
    /// decision).
    pub kind: String,
    /// The option's label, for a `branch`.
    pub label: Option<String>,
}
