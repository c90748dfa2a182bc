//! Table `plan_marks`: the user's latest verdict on a plan, other than approval.
//!
//! One mark per plan, the newest. It records the revision that it was given for; the caller decides
//! whether it still applies to the current one.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension, params};

use crate::StoreError;

/// The possible verdicts on a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// The plan was sent back with comments.
    ChangesRequested,
}

impl Mark {
    /// The name used in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Mark::ChangesRequested => "changes_requested",
        }
    }
}

impl FromSql for Mark {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Mark> {
        match value.as_str()? {
            "changes_requested" => Ok(Mark::ChangesRequested),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}

/// A stored mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanMark {
    /// Absolute path of the plan file.
    pub plan: String,
    /// SHA-256 of the marked content.
    pub revision: String,
    /// The user's verdict.
    pub mark: Mark,
    /// Time of the verdict, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// Access to the marks.
pub struct PlanMarks<'s> {
    pub(crate) conn: &'s Connection,
}

impl PlanMarks<'_> {
    /// Sets a plan's mark, replacing any earlier one.
    pub fn add(
        &self,
        plan: &str,
        revision: &str,
        mark: Mark,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "INSERT INTO plan_marks (plan, revision, mark, at_ms) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (plan) DO UPDATE SET revision = excluded.revision,
                     mark = excluded.mark, at_ms = excluded.at_ms",
            )?
            .execute(params![plan, revision, mark.as_str(), at_ms])?;
        Ok(())
    }

    /// The mark of a plan.
    pub fn latest(&self, plan: &str) -> Result<Option<PlanMark>, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached("SELECT plan, revision, mark, at_ms FROM plan_marks WHERE plan = ?1")?;
        let mark = statement.query_row([plan], |row| {
            Ok(PlanMark {
                plan: row.get(0)?,
                revision: row.get(1)?,
                mark: row.get(2)?,
                at_ms: row.get(3)?,
            })
        });
        Ok(mark.optional()?)
    }

    /// Deletes the mark of a plan; `false` if there was none.
    pub fn clear(&self, plan: &str) -> Result<bool, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached("DELETE FROM plan_marks WHERE plan = ?1")?;
        Ok(statement.execute([plan])? > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh};

    #[test]
    fn a_plan_has_its_newest_mark_until_it_is_cleared() {
        let (_folder, store) = fresh();
        let marks = store.plan_marks();
        assert_eq!(marks.latest(PLAN).unwrap(), None);
        marks.add(PLAN, "abc", Mark::ChangesRequested, 1).unwrap();
        marks.add(PLAN, "def", Mark::ChangesRequested, 2).unwrap();
        let newest = PlanMark {
            plan: PLAN.to_owned(),
            revision: "def".to_owned(),
            mark: Mark::ChangesRequested,
            at_ms: 2,
        };
        assert_eq!(marks.latest(PLAN).unwrap(), Some(newest));
        assert_eq!(marks.latest("/w/b.md").unwrap(), None);
        assert!(marks.clear(PLAN).unwrap());
        assert!(!marks.clear(PLAN).unwrap());
        assert_eq!(marks.latest(PLAN).unwrap(), None);
    }
}
