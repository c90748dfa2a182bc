//! Journal entries as the store keeps them: a kind, and JSON.

use agent::journal::Entry;
use agent::receipt::Timed;
use store::{JournalEntry, Store};

use crate::error::{Code, Error, Result};

/// The stored form: kind and payload.
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

/// Appends entries durably; answers the number that comes next.
pub(crate) fn append(
    store: &Store,
    run: &str,
    next_seq: i64,
    entries: &[Entry],
    now: i64,
) -> Result<i64> {
    let rows = entries.iter().map(to_row).collect::<Result<Vec<_>>>()?;
    let rows: Vec<(&str, &str)> = rows
        .iter()
        .map(|(kind, payload)| (kind.as_str(), payload.as_str()))
        .collect();
    Ok(store.journal().append(run, next_seq, &rows, now)?)
}

/// Reads the journal of a run.
pub(crate) fn read(store: &Store, run: &str) -> Result<Vec<Timed>> {
    from_rows(run, &store.journal().read(run)?)
}

/// Reads a journal back.
fn from_rows(run: &str, rows: &[JournalEntry]) -> Result<Vec<Timed>> {
    rows.iter()
        .map(|row| match serde_json::from_str(&row.payload) {
            Ok(entry) => Ok((row.at_ms, entry)),
            Err(error) => Err(Error {
                code: Code::Storage,
                message: format!(
                    "entry {} of run {run} cannot be read ({error}); it may come from a newer Planwright",
                    row.seq
                ),
                source: Some(Box::new(error)),
            }),
        })
        .collect()
}
