//! A plan as text, for the source view.

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
