//! The history of a plan: its revisions, what changed between two, restoring one; and conflicts that
//! wait for the person.

use crate::desktop::Desktop;
use crate::error::{Code, Error, Result};
use crate::wire::window::{Comparison, ConflictChoice, EditOutcome, HistoryPage, PlanConflict};

fn unbuilt<T>() -> Result<T> {
    Err(Error::new(Code::Failed, "not built"))
}

impl Desktop {
    /// A page of the history.
    pub fn history(&self, _plan: &str, _before: Option<i64>, _count: u32) -> Result<HistoryPage> {
        unbuilt()
    }

    /// What changed between two revisions.
    pub fn compare(&self, _plan: &str, _from: &str, _to: &str) -> Result<Comparison> {
        unbuilt()
    }

    /// Gives the plan the content of a revision again.
    pub fn restore(&self, _plan: &str, _seen: &str, _revision: &str) -> Result<EditOutcome> {
        unbuilt()
    }

    /// Conflicts that wait for the person.
    pub fn conflicts(&self, _plan: &str) -> Result<Vec<PlanConflict>> {
        unbuilt()
    }

    /// Settles a conflict.
    pub fn resolve_conflict(
        &self,
        _plan: &str,
        _id: i64,
        _choice: ConflictChoice,
    ) -> Result<EditOutcome> {
        unbuilt()
    }
}
