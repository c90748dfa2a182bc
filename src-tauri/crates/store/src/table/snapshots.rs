//! Table `snapshots`: the workspace before and after each step, for undo.
//!
//! The body is the caller's JSON; file contents are stored elsewhere.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension, params};

use crate::StoreError;
use crate::packed::{Packed, pack, unpack};

/// When a snapshot was taken, relative to the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Before the first change.
    Before,
    /// After the last change.
    After,
}

impl Phase {
    /// The name used in the database and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Before => "before",
            Phase::After => "after",
        }
    }
}

impl FromSql for Phase {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Phase> {
        match value.as_str()? {
            "before" => Ok(Phase::Before),
            "after" => Ok(Phase::After),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}

/// Access to the snapshots.
pub struct Snapshots<'s> {
    pub(crate) conn: &'s Connection,
}

impl Snapshots<'_> {
    /// Stores a snapshot, replacing any with the same run, step and phase.
    pub fn put(
        &self,
        run: &str,
        task: &str,
        phase: Phase,
        json: &[u8],
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let packed = pack(json)?;
        self.conn
            .prepare_cached(
                "INSERT INTO snapshots (run, task, phase, size, body, at_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (run, task, phase) DO UPDATE
                 SET size = excluded.size, body = excluded.body, at_ms = excluded.at_ms",
            )?
            .execute(params![
                run,
                task,
                phase.as_str(),
                packed.size,
                packed.bytes,
                at_ms
            ])?;
        Ok(())
    }

    /// The JSON of a snapshot.
    pub fn get(&self, run: &str, task: &str, phase: Phase) -> Result<Option<Vec<u8>>, StoreError> {
        let packed = self
            .conn
            .prepare_cached(
                "SELECT size, body FROM snapshots WHERE run = ?1 AND task = ?2 AND phase = ?3",
            )?
            .query_row(params![run, task, phase.as_str()], |row| {
                Ok(Packed {
                    size: row.get(0)?,
                    bytes: row.get(1)?,
                })
            })
            .optional()?;
        packed
            .map(|packed| unpack(&packed, "a snapshot"))
            .transpose()
    }

    /// The other steps of a run whose [`Phase::After`] was stored after this step's
    /// [`Phase::Before`], in the order they were stored.
    pub fn ended_since(&self, run: &str, task: &str) -> Result<Vec<String>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT task FROM snapshots WHERE run = ?1 AND phase = 'after' AND task <> ?2 AND at_ms >=
                 (SELECT at_ms FROM snapshots WHERE run = ?1 AND task = ?2 AND phase = 'before')
             ORDER BY at_ms, rowid",
        )?;
        let names = statement.query_map([run, task], |row| row.get(0))?;
        Ok(names.collect::<Result<_, _>>()?)
    }

    /// The snapshots of a run, by step, in the order they were first taken.
    pub fn of_run(&self, run: &str) -> Result<Vec<(String, Phase)>, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached("SELECT task, phase FROM snapshots WHERE run = ?1 ORDER BY rowid")?;
        let taken = statement.query_map([run], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(taken.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{fresh, run};

    #[test]
    fn the_two_sides_of_a_step_are_kept_apart() {
        let (_folder, store) = fresh();
        run(&store, "r1");
        let snapshots = store.snapshots();
        snapshots
            .put("r1", "T1", Phase::Before, b"{\"a\":1}", 1)
            .unwrap();
        snapshots
            .put("r1", "T1", Phase::After, b"{\"a\":2}", 2)
            .unwrap();
        snapshots
            .put("r1", "T1", Phase::Before, b"{\"a\":0}", 3)
            .unwrap();
        let get = |task, phase| snapshots.get("r1", task, phase).unwrap();
        assert_eq!(get("T1", Phase::Before).as_deref(), Some(&b"{\"a\":0}"[..]));
        assert_eq!(get("T1", Phase::After).as_deref(), Some(&b"{\"a\":2}"[..]));
        assert_eq!(get("T2", Phase::After), None);
        let taken = [
            ("T1".to_owned(), Phase::Before),
            ("T1".to_owned(), Phase::After),
        ];
        assert_eq!(snapshots.of_run("r1").unwrap(), taken);
        let none = Vec::<String>::new();
        assert_eq!(snapshots.ended_since("r1", "T1").unwrap(), none);
        for (task, at_ms) in [("T4", 2), ("T3", 4), ("T2", 3)] {
            snapshots
                .put("r1", task, Phase::After, b"{}", at_ms)
                .unwrap();
        }
        assert_eq!(snapshots.ended_since("r1", "T1").unwrap(), ["T2", "T3"]);
        assert_eq!(snapshots.ended_since("r1", "T9").unwrap(), none);
    }
}
