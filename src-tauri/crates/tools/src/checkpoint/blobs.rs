//! Blobs: file contents, each stored once and named by its hash.
//!
//! Files are private to the user, compressed, and put in place by rename. A blob is durable only
//! after [`Blobs::sync`]. If a power failure damaged it, its hash reveals this, and it is written
//! again when the same content is stored. Nothing is ever removed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::error::ToolError;
use crate::hash::ContentHash;

/// The name of a blob: the SHA-256 of its content.
pub type BlobId = ContentHash;

/// With more new blobs than this, syncing the whole file system is cheaper than syncing each.
const SYNC_EACH: usize = 64;

/// Fast compression, since people wait for checkpoints.
const LEVEL: i32 = 1;

/// A folder of blobs.
#[derive(Debug)]
pub struct Blobs {
    dir: PathBuf,
    /// Blobs written since the last sync.
    unsynced: Mutex<Vec<PathBuf>>,
    count: AtomicU64,
}

impl Blobs {
    /// Opens the store in `dir`, creating it if necessary. It must not be in the workspace.
    ///
    /// # Errors
    /// On an I/O error.
    pub fn open(dir: &Path) -> Result<Self, ToolError> {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(dir)
            .map_err(|error| ToolError::io("creating", dir, &error))?;
        Ok(Self {
            dir: dir.to_owned(),
            unsynced: Mutex::default(),
            count: AtomicU64::new(0),
        })
    }

    /// Stores content as a blob.
    ///
    /// # Errors
    /// On an I/O error; no partial file remains under the blob's name.
    pub fn put(&self, content: &[u8]) -> Result<BlobId, ToolError> {
        let id = ContentHash::of(content);
        let path = self.path_of(id);
        if self.load(&path).is_ok_and(|kept| kept == content) {
            return Ok(id);
        }
        self.write(&path, content)
            .map_err(|error| ToolError::io("keeping", &path, &error))?;
        self.unsynced
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(path);
        Ok(id)
    }

    /// Returns the content of a blob.
    ///
    /// # Errors
    /// [`ToolError::BlobLost`] if it is missing or damaged.
    pub fn get(&self, id: BlobId) -> Result<Vec<u8>, ToolError> {
        self.load(&self.path_of(id))
            .ok()
            .filter(|content| ContentHash::of(content) == id)
            .ok_or_else(|| ToolError::BlobLost { hash: id.to_hex() })
    }

    /// Makes everything stored so far durable.
    ///
    /// # Errors
    /// On an I/O error; blobs stored since the last sync are then unreliable.
    pub fn sync(&self) -> Result<(), ToolError> {
        let mut unsynced = self.unsynced.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = |error: io::Error| ToolError::io("keeping", &self.dir, &error);
        if unsynced.len() > SYNC_EACH {
            let dir = File::open(&self.dir).map_err(failed)?;
            rustix::fs::syncfs(dir).map_err(|error| failed(error.into()))?;
        } else {
            for path in unsynced.iter() {
                File::open(path)
                    .and_then(|file| file.sync_all())
                    .map_err(failed)?;
                let parent = path.parent().unwrap_or(&self.dir);
                File::open(parent)
                    .and_then(|dir| dir.sync_all())
                    .map_err(failed)?;
            }
            if !unsynced.is_empty() {
                File::open(&self.dir)
                    .and_then(|dir| dir.sync_all())
                    .map_err(failed)?;
            }
        }
        unsynced.clear();
        Ok(())
    }

    fn path_of(&self, id: BlobId) -> PathBuf {
        let hex = id.to_hex();
        // 256 subfolders keep each folder small enough to search.
        let (folder, name) = hex.split_at(2);
        self.dir.join(folder).join(name)
    }

    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        zstd::decode_all(File::open(path)?)
    }

    fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let packed = zstd::encode_all(content, LEVEL)?;
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let temp = path.with_extension(format!("{}-{number}.tmp", std::process::id()));
        let create = || {
            OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(&temp)
        };
        let mut file = match create() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = path.parent().unwrap_or(&self.dir);
                fs::DirBuilder::new()
                    .recursive(true)
                    .mode(0o700)
                    .create(folder)?;
                create()?
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // Left by a crashed process with the same PID.
                fs::remove_file(&temp)?;
                create()?
            }
            result => result?,
        };
        let written = file
            .write_all(&packed)
            .and_then(|()| fs::rename(&temp, path));
        if written.is_err() {
            // The disk may be full: free the space before reporting the error.
            let _ = fs::remove_file(&temp);
        }
        written
    }
}
