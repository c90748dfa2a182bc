//! Looks at a database before anything is written to it.
//!
//! Always through a read-only connection: a newer database stays byte for byte what it was, and a
//! damaged one is not "repaired" by a checkpoint on the way.

use std::fs;
use std::io;
use std::path::Path;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::StoreError;
use crate::migrate::{APPLICATION_ID, version};
use crate::presence::PATIENCE;

/// What a file turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// No file.
    Missing,
    /// A file without content, as it is right after it was made.
    Empty,
    /// A sound database of this format or an older one.
    Sound,
    /// A database of a newer program.
    Newer(i64),
    /// Not a sound Planwright database, and why.
    Damaged(String),
}

/// How much of a database is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// The head, and whether it can be opened at all.
    Head,
    /// Every page: about a millisecond per megabyte.
    Whole,
}

/// Looks at the database at `path`; `known` is the newest format this program knows.
pub(crate) fn inspect(path: &Path, known: i64, depth: Depth) -> Result<Found, StoreError> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Missing),
        Err(error) => return Err(StoreError::io(path, error)),
        Ok(meta) if meta.len() == 0 => return Ok(Found::Empty),
        Ok(_) => {}
    }
    let looked = look(path, OpenFlags::SQLITE_OPEN_READ_ONLY, known, depth);
    let looked = match looked {
        // A process died while it made the database, before WAL was on; undoing its half-done
        // write needs a connection that may write. A newer program's database is past that.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ReadOnly) => {
            look(path, OpenFlags::SQLITE_OPEN_READ_WRITE, known, depth)
        }
        looked => looked,
    };
    // Found before the start and mended now, so nothing to remember until the end.
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
        return Ok(Found::Damaged("it is not a Planwright database".to_owned()));
    }
    if found > known {
        return Ok(Found::Newer(found));
    }
    if depth == Depth::Head {
        return Ok(Found::Sound);
    }
    // Damage in the middle of a page opens without an error; only this notices it.
    let verdict = quick_check(&conn)?;
    Ok(verdict.map_or(Found::Sound, Found::Damaged))
}

/// The first thing that SQLite finds wrong with a database.
pub(crate) fn quick_check(conn: &Connection) -> rusqlite::Result<Option<String>> {
    let verdict: String = conn.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok((verdict != "ok").then_some(verdict))
}
