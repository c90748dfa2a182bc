//! A resolved place in the workspace: an open folder and a name in it.
//!
//! All operations work on single names without following links. Only regular files are opened:
//! opening a pipe would block, and opening a device can have side effects.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::PathBuf;

use cap_fs_ext::DirExt;
use cap_std::fs::Dir;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::error::ToolError;

/// Where a file is or would be.
#[derive(Debug)]
pub(crate) struct Place {
    /// The path, relative to the workspace, with links resolved.
    pub(crate) rel: PathBuf,
    /// The deepest existing folder on the path.
    pub(crate) dir: Dir,
    /// The folders below it that do not exist yet.
    pub(crate) missing: Vec<OsString>,
    /// The last name of the path.
    pub(crate) name: OsString,
}

impl Place {
    /// The path to display.
    pub(crate) fn shown(&self) -> String {
        self.rel.display().to_string()
    }

    /// The metadata of the entry at this place, without following links; `None` if there is none.
    pub(crate) fn stat(&self) -> Result<Option<Stat>, ToolError> {
        if !self.missing.is_empty() {
            return Ok(None);
        }
        stat_at(&self.dir, &self.name).map_err(|error| ToolError::io("opening", &self.rel, &error))
    }

    /// The whole content and metadata; `None` if there is no file.
    pub(crate) fn read(&self, limit: u64) -> Result<Option<(Vec<u8>, Stat)>, ToolError> {
        let Some(stat) = self.stat()? else {
            return Ok(None);
        };
        if let Some(kind) = kind_of(&stat) {
            return Err(ToolError::NotAFile {
                path: self.shown(),
                kind,
            });
        }
        let failed = |error: io::Error| ToolError::io("reading", &self.rel, &error);
        let Some((file, stat)) = open_regular(&self.dir, &self.name).map_err(failed)? else {
            return Ok(None);
        };
        let len = u64::try_from(stat.st_size).unwrap_or_default();
        if len > limit {
            return Err(ToolError::TooLarge {
                path: self.shown(),
                len,
                limit,
            });
        }
        let content = read_all(file, limit).map_err(failed)?;
        let Some(content) = content else {
            return Err(ToolError::TooLarge {
                path: self.shown(),
                len: limit + 1,
                limit,
            });
        };
        Ok(Some((content, stat)))
    }

    /// Creates the file's missing folders. They are removed again unless [`Created::keep`] is
    /// called.
    pub(crate) fn create_parents(&mut self) -> Result<Created, ToolError> {
        let failed = |error: io::Error| ToolError::io("creating a folder for", &self.rel, &error);
        let mut created = Created(Vec::new());
        for name in std::mem::take(&mut self.missing) {
            let parent = self.dir.try_clone().map_err(failed)?;
            match rustix::fs::mkdirat(&self.dir, &name, Mode::from_raw_mode(0o777)) {
                Ok(()) => created.0.push((parent, name.clone())),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(failed(error.into())),
            }
            // The folder must survive a power failure before a file in it is reported as written.
            sync_folder(&self.dir).map_err(failed)?;
            self.dir = self.dir.open_dir_nofollow(&name).map_err(failed)?;
        }
        Ok(created)
    }
}

/// Folders created for a file that does not exist yet.
#[must_use = "the folders are removed when this is dropped"]
pub(crate) struct Created(Vec<(Dir, OsString)>);

impl Created {
    /// Keeps the folders, because the file was created.
    pub(crate) fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for Created {
    fn drop(&mut self) {
        for (dir, name) in self.0.iter().rev() {
            // Fails if another program added something; the folder then stays.
            let _ = rustix::fs::unlinkat(dir, name, AtFlags::REMOVEDIR);
        }
    }
}

/// Makes the entries of a folder durable. `cap-std` opens folders with `O_PATH`, which can't be
/// synced, so the folder is opened again.
pub(crate) fn sync_folder(dir: impl AsFd) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = rustix::fs::openat(dir, ".", flags, Mode::empty())?;
    match rustix::fs::fsync(&folder) {
        // Some file systems cannot sync folders; ignore that.
        Ok(()) | Err(Errno::INVAL) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Metadata of an entry in a folder, without following links; `None` if it doesn't exist.
pub(crate) fn stat_at(dir: impl AsFd, name: &OsStr) -> io::Result<Option<Stat>> {
    match rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(stat)),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The kind of a file that is not regular; `None` for a regular file.
pub(crate) fn kind_of(stat: &Stat) -> Option<&'static str> {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => None,
        FileType::Directory => Some("a folder"),
        FileType::Symlink => Some("a symbolic link"),
        FileType::Fifo => Some("a pipe"),
        FileType::Socket => Some("a socket"),
        FileType::CharacterDevice | FileType::BlockDevice => Some("a device"),
        _ => Some("an entry of unknown type"),
    }
}

/// The permission bits.
pub(crate) fn mode_of(stat: &Stat) -> u32 {
    stat.st_mode & 0o7777
}

/// Opens a regular file for reading; `None` if it doesn't exist. Any other kind of entry is an
/// error, even if swapped in concurrently.
pub(crate) fn open_regular(dir: impl AsFd, name: &OsStr) -> io::Result<Option<(File, Stat)>> {
    let irregular = || io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
    let Some(stat) = stat_at(&dir, name)? else {
        return Ok(None);
    };
    if kind_of(&stat).is_some() {
        return Err(irregular());
    }
    // `NONBLOCK`, in case a pipe was swapped in after the check.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::openat(dir, name, flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let stat = rustix::fs::fstat(&file)?;
    if kind_of(&stat).is_some() {
        return Err(irregular());
    }
    Ok(Some((file.into(), stat)))
}

/// Reads to the end; `None` if there are more than `limit` bytes.
pub(crate) fn read_all(file: File, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let expected = file.metadata()?.len().min(limit);
    let mut content = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
    file.take(limit + 1).read_to_end(&mut content)?;
    Ok((u64::try_from(content.len()).unwrap_or(u64::MAX) <= limit).then_some(content))
}
