//! Table `journal`: the events of each run; it is the source of truth for the run.
//!
//! Append-only: triggers reject updates and deletions. An append is atomic, and durable when it
//! returns. Payloads are never interpreted.

use std::path::Path;

use rusqlite::{Connection, Row, ToSql, params};

use super::{immediate, run_copy};
use crate::StoreError;

/// An entry of a run's journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalEntry {
    /// Its sequence number in the run: 1, 2, 3, … without gaps.
    pub seq: i64,
    /// The kind of entry, defined by the caller.
    pub kind: String,
    /// Its content, as JSON defined by the caller.
    pub payload: String,
    /// Time of the event, in milliseconds since 1970 UTC. It may decrease from one entry to the
    /// next, since the clock may be set back; `seq` defines the order.
    pub at_ms: i64,
}

/// Access to the journals.
pub struct Journal<'s> {
    pub(crate) conn: &'s Connection,
    pub(crate) folder: &'s Path,
}

impl Journal<'_> {
    /// Appends entries `(kind, JSON payload)` to a run and returns the next sequence number.
    ///
    /// `expected_seq` is the sequence number of the first entry: 1 for a new run, otherwise the
    /// value returned by the last append. The entries are durable on return.
    ///
    /// # Errors [`StoreError::JournalMoved`] if a different number is next, because someone else
    /// has written; [`StoreError::DiskFull`] if there is no space. In both cases nothing is
    /// written.
    pub fn append(
        &self,
        run: &str,
        expected_seq: i64,
        entries: &[(&str, &str)],
        at_ms: i64,
    ) -> Result<i64, StoreError> {
        let tx = immediate(self.conn)?;
        let found = next_seq(&tx, run)?;
        if found != expected_seq {
            return Err(StoreError::JournalMoved {
                run: run.to_owned(),
                expected: expected_seq,
                found,
            });
        }
        let mut next = expected_seq;
        {
            let mut insert = tx.prepare_cached(
                "INSERT INTO journal (run, seq, kind, payload, at_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            for (kind, payload) in entries {
                insert.execute(params![run, next, kind, payload, at_ms])?;
                next += 1;
            }
        }
        tx.commit()?;
        // The copy is only needed if the database is damaged, so a failure here is not fatal.
        if let Err(error) = run_copy::add(self.folder, self.conn, run, expected_seq, entries, at_ms)
        {
            tracing::warn!(%error, run, "couldn't write an entry to the run's copy");
        }
        Ok(next)
    }

    /// The sequence number of a run's next entry; 1 if it has none.
    pub fn next_seq(&self, run: &str) -> Result<i64, StoreError> {
        next_seq(self.conn, run)
    }

    /// All entries of a run in order.
    pub fn read(&self, run: &str) -> Result<Vec<JournalEntry>, StoreError> {
        self.read_from(run, 1)
    }

    /// The entries of a run from number `first` on, for incremental reads.
    pub fn read_from(&self, run: &str, first: i64) -> Result<Vec<JournalEntry>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT seq, kind, payload, at_ms FROM journal WHERE run = ?1 AND seq >= ?2
             ORDER BY seq",
        )?;
        let entries = statement.query_map(params![run, first], entry)?;
        Ok(entries.collect::<Result<_, _>>()?)
    }

    /// The newest `count` entries of these kinds, in order, ignoring entries longer than `longest`
    /// bytes.
    ///
    /// # Errors
    /// Any database error.
    pub fn of_kinds(
        &self,
        run: &str,
        kinds: &[&str],
        count: usize,
        longest: usize,
    ) -> Result<Vec<JournalEntry>, StoreError> {
        let places: Vec<String> = (0..kinds.len())
            .map(|index| format!("?{}", index + 4))
            .collect();
        let sql = format!(
            "SELECT seq, kind, payload, at_ms FROM journal
             WHERE run = ?1 AND kind IN ({}) AND octet_length(payload) <= ?3
             ORDER BY seq DESC LIMIT ?2",
            places.join(", ")
        );
        let bounds = [count, longest].map(|bound| i64::try_from(bound).unwrap_or(i64::MAX));
        let mut values: Vec<&dyn ToSql> = vec![&run, &bounds[0], &bounds[1]];
        values.extend(kinds.iter().map(|kind| kind as &dyn ToSql));
        let mut statement = self.conn.prepare_cached(&sql)?;
        let entries = statement.query_map(&*values, entry)?;
        let mut entries = entries.collect::<Result<Vec<_>, _>>()?;
        entries.reverse();
        Ok(entries)
    }
}

fn entry(row: &Row<'_>) -> rusqlite::Result<JournalEntry> {
    Ok(JournalEntry {
        seq: row.get(0)?,
        kind: row.get(1)?,
        payload: row.get(2)?,
        at_ms: row.get(3)?,
    })
}

