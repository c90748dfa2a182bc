//! One runner per plan and workspace, in whatever process and data folder: a lock file in
//! `.planwright/run/`, locked for as long as its holder lives.
//!
//! The operating system lets go of the lock when the process ends, however it ends. What the file says
//! outlives it: a holder that was cut off leaves the name of its run behind, for those who do not share
//! its data folder. Git does not list the folder. Knows nothing of what a run is.

use std::io::{Read as _, Seek as _, Write as _};

use cap_std::fs::{Dir, File, OpenOptions};
use rustix::fs::{
    AtFlags, FlockOperation, Timespec, Timestamps, UTIME_OMIT, flock, fstat, utimensat,
};
use sha2::{Digest as _, Sha256};

use crate::error::ToolError;
use crate::workspace::Workspace;

/// Where the lock files are.
const FOLDER: &str = ".planwright/run";

/// The most bytes that are read of a lock file.
const MAX_BYTES: u64 = 4096;

/// Digits of the plan's hash in the name of its lock file.
const NAME_DIGITS: usize = 16;

/// A lock that is held.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: String,
    root: Dir,
    found: String,
    /// When the workspace's folder was changed last before and after the lock's own folder was made in it.
    touched: (Timespec, Timespec),
}

/// The answer to a request for a lock.
#[derive(Debug)]
pub enum Locked {
    /// It is yours.
    Lock(Lock),
    /// A living process has it; these are its words.
    HeldBy(String),
}

/// Takes the lock of a plan, and writes `words` into it.
///
/// # Errors
/// What the disk says, or that `.planwright` leads out of the workspace.
pub fn acquire(workspace: &Workspace, plan: &str, words: &str) -> Result<Locked, ToolError> {
    let root = workspace.dir();
    let failed = |error: std::io::Error| ToolError::io("locking", FOLDER, &error);
    let before = changed_at(root).map_err(failed)?;
    root.create_dir_all(FOLDER).map_err(failed)?;
    let touched = (before, changed_at(root).map_err(failed)?);
    let ignore = format!("{FOLDER}/.gitignore");
    if !root.try_exists(&ignore).map_err(failed)? {
        root.write(&ignore, "*\n").map_err(failed)?;
    }
    let path = format!("{FOLDER}/{}.lock", name(plan));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    loop {
        let mut file = root.open_with(&path, &options).map_err(failed)?;
        let is_ours = flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok();
        let found = read(&mut file).map_err(failed)?;
        if !is_ours {
            return Ok(Locked::HeldBy(found));
        }
        // Its last holder may have removed the file between our opening and our locking it.
        if is_at(root, &path, &file).map_err(failed)? {
            let mut lock = Lock {
                file,
                path,
                touched,
                root: root.try_clone().map_err(failed)?,
                found,
            };
            lock.write(words).map_err(failed)?;
            return Ok(Locked::Lock(lock));
        }
    }
}

impl Lock {
    /// What an earlier holder left behind that was cut off; empty where none was.
    pub fn found(&self) -> &str {
        &self.found
    }

    /// Where the file is in the workspace.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Lets go and leaves nothing behind, not even a newer time of the workspace's folder.
    pub fn release(self) {
        // What stays is overwritten by the next holder.
        let root = &self.root;
        let (before, after) = self.touched;
        let is_ours = changed_at(root).is_ok_and(|now| now == after);
        if root.remove_file(&self.path).is_ok() {
            let others = root.read_dir(FOLDER).map(|entries| {
                let mut names = entries.flatten().map(|entry| entry.file_name());
                names.any(|name| name != ".gitignore")
            });
            if matches!(others, Ok(false)) {
                let _ = root.remove_file(format!("{FOLDER}/.gitignore"));
                let _ = root.remove_dir(FOLDER);
                // Fails, as it should, where settings or templates are kept there.
                let _ = root.remove_dir(".planwright");
                if is_ours {
                    let _ = set_changed_at(root, before);
                }
            }
        }
        drop(self.file);
    }

    /// Lets go and leaves what the file said before: this holder did nothing.
    pub fn put_back(mut self) {
        let found = std::mem::take(&mut self.found);
        match found.is_empty() {
            true => self.release(),
            false => drop(self.write(&found)),
        }
    }

    /// Lets go and leaves `words` for the next one who asks.
    ///
    /// # Errors
    /// What the disk says.
    pub fn leave(mut self, words: &str) -> Result<(), ToolError> {
        self.write(words)
            .map_err(|error| ToolError::io("locking", &self.path, &error))
    }

    fn write(&mut self, words: &str) -> std::io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(words.as_bytes())?;
        self.file.sync_data()
    }
}

/// When something was last put into a folder or taken out of it.
fn changed_at(folder: &Dir) -> std::io::Result<Timespec> {
    let stat = fstat(folder)?;
    Ok(Timespec {
        tv_sec: stat.st_mtime,
        tv_nsec: i64::try_from(stat.st_mtime_nsec).unwrap_or_default(),
    })
}

fn set_changed_at(folder: &Dir, time: Timespec) -> std::io::Result<()> {
    let times = Timestamps {
        last_access: Timespec {
            tv_sec: 0,
            tv_nsec: UTIME_OMIT,
        },
        last_modification: time,
    };
    // The folder is held as a mere path, whose own descriptor takes no times.
    Ok(utimensat(folder, ".", &times, AtFlags::empty())?)
}

fn read(file: &mut File) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether the path still leads to this file.
fn is_at(root: &Dir, path: &str, file: &File) -> std::io::Result<bool> {
    use cap_std::fs::MetadataExt as _;
    let open = file.metadata()?;
    match root.symlink_metadata(path) {
        Ok(there) => Ok((there.dev(), there.ino()) == (open.dev(), open.ino())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn name(plan: &str) -> String {
    let digest = Sha256::digest(plan.as_bytes());
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.chars().take(NAME_DIGITS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(workspace: &Workspace, words: &str) -> Lock {
        match acquire(workspace, "plans/a.md", words).unwrap() {
            Locked::Lock(lock) => lock,
            Locked::HeldBy(other) => panic!("held by {other}"),
        }
    }

    #[test]
    fn one_holder_at_a_time_and_nothing_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        let first = lock(&workspace, "first");
        assert_eq!(first.found(), "");
        match acquire(&workspace, "plans/a.md", "second").unwrap() {
            Locked::HeldBy(words) => assert_eq!(words, "first"),
            Locked::Lock(_) => panic!("held twice"),
        }
        assert!(matches!(
            acquire(&workspace, "plans/b.md", "other").unwrap(),
            Locked::Lock(_)
        ));
        first.release();
        lock(&workspace, "third").release();
        std::fs::remove_dir_all(folder.path().join(".planwright")).unwrap();
        let before = std::fs::metadata(folder.path())
            .unwrap()
            .modified()
            .unwrap();
        lock(&workspace, "alone").release();
        assert!(!folder.path().join(".planwright").exists());
        let after = std::fs::metadata(folder.path())
            .unwrap()
            .modified()
            .unwrap();
        assert_eq!(before, after, "no trace");
    }

    #[test]
    fn whoever_is_cut_off_leaves_its_words() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        // The end of the process closes the file and does nothing else.
        drop(lock(&workspace, "first"));
        let second = lock(&workspace, "second");
        assert_eq!(second.found(), "first");
        second.put_back();
        assert_eq!(lock(&workspace, "third").found(), "first");
    }

    #[test]
    fn a_folder_that_leads_out_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join(".planwright")).unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        assert!(acquire(&workspace, "plans/a.md", "first").is_err());
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    }
}
