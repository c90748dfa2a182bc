//! Drafts and comments: what a person has typed and not yet given.

use serde::Serialize;
use specta::Type;

/// Text that was being typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Draft {
    /// Which field: `task/T2/title`, `goal`, `comment/T2`, `note/T2`, `answer/<run>/<task>`.
    pub key: String,
    /// What was typed.
    pub text: String,
    /// The revision that was on screen.
    pub revision: Option<String>,
    /// When it was last typed in.
    pub at_ms: i64,
}

/// A review comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Comment {
    /// Its id.
    pub id: i64,
    /// The task; absent for the plan as a whole.
    pub task: Option<String>,
    /// The revision it was written on.
    pub revision: String,
    /// The words.
    pub text: String,
    /// When.
    pub at_ms: i64,
    /// Whether it went out with a request for changes.
    pub is_sent: bool,
}
