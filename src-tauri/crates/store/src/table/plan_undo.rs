//! Table `plan_undo`: undo and redo stacks of plans, kept across restarts.
//!
//! The undone entries of a plan are always its newest ones, so the stacks are one list with a
//! position in it. An update that would violate this is refused: if two windows undo the same
//! change, the second undo has no effect.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::immediate;
use crate::StoreError;

/// Maximum number of changes kept per plan.
const KEPT: i64 = 2_000;

/// A change to add.
#[derive(Clone, Copy, Debug)]
pub struct NewUndo<'a> {
    /// Absolute path of the plan file.
    pub plan: &'a str,
    /// SHA-256 of the content before the change, which must be stored as a revision.
    pub before: &'a str,
    /// SHA-256 of the content after the change, which must be stored as a revision.
    pub after: &'a str,
    /// A description of the change, for display.
    pub label: &'a str,
    /// Time of the change, in milliseconds since 1970 UTC.
    pub at_ms: i64,
}

/// A stored change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndoEntry {
    /// Its id; never reused.
    pub seq: i64,
    /// Absolute path of the plan file.
    pub plan: String,
    /// SHA-256 of the content before the change.
    pub before: String,
    /// SHA-256 of the content after the change.
    pub after: String,
    /// A description of the change, for display.
    pub label: String,
    /// Time of the change, in milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// Whether it is currently undone.
    pub undone: bool,
}

/// Access to the undo stacks.
pub struct PlanUndo<'s> {
    pub(crate) conn: &'s Connection,
}

const COLUMNS: &str = "seq, plan, before_hash, after_hash, label, at_ms, undone";

impl PlanUndo<'_> {
    /// Adds a change and returns its id. Deletes the plan's undone entries and keeps only its
    /// newest 2,000 changes. Fails if the content before or after the change is not stored.
    pub fn push(&self, new: &NewUndo<'_>) -> Result<i64, StoreError> {
        let tx = immediate(self.conn)?;
        tx.prepare_cached("DELETE FROM plan_undo WHERE plan = ?1 AND undone = 1")?
            .execute([new.plan])?;
        let seq = tx
            .prepare_cached(
                "INSERT INTO plan_undo (plan, before_hash, after_hash, label, at_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .insert(params![
                new.plan, new.before, new.after, new.label, new.at_ms
            ])?;
        tx.prepare_cached(
            "DELETE FROM plan_undo WHERE plan = ?1 AND seq <=
                 (SELECT seq FROM plan_undo WHERE plan = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)",
        )?
        .execute(params![new.plan, KEPT])?;
        tx.commit()?;
        Ok(seq)
    }

    /// The change to undo next, if there is one.
    pub fn last(&self, plan: &str) -> Result<Option<UndoEntry>, StoreError> {
        self.one("undone = 0 ORDER BY seq DESC", plan)
    }

    /// The change to redo next, if there is one.
    pub fn next(&self, plan: &str) -> Result<Option<UndoEntry>, StoreError> {
        self.one("undone = 1 ORDER BY seq", plan)
    }

    /// Records that [`PlanUndo::last`] was undone (`true`) or [`PlanUndo::next`] redone (`false`).
    /// Returns `false` and does nothing if `seq` is no longer the id of that entry.
    pub fn mark(&self, seq: i64, undone: bool) -> Result<bool, StoreError> {
        let sql = match undone {
            true => {
                "UPDATE plan_undo SET undone = 1 WHERE seq = ?1 AND undone = 0 AND NOT EXISTS
                     (SELECT 1 FROM plan_undo AS other WHERE other.plan = plan_undo.plan
                      AND other.undone = 0 AND other.seq > plan_undo.seq)"
            }
            false => {
                "UPDATE plan_undo SET undone = 0 WHERE seq = ?1 AND undone = 1 AND NOT EXISTS
                     (SELECT 1 FROM plan_undo AS other WHERE other.plan = plan_undo.plan
                      AND other.undone = 1 AND other.seq < plan_undo.seq)"
            }
        };
        Ok(self.conn.prepare_cached(sql)?.execute([seq])? > 0)
    }

    /// Updates the content after [`PlanUndo::last`], so that edits made while the user is typing
    /// form one change. Returns `false` and does nothing if `seq` is no longer the id of that
    /// entry. Fails if the content is not stored.
    pub fn extend(&self, seq: i64, after: &str, at_ms: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE plan_undo SET after_hash = ?2, at_ms = ?3 WHERE seq = ?1 AND undone = 0
                   AND NOT EXISTS (SELECT 1 FROM plan_undo AS other
                       WHERE other.plan = plan_undo.plan
                       AND (other.undone = 1 OR other.seq > plan_undo.seq))";
        let mut statement = self.conn.prepare_cached(sql)?;
        Ok(statement.execute(params![seq, after, at_ms])? > 0)
    }

    fn one(&self, rest: &str, plan: &str) -> Result<Option<UndoEntry>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM plan_undo WHERE plan = ?1 AND {rest} LIMIT 1");
        let mut statement = self.conn.prepare_cached(&sql)?;
        Ok(statement.query_row([plan], entry).optional()?)
    }
}

