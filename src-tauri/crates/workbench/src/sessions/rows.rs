//! Session entries as stored rows: a kind, and JSON.

use agent::session::{Entry, State};
use store::{SessionEntry, Store};

use crate::error::{Error, Result};
use crate::journal_rows;

/// Appends entries durably; returns the next sequence number.
pub(crate) fn append(
    store: &Store,
    session: &str,
    next_seq: i64,
    entries: &[Entry],
    now: i64,
) -> Result<i64> {
    let rows = journal_rows::to_rows(entries)?;
    Ok(store
        .session_entries()
        .append(session, next_seq, &journal_rows::borrowed(&rows), now)?)
}

/// Folds a session's entries into its state. Fails with [`crate::Code::Storage`] for an entry that
/// this version doesn't know.
pub(crate) fn state(store: &Store, session: &str) -> Result<State> {
    let mut state = State::new();
    store.session_entries().each(session, |row| {
        state.apply(&from_row(session, &row)?);
        Ok::<(), Error>(())
    })?;
    Ok(state)
}

/// Parses a stored entry. Fails with [`crate::Code::Storage`] for one that this version doesn't
/// know.
pub fn from_row(session: &str, row: &SessionEntry) -> Result<Entry> {
    journal_rows::entry(&format!("session {session}"), row.seq, &row.payload)
}
