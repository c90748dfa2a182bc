//! Table `plan_conflicts`: lines that two sides changed differently, until the user resolves them.
//!
//! The file contains one side; the other side is kept here verbatim, even after the conflict is
//! resolved.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::immediate;
use crate::StoreError;

/// A conflict to add.
#[derive(Clone, Copy, Debug)]
pub struct NewConflict<'a> {
    /// Absolute path of the plan file.
    pub plan: &'a str,
    /// The id of the step that the lines belong to; `None` if they are outside the steps.
    pub task: Option<&'a str>,
    /// The step's title, or the name of the section.
    pub title: &'a str,
    /// The lines as they were before both changes.
    pub base: &'a str,
    /// The lines as edited in Planwright.
    pub ours: &'a str,
    /// The lines written by the other program.
    pub theirs: &'a str,
    /// SHA-256 of the merge result, which contains the other program's lines.
    pub revision: &'a str,
    /// Byte offset of those lines in the merge result.
    pub place: i64,
    /// When it was detected, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// A stored conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Its id; never reused.
    pub id: i64,
    /// Absolute path of the plan file.
    pub plan: String,
    /// The id of the step that the lines belong to; `None` if they are outside the steps.
    pub task: Option<String>,
    /// The step's title, or the name of the section.
    pub title: String,
    /// The lines as they were before both changes.
    pub base: String,
    /// The lines as edited in Planwright.
    pub ours: String,
    /// The lines written by the other program.
    pub theirs: String,
    /// SHA-256 of the merge result, which contains the other program's lines.
    pub revision: String,
    /// Byte offset of those lines in the merge result.
    pub place: i64,
    /// When it was detected, in milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// When it was resolved, in milliseconds since 1970 UTC; `None` if it isn't resolved.
    pub resolved_ms: Option<i64>,
}

/// Access to the conflicts.
pub struct PlanConflicts<'s> {
    pub(crate) conn: &'s Connection,
}

const COLUMNS: &str =
    "id, plan, task, title, base, ours, theirs, revision, place, at_ms, resolved_ms";

impl PlanConflicts<'_> {
    /// Adds conflicts atomically. Conflicts that are already stored, resolved or not, are skipped,
    /// so that this can be retried after a crash. Returns the number added.
    pub fn add(&self, conflicts: &[NewConflict<'_>]) -> Result<usize, StoreError> {
        if conflicts.is_empty() {
            return Ok(0);
        }
        let tx = immediate(self.conn)?;
        let mut added = 0;
        for new in conflicts {
            added += tx
                .prepare_cached(
                    "INSERT INTO plan_conflicts
                         (plan, task, title, base, ours, theirs, revision, place, at_ms)
                     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE NOT EXISTS
                         (SELECT 1 FROM plan_conflicts WHERE plan = ?1 AND revision = ?7
                          AND place = ?8 AND base = ?4 AND ours = ?5 AND theirs = ?6)",
                )?
                .execute(params![
                    new.plan,
                    new.task,
                    new.title,
                    new.base,
                    new.ours,
                    new.theirs,
                    new.revision,
                    new.place,
                    new.at_ms
                ])?;
        }
        tx.commit()?;
        Ok(added)
    }

    /// The unresolved conflicts of a plan, oldest first.
    pub fn open(&self, plan: &str) -> Result<Vec<Conflict>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM plan_conflicts WHERE plan = ?1 AND resolved_ms IS NULL ORDER BY id"
        );
        let mut statement = self.conn.prepare_cached(&sql)?;
        let conflicts = statement.query_map([plan], conflict)?;
        Ok(conflicts.collect::<Result<_, _>>()?)
    }

    /// The number of unresolved conflicts of a plan, and the highest id among them, which is 0 if
    /// there are none.
    pub fn waiting(&self, plan: &str) -> Result<(u32, i64), StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT count(*), coalesce(max(id), 0) FROM plan_conflicts
             WHERE plan = ?1 AND resolved_ms IS NULL",
        )?;
        Ok(statement.query_row([plan], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }

    /// The conflict with this id.
    pub fn get(&self, id: i64) -> Result<Option<Conflict>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM plan_conflicts WHERE id = ?1");
        let mut statement = self.conn.prepare_cached(&sql)?;
        Ok(statement.query_row([id], conflict).optional()?)
    }

    /// Records how a conflict was resolved: `mine`, `theirs` or `both`. Returns `false` and does
    /// nothing if there is no such unresolved conflict.
    pub fn settle(&self, id: i64, choice: &str, at_ms: i64) -> Result<bool, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "UPDATE plan_conflicts SET resolved_ms = ?3, choice = ?2
             WHERE id = ?1 AND resolved_ms IS NULL",
        )?;
        Ok(statement.execute(params![id, choice, at_ms])? > 0)
    }
}

