//! Tracks which processes have the database open, with a file lock that ends with the process.
//!
//! Every open store holds a shared lock. Moving a damaged database aside needs an exclusive one: a
//! process with the old file open would keep writing to it without noticing.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

use crate::StoreError;

/// How long to wait for another process to release a lock.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// Delay between two attempts to acquire a lock.
pub(crate) const PAUSE: Duration = Duration::from_millis(10);

/// Opens a lock file that only the user can access; its content is unused.
pub(crate) fn lock_file(path: &Path) -> Result<File, StoreError> {
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(path)
        .map_err(|error| StoreError::io(path, error))
}

/// Marks this process as one with a window open on the data folder, until the mark is dropped or
/// the process ends.
#[derive(Debug)]
pub struct WindowMark {
    _file: File,
}

impl WindowMark {
    const NAME: &str = "window.lock";

    /// Marks this process as one with a window.
    pub(crate) fn set(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(Self::NAME);
        let file = lock_file(&path)?;
        // The lock is shared, so it never waits for another window; only `is_set` takes it
        // exclusively, and just for a moment.
        flock(&file, FlockOperation::LockShared)
            .map_err(|error| StoreError::io(&path, error.into()))?;
        Ok(Self { _file: file })
    }

    /// Whether any process has a window open.
    pub(crate) fn is_set(folder: &Path) -> Result<bool, StoreError> {
        let path = folder.join(Self::NAME);
        let file = lock_file(&path)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(false),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(true),
            Err(error) => Err(StoreError::io(&path, error.into())),
        }
    }
}

/// The lock on the database, released when dropped.
#[derive(Debug)]
pub(crate) struct Presence {
    file: File,
}

impl Presence {
    /// Acquires the shared lock in this folder. Waits while another process holds it exclusively.
    pub(crate) fn join(folder: &Path) -> Result<Presence, StoreError> {
        let file = lock_file(&folder.join("planwright.lock"))?;
        let presence = Presence { file };
        presence.share()?;
        Ok(presence)
    }

    /// Tries to acquire the lock exclusively; `false` if another process holds it. In that
    /// case, this process holds no lock until [`Presence::share`] succeeds.
    pub(crate) fn try_alone(&self) -> Result<bool, StoreError> {
        self.try_lock(FlockOperation::NonBlockingLockExclusive)
    }

    /// Goes back to a shared lock, after waiting for any other process that holds the lock
    /// exclusively.
    pub(crate) fn share(&self) -> Result<(), StoreError> {
        let start = Instant::now();
        while !self.try_lock(FlockOperation::NonBlockingLockShared)? {
            if start.elapsed() > PATIENCE {
                return Err(StoreError::Locked);
            }
            sleep(PAUSE);
        }
        Ok(())
    }

    fn try_lock(&self, operation: FlockOperation) -> Result<bool, StoreError> {
        match flock(&self.file, operation) {
            Ok(()) => Ok(true),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(false),
            Err(error) => Err(StoreError::io(
                Path::new("planwright.lock"),
                io::Error::from(error),
            )),
        }
    }
}
