//! Table `plan_versions`: the versions of a plan within one session, starting with the first draft.

use rusqlite::{Connection, params};

use super::plan_sessions::{CURRENT_VERSION, DATE};
use crate::StoreError;

/// A reviewer's verdict on a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewerVerdict {
    /// The version may be run.
    Approved,
    /// The version needs changes before it may be run.
    NeedsRevision,
}

impl ReviewerVerdict {
    /// The name used in the database, where the value is `pending` until there is a verdict.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::NeedsRevision => "needs_revision",
        }
    }
}

/// A version to add.
#[derive(Clone, Copy, Debug)]
pub struct NewPlanVersion<'a> {
    /// The id of its session.
    pub session: &'a str,
    /// Its number, from 1.
    pub version: u32,
    /// The number of the version that it was derived from, if any.
    pub parent: Option<u32>,
    /// What led to the version: `initial` or `replan`.
    pub trigger: &'a str,
    /// Details of what led to it, as JSON.
    pub payload: &'a str,
    /// Its adequacy score, 0 to 1.
    pub quality: f64,
    /// Creation time, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// Access to the versions.
pub struct PlanVersions<'s> {
    pub(crate) conn: &'s Connection,
}

impl PlanVersions<'_> {
    /// Adds a version.
    pub fn add(&self, new: &NewPlanVersion<'_>) -> Result<(), StoreError> {
        let sql = format!(
            "INSERT INTO plan_versions (created_at, plan_session_id, version, parent_version,
                 trigger_event, trigger_payload_json, quality_score)
             VALUES ({DATE}, ?2, ?3, ?4, ?5, ?6, ?7)"
        );
        self.conn.prepare_cached(&sql)?.execute(params![
            new.at_ms,
            new.session,
            new.version,
            new.parent,
            new.trigger,
            new.payload,
            new.quality
        ])?;
        Ok(())
    }

    /// Stores the verdict on a plan's newest version; `false` if the plan has no version.
    pub fn review(&self, plan: &str, verdict: ReviewerVerdict) -> Result<bool, StoreError> {
        let sql = format!(
            "UPDATE plan_versions SET reviewer_verdict = ?2
             WHERE (plan_session_id, version) = ({CURRENT_VERSION})"
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
        Ok(statement.execute(params![plan, verdict.as_str()])? > 0)
    }

    /// The numbers and scores of a session's versions, in order.
    pub fn of(&self, session: &str) -> Result<Vec<(u32, f64)>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT version, quality_score FROM plan_versions WHERE plan_session_id = ?1
             ORDER BY version",
        )?;
        let versions = statement.query_map([session], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(versions.collect::<Result<_, _>>()?)
    }
}
