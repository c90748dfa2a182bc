//! Names the files in the data folder, and creates files and folders there.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::StoreError;

/// The file name of the database in the data folder.
pub(crate) const DATABASE: &str = "planwright.db";
/// The suffixes of SQLite's side files.
pub(crate) const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The path of a side file of `database`.
pub(crate) fn side_file(database: &Path, side: &str) -> PathBuf {
    let mut name = OsString::from(database);
    name.push(side);
    PathBuf::from(name)
}

/// Creates a file that only the user can access.
pub(crate) fn create_private(path: &Path) -> Result<File, StoreError> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .map_err(|error| StoreError::io(path, error))
}

/// Creates a folder that only the user can access, including missing parents.
pub(crate) fn make_private_folder(path: &Path) -> Result<(), StoreError> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|error| StoreError::io(path, error))
}

/// Makes new and renamed entries of a folder durable.
pub(crate) fn sync_folder(path: &Path) -> Result<(), StoreError> {
    File::open(path)
        .and_then(|folder| folder.sync_all())
        .map_err(|error| StoreError::io(path, error))
}

pub(crate) fn modified(path: &Path) -> Result<SystemTime, StoreError> {
    fs::metadata(path)
        .and_then(|meta| meta.modified())
        .map_err(|error| StoreError::io(path, error))
}
