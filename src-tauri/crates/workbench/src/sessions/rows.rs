//! Entries of sessions as the store keeps them: a kind, and JSON.

use agent::session::{Entry, State};
use store::{SessionEntry, Store};

use crate::error::{Error, Result};
use crate::journal_rows;

/// Appends entries durably; answers the number that comes next.
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

/// What the entries of a session amount to, one at a time.
/// Fails with [`crate::Code::Storage`] for an entry that this version does not know.
pub(crate) fn state(store: &Store, session: &str) -> Result<State> {
    let mut state = State::new();
    store.session_entries().each(session, |row| {
        state.apply(&from_row(session, &row)?);
        Ok::<(), Error>(())
    })?;
    Ok(state)
}

/// Reads one entry back.
/// Fails with [`crate::Code::Storage`] for one that this version does not know.
pub fn from_row(session: &str, row: &SessionEntry) -> Result<Entry> {
    journal_rows::entry(&format!("session {session}"), row.seq, &row.payload)
}
