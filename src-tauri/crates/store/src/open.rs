//! Opens the database: inspects it, repairs or refuses it, then migrates it.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Instant;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::backup::{copies, has_current_copy};
use crate::damage::{self, Damage};
use crate::files::{
    DATABASE, SIDE_FILES, create_private, make_private_folder, side_file, sync_folder,
};
use crate::inspect::{Depth, Found, inspect};
use crate::presence::{PATIENCE, PAUSE, Presence};
use crate::table::run_copy;
use crate::{Store, StoreError, migrate};

/// The size of a database in bytes above which checking every page would slow down the start
/// noticeably.
const LARGE: u64 = 32 << 20;

/// What happened while opening the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenReport {
    /// Whether a new database was created because there was neither a database nor a backup.
    pub created: bool,
    /// The damage that was found and how it was handled, to be shown to the user.
    pub damaged: Option<Damage>,
    /// The ids of the runs whose missing entries were restored from copies of their journals.
    pub put_back: Vec<String>,
}

pub(crate) fn open(folder: &Path, now_ms: i64) -> Result<(Store, OpenReport), StoreError> {
    make_private_folder(folder)?;
    let presence = Presence::join(folder)?;
    let migrations = migrate::embedded();
    let known = migrate::newest(&migrations);
    let database = folder.join(DATABASE);
    let mut report = prepare(folder, &presence, known, now_ms)?;
    let conn = connect(&database)?;
    migrate::migrate(&conn, &migrations)?;
    // A newer program may have migrated the database in the meantime.
    let found = migrate::version(&conn)?;
    if found > known {
        return Err(newer(&database, found, known));
    }
    report.put_back = run_copy::put_back(folder, &conn)?;
    // Don't share the lock before the migration, since until then the file may still look as if it
    // needs repair.
    presence.share()?;
    let store = Store {
        conn,
        folder: folder.to_owned(),
        _presence: presence,
    };
    Ok((store, report))
}

/// Opens another connection to a database that this process already has open.
pub(crate) fn again(folder: &Path) -> Result<Store, StoreError> {
    let presence = Presence::join(folder)?;
    Ok(Store {
        conn: connect(&folder.join(DATABASE))?,
        folder: folder.to_owned(),
        _presence: presence,
    })
}

/// Makes sure that there is a valid file to open; otherwise the error explains why there isn't.
/// After a repair, this process still has exclusive access.
fn prepare(
    folder: &Path,
    presence: &Presence,
    known: i64,
    now_ms: i64,
) -> Result<OpenReport, StoreError> {
    let database = folder.join(DATABASE);
    let start = Instant::now();
    let mut report = OpenReport {
        created: false,
        damaged: None,
        put_back: Vec::new(),
    };
    let mut is_alone = false;
    loop {
        let what = match inspect(&database, known, depth(folder)?)? {
            Found::Newer(found) => return Err(newer(&database, found, known)),
            Found::Sound => break,
            Found::Damaged(what) => what,
            // If there are backups, there must have been a database.
            Found::Missing | Found::Empty if !copies(folder)?.is_empty() => {
                "missing or empty".to_owned()
            }
            Found::Empty => break,
            Found::Missing => {
                report.created = create(folder, &database)?;
                break;
            }
        };
        if is_alone {
            let damage = damage::mend(folder, &what, known, now_ms)?;
            if damage.restored_from.is_none() {
                create(folder, &database)?;
            }
            report.damaged = Some(damage);
            break;
        }
        // Check again with exclusive access, since another process may have repaired the database
        // meanwhile.
        is_alone = presence.try_alone()?;
        if !is_alone {
            if start.elapsed() > PATIENCE {
                return Err(StoreError::DamagedInUse { path: database });
            }
            sleep(PAUSE);
            presence.share()?;
        }
    }
    keep_private(&database)?;
    Ok(report)
}

/// How thoroughly to check the database. A backup includes a full check, which isn't repeated for a
/// large database that hasn't changed since its last backup.
fn depth(folder: &Path) -> Result<Depth, StoreError> {
    let is_large = fs::metadata(folder.join(DATABASE)).is_ok_and(|meta| meta.len() > LARGE);
    Ok(match is_large && has_current_copy(folder)? {
        true => Depth::Head,
        false => Depth::Whole,
    })
}

fn newer(path: &Path, found: i64, known: i64) -> StoreError {
    StoreError::Newer {
        path: path.to_owned(),
        found,
        known,
    }
}

/// Creates the empty file before SQLite does, since SQLite would make it and its side files
/// readable by other users. Returns `false` if another process created it first.
fn create(folder: &Path, database: &Path) -> Result<bool, StoreError> {
    match create_private(database) {
        Ok(_) => sync_folder(folder).map(|()| true),
        Err(StoreError::Unusable { source, .. })
            if source.kind() == io::ErrorKind::AlreadyExists =>
        {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// Restricts access to a database file, in case it was copied here by hand.
fn keep_private(database: &Path) -> Result<(), StoreError> {
    let sides = SIDE_FILES.map(|side| side_file(database, side));
    for path in sides.iter().map(PathBuf::as_path).chain([database]) {
        let Ok(meta) = fs::metadata(path) else {
            continue;
        };
        if meta.permissions().mode() & 0o077 != 0 {
            fs::set_permissions(path, Permissions::from_mode(0o600))
                .map_err(|error| StoreError::io(path, error))?;
        }
    }
    Ok(())
}

fn connect(database: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(database, flags)?;
    conn.busy_timeout(PATIENCE)?;
    write_ahead(&conn)?;
    conn.execute_batch(
        "PRAGMA synchronous = FULL;
         PRAGMA foreign_keys = ON;
         -- So that REPLACE cannot get past the triggers that keep the journal append-only.
         PRAGMA recursive_triggers = ON;
         PRAGMA trusted_schema = OFF;",
    )?;
    conn.set_prepared_statement_cache_capacity(64);
    Ok(conn)
}

/// Enables WAL. If another process is doing the same, SQLite ignores the busy timeout and returns
/// "busy" immediately, so this tries again.
fn write_ahead(conn: &Connection) -> Result<(), StoreError> {
    let start = Instant::now();
    loop {
        match conn.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())) {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && start.elapsed() < PATIENCE =>
            {
                sleep(PAUSE);
            }
            answer => return Ok(answer?),
        }
    }
}