fn conflict(row: &Row<'_>) -> rusqlite::Result<Conflict> {
    Ok(Conflict {
        id: row.get(0)?,
        plan: row.get(1)?,
        task: row.get(2)?,
        title: row.get(3)?,
        base: row.get(4)?,
        ours: row.get(5)?,
        theirs: row.get(6)?,
        revision: row.get(7)?,
        place: row.get(8)?,
        at_ms: row.get(9)?,
        resolved_ms: row.get(10)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh};

    const BOTH: NewConflict<'_> = NewConflict {
        plan: PLAN,
        task: Some("T2"),
        title: "Add a flag",
        base: "- [ ] **T2** Add a flag\n",
        ours: "- [ ] **T2** Add the flag\n",
        theirs: "- [ ] **T2** Add two flags\n",
        revision: "abc",
        place: 12,
        at_ms: 4,
    };

    #[test]
    fn both_sides_are_kept_until_and_after_it_is_settled() {
        let (_folder, store) = fresh();
        let conflicts = store.plan_conflicts();
        assert_eq!(conflicts.add(&[BOTH]).unwrap(), 1);
        let open = conflicts.open(PLAN).unwrap();
        let [only] = open.as_slice() else {
            panic!("{open:?}")
        };
        assert_eq!((&*only.ours, &*only.theirs), (BOTH.ours, BOTH.theirs));
        assert_eq!(conflicts.waiting(PLAN).unwrap(), (1, only.id));
        assert!(conflicts.settle(only.id, "mine", 9).unwrap());
        assert!(!conflicts.settle(only.id, "theirs", 9).unwrap(), "once");
        assert!(conflicts.settle(4711, "maybe", 9).is_ok());
        assert_eq!(conflicts.waiting(PLAN).unwrap(), (0, 0));
        let kept = conflicts.get(only.id).unwrap().unwrap();
        assert_eq!((&*kept.ours, kept.resolved_ms), (BOTH.ours, Some(9)));
        assert_eq!(conflicts.get(4711).unwrap(), None);
    }

    #[test]
    fn a_conflict_told_again_is_the_same_one() {
        let (_folder, store) = fresh();
        let conflicts = store.plan_conflicts();
        let other = NewConflict {
            ours: "- [ ] **T2** Add no flag\n",
            ..BOTH
        };
        assert_eq!(conflicts.add(&[BOTH, other, BOTH]).unwrap(), 2);
        assert_eq!(conflicts.add(&[BOTH]).unwrap(), 0);
        assert_eq!(conflicts.open(PLAN).unwrap().len(), 2);
        assert!(conflicts.open("/w/b.md").unwrap().is_empty());
    }

    #[test]
    fn only_the_three_ways_to_settle_can_be_noted() {
        let (_folder, store) = fresh();
        let conflicts = store.plan_conflicts();
        conflicts.add(&[BOTH]).unwrap();
        let id = conflicts.open(PLAN).unwrap()[0].id;
        assert!(conflicts.settle(id, "maybe", 9).is_err());
        assert!(conflicts.settle(id, "both", 9).unwrap());
    }
}
