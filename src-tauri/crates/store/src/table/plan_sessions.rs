//! Table `plan_sessions`: the sessions in which plans were written for a goal or expanded.
//!
//! Columns and JSON keys are compatible with existing dashboards. Dates are UTC strings that can be
//! sorted.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::StoreError;

/// SQL that formats milliseconds as a date string.
pub(super) const DATE: &str = "strftime('%Y-%m-%d %H:%M:%f', ?1 / 1000.0, 'unixepoch')";

/// SQL that selects the newest session of the plan `?1` and that session's newest version, as two
/// columns.
pub(super) const CURRENT_VERSION: &str =
    "SELECT plan_session_id, current_version FROM plan_sessions
    WHERE plan = ?1 ORDER BY created_at DESC, rowid DESC LIMIT 1";

/// A session to store.
#[derive(Clone, Copy, Debug)]
pub struct NewPlanSession<'a> {
    /// The session's id.
    pub id: &'a str,
    /// Absolute path of the plan file.
    pub plan: &'a str,
    /// The plan's goal.
    pub goal: &'a str,
    /// The id of the solver that wrote the plan, or `expansion`.
    pub strategy: &'a str,
    /// Start time, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// The result of a session's expansion loop.
#[derive(Clone, Copy, Debug)]
pub struct LoopEnd<'a> {
    /// The final status of the loop.
    pub status: &'a str,
    /// Number of rounds of the loop.
    pub rounds: u32,
    /// Why the loop stopped.
    pub stop_reason: &'a str,
    /// All other data, as a JSON object.
    pub metadata: &'a str,
}

/// A stored session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanSession {
    /// The session's id.
    pub id: String,
    /// Absolute path of the plan file.
    pub plan: String,
    /// The id of the solver that wrote the plan, or `expansion`.
    pub strategy: String,
    /// The number of its newest version.
    pub version: u32,
    /// The final status of its loop; `pending` until the loop has ended.
    pub status: String,
    /// Number of rounds of its loop.
    pub rounds: u32,
    /// Why the loop stopped; `None` if there was no loop.
    pub stop_reason: Option<String>,
    /// All other data about the loop, as a JSON object; `None` if there was no loop.
    pub metadata: Option<String>,
    /// When it started, in milliseconds since 1970 UTC.
    pub created_ms: i64,
}

/// Access to the sessions.
pub struct PlanSessions<'s> {
    pub(crate) conn: &'s Connection,
}

const COLUMNS: &str = "plan_session_id, plan, strategy, current_version, status,
    iterative_loop_round, iterative_stop_reason, iterative_loop_metadata_json,
    CAST(round(unixepoch(created_at, 'subsec') * 1000) AS INTEGER)";

