//! Table `reviews`: reviews of plans that other agents ask for, and the decisions on them.
//!
//! A review is decided at most once: the first decision wins, and the database refuses a second.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::StoreError;
use crate::process::Holder;

/// The states of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReviewState {
    /// The review is waiting for a decision.
    Waiting,
    /// A person approved a revision.
    Approved,
    /// A person requested changes.
    ChangesRequested,
    /// The agent withdrew its request.
    Withdrawn,
}

impl ReviewState {
    const ALL: [Self; 4] = [
        Self::Waiting,
        Self::Approved,
        Self::ChangesRequested,
        Self::Withdrawn,
    ];

    /// The name used in the database and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Approved => "approved",
            Self::ChangesRequested => "changes_requested",
            Self::Withdrawn => "withdrawn",
        }
    }
}

impl FromSql for ReviewState {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = value.as_str()?;
        let state = Self::ALL.into_iter().find(|state| state.as_str() == word);
        state.ok_or(FromSqlError::InvalidType)
    }
}

/// A review to add.
#[derive(Clone, Copy, Debug)]
pub struct NewReview<'a> {
    /// The review's id.
    pub id: &'a str,
    /// Absolute path of the plan file.
    pub plan: &'a str,
    /// Absolute path of the workspace.
    pub workspace: &'a str,
    /// SHA-256 of the proposed content.
    pub revision: &'a str,
    /// The agent's name on screen.
    pub agent: &'a str,
    /// The id that the agent uses for its conversation; empty if it has none.
    pub agent_session: &'a str,
    /// The process that waits for the decision; `None` if the agent doesn't wait but asks again
    /// later.
    pub holder: Option<&'a Holder>,
    /// When the agent asked for it, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// A stored review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// The review's id.
    pub id: String,
    /// Absolute path of the plan file.
    pub plan: String,
    /// Absolute path of the workspace.
    pub workspace: String,
    /// SHA-256 of the proposed content.
    pub revision: String,
    /// The agent's name on screen.
    pub agent: String,
    /// The id that the agent uses for its conversation; empty if it has none.
    pub agent_session: String,
    /// Whether it is waiting, or how it was decided.
    pub state: ReviewState,
    /// SHA-256 of the approved content; differs from `revision` if the plan was edited or got notes
    /// during the review.
    pub approved_revision: Option<String>,
    /// The requested changes, or why it was withdrawn.
    pub message: Option<String>,
    /// The process that waits for the decision; `None` if the agent doesn't wait but asks again
    /// later.
    pub holder: Option<Holder>,
    /// When the agent asked for it, in milliseconds since 1970 UTC.
    pub asked_ms: i64,
}

/// A decision on a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewDecision {
    /// A revision is approved.
    Approved {
        /// SHA-256 of the approved content.
        revision: String,
    },
    /// Changes are requested.
    ChangesRequested {
        /// The requested changes, in the person's words.
        message: String,
    },
    /// The agent withdraws its request.
    Withdrawn {
        /// Why it was withdrawn.
        reason: String,
    },
}

/// Access to the reviews.
pub struct Reviews<'s> {
    pub(crate) conn: &'s Connection,
}

const COLUMNS: &str = "id, plan, workspace, revision, agent, agent_session, state, \
     approved_revision, message, pid, process_start, boot_id, host, asked_ms";

impl Reviews<'_> {
    /// Adds a waiting review.
    pub fn add(&self, new: &NewReview<'_>) -> Result<(), StoreError> {
        let holder = new.holder;
        self.conn
            .prepare_cached(
                "INSERT INTO reviews (id, plan, workspace, revision, agent, agent_session, pid,
                     process_start, boot_id, host, asked_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            )?
            .execute(params![
                new.id,
                new.plan,
                new.workspace,
                new.revision,
                new.agent,
                new.agent_session,
                holder.map(|holder| holder.pid),
                holder.map(|holder| holder.process_start.cast_signed()),
                holder.map(|holder| &holder.boot_id),
                holder.map(|holder| &holder.host),
                new.at_ms,
            ])?;
        Ok(())
    }

    /// Decides a waiting review; returns `false` if it is no longer waiting.
    pub fn decide(
        &self,
        id: &str,
        decision: &ReviewDecision,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        let (state, revision, message) = match decision {
            ReviewDecision::Approved { revision } => (ReviewState::Approved, Some(revision), None),
            ReviewDecision::ChangesRequested { message } => {
                (ReviewState::ChangesRequested, None, Some(message))
            }
            ReviewDecision::Withdrawn { reason } => (ReviewState::Withdrawn, None, Some(reason)),
        };
        let changed = self
            .conn
            .prepare_cached(
                "UPDATE reviews SET state = ?2, approved_revision = ?3, message = ?4, decided_ms = ?5
                 WHERE id = ?1 AND state = 'waiting'",
            )?
            .execute(params![id, state.as_str(), revision, message, at_ms])?;
        Ok(changed > 0)
    }

    /// The review with this id.
    pub fn get(&self, id: &str) -> Result<Option<Review>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM reviews WHERE id = ?1");
        let mut statement = self.conn.prepare_cached(&sql)?;
        Ok(statement.query_row([id], review).optional()?)
    }

    /// The waiting reviews of one plan or of all plans, oldest first.
    pub fn waiting(&self, plan: Option<&str>) -> Result<Vec<Review>, StoreError> {
        self.select(
            "state = 'waiting' AND (?1 IS NULL OR plan = ?1) ORDER BY asked_ms, rowid",
            [plan],
        )
    }

    /// The newest review that an agent asked for in this conversation and workspace.
    pub fn latest_of(
        &self,
        agent: &str,
        agent_session: &str,
        workspace: &str,
    ) -> Result<Option<Review>, StoreError> {
        let found = self.select(
            "agent = ?1 AND agent_session = ?2 AND workspace = ?3
             ORDER BY asked_ms DESC, rowid DESC LIMIT 1",
            [agent, agent_session, workspace],
        )?;
        Ok(found.into_iter().next())
    }

    /// The newest approved reviews of all agents, newest first, at most `count`.
    pub fn approved(&self, count: u32) -> Result<Vec<Review>, StoreError> {
        self.select(
            "state = 'approved' ORDER BY asked_ms DESC, rowid DESC LIMIT ?1",
            [count],
        )
    }

    fn select(
        &self,
        condition: &str,
        values: impl rusqlite::Params,
    ) -> Result<Vec<Review>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM reviews WHERE {condition}");
        let mut statement = self.conn.prepare_cached(&sql)?;
        let reviews = statement.query_map(values, review)?;
        Ok(reviews.collect::<Result<_, _>>()?)
    }
}

