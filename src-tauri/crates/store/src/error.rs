//! The errors of the store, whose messages say what to do.
//!
//! There is a variant for each error that callers handle; all other SQLite errors are
//! [`StoreError::Database`]. Errors never contain plan text, journal payloads or other row data.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::{ErrorCode, ffi};

/// An error when opening, reading or writing the database or its files.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database was written by a newer version of the program and is left untouched.
    #[error(
        "the database {} has format {found}, but this version of Planwright supports formats up \
         to {known}; nothing was changed. Update Planwright or set PLANWRIGHT_HOME to another \
         folder",
        path.display()
    )]
    Newer {
        /// The path of the database.
        path: PathBuf,
        /// The version of its format.
        found: i64,
        /// The newest format that this program supports.
        known: i64,
    },
    /// Another process held the database for more than five seconds.
    #[error(
        "another Planwright process has locked the database; close the other window or terminal, \
         then try again"
    )]
    Locked,
    /// The disk is full. Nothing was written, and existing data is intact.
    #[error(
        "the disk with Planwright's data is full; this entry was not written, but earlier ones \
         are safe. Free some space, then try again"
    )]
    DiskFull,
    /// The database is damaged, and another process has it open, so it cannot be replaced.
    #[error(
        "the database {} is damaged and in use by another Planwright process. Close that \
         process, then restart: the latest good backup will be restored",
        path.display()
    )]
    DamagedInUse {
        /// The path of the database.
        path: PathBuf,
    },
    /// Damage was found while reading or writing. The next [`Store::open`](crate::Store::open)
    /// repairs it.
    #[error(
        "Planwright's database is damaged ({what}). Restart Planwright to restore the latest \
         good backup; the damaged file is kept"
    )]
    Damaged {
        /// A description of the damage.
        what: String,
    },
    /// Someone else has written to this run's journal: there is a second runner, or the caller's
    /// state is out of date.
    #[error(
        "run {run} is being carried out by another Planwright process: its journal is at entry \
         {found}, not {expected}. Watch it with `planwright runs`, or resume the run after that \
         process ends"
    )]
    JournalMoved {
        /// The run's id.
        run: String,
        /// The number that the caller expected for the first new entry.
        expected: i64,
        /// The number that is actually next.
        found: i64,
    },
    /// Another process is continuing this conversation.
    #[error(
        "another Planwright process is using session {session}; nothing was written. Continue \
         there, or here after its turn ends"
    )]
    SessionMoved {
        /// The session's id.
        session: String,
    },
    /// No run has this id.
    #[error("no such run: {id}. List runs with `planwright runs`")]
    NoSuchRun {
        /// The id that was requested.
        id: String,
    },
    /// A revision's hash is not the SHA-256 of its content.
    #[error("the content doesn't match the SHA-256 of revision {hash}; reread the plan file")]
    WrongHash {
        /// The hash that was given.
        hash: String,
    },
    /// The data folder or a file in it can't be created, read or written.
    #[error(
        "can't use {}: {source}. Make sure the folder exists and belongs to you, or set \
         PLANWRIGHT_HOME to another folder",
        path.display()
    )]
    Unusable {
        /// The path of the folder or file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// Any other SQLite error.
    #[error(
        "Planwright's database rejected a request: {0}. Restart Planwright; if the problem \
         persists, report it"
    )]
    Database(#[source] rusqlite::Error),
}

/// Whether this process has found damage. A single flag is enough: a process has one data folder,
/// and the only effect is a full check at the next start.
static MET_DAMAGE: AtomicBool = AtomicBool::new(false);

/// Whether this process has found damage.
pub(crate) fn met_damage() -> bool {
    MET_DAMAGE.load(Ordering::Relaxed)
}

impl StoreError {
    /// Creates a damage error and remembers that there was one.
    pub(crate) fn damaged(what: impl Into<String>) -> StoreError {
        MET_DAMAGE.store(true, Ordering::Relaxed);
        StoreError::Damaged { what: what.into() }
    }

    /// Converts an IO error on a path; a full disk has its own variant.
    pub(crate) fn io(path: &Path, source: io::Error) -> StoreError {
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::DiskFull,
            _ => StoreError::Unusable {
                path: path.to_owned(),
                source,
            },
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        let Some(code) = error.sqlite_error() else {
            return StoreError::Database(error);
        };
        match code.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::Locked,
            ErrorCode::DiskFull => StoreError::DiskFull,
            // The shared-memory file could not grow, which only happens when the disk is full.
            ErrorCode::SystemIoFailure if code.extended_code == ffi::SQLITE_IOERR_SHMSIZE => {
                StoreError::DiskFull
            }
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
                StoreError::damaged(error.to_string())
            }
            _ => StoreError::Database(error),
        }
    }
}
