//! Entries of sessions as the store keeps them: a kind, and JSON.

use agent::session::{Entry, State};
use store::{SessionEntry, Store};

use crate::error::{Code, Error, Result};

/// Appends entries durably; answers the number that comes next.
pub(crate) fn append(
    store: &Store,
    session: &str,
    next_seq: i64,
    entries: &[Entry],
    now: i64,
) -> Result<i64> {
    let rows = entries.iter().map(to_row).collect::<Result<Vec<_>>>()?;
    let rows: Vec<(&str, &str)> = rows
        .iter()
        .map(|(kind, payload)| (kind.as_str(), payload.as_str()))
        .collect();
    Ok(store
        .session_entries()
        .append(session, next_seq, &rows, now)?)
}

/// What the entries of a session amount to, one at a time.
///
/// # Errors
/// [`Code::Storage`] for an entry that this version does not know.
pub(crate) fn state(store: &Store, session: &str) -> Result<State> {
    let mut state = State::new();
    store.session_entries().each(session, |row| {
        state.apply(&from_row(session, &row)?);
        Ok::<(), Error>(())
    })?;
    Ok(state)
}

/// Reads one entry back.
///
/// # Errors
/// [`Code::Storage`] for one that this version does not know.
pub(crate) fn from_row(session: &str, row: &SessionEntry) -> Result<Entry> {
    serde_json::from_str(&row.payload).map_err(|error| Error {
        code: Code::Storage,
        message: format!(
            "entry {} of session {session} cannot be read ({error}); it may come from a newer Planwright",
            row.seq
        ),
        source: Some(Box::new(error)),
    })
}

fn to_row(entry: &Entry) -> Result<(String, String)> {
    let value =
        serde_json::to_value(entry).map_err(|error| Error::from_cause(Code::Failed, error))?;
    let kind = value
        .get("kind")
        .and_then(serde_json::Value::as_str)
        .unwrap_or_default()
        .to_owned();
    Ok((kind, value.to_string()))
}
