//! Where the user's data lies: the platform's usual folders, or `PLANWRIGHT_HOME` with all of it.
//!
//! Under `PLANWRIGHT_HOME` lie `settings.json`, `data/` and `logs/`; `data/` holds the database,
//! `blobs/`, `outcomes/` and `indexes/`.
//!
//! **Architecture invariants.** Reads no environment of its own accord but what `directories` looks
//! up for the platform. Folders made here are private to the user (0700); a `PLANWRIGHT_HOME` that
//! exists already is somebody's choice and keeps its mode, what lies in it does not. Writes no file
//! and reads none.

use std::ffi::OsString;
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use thiserror::Error;

/// The variable that moves all data.
const VARIABLE: &str = "PLANWRIGHT_HOME";

/// The folders of one user's Planwright.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Home {
    /// The database's folder.
    pub(crate) data: PathBuf,
    /// The user's `settings.json`; it need not exist.
    pub(crate) settings_file: PathBuf,
    /// Contents of files before a step changed them.
    pub(crate) blobs: PathBuf,
    /// What commands said when they ended, kept so that a run can find it after a crash.
    pub(crate) outcomes: PathBuf,
    /// What is known of the words of each workspace: a cache, which may be deleted. It need not exist.
    pub(crate) indexes: PathBuf,
    /// The log's folder; it need not exist.
    pub(crate) logs: PathBuf,
    /// Where the sample workspace is put when a person asks for it. It lies beside the data, not in
    /// it: what a step may write must not hold the journal.
    pub(crate) sample: PathBuf,
}

/// Why the user's data has no place.
#[derive(Debug, Error)]
pub(crate) enum HomeError {
    /// `PLANWRIGHT_HOME` depends on where the program was started, or is empty.
    #[error(
        "PLANWRIGHT_HOME must be an absolute path, not “{}”; set it to a folder of yours or unset it",
        .0.display()
    )]
    NotAbsolute(PathBuf),
    /// No variable, and a user without a home folder.
    #[error(
        "no folder for Planwright's data was found; set HOME, or set PLANWRIGHT_HOME to an absolute path"
    )]
    NoHome,
    /// A file stands in the way.
    #[error("{} is not a folder; move it away or set PLANWRIGHT_HOME to another place", .0.display())]
    NotAFolder(PathBuf),
    /// Others could put settings there that loosen the gate.
    #[error(
        "every user of this computer can write to {path}; run `chmod 700 {path}` or set PLANWRIGHT_HOME to another place",
        path = .0.display()
    )]
    OpenToAll(PathBuf),
    /// It cannot be made or made private.
    #[error(
        "the folder {} cannot be made private to you ({source}); make it yours or set PLANWRIGHT_HOME to another place",
        .path.display()
    )]
    NotMade {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is there and cannot be written.
    #[error(
        "the folder {} cannot be written ({source}); allow it or set PLANWRIGHT_HOME to another place",
        .path.display()
    )]
    NotWritable {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Home {
    /// Finds the folders and makes those for data; the folder of the log is made when the log is
    /// opened, since a missing log stops nobody.
    /// Fails with [`HomeError`], which says which folder cannot be used and what to do.
    pub(crate) fn locate(env: impl Fn(&str) -> Option<OsString>) -> Result<Self, HomeError> {
        let home = match env(VARIABLE) {
            Some(root) => Self::under(Path::new(&root))?,
            None => Self::usual()?,
        };
        for folder in [&home.data, &home.blobs, &home.outcomes] {
            make_private(folder)?;
        }
        Ok(home)
    }

    fn under(root: &Path) -> Result<Self, HomeError> {
        if !root.is_absolute() {
            return Err(HomeError::NotAbsolute(root.to_owned()));
        }
        match root.metadata() {
            Ok(found) if !found.is_dir() => return Err(HomeError::NotAFolder(root.to_owned())),
            Ok(found) if open_to_all(&found) => return Err(HomeError::OpenToAll(root.to_owned())),
            Ok(_) => writable(root)?,
            // The rest of the errors come again, and are named, when it is made.
            Err(_) => make_private(root)?,
        }
        Ok(Self::of(
            root.join("data"),
            root.join("settings.json"),
            root.join("logs"),
            root.join("sample"),
        ))
    }

    fn usual() -> Result<Self, HomeError> {
        let folders = ProjectDirs::from("", "", "planwright").ok_or(HomeError::NoHome)?;
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
            indexes: data.join("indexes"),
            data,
            settings_file,
            logs,
            sample,
        }
    }
}

/// Makes a folder that only its user can read, and takes others' rights from one that exists.
/// Fails with [`HomeError`], which says which folder cannot be used and what to do.
pub(crate) fn make_private(folder: &Path) -> Result<(), HomeError> {
    let failed = |source| HomeError::NotMade {
        path: folder.to_owned(),
        source,
    };
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700);
    if let Err(error) = builder.create(folder) {
        return Err(match folder.metadata() {
            Ok(found) if !found.is_dir() => HomeError::NotAFolder(folder.to_owned()),
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

fn writable(folder: &Path) -> Result<(), HomeError> {
    use rustix::fs::{Access, access};
    access(folder, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK).map_err(|error| {
        HomeError::NotWritable {
            path: folder.to_owned(),
            source: error.into(),
        }
    })
}

fn open_to_all(folder: &std::fs::Metadata) -> bool {
    folder.permissions().mode() & 0o002 != 0
}

#[cfg(test)]
mod tests;
