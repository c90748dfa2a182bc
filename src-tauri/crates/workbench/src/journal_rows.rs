//! Journal entries as stored rows: a kind, and JSON. Also used for session entries.

use agent::journal::Entry;
use agent::receipt::Timed;
use serde::de::DeserializeOwned;
use store::Store;

use crate::error::{Code, Error, Result};

/// Converts entries to pairs of kind and payload. Fails with [`Code::Failed`] if one can't be
/// serialized.
pub(crate) fn to_rows<E: serde::Serialize>(entries: &[E]) -> Result<Vec<(String, String)>> {
    let to_row = |entry: &E| {
        let value =
            serde_json::to_value(entry).map_err(|error| Error::from_cause(Code::Failed, error))?;
        let kind = value.get("kind").and_then(serde_json::Value::as_str);
        Ok((kind.unwrap_or_default().to_owned(), value.to_string()))
    };
    entries.iter().map(to_row).collect()
}

/// Borrows the rows in the form that the store takes.
pub(crate) fn borrowed(rows: &[(String, String)]) -> Vec<(&str, &str)> {
    rows.iter()
        .map(|(kind, payload)| (kind.as_str(), payload.as_str()))
        .collect()
}

/// Appends entries durably; returns the next sequence number.
pub(crate) fn append(
    store: &Store,
    run: &str,
    next_seq: i64,
    entries: &[Entry],
    now: i64,
) -> Result<i64> {
    let rows = to_rows(entries)?;
    Ok(store
        .journal()
        .append(run, next_seq, &borrowed(&rows), now)?)
}

/// Reads the journal of a run.
pub fn read(store: &Store, run: &str) -> Result<Vec<Timed>> {
    let of = format!("run {run}");
    let rows = store.journal().read(run)?;
    let entries = rows
        .iter()
        .map(|row| Ok((row.at_ms, entry(&of, row.seq, &row.payload)?)));
    entries.collect()
}

/// Parses a stored entry. Fails with [`Code::Storage`] for one that this version doesn't know.
pub(crate) fn entry<E: DeserializeOwned>(of: &str, seq: i64, payload: &str) -> Result<E> {
    serde_json::from_str(payload).map_err(|error| {
        err!(Storage:
            "couldn't read entry {seq} of {of} ({error}); it may be from a newer version of Planwright")
        .because(error)
    })
}
