//! Who has the database open, told by a file lock that ends with the process.
//!
//! Every open store holds the lock shared. Setting a damaged database aside needs it alone: a
//! process that still had the old file open would go on writing into it, unseen.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

use crate::StoreError;

/// How long to wait for another process.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// Between two tries.
pub(crate) const PAUSE: Duration = Duration::from_millis(10);

/// A file that is there to be locked, for the user alone; its content means nothing.
pub(crate) fn lock_file(path: &Path) -> Result<File, StoreError> {
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(path)
        .map_err(|error| StoreError::io(path, error))
}

/// The lock, held until it is dropped.
#[derive(Debug)]
pub(crate) struct Presence {
    file: File,
}

impl Presence {
    /// Joins the others in this folder. Waits for one who has it alone.
    pub(crate) fn join(folder: &Path) -> Result<Presence, StoreError> {
        let file = lock_file(&folder.join("planwright.lock"))?;
        let presence = Presence { file };
        presence.share()?;
        Ok(presence)
    }

    /// Tries to be the only one. If that fails, this process is no longer among the others either
    /// until [`Presence::share`] has succeeded.
    pub(crate) fn try_alone(&self) -> Result<bool, StoreError> {
        self.try_lock(FlockOperation::NonBlockingLockExclusive)
    }

    /// Lets others in again.
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
