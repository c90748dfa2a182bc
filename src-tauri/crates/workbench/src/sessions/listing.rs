//! Finding and listing sessions, and storing their state for lists. Uses only the store.

use agent::session::entry::Question;
use serde::Serialize;
use store::{Lookup, SessionRow, SessionTold};

use super::rows;
use crate::Workbench;
use crate::error::{Code, Error, Result};

impl Workbench {
    /// The session with this ID, or the only one whose ID starts with it.
    pub fn find_session(&self, id: &str) -> Result<SessionRow> {
        let unknown = |message: String| Error::new(Code::UnknownSession, message);
        match self.store.sessions().get(id.trim())? {
            Lookup::One(row) => Ok(row),
            Lookup::None => Err(unknown(format!(
                "no session “{id}”; run `planwright sessions` to list all sessions"
            ))),
            Lookup::Many(_) => Err(unknown(format!(
                "several sessions start with “{id}”; use a longer ID"
            ))),
        }
    }

    /// The open question of a session, if any.
    pub fn open_question(&self, session: &str) -> Result<Option<Question>> {
        let row = self.find_session(session)?;
        Ok(rows::state(&self.store, &row.id)?.question)
    }

    /// All sessions, most recently changed first.
    pub fn sessions(&self) -> Result<Vec<SessionSummary>> {
        let rows = self.store.sessions().list()?;
        Ok(rows.into_iter().map(SessionSummary::of).collect())
    }

    /// Stores a session's state for lists.
    pub(crate) fn keep_told(&self, id: &str, told: &SessionTold<'_>) -> Result<()> {
        Ok(self.store.sessions().tell(id, told)?)
    }
}

/// A session, for lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionSummary {
    /// The session's ID.
    pub session: String,
    /// The absolute path of the plan file.
    pub plan: String,
    /// The absolute path of the workspace.
    pub workspace: String,
    /// The text that the session started with.
    pub goal: String,
    /// The session's mode: `plan` or `exec`.
    pub mode: String,
    /// The state: `new`, `working` while a process drives the session or if that process died, or
    /// why the last turn ended.
    pub state: String,
    /// The name of the model used last.
    pub model: String,
    /// Input tokens of all requests.
    pub tokens_in: u64,
    /// Input tokens that the provider had cached.
    pub tokens_cached: u64,
    /// Output tokens of all replies.
    pub tokens_out: u64,
    /// Creation time, in milliseconds since 1970 UTC.
    pub created_at_ms: i64,
    /// Time of the last change, in milliseconds since 1970 UTC.
    pub updated_at_ms: i64,
}

impl SessionSummary {
    fn of(row: SessionRow) -> Self {
        Self {
            session: row.id,
            plan: row.plan,
            workspace: row.workspace,
            goal: row.goal,
            mode: row.mode,
            state: row.state,
            model: row.model,
            tokens_in: row.input_tokens,
            tokens_cached: row.cached_tokens,
            tokens_out: row.output_tokens,
            created_at_ms: row.created_ms,
            updated_at_ms: row.updated_ms,
        }
    }
}
