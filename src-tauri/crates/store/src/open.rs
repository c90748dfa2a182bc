//! Opens the database: looks first, mends or refuses, then migrates.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Instant;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::backup::{copies, create_private, has_current_copy, make_private_folder, sync_folder};
use crate::inspect::{Depth, Found, inspect};
use crate::presence::{PATIENCE, PAUSE, Presence};
use crate::{Store, StoreError, damage, migrate, run_copy};

/// The name of the database in the data folder.
pub(crate) const DATABASE: &str = "planwright.db";
/// From this size on (in bytes) checking every page at every start would be felt.
const LARGE: u64 = 32 << 20;
/// What SQLite puts beside a database.
pub(crate) const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];

/// What happened on the way to an open database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenReport {
    /// There was no database before, and no backup of one.
    pub created: bool,
    /// The database was damaged, and what was done about it. To be shown to the user.
    pub damaged: Option<Damage>,
    /// Runs of which the database lacked something that their copies held.
    pub put_back: Vec<String>,
}

/// A damaged database and what took its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where the damaged file lies now; absent if there was only an empty place.
    pub set_aside: Option<PathBuf>,
    /// The backup that took its place; absent if there was no good one.
    pub restored_from: Option<PathBuf>,
    /// What is lost, as a sentence with the time of the backup.
    pub lost: String,
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
    // Another process may have been a newer program that migrated in the meantime.
    let found = migrate::version(&conn)?;
    if found > known {
        return Err(newer(&database, found, known));
    }
    report.put_back = run_copy::put_back(folder, &conn)?;
    // Not before the migration: until then the file may look as if it were to be mended again.
    presence.share()?;
    let store = Store {
        conn,
        folder: folder.to_owned(),
        _presence: presence,
    };
    Ok((store, report))
}

/// One more connection to a database that this process has open.
pub(crate) fn again(folder: &Path) -> Result<Store, StoreError> {
    let presence = Presence::join(folder)?;
    Ok(Store {
        conn: connect(&folder.join(DATABASE))?,
        folder: folder.to_owned(),
        _presence: presence,
    })
}

/// Sees to it that there is a sound file to open, or says why not. Where it had to be mended, this
/// process is still alone with it afterwards.
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
            // Where there are copies there was a database once.
            Found::Missing | Found::Empty if !copies(folder)?.is_empty() => {
                "it is missing or empty".to_owned()
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
        // Once alone, look again: another process may have mended it before.
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

/// A large database that nobody has touched since it was last copied was checked then, page by
/// page; a start need not wait for that again.
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

/// Makes the empty file before SQLite can: it would be readable for others, and its side files
/// take their mode from it. `false` if another process was faster.
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

/// A database that was copied here by hand may be readable for others.
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

/// Turns WAL on. SQLite answers "busy" at once, without its usual wait, if another process does
/// the same at this moment.
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

/// The name of a file that SQLite puts beside `database`.
pub(crate) fn side_file(database: &Path, side: &str) -> PathBuf {
    let mut name = OsString::from(database);
    name.push(side);
    PathBuf::from(name)
}
