//! Names in the workspace that no command may write: Git folders, our own settings, plan files.
//!
//! A mount can only protect what exists. A missing name is therefore held by a *stand-in*, an empty
//! file or folder with an unusual mode, while commands run. Stand-ins are removed after the last
//! command; one left behind by a killed helper is recognized by its mode and removed by the next
//! command. A lock on the workspace folder keeps one command from removing stand-ins that another
//! needs.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, Mode, flock};
use rustix::process::umask;

use super::wire::Failure;

/// Protected in every workspace: anything that would run later outside the sandbox, and our own
/// settings.
const ALWAYS: [&str; 2] = [GIT, PLANWRIGHT];
const GIT: &str = ".git";
const PLANWRIGHT: &str = ".planwright";
/// If the workspace is itself a Git folder: the files, then the folders, that decide what Git runs.
const CONTROL: ([&str; 5], [&str; 4]) = (
    ["HEAD", "config", "config.worktree", COMMON_DIR, "gitdir"],
    ["hooks", "info", "worktrees", "modules"],
);
const COMMON_DIR: &str = "commondir";

/// The modes of stand-ins: read-only with the sticky bit, which nothing else sets on an empty file
/// or folder.
const FOLDER_MODE: u32 = 0o1555;
const FILE_MODE: u32 = 0o1444;

/// How long to wait for another program's lock on the workspace.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);

/// All protected names relative to the workspace, without `..`, none inside another. `repositories`
/// are the Git folders found in it. Names outside the workspace are left out, since everything
/// there is read-only.
pub(super) fn names(
    workspace: &Path,
    listed: &[PathBuf],
    repositories: &[PathBuf],
) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = ALWAYS.iter().map(PathBuf::from).collect();
    for repository in repositories {
        match repository.strip_prefix(workspace) {
            Ok(inside) if inside.as_os_str().is_empty() => {
                all.extend(CONTROL.0.iter().chain(&CONTROL.1).map(PathBuf::from));
            }
            // A nested link can't be protected; it is compared after the command.
            Ok(inside) if inside != Path::new(GIT) && repository.is_symlink() => {}
            Ok(inside) => all.push(inside.to_owned()),
            Err(_) => {}
        }
    }
    all.extend(listed.iter().filter_map(|path| relative(workspace, path)));
    all.sort();
    let mut kept: Vec<PathBuf> = Vec::new();
    for path in all {
        if !kept.iter().any(|above| path.starts_with(above)) {
            kept.push(path);
        }
    }
    kept
}

fn relative(workspace: &Path, path: &Path) -> Option<PathBuf> {
    // The list may contain the workspace's path as opened or its canonical path.
    let path = match path.strip_prefix(workspace) {
        Ok(inside) => inside.to_owned(),
        Err(_) if path.is_relative() => path.to_owned(),
        Err(_) => {
            let parent = path.parent()?.canonicalize().ok()?;
            parent
                .join(path.file_name()?)
                .strip_prefix(workspace)
                .ok()?
                .to_owned()
        }
    };
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => clean.push(name),
            Component::CurDir => {}
            Component::ParentDir if clean.pop() => {}
            Component::ParentDir => return None,
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!clean.as_os_str().is_empty()).then_some(clean)
}

/// The mounts that protect names in the workspace, and the stand-ins they require.
#[derive(Debug, Default)]
pub(super) struct Protection {
    /// Folders above a protected name, parents first.
    pub(super) held: Vec<PathBuf>,
    /// Read-only paths: the names, or the nearest path that prevents their creation.
    pub(super) read_only: Vec<PathBuf>,
    stand_ins: Vec<PathBuf>,
    /// Paths whose stand-in is a folder, which Git never commits.
    folders: Vec<PathBuf>,
    lock: Option<File>,
}

impl Protection {
    /// Checks each name and creates missing ones as stand-ins. `folders` are absolute paths whose
    /// stand-in must be a folder.
    pub(super) fn prepare(
        workspace: &Path,
        names: &[PathBuf],
        folders: &[PathBuf],
    ) -> Result<Self, Failure> {
        let mut this = Self {
            folders: folders.to_vec(),
            lock: lock(workspace)?,
            ..Self::default()
        };
        for name in names {
            if let Err(failure) = this.protect(workspace, name) {
                this.remove_stand_ins();
                return Err(failure);
            }
        }
        this.held.sort();
        this.held.dedup();
        Ok(this)
    }

