//! Locks shared by all threads and processes: one for recording and writing plan files and for
//! importing outside changes, and one for proposing plans for review.
//!
//! A writer records new content before writing it to the file. Without the lock, a reader in
//! between would mistake the old content for an outside change. A lock is released when the process
//! that holds it ends, and is never held while waiting for a person.

use std::fs::File;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

use crate::StoreError;
use crate::presence::{PATIENCE, lock_file};

/// Delay between attempts; the lock is usually held for a few milliseconds.
const PAUSE: Duration = Duration::from_millis(1);

/// A held lock, released when dropped. Not reentrant.
#[derive(Debug)]
pub struct Turn {
    _file: File,
}

impl Turn {
    /// Acquires the lock with this file name in the data folder.
    pub(crate) fn take(folder: &Path, name: &str) -> Result<Self, StoreError> {
        let path = folder.join(name);
        let file = lock_file(&path)?;
        let start = Instant::now();
        loop {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Self { _file: file }),
                Err(rustix::io::Errno::WOULDBLOCK) if start.elapsed() > PATIENCE => {
                    return Err(StoreError::Locked);
                }
                Err(rustix::io::Errno::WOULDBLOCK) => sleep(PAUSE),
                Err(error) => return Err(StoreError::io(&path, error.into())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn only_one_has_the_turn() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let turn = Turn::take(folder.path(), "plans.lock").unwrap();
                        let now = inside.fetch_add(1, Ordering::SeqCst) + 1;
                        most.fetch_max(now, Ordering::SeqCst);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(turn);
                    }
                });
            }
        });
        assert_eq!(most.into_inner(), 1);
    }
}
