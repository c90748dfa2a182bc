//! Ensures that only one process runs a plan in a workspace, across data folders. Lock files in
//! `.planwright/run/`, one for each name of the plan, are locked while their holder lives.
//!
//! The operating system releases a lock when the process ends, however it ends. The file's content
//! remains: it tells processes that use another data folder which run was interrupted. A
//! size-limited notes file also informs such processes. Git ignores the folder. This module knows
//! nothing about runs.

use std::io::{Read as _, Seek as _, Write as _};

use cap_std::fs::{Dir, File, OpenOptions};
use rustix::fs::{
    AtFlags, FlockOperation, Timespec, Timestamps, UTIME_OMIT, flock, fstat, utimensat,
};
use sha2::{Digest as _, Sha256};

use crate::error::ToolError;
use crate::workspace::Workspace;

/// The folder of the lock files.
const FOLDER: &str = ".planwright/run";

/// The file of the notes in that folder.
const NOTES: &str = "notes.jsonl";

/// Maximum number of bytes read from a lock file.
const MAX_BYTES: u64 = 4096;

/// Maximum number of bytes of notes; the oldest are dropped.
const MAX_NOTES_BYTES: usize = 64 * 1024;

/// Number of digits of a name's hash in the name of its lock file.
const NAME_DIGITS: usize = 16;

/// A lock that is being held.
#[derive(Debug)]
pub struct Lock {
    files: Vec<Held>,
    root: Dir,
    /// The workspace folder's modification time before and after creating the lock's folder in it.
    touched: (Timespec, Timespec),
}

/// A lock file that is being held.
#[derive(Debug)]
struct Held {
    file: File,
    path: String,
    found: String,
}

/// The result of requesting a lock.
#[derive(Debug)]
pub enum Locked {
    /// The lock was acquired.
    Lock(Lock),
    /// A running process holds it and wrote this text.
    HeldBy(String),
}

/// Acquires the lock of a plan under all of its names, and writes `words` into it.
///
/// # Errors
/// On an I/O error, or if `.planwright` leads out of the workspace.
pub fn acquire<'n>(
    workspace: &Workspace,
    names: impl IntoIterator<Item = &'n str>,
    words: &str,
) -> Result<Locked, ToolError> {
    let root = workspace.dir();
    let failed = |error: std::io::Error| ToolError::io("locking", FOLDER, &error);
    let before = changed_at(root).map_err(failed)?;
    root.create_dir_all(FOLDER).map_err(failed)?;
    let touched = (before, changed_at(root).map_err(failed)?);
    let ignore = format!("{FOLDER}/.gitignore");
    if !root.try_exists(&ignore).map_err(failed)? {
        root.write(&ignore, "*\n").map_err(failed)?;
    }
    let mut lock = Lock {
        files: Vec::new(),
        root: root.try_clone().map_err(failed)?,
        touched,
    };
    for name in names {
        match hold(root, format!("{FOLDER}/{}.lock", file_name(name))).map_err(failed)? {
            Ok(held) => lock.files.push(held),
            Err(words) => {
                // Nothing was written yet, so the previous content stays.
                lock.put_back();
                return Ok(Locked::HeldBy(words));
            }
        }
    }
    lock.write(words).map_err(failed)?;
    Ok(Locked::Lock(lock))
}

/// Locks one file, or returns the text of its current holder.
fn hold(root: &Dir, path: String) -> std::io::Result<Result<Held, String>> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    loop {
        let mut file = root.open_with(&path, &options)?;
        let is_ours = flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok();
        let found = read(&mut file, MAX_BYTES)?;
        if !is_ours {
            return Ok(Err(found));
        }
        // The last holder may have removed the file after we opened it and before we locked it.
        if is_at(root, &path, &file)? {
            return Ok(Ok(Held { file, path, found }));
        }
    }
}

