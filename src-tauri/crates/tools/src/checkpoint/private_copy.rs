//! A private copy of a workspace, in which another agent works.
//!
//! The agent sees the copy instead of the workspace and may change anything in it. Its changes are
//! then listed file by file; the caller decides about each one and aligns the copy with the
//! workspace again. Private files, plans and `.planwright/` aren't copied. Ignored folders, such as
//! installed packages, aren't copied either, but they are listed, so that they can be shown
//! read-only.
//!
//! Only the initial copying uses plain paths, since it writes to a new folder. Later, the agent may
//! have put links anywhere, so every path is resolved inside a [`Workspace`]. Nothing here writes
//! to the original.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use cap_std::fs::{OpenOptions, OpenOptionsExt as _};
use rustix::fs::FileType;

use super::blobs::{BlobId, Blobs};
use super::changes::{Change, ChangeKind};
use super::rel_path::RelPath;
use super::snapshot::{Limits, Snapshot};
use crate::error::ToolError;
use crate::protection::PrivateLinks;
use crate::walk::{Step, walk};
use crate::workspace::{Workspace, mode_of, open_regular};

/// Maximum number of files that are copied, and of files that an agent may add.
const MAX_FILES: usize = 100_000;
/// Maximum number of bytes that are copied.
const MAX_BYTES: u64 = 4 << 30;
/// Maximum number of ignored folders that are shown read-only.
const MAX_SHARED: usize = 64;
/// Maximum number of files that an agent may change in one turn.
const MAX_DIFFERENCES: usize = 300;
/// Maximum size of a changed file whose content is returned, in bytes.
const MAX_CHANGED: u64 = 8 << 20;
/// Maximum size of a file that is copied when aligning, in bytes.
const MAX_PUT_BACK: u64 = 32 << 20;

/// A private copy of a workspace; removed when dropped.
#[derive(Debug)]
pub struct PrivateCopy {
    folder: PathBuf,
    files: Workspace,
    base: Snapshot,
    shared: Vec<PathBuf>,
}

/// A file in the copy that has changed since the base was taken: when the copy was made or last
/// rebased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The file's path, relative to the workspace.
    pub path: String,
    /// The content in the base; `None` if there was no file.
    pub before: Option<BlobId>,
    /// Its current state in the copy.
    pub now: Now,
}

/// The current state of a changed file in the copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Now {
    /// A file with this text.
    Text(String),
    /// The file no longer exists.
    Gone,
    /// Something that can't be brought into the workspace, with the reason.
    Unfit(&'static str),
}

impl PrivateCopy {
    /// Copies a workspace into a new folder in `below`.
    ///
    /// # Errors
    /// If it is too large, or on an I/O error; nothing is left behind.
    pub fn make(workspace: &Workspace, below: &Path, blobs: &Blobs) -> Result<Self, ToolError> {
        let folder = crate::sandbox::private_folder(below)
            .map_err(|error| ToolError::io("making a private copy in", below, &error))?;
        let made = copy_all(workspace, &folder).and_then(|shared| {
            let files = Workspace::open(&folder)?;
            let base = take(&files, blobs, None)?;
            Ok((files, base, shared))
        });
        match made {
            Ok((files, base, shared)) => Ok(Self {
                folder,
                files,
                base,
                shared,
            }),
            Err(error) => {
                // A folder that can't be removed only takes up space.
                let _ = fs::remove_dir_all(&folder);
                Err(error)
            }
        }
    }

    /// The copy's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The workspace's ignored folders, which weren't copied.
    pub fn shared(&self) -> &[PathBuf] {
        &self.shared
    }

