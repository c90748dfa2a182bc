//! What can go wrong in the store, as sentences that say what to do.
//!
//! A variant exists where somebody acts on it; every other answer of SQLite is [`StoreError::Database`].
//! Never holds plan text, journal payloads or anything else out of a row.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::{ErrorCode, ffi};

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database was written by a newer program. It has not been touched.
    #[error(
        "the database {} has format {found}, this Planwright knows formats up to {known}; nothing \
         was changed. Update Planwright, or set PLANWRIGHT_HOME to another folder",
        path.display()
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// The format it has.
        found: i64,
        /// The newest format this program knows.
        known: i64,
    },
    /// Another process held the database for longer than the wait of five seconds.
    #[error(
        "Planwright's database is in use by another Planwright that does not let go of it; close \
         the other window or terminal, then try again"
    )]
    Locked,
    /// The disk is full. What was being written is not there; what was there before still is.
    #[error(
        "the disk that holds Planwright's data is full; this entry was not written and nothing \
         before it is lost. Free some space, then try again"
    )]
    DiskFull,
    /// The database is damaged, and another process has it open, so it cannot be set aside.
    #[error(
        "the database {} is damaged, and another Planwright still uses it; close the other one, \
         then start again: the newest good backup will be put in its place",
        path.display()
    )]
    DamagedInUse {
        /// The database.
        path: PathBuf,
    },
    /// Damage met while reading or writing. The next [`Store::open`](crate::Store::open) repairs it.
    #[error(
        "Planwright's database is damaged ({what}); start Planwright again: it sets the damaged \
         file aside and puts the newest good backup in its place"
    )]
    Damaged {
        /// What was noticed.
        what: String,
    },
    /// Somebody else has written to this run's journal: a second runner, or a stale reader.
    #[error(
        "the journal of run {run} has gone on to entry {found}, entry {expected} was to be \
         written; another Planwright carries out this run. Watch it with `planwright runs`, or \
         resume the run after the other one has ended"
    )]
    JournalMoved {
        /// The run.
        run: String,
        /// The number the first new entry was to have.
        expected: i64,
        /// The number the next entry of this journal really has.
        found: i64,
    },
    /// Another process goes on with this conversation.
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
        /// The id asked for.
        id: String,
    },
    /// A revision was offered under a name that is not the SHA-256 of its content.
    #[error("the content offered as revision {hash} has another SHA-256; read the plan file again")]
    WrongHash {
        /// The name it was offered under.
        hash: String,
    },
    /// The folder or a file in it cannot be made, read or written.
    #[error(
        "{} cannot be used: {source}. Check that the folder exists and belongs to you, or set \
         PLANWRIGHT_HOME to another folder",
        path.display()
    )]
    Unusable {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Any other answer of SQLite.
    #[error(
        "Planwright's database refused a request: {0}. Start Planwright again; if it stays, report it"
    )]
    Database(#[source] rusqlite::Error),
}

/// Whether damage was met since this process began. One flag is enough: a process has one data
/// folder, and the only consequence is a thorough check at the next start.
static MET_DAMAGE: AtomicBool = AtomicBool::new(false);

/// Whether damage was met since this process began.
pub(crate) fn met_damage() -> bool {
    MET_DAMAGE.load(Ordering::Relaxed)
}

impl StoreError {
    /// Damage, remembered until the store is closed.
    pub(crate) fn damaged(what: impl Into<String>) -> StoreError {
        MET_DAMAGE.store(true, Ordering::Relaxed);
        StoreError::Damaged { what: what.into() }
    }

    /// An IO error on one path, with a full disk told apart from the rest.
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
            // The shared-memory file could not grow, which only a full disk causes.
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
