//! Everything that waits for a person, of all plans.

use serde::Serialize;
use specta::Type;

use super::RunQuestion;

/// One thing that waits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct InboxItem {
    /// Stable while it waits.
    pub id: String,
    /// The workspace.
    pub workspace: String,
    /// The plan's key.
    pub plan: String,
    /// The plan's title.
    pub title: String,
    /// `approval` for a proposal, `plan_question` for a question about a plan (see
    /// [`super::PlanQuestion`]), `talk_waiting` and `talk_interrupted` for a conversation, the kind of the
    /// question, or the state of a run that can be resumed.
    pub kind: String,
    /// The run, where one asks.
    pub run: Option<String>,
    /// The conversation, where one waits.
    pub talk: Option<String>,
    /// The question, where a run asks one.
    pub question: Option<RunQuestion>,
    /// One sentence.
    pub message: String,
    /// Since when.
    pub since_ms: i64,
}