    /// The files that differ from the base, except for those that Git ignores.
    ///
    /// # Errors
    /// If there are too many differences, or on an I/O error.
    pub fn differences(&self, blobs: &Blobs) -> Result<Vec<Difference>, ToolError> {
        let mut count = 0;
        walk(&self.files, "", &mut |_| {
            count += 1;
            Ok(match count > 2 * MAX_FILES {
                true => Step::Stop,
                false => Step::On,
            })
        })?;
        if count > 2 * MAX_FILES {
            return Err(too_much(format!(
                "it has more than {} files now",
                2 * MAX_FILES
            )));
        }
        let now = take(&self.files, blobs, Some(&self.base))?;
        let changes = Snapshot::changes(&self.base, &now);
        let changes: Vec<Change> = changes.into_iter().filter(|one| !one.ignored).collect();
        if changes.len() > MAX_DIFFERENCES {
            return Err(too_much(format!(
                "{} files differ, more than {MAX_DIFFERENCES}",
                changes.len()
            )));
        }
        changes
            .iter()
            .map(|change| difference(change, blobs))
            .collect()
    }

    /// Makes a file in the copy the same as in the workspace, except if the agent must not see the
    /// workspace's version, for example because it is a private file. Then the agent's own version
    /// is kept if `is_made` (its change was made in the workspace), and removed otherwise.
    ///
    /// # Errors
    /// On an I/O error, and if the path leads out of the copy.
    pub fn align(&self, workspace: &Workspace, path: &str, is_made: bool) -> Result<(), ToolError> {
        let original = match workspace.place(path) {
            Ok(place) => {
                let is_hidden = is_hidden(workspace, &place.rel);
                match (is_made, is_hidden || !self.was_known(path)) {
                    (true, _) if is_hidden => return Ok(()),
                    (false, true) => None,
                    _ => place.read(MAX_PUT_BACK)?,
                }
            }
            // In the workspace, a folder above it is a file.
            Err(ToolError::NotAFolder { .. }) => None,
            Err(error) => return Err(error),
        };
        let failed =
            |error: io::Error| ToolError::io("aligning a private copy of", Path::new(path), &error);
        // Something else in place of a folder above it is a difference of its own.
        let mut above: Vec<&Path> = Path::new(path).ancestors().skip(1).collect();
        above.retain(|folder| !folder.as_os_str().is_empty());
        for folder in above.into_iter().rev() {
            let place = self.files.place_of_link(folder)?;
            let Some(stat) = place.stat()? else { break };
            if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
                if original.is_none() {
                    return Ok(());
                }
                place.dir.remove_file(&place.name).map_err(failed)?;
                break;
            }
        }
        let mut place = self.files.place_of_link(path)?;
        let found = place.stat()?;
        match found.map(|stat| FileType::from_raw_mode(stat.st_mode)) {
            Some(FileType::Directory) if original.is_none() => return Ok(()),
            Some(FileType::Directory) => place.dir.remove_dir_all(&place.name).map_err(failed)?,
            Some(_) => place.dir.remove_file(&place.name).map_err(failed)?,
            None => {}
        }
        let Some((content, stat)) = original else {
            return Ok(());
        };
        place.create_parents()?.keep();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(mode_of(&stat));
        let file = place.dir.open_with(&place.name, &options).map_err(failed)?;
        io::Write::write_all(&mut { file }, &content).map_err(failed)
    }

    /// Whether the base contains this path and Git didn't ignore it.
    fn was_known(&self, path: &str) -> bool {
        let entry = self.base.entries.get(&RelPath::from(path));
        entry.is_some_and(|entry| !entry.ignored)
    }

    /// Makes the current state of the copy the base for later differences.
    ///
    /// # Errors
    /// On an I/O error.
    pub fn rebase(&mut self, blobs: &Blobs) -> Result<(), ToolError> {
        self.base = take(&self.files, blobs, Some(&self.base))?;
        Ok(())
    }
}

