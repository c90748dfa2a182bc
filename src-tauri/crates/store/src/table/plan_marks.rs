//! Table `plan_marks`: what a person last said of a plan as a whole, short of approving it.
//!
//! One mark per plan, the newest. Whether it still counts for the plan as it reads now is the
//! caller's question: the mark names the revision it was given for.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension, params};

use crate::StoreError;

/// What can be said of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// It was sent back with comments.
    ChangesRequested,
}

impl Mark {
    /// The word that is stored.
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

/// A mark that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanMark {
    /// Absolute path of the plan file.
    pub plan: String,
    /// SHA-256 of the content it was given for.
    pub revision: String,
    /// What was said.
    pub mark: Mark,
    /// When, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// Reads and writes of the marks.
pub struct PlanMarks<'s> {
    pub(crate) conn: &'s Connection,
}

impl PlanMarks<'_> {
    /// Gives a plan a mark in place of its earlier one.
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

    /// Takes the mark of a plan away; `false` if there was none.
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
