//! Replaces a damaged database with the newest valid backup.
//!
//! The damaged database is never deleted: it is renamed along with its side files. The backup's
//! copy is fully on disk before anything is renamed, so a crash in between loses nothing: if there
//! are backups but no database, it is repaired like a damaged one.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::backup::copies;
use crate::files::{DATABASE, SIDE_FILES, create_private, side_file, sync_folder};
use crate::inspect::{Depth, Found, inspect};
use crate::{StoreError, utc};

/// What was done about a damaged database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where the damaged file was moved; `None` if there was no file.
    pub set_aside: Option<PathBuf>,
    /// The backup that replaced it; `None` if there was no valid one.
    pub restored_from: Option<PathBuf>,
    /// A text for the user that says what was lost and gives the time of the backup.
    pub lost: String,
}

/// Moves the database of `folder` aside and restores a backup. The caller has exclusive access.
pub(crate) fn mend(
    folder: &Path,
    what: &str,
    known: i64,
    now_ms: i64,
) -> Result<Damage, StoreError> {
    let database = folder.join(DATABASE);
    let backup = newest_good(folder, known)?;
    let copy = folder.join("planwright.db.restored");
    if let Some(backup) = &backup {
        copy_durably(backup, &copy)?;
    }
    let set_aside = set_aside(folder, now_ms)?;
    if backup.is_some() {
        fs::rename(&copy, &database).map_err(|error| StoreError::io(&database, error))?;
    }
    sync_folder(folder)?;
    let lost = match &backup {
        Some(backup) => format!(
            "the database was damaged ({what}) and restored from a backup. Approvals, run \
             journals and plan history recorded after {} are lost. Plan files and workspaces are \
             unchanged",
            utc::sentence(time_of(backup)?)
        ),
        None => format!(
            "the database was damaged ({what}) and there is no usable backup. Approvals, run \
             journals and plan history are lost. Plan files and workspaces are unchanged"
        ),
    };
    tracing::error!(?set_aside, restored_from = ?backup, "{lost}");
    Ok(Damage {
        set_aside,
        restored_from: backup,
        lost,
    })
}

/// The newest backup that is valid and has a format that this program supports.
fn newest_good(folder: &Path, known: i64) -> Result<Option<PathBuf>, StoreError> {
    for (_, path) in copies(folder)?.into_iter().rev() {
        match inspect(&path, known, Depth::Whole) {
            Ok(Found::Sound) => return Ok(Some(path)),
            // If this backup is unusable, continue with the older ones.
            other => tracing::warn!(backup = %path.display(), ?other, "unusable backup"),
        }
    }
    Ok(None)
}

/// Renames the database and its side files. Returns the new path, if there was a database.
fn set_aside(folder: &Path, now_ms: i64) -> Result<Option<PathBuf>, StoreError> {
    let name = format!("planwright-damaged-{}", utc::stamp(now_ms));
    let target = (1_u32..)
        .map(|n| match n {
            1 => folder.join(format!("{name}.db")),
            n => folder.join(format!("{name}-{n}.db")),
        })
        .find(|target| fs::symlink_metadata(target).is_err())
        .unwrap_or_else(|| folder.join(&name));
    let database = folder.join(DATABASE);
    // Rename the side files first: a WAL without its database is harmless, but a WAL left here
    // would be replayed into the backup.
    for side in SIDE_FILES {
        rename_if_there(&side_file(&database, side), &side_file(&target, side))?;
    }
    Ok(rename_if_there(&database, &target)?.then_some(target))
}

fn rename_if_there(from: &Path, to: &Path) -> Result<bool, StoreError> {
    match fs::rename(from, to) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(StoreError::io(from, error)),
    }
}

fn copy_durably(from: &Path, to: &Path) -> Result<(), StoreError> {
    let mut source = File::open(from).map_err(|error| StoreError::io(from, error))?;
    // An existing file is left over from a crash; no other process can be using it.
    match fs::remove_file(to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(StoreError::io(to, error));
        }
        _ => {}
    }
    let mut target = create_private(to)?;
    io::copy(&mut source, &mut target)
        .and_then(|_| target.sync_all())
        .map_err(|error| StoreError::io(to, error))
}

fn time_of(path: &Path) -> Result<i64, StoreError> {
    let modified = fs::metadata(path).and_then(|meta| meta.modified());
    let modified = modified.map_err(|error| StoreError::io(path, error))?;
    Ok(utc::ms_of(modified))
}
