//! A plan as text, for the source view, and as a graph, laid out.

use serde::Serialize;
use specta::Type;

/// The text of one revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct SourceView {
    /// The revision that this answer is of.
    pub revision: String,
    /// The text, a byte-order mark left out. What is no text is shown with replacement characters.
    pub text: String,
    /// `lf`, `crlf`, `cr` or `mixed`. The text comes with line feeds alone unless it is `mixed`.
    pub line_ending: String,
    /// Whether it can be edited here.
    pub is_writable: bool,
    /// Why not, with what to do.
    pub problem: Option<String>,
}

/// What a text would be as a plan, while it is being typed.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct TextReport {
    /// Word and number.
    pub badge: super::Badge,
    /// Findings and what the reader found odd. Bounded.
    pub marks: Vec<TextMark>,
    /// Where tasks stand, for folding; lines from 1, the last included. Bounded.
    pub tasks: Vec<TextTask>,
}

/// One remark about a place of the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TextMark {
    /// The finding's id; absent for what the reader found odd.
    pub finding: Option<String>,
    /// The kind.
    pub code: String,
    /// `critical`, `major`, `minor` or `info`.
    pub severity: String,
    /// One sentence.
    pub message: String,
    /// The line, from 1.
    pub line: u32,
    /// The first column, from 0, in UTF-16 units.
    pub from: u32,
    /// One behind the last column.
    pub to: u32,
    /// What each way to mend it is called, the one to recommend first.
    pub fixes: Vec<String>,
}

/// A fix as replacements in the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TextFix {
    /// What it is called.
    pub label: String,
    /// In UTF-16 units from the start of the text given; they do not overlap.
    pub changes: Vec<TextReplacement>,
}

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TextReplacement {
    /// From here.
    pub from: u32,
    /// To here, excluded.
    pub to: u32,
    /// What stands there instead.
    pub text: String,
}

/// Where a task stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TextTask {
    /// Its id.
    pub id: String,
    /// Its first line.
    pub line: u32,
    /// Its last line, sub-tasks included.
    pub end: u32,
}

/// One place in a plan that has the words searched for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct SearchHit {
    /// The plan.
    pub plan: String,
    /// Relative to the workspace.
    pub path: String,
    /// The plan's title.
    pub title: String,
    /// The revision that was searched.
    pub revision: String,
    /// The task the line belongs to.
    pub task: Option<String>,
    /// The task's title.
    pub task_title: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// The line, cut around the first word found.
    pub excerpt: Vec<super::WordRun>,
}

/// A picture of the workspace that a plan's prose names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Picture {
    /// As a `data:` address.
    pub data: String,
}

/// The tasks of a plan and what they wait for. Places are in pixels at 100 %, from the top left.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct GraphView {
    /// The revision that this answer is of.
    pub revision: String,
    /// The leaves and groups, in document order. Bounded.
    pub nodes: Vec<GraphNode>,
    /// What waits for what, without what follows from other edges.
    pub edges: Vec<GraphEdge>,
    /// How many more tasks there are than are drawn.
    pub more: u32,
}

/// One task, or a group around tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct GraphNode {
    /// Its id.
    pub id: String,
    /// `task`, `group`, `checkpoint` or `decision`.
    pub kind: String,
    /// Its title; long ones are cut.
    pub title: String,
    /// The group it is drawn in.
    pub group: Option<String>,
    /// As of a row: `agent`, `person` or `either`.
    pub by: String,
    /// `done`, `skipped`, `ready` (nothing is left to wait for) or `waiting`.
    pub state: String,
    /// How many tasks wait for it, directly or not, and are not done.
    pub unblocks: u32,
    /// How many findings it has.
    pub findings: u32,
    /// The severity of the worst of them.
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

/// One task waits for another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct GraphEdge {
    /// What is waited for.
    pub from: String,
    /// What waits.
    pub to: String,
    /// `depends` (written), `order` (the task above, as nothing else is said) or `branch` (an option of a decision).
    pub kind: String,
    /// The option's label, of a branch.
    pub label: Option<String>,
}