impl Drop for PrivateCopy {
    fn drop(&mut self) {
        // A folder that can't be removed only takes up space; making a later copy removes it.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn take(files: &Workspace, blobs: &Blobs, base: Option<&Snapshot>) -> Result<Snapshot, ToolError> {
    let limits = Limits {
        ignored_files: 0,
        ignored_bytes: 0,
        file_bytes: MAX_CHANGED,
        ..Limits::default()
    };
    Snapshot::take(files, blobs, base, &limits)
}

fn too_much(reason: String) -> ToolError {
    ToolError::Argument {
        reason: format!("the private copy of the workspace can’t be used: {reason}"),
    }
}

fn difference(change: &Change, blobs: &Blobs) -> Result<Difference, ToolError> {
    let is_file = |mode: Option<u32>| {
        mode.is_some_and(|mode| FileType::from_raw_mode(mode) == FileType::RegularFile)
    };
    let text = |blob: BlobId| -> Result<Now, ToolError> {
        let text = String::from_utf8(blobs.get(blob)?);
        Ok(text.map_or(Now::Unfit("it isn’t text"), Now::Text))
    };
    let now = match (change.kind, change.after) {
        (ChangeKind::ModeChanged, _) => Now::Unfit("only its permissions changed"),
        (ChangeKind::Deleted, _) if !is_file(change.before_mode) => Now::Unfit("it was a link"),
        (ChangeKind::Deleted, _) if change.before.is_none() => Now::Unfit("it is too large"),
        (ChangeKind::Deleted, _) => Now::Gone,
        (_, None) => Now::Unfit("it is too large"),
        _ if !is_file(change.after_mode) => Now::Unfit("it is a link"),
        (ChangeKind::Modified, _) if !is_file(change.before_mode) => Now::Unfit("it was a link"),
        (ChangeKind::Modified, _) if change.before.is_none() => Now::Unfit("it is too large"),
        (_, Some(blob)) => text(blob)?,
    };
    let path = change.path.as_path().to_str();
    Ok(Difference {
        path: path.map_or_else(|| change.path.to_string(), str::to_owned),
        before: change.before,
        now: match path {
            Some(_) => now,
            None => Now::Unfit("its name isn’t text"),
        },
    })
}

fn is_hidden(workspace: &Workspace, path: &Path) -> bool {
    workspace.protection(path).is_some() || workspace.is_private(path)
}

/// Copies files and links, and returns the ignored folders.
fn copy_all(workspace: &Workspace, folder: &Path) -> Result<Vec<PathBuf>, ToolError> {
    let (mut shared, mut files, mut bytes) = (Vec::new(), 0, 0);
    let links = PrivateLinks::default();
    walk(workspace, "", &mut |entry| {
        if is_hidden(workspace, &entry.path) || links.lead_to_private(workspace, &entry.stat) {
            return Ok(Step::Over);
        }
        files += 1;
        let target = folder.join(&entry.path);
        let failed = |error: io::Error| ToolError::io("copying", &entry.path, &error);
        match entry.kind() {
            FileType::Directory if entry.ignored => {
                if shared.len() < MAX_SHARED {
                    make_folder(&target).map_err(failed)?;
                    shared.push(entry.path.clone());
                }
                return Ok(Step::Over);
            }
            FileType::Directory => make_folder(&target).map_err(failed)?,
            FileType::Symlink => {
                let named = entry.dir.read_link_contents(entry.name).map_err(failed)?;
                symlink(
                    std::ffi::OsStr::from_bytes(named.as_os_str().as_bytes()),
                    &target,
                )
                .map_err(failed)?;
            }
            FileType::RegularFile => {
                let Some((mut file, stat)) = open_regular(entry.dir, entry.name).map_err(failed)?
                else {
                    return Ok(Step::On);
                };
                bytes += u64::try_from(stat.st_size).unwrap_or_default();
                if bytes <= MAX_BYTES {
                    let mut copy = fs::File::create_new(&target).map_err(failed)?;
                    io::copy(&mut file, &mut copy).map_err(failed)?;
                    let mode = fs::Permissions::from_mode(mode_of(&stat) | 0o600);
                    copy.set_permissions(mode).map_err(failed)?;
                }
            }
            _ => {}
        }
        if files > MAX_FILES || bytes > MAX_BYTES {
            let most = MAX_BYTES >> 30;
            return Err(too_much(format!(
                "the workspace has more than {MAX_FILES} files or {most} GB that Git doesn’t ignore"
            )));
        }
        Ok(Step::On)
    })?;
    Ok(shared)
}

fn make_folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(test)]
mod tests;
