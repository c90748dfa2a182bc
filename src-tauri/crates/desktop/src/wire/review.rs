//! Drafts and comments: what a person has typed and not yet given.

use serde::{Deserialize, Serialize};
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
    /// `comment`, or `replace`: the quoted words should read as `text`.
    pub kind: String,
    /// The task it stands at now; absent for the plan as a whole.
    pub task: Option<String>,
    /// The task's title.
    pub task_title: Option<String>,
    /// The revision it was written on.
    pub revision: String,
    /// The words it is about.
    pub quote: Option<String>,
    /// Where those words stand now.
    pub anchor: CommentAnchor,
    /// The words.
    pub text: String,
    /// When.
    pub at_ms: i64,
    /// Whether it went out with a request for changes or was written into the plan.
    pub is_sent: bool,
    /// Whether it is settled.
    pub is_resolved: bool,
}

/// Where the words of a comment stand in the plan as it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum CommentAnchor {
    /// Where they stood: the task, and the quoted words in it.
    Here,
    /// Elsewhere: the words or the task have moved.
    Moved,
    /// Nowhere any more; the comment keeps its quote.
    Lost,
}

/// What a comment is about.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, Type)]
pub struct CommentPlace {
    /// The task; absent for the plan as a whole.
    pub task: Option<String>,
    /// The quoted words, as they stand on screen.
    pub quote: Option<String>,
    /// A few words before them, to tell places apart.
    pub before: Option<String>,
}
