//! Table `session_entries`: the events of each conversation. They are the source of truth about a
//! session.
//!
//! Append-only: triggers reject updates and deletions. An append is atomic, and durable when it
//! returns. Payloads are never interpreted.

use rusqlite::{Connection, params};

use super::immediate;
use crate::StoreError;

/// An entry of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionEntry {
    /// Its number in the session: 1, 2, 3, … without gaps.
    pub seq: i64,
    /// Its kind, defined by the caller.
    pub kind: String,
    /// The content, as JSON.
    pub payload: String,
    /// Time it was appended, in milliseconds since 1970 UTC; `seq` defines the order.
    pub at_ms: i64,
}

/// Access to the entries.
pub struct SessionEntries<'s> {
    pub(crate) conn: &'s Connection,
}

impl SessionEntries<'_> {
    /// Appends entries `(kind, JSON payload)` and returns the next sequence number.
    ///
    /// # Errors
    /// [`StoreError::SessionMoved`] if the next number is not `expected_seq`, because another
    /// process has appended entries; [`StoreError::DiskFull`] if there is no space. In both cases
    /// nothing is written.
    pub fn append(
        &self,
        session: &str,
        expected_seq: i64,
        entries: &[(&str, &str)],
        at_ms: i64,
    ) -> Result<i64, StoreError> {
        let tx = immediate(self.conn)?;
        if next_seq(&tx, session)? != expected_seq {
            return Err(StoreError::SessionMoved {
                session: session.to_owned(),
            });
        }
        let mut next = expected_seq;
        {
            let mut insert = tx.prepare_cached(
                "INSERT INTO session_entries (session, seq, kind, payload, at_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            for (kind, payload) in entries {
                insert.execute(params![session, next, kind, payload, at_ms])?;
                next += 1;
            }
        }
        tx.commit()?;
        Ok(next)
    }

    /// The sequence number of the next entry; 1 if there are none.
    ///
    /// # Errors
    /// Any database error.
    pub fn next_seq(&self, session: &str) -> Result<i64, StoreError> {
        next_seq(self.conn, session)
    }

    /// Calls `take` for each entry in order, so that a long session is never fully in memory.
    ///
    /// # Errors
    /// Any database error, or the first error of `take`.
    pub fn each<E: From<StoreError>>(
        &self,
        session: &str,
        mut take: impl FnMut(SessionEntry) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut statement = self
            .conn
            .prepare_cached(
                "SELECT seq, kind, payload, at_ms FROM session_entries WHERE session = ?1
                 ORDER BY seq",
            )
            .map_err(StoreError::from)?;
        let rows = statement
            .query_map([session], entry)
            .map_err(StoreError::from)?;
        for row in rows {
            take(row.map_err(StoreError::from)?)?;
        }
        Ok(())
    }

    /// Up to `count` entries in order: those just before number `before`, or the last ones if it is
    /// `None`.
    ///
    /// # Errors
    /// Any database error.
    pub fn page(
        &self,
        session: &str,
        before: Option<i64>,
        count: usize,
    ) -> Result<Vec<SessionEntry>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT seq, kind, payload, at_ms FROM session_entries
             WHERE session = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3",
        )?;
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let before = before.unwrap_or(i64::MAX);
        let rows = statement.query_map(params![session, before, count], entry)?;
        let mut rows = rows.collect::<Result<Vec<_>, _>>()?;
        rows.reverse();
        Ok(rows)
    }

    /// The entries from number `first` on, in order, for incremental reads.
    ///
    /// # Errors
    /// Any database error.
    pub fn read_from(&self, session: &str, first: i64) -> Result<Vec<SessionEntry>, StoreError> {
        let mut statement = self.conn.prepare_cached(
            "SELECT seq, kind, payload, at_ms FROM session_entries
             WHERE session = ?1 AND seq >= ?2 ORDER BY seq",
        )?;
        let rows = statement.query_map(params![session, first], entry)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn entry(row: &rusqlite::Row<'_>) -> rusqlite::Result<SessionEntry> {
    Ok(SessionEntry {
        seq: row.get(0)?,
        kind: row.get(1)?,
        payload: row.get(2)?,
        at_ms: row.get(3)?,
    })
}

fn next_seq(conn: &Connection, session: &str) -> Result<i64, StoreError> {
    Ok(conn
        .prepare_cached("SELECT coalesce(max(seq), 0) + 1 FROM session_entries WHERE session = ?1")?
        .query_row([session], |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::sessions::tests::create;
    use crate::table::testing::{PLAN, fresh};

    #[test]
    fn entries_are_read_in_order_whole_by_page_and_from_a_number_on() {
        let (_folder, store) = fresh();
        create(&store, "s", PLAN, 0);
        let entries = store.session_entries();
        assert_eq!(
            entries
                .append("s", 1, &[("a", "1"), ("b", "2")], 5)
                .unwrap(),
            3
        );
        assert_eq!(entries.append("s", 3, &[("c", "3")], 4).unwrap(), 4);
        let mut seen = Vec::new();
        entries
            .each("s", |entry| {
                seen.push((entry.seq, entry.kind));
                Ok::<(), StoreError>(())
            })
            .unwrap();
        let of = |kinds: &[(i64, &str)]| -> Vec<(i64, String)> {
            kinds
                .iter()
                .map(|(seq, kind)| (*seq, (*kind).to_owned()))
                .collect()
        };
        assert_eq!(seen, of(&[(1, "a"), (2, "b"), (3, "c")]));
        let numbers = |rows: Vec<SessionEntry>| rows.iter().map(|row| row.seq).collect::<Vec<_>>();
        assert_eq!(numbers(entries.page("s", None, 2).unwrap()), [2, 3]);
        assert_eq!(numbers(entries.page("s", Some(2), 2).unwrap()), [1]);
        assert_eq!(numbers(entries.read_from("s", 3).unwrap()), [3]);
    }

    #[test]
    fn a_second_writer_is_noticed_and_nothing_is_rewritten() {
        let (_folder, store) = fresh();
        create(&store, "s", PLAN, 0);
        let entries = store.session_entries();
        entries.append("s", 1, &[("a", "1")], 0).unwrap();
        let refused = entries.append("s", 1, &[("b", "2")], 0);
        assert!(matches!(refused, Err(StoreError::SessionMoved { .. })));
        assert!(entries.append("ghost", 1, &[("a", "1")], 0).is_err());
        for sql in [
            "DELETE FROM session_entries",
            "UPDATE session_entries SET payload = '2'",
        ] {
            assert!(store.conn.execute(sql, []).is_err(), "{sql}");
        }
        assert_eq!(entries.next_seq("s").unwrap(), 2);
    }
}
