//! Commands that were approved to commit, and the Git folder they use.
//!
//! A commit writes `index`, `HEAD.lock` and other files into the folder whose files decide what Git
//! runs. It therefore gets a private Git folder in place of that one, with copies of the files it
//! may replace. Objects, references and logs are the repository's own. Afterwards, the index, the
//! log of `HEAD` and a detached `HEAD` are copied back; everything else is discarded.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::git::repository::Repository;
use plan::word_list::WordList;

/// The parts of a repository that a commit writes to, if they exist.
pub(super) const WRITABLE: [&str; 5] = ["objects", "refs", "logs", "reftable", "lfs"];

/// Files besides the index and `HEAD` that describe an unfinished merge, which a commit may
/// conclude.
const UNFINISHED: [&str; 5] = [
    "MERGE_HEAD",
    "MERGE_MSG",
    "MERGE_MODE",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
];

/// Files that are copied to the private Git folder if they exist.
const COPIED: WordList = WordList(
    "HEAD index commondir gitdir config.worktree ORIG_HEAD logs/HEAD info/sparse-checkout \
     COMMIT_EDITMSG FETCH_HEAD",
);

/// The private Git folder of one commit.
#[derive(Debug)]
pub(super) struct PrivateGit {
    pub(super) repository: Repository,
    pub(super) folder: PathBuf,
    index: Option<Stamp>,
}

/// Metadata of a file, for detecting changes.
#[derive(Debug, PartialEq, Eq)]
struct Stamp(u64, u64, (i64, i64));

fn stamp(path: &Path) -> Option<Stamp> {
    let data = fs::symlink_metadata(path).ok()?;
    Some(Stamp(
        data.ino(),
        data.len(),
        (data.mtime(), data.mtime_nsec()),
    ))
}

/// Gives a copy the modification time of its original. Git uses the index's time to decide which
/// files to read again, since they may have changed in the same second in which they were added.
fn keep_time(from: &Path, to: &Path) -> io::Result<()> {
    let time = fs::metadata(from)?.modified()?;
    fs::File::options().write(true).open(to)?.set_modified(time)
}

impl PrivateGit {
    /// Creates `folder` and copies the files into it.
    pub(super) fn create(repository: Repository, folder: PathBuf) -> io::Result<Self> {
        fs::DirBuilder::new().mode(0o700).create(&folder)?;
        let own = &repository.own;
        let index = stamp(&own.join("index"));
        for name in COPIED.iter().chain(UNFINISHED) {
            let (from, to) = (own.join(name), folder.join(name));
            if fs::symlink_metadata(&from).is_ok_and(|data| data.is_file()) {
                if let Some(above) = to.parent() {
                    fs::create_dir_all(above)?;
                }
                fs::copy(&from, &to)?;
                keep_time(&from, &to)?;
            }
        }
        for name in shared_indexes(own) {
            fs::copy(own.join(&name), folder.join(&name))?;
        }
        for name in WRITABLE {
            // Git creates the folder of logs with its first commit.
            if name == "logs" && repository.common.join("refs").is_dir() {
                fs::create_dir_all(repository.common.join(name))?;
            }
        }
        Ok(Self {
            repository,
            folder,
            index,
        })
    }

    /// Tells Git that objects and other shared parts are in the repository.
    pub(super) fn point_to_common(&self) -> io::Result<()> {
        let common = self.repository.common.as_os_str().as_encoded_bytes();
        fs::write(self.folder.join("commondir"), [common, b"\n"].concat())
    }

    /// The mounts: the private folder as the Git folder, with everything it lacks taken from the
    /// repository.
    pub(super) fn places(&self) -> io::Result<Vec<(PathBuf, PathBuf, bool)>> {
        let Repository { own, common, .. } = &self.repository;
        let mut places = vec![(self.folder.clone(), own.clone(), true)];
        let is_ours = |name: &str| {
            COPIED.contains(name)
                || UNFINISHED.contains(&name)
                || name.ends_with(".lock")
                || is_shared_index(name)
        };
        for entry in fs::read_dir(common)? {
            let name = entry?.file_name();
            let Some(name) = name.to_str() else { continue };
            let path = common.join(name);
            let is_writable = WRITABLE.contains(&name);
            // A worktree's private folder covers only the worktree's own folder, so the common
            // folder needs no mounts.
            if path.is_symlink() || own != common && !is_writable || is_ours(name) && !is_writable {
                continue;
            }
            places.push((path.clone(), path, is_writable));
        }
        Ok(places)
    }

    /// The existing parts of the repository that a commit writes to.
    pub(super) fn writable(&self) -> Vec<PathBuf> {
        let all = WRITABLE
            .iter()
            .map(|name| self.repository.common.join(name));
        all.filter(|path| path.is_dir() && !path.is_symlink())
            .collect()
    }

