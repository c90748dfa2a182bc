//! Table `approvals`: which content was approved, by whom, and up to which step. Append-only: an
//! approval may be superseded by later events, but is never deleted.

use rusqlite::{Connection, Row, params};

use super::plan_moves::lineage;
use crate::StoreError;

/// An approval to add.
#[derive(Clone, Copy, Debug)]
pub struct NewApproval<'a> {
    /// Absolute path of the plan file.
    pub plan: &'a str,
    /// SHA-256 of the approved content, which must already be stored.
    pub revision: &'a str,
    /// The id of the run that it was given for; `None` for "save as approved".
    pub run: Option<&'a str>,
    /// Who gave the approval, such as `person`.
    pub actor: &'a str,
    /// When the run asks for approval: `each`, `risky` or `all`.
    pub policy: &'a str,
    /// The id of the last approved step; `None` for all steps.
    pub upto: Option<&'a str>,
    /// The written reason, if one was required.
    pub reason: Option<&'a str>,
    /// Time of the approval, in milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// How long the plan was on screen, in milliseconds; `None` if it wasn't approved in the
    /// window.
    pub shown_ms: Option<i64>,
}

/// A stored approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// Its position in the order of all approvals.
    pub seq: i64,
    /// Absolute path of the plan file.
    pub plan: String,
    /// SHA-256 of the approved content.
    pub revision: String,
    /// The id of the run that it was given for; `None` for "save as approved".
    pub run: Option<String>,
    /// Who gave the approval, such as `person`.
    pub actor: String,
    /// When the run asks for approval: `each`, `risky` or `all`.
    pub policy: String,
    /// The id of the last approved step; `None` for all steps.
    pub upto: Option<String>,
    /// The written reason, if one was required.
    pub reason: Option<String>,
    /// Time of the approval, in milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// How long the plan was on screen, in milliseconds; `None` if it wasn't approved in the
    /// window.
    pub shown_ms: Option<i64>,
}

/// Access to the approvals.
pub struct Approvals<'s> {
    pub(crate) conn: &'s Connection,
}

const COLUMNS: &str = "seq, plan, revision, run, actor, policy, upto, reason, at_ms, shown_ms";

impl Approvals<'_> {
    /// Adds an approval and returns its position. Fails if the content of the revision isn't
    /// stored, since an approval is for specific bytes.
    pub fn add(&self, new: &NewApproval<'_>) -> Result<i64, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "INSERT INTO approvals (plan, revision, run, actor, policy, upto, reason, at_ms, shown_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?;
        Ok(statement.insert(params![
            new.plan,
            new.revision,
            new.run,
            new.actor,
            new.policy,
            new.upto,
            new.reason,
            new.at_ms,
            new.shown_ms
        ])?)
    }

    /// All approvals of a plan, including those recorded under its earlier paths, oldest first.
    pub fn of_plan(&self, plan: &str) -> Result<Vec<Approval>, StoreError> {
        let mut all = Vec::new();
        for span in lineage(self.conn, plan)?.iter().rev() {
            let (after, upto) = span.approvals;
            let given = self.select("plan = ?1", &span.plan)?.into_iter();
            all.extend(given.filter(|one| one.seq > after && one.seq <= upto));
        }
        Ok(all)
    }

    /// All approvals given for a run, oldest first.
    pub fn of_run(&self, run: &str) -> Result<Vec<Approval>, StoreError> {
        self.select("run = ?1", run)
    }

    /// How long the plan was on screen for each approval, in milliseconds, newest approval first;
    /// `None` where it isn't known. Covers one plan, the plans below a folder, or all plans.
    pub fn times_on_screen(&self, within: Option<&str>) -> Result<Vec<Option<i64>>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT shown_ms FROM approvals
             WHERE ?1 IS NULL OR plan = ?1 OR substr(plan, 1, length(?1) + 1) = ?1 || '/'
             ORDER BY seq DESC",
        )?;
        let times = statement.query_map([within], |row| row.get(0))?;
        Ok(times.collect::<Result<_, _>>()?)
    }

    fn select(&self, condition: &str, value: &str) -> Result<Vec<Approval>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM approvals WHERE {condition} ORDER BY seq");
        let mut statement = self.conn.prepare_cached(&sql)?;
        let approvals = statement.query_map([value], approval)?;
        Ok(approvals.collect::<Result<_, _>>()?)
    }
}

fn approval(row: &Row<'_>) -> rusqlite::Result<Approval> {
    Ok(Approval {
        seq: row.get(0)?,
        plan: row.get(1)?,
        revision: row.get(2)?,
        run: row.get(3)?,
        actor: row.get(4)?,
        policy: row.get(5)?,
        upto: row.get(6)?,
        reason: row.get(7)?,
        at_ms: row.get(8)?,
        shown_ms: row.get(9)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh, record};

    fn approve<'a>(revision: &'a str, run: Option<&'a str>) -> NewApproval<'a> {
        NewApproval {
            plan: PLAN,
            revision,
            run,
            actor: "person",
            policy: "risky",
            upto: Some("T3"),
            reason: Some("thin, but enough for today"),
            at_ms: 9,
            shown_ms: Some(1_500),
        }
    }

    #[test]
    fn an_approval_is_read_as_it_was_given() {
        let (_folder, store) = fresh();
        let revision = record(&store, "A", None);
        let first = store.approvals().add(&approve(&revision, None)).unwrap();
        let second = approve(&revision, Some("r1"));
        assert!(store.approvals().add(&second).unwrap() > first);
        let all = store.approvals().of_plan(PLAN).unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].upto.as_deref(), Some("T3"));
        assert_eq!((all[0].run.as_deref(), all[0].at_ms), (None, 9));
        assert_eq!(store.approvals().of_run("r1").unwrap(), all[1..]);
        assert!(store.approvals().of_plan("/w/b.md").unwrap().is_empty());
    }

    #[test]
    fn bytes_that_are_not_held_cannot_be_approved() {
        let (_folder, store) = fresh();
        let unknown = "0".repeat(64);
        assert!(store.approvals().add(&approve(&unknown, None)).is_err());
        assert!(store.approvals().of_plan(PLAN).unwrap().is_empty());
    }

    #[test]
    fn an_approval_cannot_be_taken_out_or_changed() {
        let (_folder, store) = fresh();
        let revision = record(&store, "A", None);
        store.approvals().add(&approve(&revision, None)).unwrap();
        for sql in ["DELETE FROM approvals", "UPDATE approvals SET upto = NULL"] {
            assert!(store.conn.execute(sql, []).is_err(), "{sql}");
        }
    }
}