    fn protect(&mut self, workspace: &Path, name: &Path) -> Result<(), Failure> {
        let mut path = workspace.to_owned();
        let mut parts = name.components().peekable();
        while let Some(part) = parts.next() {
            path.push(part);
            if self.look(&path, name, parts.peek().is_none())? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Protects one path component of a name; returns true if nothing below it is left to do.
    fn look(&mut self, path: &Path, name: &Path, is_last: bool) -> Result<bool, Failure> {
        if self.read_only.iter().any(|done| done == path) {
            return Ok(true);
        }
        // Another command may create its stand-in between our check and our creation. It can't
        // disappear, since removal waits for the lock that we share.
        for _ in 0..3 {
            match fs::symlink_metadata(path) {
                Ok(data) if data.is_symlink() => {
                    return Err(Failure::ProtectedLink(path.to_owned()));
                }
                Ok(data) if is_stand_in(path, &data) => {
                    self.stand_ins.push(path.to_owned());
                    self.read_only.push(path.to_owned());
                    return Ok(true);
                }
                Ok(data) if data.is_dir() && !is_last => {
                    self.held.push(path.to_owned());
                    return Ok(false);
                }
                // If a parent of the name is a file, such as a worktree's `.git`, protect that file
                // instead.
                Ok(_) => {
                    self.read_only.push(path.to_owned());
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
            let is_folder = !is_last || self.folders.iter().any(|folder| folder == path);
            match put_stand_in(path, name, is_folder) {
                Ok(()) => {
                    self.stand_ins.push(path.to_owned());
                    self.read_only.push(path.to_owned());
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                // If we lack the permission to create it, so does the command, which runs with the
                // same permissions.
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
                    ) =>
                {
                    return Ok(true);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(Failure::Setup(format!(
            "{} keeps changing; try again",
            path.display()
        )))
    }

    /// Removes the stand-ins, unless another running command needs them.
    pub(super) fn remove_stand_ins(&mut self) {
        let Some(lock) = self.lock.take() else { return };
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
            return;
        }
        for path in self.stand_ins.drain(..).rev() {
            let Ok(data) = fs::symlink_metadata(&path) else {
                continue;
            };
            if is_stand_in(&path, &data) {
                // If one remains, the next command finds it.
                let _ = if data.is_dir() {
                    fs::remove_dir(&path)
                } else {
                    fs::remove_file(&path)
                };
            }
        }
    }
}

/// Acquires a shared lock on the workspace; `None` on timeout, in which case our stand-ins remain
/// for the next command.
fn lock(workspace: &Path) -> Result<Option<File>, Failure> {
    let folder = File::open(workspace)?;
    let begun = Instant::now();
    while flock(&folder, FlockOperation::NonBlockingLockShared).is_err() {
        if begun.elapsed() > LOCK_PATIENCE {
            return Ok(None);
        }
        // There is no event for a released lock, and a blocking wait has no timeout.
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(Some(folder))
}

/// Creates the stand-in with its final mode, so that it can't be mistaken for the user's.
fn put_stand_in(path: &Path, name: &Path, is_folder: bool) -> io::Result<()> {
    let mut folders = ALWAYS.iter().chain(&CONTROL.1);
    let is_folder = is_folder || folders.any(|folder| name == Path::new(folder));
    // Affects the whole process, which is a single-threaded helper; reset before it starts another.
    let before = umask(Mode::empty());
    let made = if is_folder {
        DirBuilder::new().mode(FOLDER_MODE).create(path)
    } else {
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create_new(true)
            .mode(FILE_MODE)
            .open(path);
        file.and_then(|mut file| file.write_all(content(path)))
    };
    umask(before);
    made
}

/// The content of a stand-in file: none, except for `commondir`, which Git refuses if it is empty.
/// It gets content that has the same effect as a missing file.
fn content(path: &Path) -> &'static [u8] {
    if path.ends_with(COMMON_DIR) {
        b".\n"
    } else {
        b""
    }
}

/// Whether this is a stand-in, which runs nothing and is removed automatically.
pub(super) fn is_stand_in(path: &Path, data: &fs::Metadata) -> bool {
    let mode = data.mode() & 0o7777;
    if data.is_dir() {
        mode == FOLDER_MODE && fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
    } else {
        let is_ours = || fs::read(path).is_ok_and(|bytes| bytes == content(path));
        let length = content(path).len() as u64;
        data.is_file() && mode == FILE_MODE && data.len() == length && is_ours()
    }
}

#[cfg(test)]
mod tests;
