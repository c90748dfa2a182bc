//! Inspects a database before anything is written to it.
//!
//! Always uses a read-only connection, so that a newer database stays byte-identical and a damaged
//! one is not altered by a checkpoint.

use std::fs;
use std::io;
use std::path::Path;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::StoreError;
use crate::migrate::{APPLICATION_ID, version};
use crate::presence::PATIENCE;

/// The state of a database file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// There is no file.
    Missing,
    /// The file is empty, as it is right after its creation.
    Empty,
    /// The database is valid, and its format is the program's own or an older one.
    Sound,
    /// The database was written by a newer program and has this format.
    Newer(i64),
    /// The file is not a valid Planwright database, for this reason.
    Damaged(String),
}

/// How thoroughly to check a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Check only the header, and that the database can be opened.
    Head,
    /// Check every page, which takes about a millisecond per megabyte.
    Whole,
}

/// Inspects the database at `path`; `known` is the newest format that this program supports.
pub(crate) fn inspect(path: &Path, known: i64, depth: Depth) -> Result<Found, StoreError> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Missing),
        Err(error) => return Err(StoreError::io(path, error)),
        Ok(meta) if meta.len() == 0 => return Ok(Found::Empty),
        Ok(_) => {}
    }
    let looked = look(path, OpenFlags::SQLITE_OPEN_READ_ONLY, known, depth);
    let looked = match looked {
        // A process died while it was creating the database, before it enabled WAL. Rolling back
        // its incomplete write needs a writable connection. The database of a newer program can't
        // be in this state.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ReadOnly) => {
            look(path, OpenFlags::SQLITE_OPEN_READ_WRITE, known, depth)
        }
        looked => looked,
    };
    // This damage is repaired before the database is opened, so it need not be remembered.
    match looked {
        Err(error) if is_damage(&error) => Ok(Found::Damaged(error.to_string())),
        other => Ok(other?),
    }
}

fn is_damage(error: &rusqlite::Error) -> bool {
    use ErrorCode::{DatabaseCorrupt, NotADatabase};
    matches!(
        error.sqlite_error_code(),
        Some(DatabaseCorrupt | NotADatabase)
    )
}

fn look(path: &Path, flags: OpenFlags, known: i64, depth: Depth) -> rusqlite::Result<Found> {
    let conn = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_timeout(PATIENCE)?;
    let found = version(&conn)?;
    let application: i64 = conn.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let tables: i64 = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let is_blank = found == 0 && tables == 0;
    if found < 0 || (application != APPLICATION_ID && !is_blank) {
        return Ok(Found::Damaged("not a Planwright database".to_owned()));
    }
    if found > known {
        return Ok(Found::Newer(found));
    }
    if depth == Depth::Head {
        return Ok(Found::Sound);
    }
    // Damage within a page doesn't prevent the database from being opened, so only this check finds
    // it.
    let verdict = quick_check(&conn)?;
    Ok(verdict.map_or(Found::Sound, Found::Damaged))
}

/// The first problem that SQLite finds in a database.
pub(crate) fn quick_check(conn: &Connection) -> rusqlite::Result<Option<String>> {
    let verdict: String = conn.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok((verdict != "ok").then_some(verdict))
}
