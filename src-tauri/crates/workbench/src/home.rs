//! The location of the user's data: the platform's usual folders, or all of it in
//! `PLANWRIGHT_HOME`.
//!
//! `PLANWRIGHT_HOME` contains `settings.json`, `data/` and `logs/`; `data/` contains the database,
//! `blobs/`, `outcomes/`, `copies/` and `indexes/`.
//!
//! **Architecture invariants.** Reads no environment itself, except through `directories`. Folders
//! created here are private to the user (0700). An existing `PLANWRIGHT_HOME` keeps its mode, since
//! the user chose it; the folders in it don't. Reads and writes no files.

use std::ffi::OsString;
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use directories::ProjectDirs;

use crate::error::{Error, Result};

/// The variable that relocates all data.
const VARIABLE: &str = "PLANWRIGHT_HOME";

/// The paths of one user's Planwright data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    /// The data folder, which contains the database.
    pub(crate) data: PathBuf,
    /// The user's `settings.json`, which may not exist.
    pub settings_file: PathBuf,
    /// Earlier contents of files that steps changed.
    pub(crate) blobs: PathBuf,
    /// Outcome records of commands, so that a run can find them after a crash.
    pub(crate) outcomes: PathBuf,
    /// Private copies of workspaces, in which other agents work.
    pub(crate) copies: PathBuf,
    /// The search indexes of workspaces: a cache that can be deleted. May not exist.
    pub(crate) indexes: PathBuf,
    /// The log's folder, which may not exist.
    pub(crate) logs: PathBuf,
    /// The location of the sample workspace. It is next to the data rather than inside it, because
    /// steps must not be able to write the journal.
    pub sample: PathBuf,
}

impl Home {
    /// Finds the folders and creates those for data. The log's folder is created later, since a
    /// missing log isn't fatal. Fails with [`crate::Code::Storage`]; the message says which folder
    /// can't be used and what to do.
    pub(crate) fn locate(env: impl Fn(&str) -> Option<OsString>) -> Result<Self> {
        let home = match env(VARIABLE) {
            Some(root) => Self::under(Path::new(&root))?,
            None => Self::default_location()?,
        };
        for folder in [&home.data, &home.blobs, &home.outcomes, &home.copies] {
            make_private(folder)?;
        }
        Ok(home)
    }

    fn under(root: &Path) -> Result<Self> {
        if !root.is_absolute() {
            return Err(err!(Storage:
                "PLANWRIGHT_HOME must be an absolute path, not “{}”; change it or unset it",
                root.display()));
        }
        match root.metadata() {
            Ok(found) if !found.is_dir() => return Err(not_a_folder(root)),
            // Otherwise, other users could add settings that loosen the gate.
            Ok(found) if is_writable_by_others(&found) => {
                return Err(err!(Storage:
                    "other users can write to {path}; run `chmod 700 {path}` or set PLANWRIGHT_HOME to another folder",
                    path = root.display()));
            }
            Ok(_) => writable(root)?,
            // Any other error will recur and be reported when the folder is created.
            Err(_) => make_private(root)?,
        }
        Ok(Self::of(
            root.join("data"),
            root.join("settings.json"),
            root.join("logs"),
            root.join("sample"),
        ))
    }

    fn default_location() -> Result<Self> {
        let folders = ProjectDirs::from("", "", "planwright").ok_or_else(|| err!(Storage:
            "couldn't find a folder for Planwright's data; set HOME, or set PLANWRIGHT_HOME to an absolute path"))?;
        let logs = folders
            .state_dir()
            .unwrap_or_else(|| folders.data_local_dir())
            .join("logs");
        let settings_file = folders.config_dir().join("settings.json");
        let data = folders.data_dir().to_owned();
        let sample = data.with_file_name("planwright-sample");
        Ok(Self::of(data, settings_file, logs, sample))
    }

    fn of(data: PathBuf, settings_file: PathBuf, logs: PathBuf, sample: PathBuf) -> Self {
        Self {
            blobs: data.join("blobs"),
            outcomes: data.join("outcomes"),
            copies: data.join("copies"),
            indexes: data.join("indexes"),
            data,
            settings_file,
            logs,
            sample,
        }
    }
}

/// Creates a folder that only the user can read, or removes others' rights from an existing one.
/// Fails with [`crate::Code::Storage`]; the message says which folder can't be used and what to do.
pub(crate) fn make_private(folder: &Path) -> Result<()> {
    let failed = |error: io::Error| {
        err!(Storage:
            "couldn't make {} private ({error}); take ownership of the folder or set PLANWRIGHT_HOME to another one",
            folder.display())
        .because(error)
    };
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700);
    if let Err(error) = builder.create(folder) {
        return Err(match folder.metadata() {
            Ok(found) if !found.is_dir() => not_a_folder(folder),
            _ => failed(error),
        });
    }
    let mut permissions = folder.metadata().map_err(failed)?.permissions();
    if permissions.mode() & 0o077 != 0 {
        permissions.set_mode(0o700);
        std::fs::set_permissions(folder, permissions).map_err(failed)?;
    }
    writable(folder)
}

fn writable(folder: &Path) -> Result<()> {
    use rustix::fs::{Access, access};
    access(folder, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK).map_err(|error| {
        err!(Storage:
            "can't write to {} ({error}); change the folder's permissions or set PLANWRIGHT_HOME to another one",
            folder.display())
        .because(error)
    })
}

fn not_a_folder(path: &Path) -> Error {
    err!(Storage: "{} is not a folder; move or rename it, or set PLANWRIGHT_HOME to another folder", path.display())
}

fn is_writable_by_others(folder: &std::fs::Metadata) -> bool {
    folder.permissions().mode() & 0o002 != 0
}

#[cfg(test)]
mod tests;
