//! Errors of the store, with messages that say what to do.
//!
//! There is a variant for each error that callers handle; all other SQLite errors are
//! [`StoreError::Database`]. Errors never contain plan text, journal payloads or other row data.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::{ErrorCode, ffi};

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database was written by a newer program. It is left untouched.
    #[error(
        "the database {} has format {found}, this Planwright knows formats up to {known}; nothing \
         was changed. Update Planwright, or set PLANWRIGHT_HOME to another folder",
        path.display()
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its format version.
        found: i64,
        /// The newest version that this program supports.
        known: i64,
    },
    /// Another process held the database for more than five seconds.
    #[error(
        "Planwright's database is in use by another Planwright that does not let go of it; close \
         the other window or terminal, then try again"
    )]
    Locked,
    /// The disk is full. Nothing was written, and existing data is intact.
    #[error(
        "the disk that holds Planwright's data is full; this entry was not written and nothing \
         before it is lost. Free some space, then try again"
    )]
    DiskFull,
    /// The database is damaged, and another process has it open, so it cannot be replaced.
    #[error(
        "the database {} is damaged, and another Planwright still uses it; close the other one, \
         then start again: the newest good backup will be put in its place",
        path.display()
    )]
    DamagedInUse {
        /// The database.
        path: PathBuf,
    },
    /// Damage found while reading or writing. The next [`Store::open`](crate::Store::open) repairs
    /// it.
    #[error(
        "Planwright's database is damaged ({what}); start Planwright again: it sets the damaged \
         file aside and puts the newest good backup in its place"
    )]
    Damaged {
        /// What is damaged.
        what: String,
    },
    /// Someone else has written to this run's journal: a second runner, or this reader is out of
    /// date.
    #[error(
        "the journal of run {run} has gone on to entry {found}, entry {expected} was to be \
         written; another Planwright carries out this run. Watch it with `planwright runs`, or \
         resume the run after the other one has ended"
    )]
    JournalMoved {
        /// The run.
        run: String,
        /// The expected number of the first new entry.
        expected: i64,
        /// The actual next number.
        found: i64,
    },
    /// Another process is continuing this conversation.
    #[error(
        "another Planwright goes on with session {session}; nothing was written. Look at it there, or \
         go on here when its turn has ended"
    )]
    SessionMoved {
        /// The session.
        session: String,
    },
    /// No run has this id.
    #[error("there is no run {id}; `planwright runs` lists the runs there are")]
    NoSuchRun {
        /// The requested id.
        id: String,
    },
    /// A revision's hash is not the SHA-256 of its content.
    #[error("the content offered as revision {hash} has another SHA-256; read the plan file again")]
    WrongHash {
        /// The given hash.
        hash: String,
    },
    /// The folder or a file in it cannot be created, read or written.
    #[error(
        "{} cannot be used: {source}. Check that the folder exists and belongs to you, or set \
         PLANWRIGHT_HOME to another folder",
        path.display()
    )]
    Unusable {
        /// The folder or file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// Any other SQLite error.
    #[error(
        "Planwright's database refused a request: {0}. Start Planwright again; if it stays, report it"
    )]
    Database(#[source] rusqlite::Error),
}

/// Whether damage was found in this process. A single flag is enough: a process has one data
/// folder, and the only effect is a full check at the next start.
static MET_DAMAGE: AtomicBool = AtomicBool::new(false);

/// Whether damage was found in this process.
pub(crate) fn met_damage() -> bool {
    MET_DAMAGE.load(Ordering::Relaxed)
}

impl StoreError {
    /// Creates a damage error and remembers that there was one.
    pub(crate) fn damaged(what: impl Into<String>) -> StoreError {
        MET_DAMAGE.store(true, Ordering::Relaxed);
        StoreError::Damaged { what: what.into() }
    }

    /// An IO error on one path; a full disk gets its own variant.
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
