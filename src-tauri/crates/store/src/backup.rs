//! Backups of the database: `backups/planwright-<n>.db`.
//!
//! Made with SQLite's backup API, then checked and synced before they are used. The two newest are
//! kept. A backup has the modification time of the database it was taken from: equal times and an
//! empty WAL mean that nothing has changed since then, even if the system clock was adjusted.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use crate::StoreError;
use crate::files::{
    DATABASE, create_private, make_private_folder, modified, side_file, sync_folder,
};
use crate::inspect::quick_check;

/// Number of backups kept.
const KEPT: usize = 2;

/// Makes a backup and returns its path; `None` if the newest one is up to date.
pub(crate) fn backup(conn: &Connection, folder: &Path) -> Result<Option<PathBuf>, StoreError> {
    // Checkpoint, so that only the main file has to be compared. If a concurrent reader prevents
    // this, an unnecessary backup is made.
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    let database = folder.join(DATABASE);
    let taken_at = modified(&database)?;
    if has_current_copy(folder)? {
        return Ok(None);
    }
    let before = copies(folder)?;
    let backups = folder.join("backups");
    make_private_folder(&backups)?;
    remove_orphans(&backups);
    let number = before.last().map_or(1, |(number, _)| number + 1);
    let target = backups.join(format!("planwright-{number}.db"));
    let part = backups.join(format!("planwright-{number}.db.part{}", std::process::id()));
    let made = copy(conn, &part, taken_at)
        .and_then(|()| fs::rename(&part, &target).map_err(|error| StoreError::io(&target, error)));
    if let Err(error) = made {
        // A partial copy is useless, but it does no harm if it can't be deleted.
        let _ = fs::remove_file(&part);
        return Err(error);
    }
    sync_folder(&backups)?;
    let all = copies(folder)?;
    for (_, old) in all.iter().rev().skip(KEPT) {
        match fs::remove_file(old) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::io(old, error));
            }
            _ => {}
        }
    }
    Ok(Some(target))
}

/// Deletes partial copies left by processes that died, since each is as large as the database. Any
/// that can't be deleted are tried again next time.
fn remove_orphans(backups: &Path) {
    for entry in fs::read_dir(backups).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let maker = name
            .to_str()
            .and_then(|name| name.split_once(".db.part")?.1.split('-').next());
        if maker.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether the newest backup was made from the database in its current state.
pub(crate) fn has_current_copy(folder: &Path) -> Result<bool, StoreError> {
    let database = folder.join(DATABASE);
    let has_wal = fs::metadata(side_file(&database, "-wal")).is_ok_and(|wal| wal.len() > 0);
    match copies(folder)?.last() {
        Some((_, newest)) if !has_wal => Ok(modified(newest)? == modified(&database)?),
        _ => Ok(false),
    }
}

/// Resets the modification time of the database, so that it differs from that of the backup and the
/// database is fully checked at the next start.
pub(crate) fn distrust(folder: &Path) -> Result<(), StoreError> {
    let database = folder.join(DATABASE);
    OpenOptions::new()
        .write(true)
        .open(&database)
        .and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH))
        .map_err(|error| StoreError::io(&database, error))
}

fn copy(from: &Connection, part: &Path, taken_at: SystemTime) -> Result<(), StoreError> {
    match fs::remove_file(part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(StoreError::io(part, error));
        }
        _ => {}
    }
    let file = create_private(part)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut to = Connection::open_with_flags(part, flags)?;
    // The whole file is synced at once below.
    to.pragma_update(None, "synchronous", "OFF")?;
    // Copy all pages in one step, which gives a consistent state and needn't restart when another
    // process writes.
    match Backup::new(from, &mut to)?.step(-1)? {
        StepResult::Done => {}
        _ => return Err(StoreError::Locked),
    }
    // A backup in WAL mode would get side files whenever it is opened.
    to.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))?;
    if let Some(what) = quick_check(&to)? {
        return Err(StoreError::damaged(what));
    }
    to.close().map_err(|(_, error)| error)?;
    file.set_modified(taken_at)
        .and_then(|()| file.sync_all())
        .map_err(|error| StoreError::io(part, error))
}

/// The existing backups with their numbers, oldest first.
pub(crate) fn copies(folder: &Path) -> Result<Vec<(u64, PathBuf)>, StoreError> {
    let backups = folder.join("backups");
    let entries = match fs::read_dir(&backups) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io(&backups, error)),
    };
    let mut copies = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| StoreError::io(&backups, error))?;
        let name = entry.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_prefix("planwright-")?.strip_suffix(".db"))
            .and_then(|number| number.parse().ok());
        copies.extend(number.map(|number: u64| (number, entry.path())));
    }
    copies.sort();
    Ok(copies)
}