fn entry(row: &Row<'_>) -> rusqlite::Result<UndoEntry> {
    Ok(UndoEntry {
        seq: row.get(0)?,
        plan: row.get(1)?,
        before: row.get(2)?,
        after: row.get(3)?,
        label: row.get(4)?,
        at_ms: row.get(5)?,
        undone: row.get(6)?,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Store;
    use crate::table::testing::{PLAN, fresh, record};

    fn push(store: &Store, plan: &str, label: &str) -> i64 {
        let before = record(store, "before", None);
        let after = record(store, "after", None);
        let new = NewUndo {
            plan,
            before: &before,
            after: &after,
            label,
            at_ms: 7,
        };
        store.plan_undo().push(&new).unwrap()
    }

    fn labels(store: &Store) -> (Option<String>, Option<String>) {
        let undo = store.plan_undo();
        (
            undo.last(PLAN).unwrap().map(|e| e.label),
            undo.next(PLAN).unwrap().map(|e| e.label),
        )
    }

    #[test]
    fn undo_and_redo_walk_the_same_list_to_and_fro() {
        let (_folder, store) = fresh();
        let undo = store.plan_undo();
        let first = push(&store, PLAN, "a");
        let second = push(&store, PLAN, "b");
        assert!(undo.mark(second, true).unwrap());
        assert_eq!(labels(&store), (Some("a".into()), Some("b".into())));
        assert!(undo.mark(first, true).unwrap());
        assert_eq!(labels(&store), (None, Some("a".into())));
        assert!(undo.mark(first, false).unwrap());
        let last = undo.last(PLAN).unwrap().unwrap();
        assert_eq!((last.seq, last.undone, last.at_ms), (first, false, 7));
        assert_eq!(last.after, record(&store, "after", None));
    }

    #[test]
    fn a_change_that_goes_on_stays_one_change() {
        let (_folder, store) = fresh();
        let undo = store.plan_undo();
        let first = push(&store, PLAN, "a");
        let further = record(&store, "further", None);
        assert!(undo.extend(first, &further, 9).unwrap());
        let last = undo.last(PLAN).unwrap().unwrap();
        assert_eq!(
            (last.seq, last.after, last.at_ms),
            (first, further.clone(), 9)
        );
        assert_eq!(last.before, record(&store, "before", None));
        assert!(undo.extend(first, &"0".repeat(64), 9).is_err(), "not held");
        let second = push(&store, PLAN, "b");
        assert!(!undo.extend(first, &further, 9).unwrap(), "b came since");
        assert!(undo.mark(second, true).unwrap());
        assert!(
            !undo.extend(first, &further, 9).unwrap(),
            "b can come again"
        );
    }

    #[test]
    fn a_mark_out_of_turn_changes_nothing() {
        let (_folder, store) = fresh();
        let undo = store.plan_undo();
        let first = push(&store, PLAN, "a");
        let second = push(&store, PLAN, "b");
        assert!(!undo.mark(first, true).unwrap(), "b comes first");
        assert!(undo.mark(second, true).unwrap());
        assert!(!undo.mark(second, true).unwrap(), "done already");
        assert!(undo.mark(first, true).unwrap());
        assert!(!undo.mark(second, false).unwrap(), "a comes first");
        assert!(!undo.mark(4711, true).unwrap());
    }

    #[test]
    fn a_new_change_ends_what_could_be_made_again() {
        let (_folder, store) = fresh();
        let undone = push(&store, PLAN, "a");
        let other = push(&store, "/w/b.md", "theirs");
        assert!(store.plan_undo().mark(undone, true).unwrap());
        assert!(store.plan_undo().mark(other, true).unwrap());
        assert!(push(&store, PLAN, "b") > undone, "no number comes twice");
        assert_eq!(labels(&store), (Some("b".into()), None));
        assert!(!store.plan_undo().mark(undone, false).unwrap());
        assert!(store.plan_undo().next("/w/b.md").unwrap().is_some());
    }

    #[test]
    fn the_newest_two_thousand_of_each_plan_are_kept() {
        let (_folder, store) = fresh();
        push(&store, "/w/b.md", "theirs");
        for n in 0..2_003 {
            push(&store, PLAN, &n.to_string());
        }
        let mut taken = Vec::new();
        while let Some(entry) = store.plan_undo().last(PLAN).unwrap() {
            assert!(store.plan_undo().mark(entry.seq, true).unwrap());
            taken.push(entry.label);
        }
        assert_eq!(taken.len(), 2_000);
        assert_eq!((&*taken[0], &*taken[1_999]), ("2002", "3"));
        assert!(store.plan_undo().last("/w/b.md").unwrap().is_some());
    }

    #[test]
    fn a_change_whose_contents_are_not_held_is_refused_and_the_stack_stays() {
        let (_folder, store) = fresh();
        let kept = push(&store, PLAN, "a");
        assert!(store.plan_undo().mark(kept, true).unwrap());
        let unknown = "0".repeat(64);
        let new = NewUndo {
            plan: PLAN,
            before: &unknown,
            after: &unknown,
            label: "b",
            at_ms: 1,
        };
        assert!(store.plan_undo().push(&new).is_err());
        assert_eq!(labels(&store), (None, Some("a".into())));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
        /// Any sequence of operations behaves like a list with a position.
        #[test]
        fn it_is_a_list_with_a_point_in_it(clicks in proptest::collection::vec(0..3_u8, 1..40)) {
            let (_folder, store) = fresh();
            let undo = store.plan_undo();
            let (mut list, mut point) = (Vec::new(), 0);
            for (n, click) in clicks.into_iter().enumerate() {
                match click {
                    0 => {
                        list.truncate(point);
                        push(&store, PLAN, &n.to_string());
                        list.push(n.to_string());
                        point += 1;
                    }
                    1 => if let Some(entry) = undo.last(PLAN).unwrap() {
                        prop_assert!(undo.mark(entry.seq, true).unwrap());
                        point -= 1;
                    },
                    _ => if let Some(entry) = undo.next(PLAN).unwrap() {
                        prop_assert!(undo.mark(entry.seq, false).unwrap());
                        point += 1;
                    },
                }
                let expected = (list[..point].last().cloned(), list.get(point).cloned());
                prop_assert_eq!(labels(&store), expected);
            }
        }
    }
}
