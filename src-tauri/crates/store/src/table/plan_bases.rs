//! Table `plan_bases`: the state of the files named in a plan when the plan was first seen.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use super::immediate;
use crate::StoreError;

/// Access to the bases.
pub struct PlanBases<'s> {
    pub(crate) conn: &'s Connection,
}

impl PlanBases<'_> {
    /// Stores the state of files by path, but keeps existing entries. `None` means that the file is
    /// missing.
    pub fn add(
        &self,
        plan: &str,
        files: &BTreeMap<String, Option<String>>,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let tx = immediate(self.conn)?;
        {
            let mut statement = tx.prepare_cached(
                "INSERT OR IGNORE INTO plan_bases (plan, path, hash, at_ms) VALUES (?1, ?2, ?3, ?4)",
            )?;
            for (path, hash) in files {
                statement.execute(params![plan, path, hash, at_ms])?;
            }
        }
        Ok(tx.commit()?)
    }

    /// Applies a run's changes, given as the old and new state of each file. The entry of a file is
    /// updated if it matches the old state, and added if there is none.
    pub fn follow(
        &self,
        plan: &str,
        files: &[(String, Option<String>, Option<String>)],
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let tx = immediate(self.conn)?;
        {
            let mut statement = tx.prepare_cached(
                "INSERT INTO plan_bases (plan, path, hash, at_ms) VALUES (?1, ?2, ?4, ?5)
                 ON CONFLICT (plan, path) DO UPDATE SET hash = excluded.hash WHERE hash IS ?3",
            )?;
            for (path, before, after) in files {
                statement.execute(params![plan, path, before, after, at_ms])?;
            }
        }
        Ok(tx.commit()?)
    }

    /// The stored state of a plan's files, by path.
    pub fn of(&self, plan: &str) -> Result<BTreeMap<String, Option<String>>, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached("SELECT path, hash FROM plan_bases WHERE plan = ?1")?;
        let files = statement.query_map([plan], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(files.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh};

    #[test]
    fn a_file_keeps_what_it_was_first() {
        let (_folder, store) = fresh();
        let bases = store.plan_bases();
        let files = |hash: &str| {
            BTreeMap::from([
                ("src/a.rs".to_owned(), Some(hash.to_owned())),
                ("new.rs".to_owned(), None),
            ])
        };
        bases.add(PLAN, &files("1"), 1).unwrap();
        bases.add(PLAN, &files("2"), 2).unwrap();
        assert_eq!(bases.of(PLAN).unwrap(), files("1"));
        assert!(bases.of("/w/b.md").unwrap().is_empty());
    }

    #[test]
    fn a_run_is_followed_from_what_was_kept() {
        let (_folder, store) = fresh();
        let bases = store.plan_bases();
        let some = |hash: &str| Some(hash.to_owned());
        let kept = |path: &str, hash: &str| BTreeMap::from([(path.to_owned(), some(hash))]);
        bases.add(PLAN, &kept("a", "1"), 1).unwrap();
        bases.add(PLAN, &kept("b", "1"), 1).unwrap();
        let files = [
            ("a".to_owned(), some("1"), some("2")),
            // Someone else changed this file first.
            ("b".to_owned(), some("9"), some("2")),
            ("c".to_owned(), some("1"), some("2")),
        ];
        bases.follow(PLAN, &files, 2).unwrap();
        let now = bases.of(PLAN).unwrap();
        assert_eq!(now["a"], some("2"));
        assert_eq!(now["b"], some("1"));
        assert_eq!(now["c"], some("2"));
    }
}
