//! Drafts, review comments, and reviews that other agents wait for.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Unsaved text from an input field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Draft {
    /// The field: `task/T2/title`, `goal`, `comment/T2`, `note/T2`, `answer/<run>/<task>`.
    pub key: String,
    /// The unsaved text.
    pub text: String,
    /// The revision that was on screen.
    pub revision: Option<String>,
    /// When it was last changed.
    pub at_ms: i64,
}

/// A review comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Comment {
    /// The comment's id.
    pub id: i64,
    /// `comment`, or `replace` to suggest replacing the quoted words with `text`.
    pub kind: String,
    /// Id of the task it is attached to now; `None` for the plan as a whole.
    pub task: Option<String>,
    /// The task's title.
    pub task_title: Option<String>,
    /// The revision it was written for.
    pub revision: String,
    /// The words it quotes.
    pub quote: Option<String>,
    /// Where those words are now.
    pub anchor: CommentAnchor,
    /// The comment's text.
    pub text: String,
    /// When it was written.
    pub at_ms: i64,
    /// Whether it was sent with a request for changes or written into the plan.
    pub is_sent: bool,
    /// Whether it is resolved.
    pub is_resolved: bool,
}

/// Where a comment's words are in the current plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum CommentAnchor {
    /// In the same place: the same task, with the quoted words in it.
    Here,
    /// Elsewhere: the words or the task have moved.
    Moved,
    /// Not found; the comment keeps its quote.
    Lost,
}

/// A review that another agent waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct WaitingReview {
    /// The review's id.
    pub id: String,
    /// The agent's name.
    pub agent: String,
    /// When the agent asked.
    pub since_ms: i64,
}

/// Who revises a plan as a person requested. Agents that wait for a decision on it come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Reviser {
    /// The model, if one is configured.
    Model,
    /// The agent that wrote the plan; see `revise_with_agent`.
    Agent,
    /// Nobody: the request is only stored.
    Nobody,
}

/// A request to have an agent revise a plan as its unsent comments ask.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
pub struct RevisionRequest {
    /// A job id chosen by the window, used in [`super::DesktopEvent::Planning`] and
    /// `cancel_planning`.
    pub job: String,
    /// The plan's key.
    pub plan: String,
    /// The agent's name.
    pub agent: String,
}

/// A plan that an agent revised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct PlanRevised {
    /// Path of the file with the new revision: another file if others changed the same lines
    /// meanwhile.
    pub plan: String,
    /// Messages for the user.
    pub notices: Vec<String>,
}

/// The task and words that a comment is attached to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, Type)]
pub struct CommentPlace {
    /// Id of the task; `None` for the plan as a whole.
    pub task: Option<String>,
    /// The quoted words as displayed.
    pub quote: Option<String>,
    /// A few words before the quote, to tell repeated phrases apart.
    pub before: Option<String>,
}