fn review(row: &Row<'_>) -> rusqlite::Result<Review> {
    let holder = match row.get::<_, Option<u32>>("pid")? {
        None => None,
        Some(pid) => Some(Holder {
            run: String::new(),
            pid,
            process_start: row.get::<_, i64>("process_start")?.cast_unsigned(),
            boot_id: row.get("boot_id")?,
            host: row.get("host")?,
        }),
    };
    Ok(Review {
        id: row.get("id")?,
        plan: row.get("plan")?,
        workspace: row.get("workspace")?,
        revision: row.get("revision")?,
        agent: row.get("agent")?,
        agent_session: row.get("agent_session")?,
        state: row.get("state")?,
        approved_revision: row.get("approved_revision")?,
        message: row.get("message")?,
        holder,
        asked_ms: row.get("asked_ms")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh};

    fn new<'a>(id: &'a str, holder: Option<&'a Holder>) -> NewReview<'a> {
        NewReview {
            id,
            plan: PLAN,
            workspace: "/w",
            revision: "abc",
            agent: "Claude Code",
            agent_session: "s1",
            holder,
            at_ms: 1,
        }
    }

    #[test]
    fn the_first_decision_wins_and_no_second_one_is_taken() {
        let (_folder, store) = fresh();
        let reviews = store.reviews();
        reviews.add(&new("r1", None)).unwrap();
        let changes = ReviewDecision::ChangesRequested {
            message: "smaller".to_owned(),
        };
        assert!(reviews.decide("r1", &changes, 2).unwrap());
        let approved = ReviewDecision::Approved {
            revision: "abc".to_owned(),
        };
        assert!(!reviews.decide("r1", &approved, 3).unwrap());
        let row = reviews.get("r1").unwrap().unwrap();
        assert_eq!(row.state, ReviewState::ChangesRequested);
        assert_eq!(row.message.as_deref(), Some("smaller"));
        assert_eq!(row.approved_revision, None);
        for sql in [
            "UPDATE reviews SET state = 'approved', approved_revision = 'abc', message = NULL",
            "UPDATE reviews SET revision = 'def'",
            "DELETE FROM reviews",
        ] {
            assert!(store.conn.execute(sql, []).is_err(), "{sql}");
        }
    }

    #[test]
    fn what_waits_is_listed_and_moves_with_its_plan() {
        let (_folder, store) = fresh();
        let reviews = store.reviews();
        let me = Holder::current("").unwrap();
        reviews.add(&new("r1", Some(&me))).unwrap();
        reviews.add(&new("r2", None)).unwrap();
        let ids = |plan: Option<&str>| -> Vec<String> {
            let waiting = reviews.waiting(plan).unwrap();
            waiting.into_iter().map(|review| review.id).collect()
        };
        assert_eq!(ids(None), ["r1", "r2"]);
        assert_eq!(reviews.get("r1").unwrap().unwrap().holder, Some(me));
        let gone = ReviewDecision::Withdrawn {
            reason: "timed out".to_owned(),
        };
        assert!(reviews.decide("r1", &gone, 2).unwrap());
        assert_eq!(ids(Some(PLAN)), ["r2"]);
        store.plan_moves().add(PLAN, "/w/b.md", 3).unwrap();
        assert_eq!(ids(Some("/w/b.md")), ["r2"]);
        let latest = reviews.latest_of("Claude Code", "s1", "/w").unwrap();
        assert_eq!(latest.unwrap().id, "r2");
        assert_eq!(reviews.latest_of("Codex", "s1", "/w").unwrap(), None);
    }
}