/// The notes of a workspace, oldest first; empty if they can't be read.
pub fn notes(workspace: &Workspace) -> Vec<String> {
    let file = workspace.dir().open(format!("{FOLDER}/{NOTES}"));
    let text = file.and_then(|mut file| read(&mut file, MAX_NOTES_BYTES as u64));
    let text = text.unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

impl Lock {
    /// The texts that interrupted holders left, with the paths of their lock files.
    pub fn found(&self) -> impl Iterator<Item = (&str, &str)> {
        let left = self.files.iter().filter(|held| !held.found.is_empty());
        left.map(|held| (held.found.as_str(), held.path.as_str()))
    }

    /// Adds a line to the workspace's notes, replacing any line that starts with `begins`. `None`
    /// only removes such lines.
    ///
    /// # Errors
    /// On an I/O error.
    pub fn note(&self, begins: &str, line: Option<&str>) -> Result<(), ToolError> {
        let path = format!("{FOLDER}/{NOTES}");
        let write = || {
            let mut options = OpenOptions::new();
            options.read(true).write(true).truncate(false);
            let mut file = match self.root.open_with(&path, options.create(line.is_some())) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
                file => file?,
            };
            flock(&file, FlockOperation::LockExclusive)?;
            let known = read(&mut file, MAX_NOTES_BYTES as u64)?;
            let known = known.lines().filter(|known| !known.starts_with(begins));
            let all: Vec<&str> = known.chain(line).collect();
            let mut bytes = 0;
            let newest = all.iter().rev().take_while(|line| {
                bytes += line.len() + 1;
                bytes <= MAX_NOTES_BYTES
            });
            let first = all.len() - newest.count();
            let text: String = all[first..]
                .iter()
                .map(|line| format!("{line}\n"))
                .collect();
            rewrite(&mut file, &text)
        };
        write().map_err(|error| ToolError::io("writing", &path, &error))
    }

    /// Releases the lock, removes its files, and restores the workspace folder's modification time
    /// if nothing else changed it.
    pub fn release(mut self) {
        for held in &mut self.files {
            held.found.clear();
        }
        self.put_back();
    }

    /// Releases the lock and restores the files' previous content, because this holder did nothing.
    pub fn put_back(mut self) {
        let (empty, left): (Vec<Held>, Vec<Held>) = std::mem::take(&mut self.files)
            .into_iter()
            .partition(|held| held.found.is_empty());
        for mut held in left {
            let found = std::mem::take(&mut held.found);
            // If this fails, the next holder overwrites the content.
            let _ = rewrite(&mut held.file, &found);
        }
        self.remove(empty);
    }

    fn remove(&self, files: Vec<Held>) {
        let root = &self.root;
        let (before, after) = self.touched;
        let is_ours = changed_at(root).is_ok_and(|now| now == after);
        for held in &files {
            let _ = root.remove_file(&held.path);
        }
        let others = root.read_dir(FOLDER).map(|entries| {
            let mut names = entries.flatten().map(|entry| entry.file_name());
            names.any(|name| name != ".gitignore")
        });
        if matches!(others, Ok(false)) {
            let _ = root.remove_file(format!("{FOLDER}/.gitignore"));
            let _ = root.remove_dir(FOLDER);
            // Fails, as intended, if the folder contains settings or templates.
            let _ = root.remove_dir(".planwright");
            if is_ours {
                let _ = set_changed_at(root, before);
            }
        }
        drop(files);
    }

    /// Releases the lock and leaves `words` for the next holder.
    ///
    /// # Errors
    /// On an I/O error.
    pub fn leave(mut self, words: &str) -> Result<(), ToolError> {
        self.write(words)
            .map_err(|error| ToolError::io("locking", FOLDER, &error))
    }

    fn write(&mut self, words: &str) -> std::io::Result<()> {
        let mut files = self.files.iter_mut();
        files.try_for_each(|held| rewrite(&mut held.file, words))
    }
}

fn rewrite(file: &mut File, words: &str) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(words.as_bytes())?;
    file.sync_data()
}

/// The modification time of a folder.
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
    // The folder was opened with `O_PATH`, so times can't be set on its own descriptor.
    Ok(utimensat(folder, ".", &times, AtFlags::empty())?)
}

fn read(file: &mut File, most: u64) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
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

fn file_name(name: &str) -> String {
    let digest = Sha256::digest(name.as_bytes());
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.chars().take(NAME_DIGITS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(workspace: &Workspace, words: &str) -> Lock {
        match acquire(workspace, ["plans/a.md"], words).unwrap() {
            Locked::Lock(lock) => lock,
            Locked::HeldBy(other) => panic!("held by {other}"),
        }
    }

    #[test]
    fn one_holder_at_a_time_and_nothing_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        let first = lock(&workspace, "first");
        assert_eq!(first.found().count(), 0);
        match acquire(&workspace, ["plans/a.md"], "second").unwrap() {
            Locked::HeldBy(words) => assert_eq!(words, "first"),
            Locked::Lock(_) => panic!("held twice"),
        }
        assert!(matches!(
            acquire(&workspace, ["plans/b.md"], "other").unwrap(),
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
        // Dropping the lock only closes the file, as when a process ends.
        drop(lock(&workspace, "first"));
        let second = lock(&workspace, "second");
        let words = |lock: &Lock| lock.found().next().map(|(words, _)| words.to_owned());
        assert_eq!(words(&second).as_deref(), Some("first"));
        second.put_back();
        let third = lock(&workspace, "third");
        assert_eq!(words(&third).as_deref(), Some("first"));
    }

    #[test]
    fn a_plan_of_several_names_is_held_under_each_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        let take = |names: [&'static str; 2]| acquire(&workspace, names, "words").unwrap();
        let Locked::Lock(first) = take(["a", "b"]) else {
            panic!("free")
        };
        for names in [["c", "a"], ["b", "c"]] {
            assert!(matches!(take(names), Locked::HeldBy(_)), "{names:?}");
        }
        let Locked::Lock(other) = take(["c", "d"]) else {
            panic!("what was refused holds nothing")
        };
        first.release();
        other.release();
        assert!(!folder.path().join(".planwright").exists());
    }

    #[test]
    fn notes_outlive_the_lock_and_stay_small() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        let first = lock(&workspace, "first");
        first.note("a", None).unwrap();
        assert_eq!(notes(&workspace), Vec::<String>::new());
        for line in ["a 1", "b 1", "a 2"] {
            first.note(&line[..1], Some(line)).unwrap();
        }
        assert_eq!(notes(&workspace), ["b 1", "a 2"]);
        let long = "x".repeat(MAX_NOTES_BYTES / 2);
        first.note("x", Some(&long)).unwrap();
        first.note("y", Some(&long.replace('x', "y"))).unwrap();
        assert_eq!(notes(&workspace).len(), 1, "the oldest gave way");
        first.note("b", None).unwrap();
        first.release();
        assert_eq!(notes(&workspace).len(), 1);
    }

    #[test]
    fn a_folder_that_leads_out_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join(".planwright")).unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        assert!(acquire(&workspace, ["plans/a.md"], "first").is_err());
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    }
}
