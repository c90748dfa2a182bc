//! The receipt of a run as the window shows it.

use serde::Serialize;
use specta::Type;

use super::RunStep;

/// The receipt of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct ReceiptView {
    /// The run.
    pub run: String,
    /// The plan's title.
    pub title: String,
    /// The plan's key.
    pub plan: String,
    /// The approved revision.
    pub revision: String,
    /// How often it asked.
    pub policy: String,
    /// The sandbox in force.
    pub sandbox: String,
    /// How many steps could be under way at once.
    pub parallel: u8,
    /// See [`RunView::state`](super::RunView::state).
    pub state: String,
    /// First and last entry.
    pub started_at_ms: i64,
    /// See `started_at_ms`.
    pub ended_at_ms: i64,
    /// Time at work, milliseconds.
    pub work_ms: u64,
    /// Model turns.
    pub turns: u32,
    /// Tokens sent to models.
    pub tokens_in: u64,
    /// Tokens received.
    pub tokens_out: u64,
    /// What a person has to know of the run as a whole, one sentence each.
    pub notes: Vec<String>,
    /// The steps.
    pub steps: Vec<RunStep>,
    /// The whole receipt as Markdown, to copy.
    pub markdown: String,
}