fn next_seq(conn: &Connection, run: &str) -> Result<i64, StoreError> {
    Ok(conn
        .prepare_cached("SELECT coalesce(max(seq), 0) + 1 FROM journal WHERE run = ?1")?
        .query_row([run], |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{fresh, run};

    #[test]
    fn entries_are_read_in_the_order_they_were_written() {
        let (_folder, store) = fresh();
        run(&store, "r1");
        run(&store, "r2");
        let journal = store.journal();
        assert_eq!(journal.next_seq("r1").unwrap(), 1);
        assert_eq!(
            journal
                .append("r1", 1, &[("a", "{}"), ("b", "[1]")], 50)
                .unwrap(),
            3
        );
        assert_eq!(journal.append("r2", 1, &[("z", "0")], 60).unwrap(), 2);
        // A clock that is set back does not change the order.
        assert_eq!(journal.append("r1", 3, &[("c", "\"é\"")], 40).unwrap(), 4);
        let read: Vec<_> = journal.read("r1").unwrap();
        let seen: Vec<_> = read
            .iter()
            .map(|e| (e.seq, &*e.kind, &*e.payload, e.at_ms))
            .collect();
        assert_eq!(
            seen,
            [
                (1, "a", "{}", 50),
                (2, "b", "[1]", 50),
                (3, "c", "\"é\"", 40)
            ]
        );
        assert_eq!(journal.read_from("r1", 3).unwrap(), read[2..]);
        assert!(journal.read("nobody").unwrap().is_empty());
    }

    #[test]
    fn a_second_runner_is_noticed_and_writes_nothing() {
        let (folder, store) = fresh();
        run(&store, "r1");
        let (second, _) = crate::Store::open(folder.path(), 0).unwrap();
        store.journal().append("r1", 1, &[("a", "1")], 0).unwrap();
        for expected in [1, 3] {
            let refused = second.journal().append("r1", expected, &[("b", "2")], 0);
            let Err(StoreError::JournalMoved { found, .. }) = refused else {
                panic!("{refused:?}");
            };
            assert_eq!(found, 2);
        }
        assert_eq!(store.journal().read("r1").unwrap().len(), 1);
        assert_eq!(
            second.journal().append("r1", 2, &[("b", "2")], 0).unwrap(),
            3
        );
    }

    #[test]
    fn an_append_is_all_or_nothing() {
        let (_folder, store) = fresh();
        run(&store, "r1");
        let pages: i64 = store.pragma("page_count");
        store.set_pragma("max_page_count", pages + 2);
        let long = "x".repeat(50_000);
        let entries = [("small", "1"), ("large", long.as_str())];
        let refused = store.journal().append("r1", 1, &entries, 0);
        assert!(matches!(refused, Err(StoreError::DiskFull)), "{refused:?}");
        assert!(store.journal().read("r1").unwrap().is_empty());
        store.set_pragma("max_page_count", 1_000_000);
        assert_eq!(store.journal().append("r1", 1, &entries, 0).unwrap(), 3);
    }

    #[test]
    fn an_entry_needs_a_run_and_is_never_rewritten() {
        let (_folder, store) = fresh();
        assert!(
            store
                .journal()
                .append("ghost", 1, &[("a", "1")], 0)
                .is_err()
        );
        run(&store, "r1");
        store.journal().append("r1", 1, &[("a", "1")], 0).unwrap();
        for sql in [
            "DELETE FROM journal",
            "UPDATE journal SET payload = '2'",
            "INSERT OR REPLACE INTO journal VALUES ('r1', 1, 'a', '2', 0)",
            "DELETE FROM runs",
        ] {
            assert!(store.conn.execute(sql, []).is_err(), "{sql}");
        }
        assert_eq!(store.journal().read("r1").unwrap()[0].payload, "1");
    }

    #[test]
    fn entries_of_some_kinds_are_the_newest_that_are_not_too_long() {
        let (_folder, store) = fresh();
        run(&store, "r1");
        run(&store, "r2");
        let long = format!("\"{}\"", "ä".repeat(30));
        let journal = store.journal();
        journal
            .append(
                "r1",
                1,
                &[
                    ("done", "1"),
                    ("told", "2"),
                    ("failed", "3"),
                    ("done", &long),
                    ("done", "5"),
                ],
                7,
            )
            .unwrap();
        journal.append("r2", 1, &[("done", "9")], 8).unwrap();
        let seen = |kinds: &[&str], count, longest| {
            let entries = journal.of_kinds("r1", kinds, count, longest).unwrap();
            entries
                .into_iter()
                .map(|entry| entry.seq)
                .collect::<Vec<_>>()
        };
        assert_eq!(seen(&["done", "failed"], 9, 1_000), [1, 3, 4, 5]);
        assert_eq!(seen(&["done", "failed"], 2, 1_000), [4, 5], "the newest");
        assert_eq!(seen(&["done"], 9, 61), [1, 5], "bytes, not characters");
        assert_eq!(seen(&["done"], 9, 62), [1, 4, 5]);
        assert!(seen(&[], 9, 1_000).is_empty() && seen(&["' OR 1"], 9, 99).is_empty());
    }
}
