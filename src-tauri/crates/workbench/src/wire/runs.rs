//! A run in a list.

use serde::Serialize;

/// One line of `runs --json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunSummary {
    /// The run's id.
    pub run: String,
    /// The plan file.
    pub plan: String,
    /// The plan's title.
    pub title: String,
    /// The workspace folder.
    pub workspace: String,
    /// The approved revision.
    pub revision: String,
    /// Where it stands; `running` while a process carries it, `interrupted` when one died.
    pub state: String,
    /// When it began, milliseconds since 1970.
    pub created_at_ms: i64,
    /// When it last moved.
    pub updated_at_ms: i64,
}
