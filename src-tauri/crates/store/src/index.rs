//! The search index of a workspace: a cache in a separate database, which may be deleted at any
//! time.
//!
//! It is not part of `planwright.db`: an index file that is damaged or has another format is
//! deleted and rebuilt. It stores which words occur where, not the texts themselves. One process
//! writes at a time, enforced by a file lock next to the database; others can read meanwhile.
//! Words, keys and targets are defined by the caller and not interpreted. No clock is used. Every
//! file is private to the user (0600). It has nothing to do with this crate's other tables.

mod reading;
mod writing;

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};
use rustix::fs::{FlockOperation, flock};

use crate::StoreError;
use crate::files::{SIDE_FILES, create_private, side_file};
use crate::presence::{PATIENCE, lock_file};

pub use reading::{IndexFound, IndexHit, IndexSymbol};
pub use writing::{IndexedFile, NewSymbol};

/// Version of the tables below and of the way callers split text into words. An index file with
/// another version is rebuilt.
const FORMAT: i64 = 2;
/// The letters `PLIX`, which identify a file as an index.
const APPLICATION_ID: i64 = 0x504c_4958;

/// `is_named` says whether path words are stored for a file; without them, the file can't be found
/// by a search. `words` stores no text (`content=''`) and still supports deletion. Porter stemming
/// strips English suffixes; accents are ignored.
const TABLES: &str = "
    CREATE TABLE files (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        is_named INTEGER NOT NULL
    );
    CREATE TABLE keys (
        key TEXT NOT NULL,
        file INTEGER NOT NULL,
        PRIMARY KEY (key, file)
    ) WITHOUT ROWID;
    CREATE INDEX keys_of_file ON keys (file);
    CREATE TABLE symbols (
        file INTEGER NOT NULL,
        line INTEGER NOT NULL,
        name TEXT NOT NULL,
        folded TEXT NOT NULL,
        shape TEXT NOT NULL,
        PRIMARY KEY (file, line, name)
    ) WITHOUT ROWID;
    CREATE INDEX symbols_by_name ON symbols (folded, name);
    CREATE TABLE links (
        file INTEGER NOT NULL,
        target TEXT NOT NULL,
        key TEXT NOT NULL,
        PRIMARY KEY (file, target)
    ) WITHOUT ROWID;
    CREATE INDEX links_by_key ON links (key);
    CREATE TABLE notes (
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE VIRTUAL TABLE words USING fts5(
        path, names, text,
        content='', contentless_delete=1,
        tokenize=\"porter unicode61 remove_diacritics 2 tokenchars '_'\"
    );
    -- Words are gathered in memory up to so many bytes before they are sorted in.
    INSERT INTO words(words, rank) VALUES ('hashsize', 8388608);
";

/// An open index.
#[derive(Debug)]
pub struct WorkspaceIndex {
    conn: Connection,
    // The lock that is held as long as this index may write.
    writer: Option<File>,
}

impl WorkspaceIndex {
    /// Opens the index at `path` for reading; `None` if there is no usable one.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] if the file cannot be accessed.
    pub fn read(path: &Path) -> Result<Option<Self>, StoreError> {
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::io(path, error)),
            Ok(_) => {}
        }
        Ok(match sound_one(path) {
            Ok(found) => found.map(|conn| Self { conn, writer: None }),
            Err(error) => {
                tracing::info!(%error, "couldn't read a workspace index");
                None
            }
        })
    }

    /// Opens the index at `path` for writing, and creates it if it is missing, damaged or has
    /// another format. The folder must exist. Returns `None` while another process or thread is
    /// writing to it.
    ///
    /// # Errors
    /// [`StoreError::Unusable`], [`StoreError::DiskFull`].
    pub fn write(path: &Path) -> Result<Option<Self>, StoreError> {
        let Some(lock) = lock_alone(path)? else {
            return Ok(None);
        };
        let conn = match sound_one(path) {
            Ok(Some(conn)) => conn,
            Err(error) if is_out_of_room(&error) => return Err(error.into()),
            _ => begin(path)?,
        };
        Ok(Some(Self {
            conn,
            writer: Some(lock),
        }))
    }

    /// Opens an existing index at `path` for writing. Returns `None` if there is no usable one, or
    /// while another process or thread is writing to it. Never creates a file.
    ///
    /// # Errors
    /// [`StoreError::Unusable`], [`StoreError::DiskFull`].
    pub fn amend(path: &Path) -> Result<Option<Self>, StoreError> {
        if !path.exists() {
            return Ok(None);
        }
        let Some(lock) = lock_alone(path)? else {
            return Ok(None);
        };
        let conn = match sound_one(path) {
            Ok(Some(conn)) => conn,
            Err(error) if is_out_of_room(&error) => return Err(error.into()),
            _ => return Ok(None),
        };
        Ok(Some(Self {
            conn,
            writer: Some(lock),
        }))
    }

    /// Whether this index is open for writing.
    pub fn is_writer(&self) -> bool {
        self.writer.is_some()
    }

    /// Deletes the index at `path`, whatever its state; `false` while another process or thread is
    /// writing to it. Existing readers are not affected.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] if it cannot be deleted.
    pub fn remove(path: &Path) -> Result<bool, StoreError> {
        let lock_path = side_file(path, "-lock");
        if !path.exists() && !lock_path.exists() {
            return Ok(true);
        }
        let Some(_alone) = lock_alone(path)? else {
            return Ok(false);
        };
        delete(path)?;
        delete_file(&lock_path)?;
        Ok(true)
    }
}