    /// Copies back what a commit may change. Returns messages about anything that was not copied or
    /// was removed.
    pub(super) fn copy_back(&self, logs_are_shared: bool) -> Vec<String> {
        let mut alarms = Vec::new();
        let own = &self.repository.own;
        let mut tell = |what: &str, done: io::Result<()>| {
            if let Err(error) = done {
                alarms.push(format!(
                    "couldn't save {what} of {} after the commit: {error}",
                    own.display()
                ));
            }
        };
        tell("the index", self.copy_index());
        if !logs_are_shared {
            tell("the log of HEAD", self.copy_log());
        }
        tell("HEAD", self.copy_head());
        for name in UNFINISHED {
            if own.join(name).exists() && !self.folder.join(name).exists() {
                tell(name, fs::remove_file(own.join(name)));
            }
        }
        for name in WRITABLE {
            remove_links(&self.repository.common.join(name), &mut alarms);
        }
        alarms
    }

    /// Copies back the index by Git's own protocol: writes the lock file, then renames it to the
    /// index. Fails if another program has changed the index in the meantime.
    fn copy_index(&self) -> io::Result<()> {
        let (from, to) = (self.folder.join("index"), self.repository.own.join("index"));
        let Some(bytes) = read_file(&from)? else {
            return Ok(());
        };
        if !bytes.starts_with(b"DIRC") {
            return Err(io::Error::other("not a Git index"));
        }
        if fs::read(&to).is_ok_and(|before| before == bytes) {
            return Ok(());
        }
        if stamp(&to) != self.index {
            return Err(io::Error::other(
                "another program changed it in the meantime",
            ));
        }
        // Old shared indexes stay; Git removes them once they have not been used for a while.
        for name in shared_indexes(&self.folder) {
            let to = self.repository.own.join(&name);
            if fs::symlink_metadata(&to).is_err()
                && let Some(bytes) = read_file(&self.folder.join(&name))?
                && bytes.starts_with(b"DIRC")
            {
                let mut options = fs::OpenOptions::new();
                let file = options.write(true).create_new(true).mode(0o644).open(&to);
                file?.write_all(&bytes)?;
            }
        }
        let lock = self.repository.own.join("index.lock");
        let mut file = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o644)
            .open(&lock)?;
        let placed = file
            .write_all(&bytes)
            .and_then(|()| keep_time(&from, &lock))
            .and_then(|()| fs::rename(&lock, &to));
        if placed.is_err() {
            let _ = fs::remove_file(&lock);
        }
        placed
    }

    /// Appends the new lines of `HEAD`'s log, and none if other programs have added some.
    fn copy_log(&self) -> io::Result<()> {
        let (from, to) = (
            self.folder.join("logs/HEAD"),
            self.repository.own.join("logs/HEAD"),
        );
        let Some(bytes) = read_file(&from)? else {
            return Ok(());
        };
        let before = read_file(&to)?.unwrap_or_default();
        if let Some(added) = bytes
            .strip_prefix(&*before)
            .filter(|added| !added.is_empty())
        {
            if let Some(above) = to.parent() {
                fs::create_dir_all(above)?;
            }
            fs::OpenOptions::new()
                .append(true)
                .create(true)
                .open(&to)?
                .write_all(added)?;
        }
        Ok(())
    }

    /// Copies back a detached `HEAD`; a commit on a branch doesn't change `HEAD` itself.
    fn copy_head(&self) -> io::Result<()> {
        let to = self.repository.own.join("HEAD");
        let (Some(is), Some(was)) = (read_file(&self.folder.join("HEAD"))?, read_file(&to)?) else {
            return Ok(());
        };
        if is == was {
            return Ok(());
        }
        let is_detached = |bytes: &[u8]| is_head(bytes) && !bytes.starts_with(b"ref:");
        if !is_detached(&is) || !is_detached(&was) {
            return Err(io::Error::other("the command switched branches"));
        }
        let lock = self.repository.own.join("HEAD.lock");
        let mut file = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o644)
            .open(&lock)?;
        file.write_all(&is)?;
        fs::rename(&lock, &to)
    }
}

/// Whether this is the content of a `HEAD` that names a branch or a commit.
pub(super) fn is_head(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let Some(text) = text.strip_suffix('\n') else {
        return false;
    };
    match text.strip_prefix("ref: refs/") {
        Some(name) => !name.contains("..") && !name.contains(char::is_whitespace),
        None => (40..=64).contains(&text.len()) && text.chars().all(|c| c.is_ascii_hexdigit()),
    }
}

/// Whether a name is that of a shared index: with `core.splitIndex`, most of an index is in a
/// separate file named by its hash.
fn is_shared_index(name: &str) -> bool {
    let hash = name.strip_prefix("sharedindex.");
    hash.is_some_and(|hash| hash.len() >= 40 && hash.chars().all(|c| c.is_ascii_hexdigit()))
}

fn shared_indexes(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let names = files.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| is_shared_index(name)).collect()
}

/// The bytes of a regular file; `None` if it does not exist.
fn read_file(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::symlink_metadata(path) {
        Ok(data) if data.is_file() => fs::read(path).map(Some),
        Ok(_) => Err(io::Error::other("not a regular file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes everything but regular files and folders. Git writes through links, so a link in its
/// logs would redirect the user's next commit.
fn remove_links(folder: &Path, alarms: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_dir() {
            remove_links(&entry.path(), alarms);
        } else if !kind.is_file() {
            let path = entry.path();
            alarms.push(match fs::remove_file(&path) {
                Ok(()) => format!("removed {}, which was not a regular file", path.display()),
                Err(error) => format!(
                    "couldn't remove {}, which is not a regular file: {error}",
                    path.display()
                ),
            });
        }
    }
}