impl PlanSessions<'_> {
    /// Adds a session.
    pub fn add(&self, new: &NewPlanSession<'_>) -> Result<(), StoreError> {
        let sql = format!(
            "INSERT INTO plan_sessions
                 (created_at, updated_at, plan_session_id, plan, goal_text, strategy)
             VALUES ({DATE}, {DATE}, ?2, ?3, ?4, ?5)"
        );
        self.conn.prepare_cached(&sql)?.execute(params![
            new.at_ms,
            new.id,
            new.plan,
            new.goal,
            new.strategy
        ])?;
        Ok(())
    }

    /// Stores the result of a session's loop, replacing any earlier one; `false` if there is no
    /// such session.
    pub fn end_loop(&self, id: &str, end: &LoopEnd<'_>, at_ms: i64) -> Result<bool, StoreError> {
        let sql = format!(
            "UPDATE plan_sessions SET updated_at = {DATE}, status = ?3, iterative_loop_round = ?4,
                 iterative_stop_reason = ?5, iterative_loop_metadata_json = ?6
             WHERE plan_session_id = ?2"
        );
        let changed = self.conn.prepare_cached(&sql)?.execute(params![
            at_ms,
            id,
            end.status,
            end.rounds,
            end.stop_reason,
            end.metadata
        ])?;
        Ok(changed > 0)
    }

    /// Records which version of a session is its newest.
    pub fn at_version(&self, id: &str, version: u32, at_ms: i64) -> Result<(), StoreError> {
        let sql = format!(
            "UPDATE plan_sessions SET updated_at = {DATE}, current_version = ?3
             WHERE plan_session_id = ?2"
        );
        self.conn
            .prepare_cached(&sql)?
            .execute(params![at_ms, id, version])?;
        Ok(())
    }

    /// The session with this id; `None` if it doesn't exist.
    pub fn get(&self, id: &str) -> Result<Option<PlanSession>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM plan_sessions WHERE plan_session_id = ?1");
        let mut statement = self.conn.prepare_cached(&sql)?;
        Ok(statement.query_row([id], session).optional()?)
    }

    /// Up to `count` sessions with a loop, newest first.
    pub fn with_loop(&self, count: u32) -> Result<Vec<PlanSession>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM plan_sessions WHERE iterative_loop_metadata_json IS NOT NULL
             ORDER BY created_at DESC, rowid DESC LIMIT ?1"
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
        let sessions = statement.query_map([count], session)?;
        Ok(sessions.collect::<Result<_, _>>()?)
    }

    /// The newest session with a loop for a plan.
    pub fn last_loop_of(&self, plan: &str) -> Result<Option<PlanSession>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM plan_sessions
             WHERE plan = ?1 AND iterative_loop_metadata_json IS NOT NULL
             ORDER BY created_at DESC, rowid DESC LIMIT 1"
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
        Ok(statement.query_row([plan], session).optional()?)
    }
}

fn session(row: &Row<'_>) -> rusqlite::Result<PlanSession> {
    Ok(PlanSession {
        id: row.get(0)?,
        plan: row.get(1)?,
        strategy: row.get(2)?,
        version: row.get(3)?,
        status: row.get(4)?,
        rounds: row.get(5)?,
        stop_reason: row.get(6)?,
        metadata: row.get(7)?,
        created_ms: row.get(8)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh};

    const NEW: NewPlanSession<'_> = NewPlanSession {
        id: "s1",
        plan: PLAN,
        goal: "Add a flag",
        strategy: "gs-symbolic",
        at_ms: 1_795_220_407_250,
    };

    #[test]
    fn a_session_has_a_loop_once_one_was_made() {
        let (_folder, store) = fresh();
        let sessions = store.plan_sessions();
        sessions.add(&NEW).unwrap();
        let begun = sessions.get("s1").unwrap().unwrap();
        assert_eq!(
            (&*begun.status, begun.version, begun.created_ms),
            ("pending", 1, NEW.at_ms)
        );
        assert!(sessions.with_loop(10).unwrap().is_empty());
        let end = LoopEnd {
            status: "ready",
            rounds: 2,
            stop_reason: "none",
            metadata: r#"{"adequacy_after":{"score":0.9}}"#,
        };
        assert!(sessions.end_loop("s1", &end, 7).unwrap());
        assert!(!sessions.end_loop("s2", &end, 7).unwrap());
        sessions.at_version("s1", 2, 8).unwrap();
        let ended = sessions.last_loop_of(PLAN).unwrap().unwrap();
        assert_eq!(
            (ended.rounds, ended.version, &*ended.status),
            (2, 2, "ready")
        );
        assert_eq!(sessions.with_loop(10).unwrap(), [ended]);
        assert_eq!(sessions.last_loop_of("/w/b.md").unwrap(), None);
    }

    #[test]
    fn what_is_no_json_is_refused() {
        let (_folder, store) = fresh();
        store.plan_sessions().add(&NEW).unwrap();
        let end = LoopEnd {
            status: "ready",
            rounds: 1,
            stop_reason: "none",
            metadata: "{",
        };
        assert!(store.plan_sessions().end_loop("s1", &end, 7).is_err());
    }

    #[test]
    fn dates_are_text_that_sorts() {
        let (_folder, store) = fresh();
        store.plan_sessions().add(&NEW).unwrap();
        let date: String = store
            .conn
            .query_row("SELECT created_at FROM plan_sessions", [], |row| row.get(0))
            .unwrap();
        assert_eq!(date, "2026-11-21 00:20:07.250");
    }
}