/// Deletes a database and its side files, except for the lock.
fn delete(path: &Path) -> Result<(), StoreError> {
    let sides = SIDE_FILES.map(|side| side_file(path, side));
    let mut files = sides.iter().map(PathBuf::as_path).chain([path]);
    files.try_for_each(delete_file)
}

fn delete_file(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::io(path, error)),
        _ => Ok(()),
    }
}

/// Acquires the writer's lock; `None` if another process or thread holds it.
fn lock_alone(path: &Path) -> Result<Option<File>, StoreError> {
    let name = side_file(path, "-lock");
    loop {
        let lock = lock_file(&name)?;
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => return Ok(None),
            Err(error) => return Err(StoreError::io(path, error.into())),
        }
        // Someone may have deleted the lock file along with the index, so that this lock has no
        // effect.
        if is_at(&lock, &name).map_err(|error| StoreError::io(path, error))? {
            return Ok(Some(lock));
        }
    }
}

/// Whether an open file is still the one at this path.
fn is_at(file: &File, name: &Path) -> io::Result<bool> {
    let open = file.metadata()?;
    match fs::metadata(name) {
        Ok(named) => Ok((open.dev(), open.ino()) == (named.dev(), named.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Opens the existing index, if it is usable.
fn sound_one(path: &Path) -> rusqlite::Result<Option<Connection>> {
    if !path.exists() {
        return Ok(None);
    }
    let conn = connect(path)?;
    Ok(is_sound(&conn)?.then_some(conn))
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(PATIENCE)?;
    conn.execute_batch(
        // Whatever is lost in a system crash is indexed again.
        "PRAGMA synchronous = NORMAL;
         PRAGMA cache_size = -8000;
         PRAGMA trusted_schema = OFF;",
    )?;
    conn.set_prepared_statement_cache_capacity(32);
    Ok(conn)
}

fn is_sound(conn: &Connection) -> rusqlite::Result<bool> {
    let number = |name: &str| conn.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    Ok(number("application_id")? == APPLICATION_ID && number("user_version")? == FORMAT)
}

/// Creates an empty index, replacing any existing file.
fn begin(path: &Path) -> Result<Connection, StoreError> {
    delete(path)?;
    create_private(path)?;
    let conn = connect(path)?;
    conn.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    conn.execute_batch("BEGIN IMMEDIATE")?;
    conn.execute_batch(TABLES)?;
    conn.pragma_update(None, "application_id", APPLICATION_ID)?;
    conn.pragma_update(None, "user_version", FORMAT)?;
    conn.execute_batch("COMMIT")?;
    Ok(conn)
}

fn is_out_of_room(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DiskFull)
}
