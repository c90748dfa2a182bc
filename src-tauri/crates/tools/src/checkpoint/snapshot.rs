//! The state of a workspace's files at one moment.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use cap_std::fs::Dir;
use rustix::fs::{FileType, Stat};
use serde::{Deserialize, Serialize};

use super::blobs::{BlobId, Blobs};
use super::rel_path::RelPath;
use crate::error::ToolError;
use crate::hash::{ContentHash, Hasher};
use crate::walk::{self, Step, walk};
use crate::workspace::{Workspace, open_regular, read_all};

/// Nanoseconds by which kernel timestamps may lag the clock. A file changed this shortly before a
/// snapshot may change again without its times changing.
const CLOCK_GRAIN: i64 = 20_000_000;

/// Limits on what a snapshot keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of ignored files that are kept with content.
    pub ignored_files: usize,
    /// Maximum total size of kept ignored files, in bytes.
    pub ignored_bytes: u64,
    /// Maximum number of ignored files that are examined.
    pub ignored_seen: usize,
    /// Files larger than this, in bytes, are kept without content.
    pub file_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            ignored_files: 2_000,
            ignored_bytes: 32 << 20,
            ignored_seen: 50_000,
            file_bytes: 64 << 20,
        }
    }
}

/// The state of a workspace's files at one moment; serializable, without contents.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Snapshot {
    /// Start time in nanoseconds since 1970.
    taken: i64,
    pub(super) entries: BTreeMap<RelPath, Entry>,
    pub(super) folders: BTreeSet<RelPath>,
    /// Folders that were not fully scanned; nothing is known about their content.
    pub(super) unseen: BTreeSet<RelPath>,
    /// Hash of the targets of HEAD and the branches.
    git: Option<ContentHash>,
}

/// One file or link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Packed", into = "Packed")]
pub(super) struct Entry {
    pub(super) print: Print,
    /// Type and permission bits.
    pub(super) mode: u32,
    pub(super) blob: Option<BlobId>,
    /// Whether Git ignores it; it is then usually an output that can be regenerated.
    pub(super) ignored: bool,
}

/// Metadata that shows whether a file is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Print {
    pub(super) dev: u64,
    pub(super) ino: u64,
    pub(super) size: i64,
    pub(super) mtime: i64,
    pub(super) ctime: i64,
}

/// The serialized form, without field names since there may be many entries.
type Packed = (u64, u64, i64, i64, i64, u32, Option<BlobId>, bool);

impl From<Packed> for Entry {
    fn from((dev, ino, size, mtime, ctime, mode, blob, ignored): Packed) -> Self {
        Self {
            print: Print {
                dev,
                ino,
                size,
                mtime,
                ctime,
            },
            mode,
            blob,
            ignored,
        }
    }
}

impl From<Entry> for Packed {
    fn from(
        Entry {
            print,
            mode,
            blob,
            ignored,
        }: Entry,
    ) -> Self {
        (
            print.dev,
            print.ino,
            print.size,
            print.mtime,
            print.ctime,
            mode,
            blob,
            ignored,
        )
    }
}

// The types of these fields differ between architectures.
#[allow(clippy::useless_conversion, clippy::unnecessary_fallible_conversions)]
fn print_of(stat: &Stat) -> Print {
    let nanoseconds = |seconds: i64, rest: u64| {
        seconds
            .saturating_mul(1_000_000_000)
            .saturating_add(i64::try_from(rest).unwrap_or(0))
    };
    Print {
        dev: stat.st_dev,
        ino: stat.st_ino,
        size: stat.st_size,
        mtime: nanoseconds(
            stat.st_mtime,
            u64::try_from(stat.st_mtime_nsec).unwrap_or(0),
        ),
        ctime: nanoseconds(
            stat.st_ctime,
            u64::try_from(stat.st_ctime_nsec).unwrap_or(0),
        ),
    }
}

/// Whether this is a cache of an interpreter, linter or test runner. Caches are regenerated on
/// demand and don't count as changes.
fn is_cache(path: &Path) -> bool {
    const FOLDERS: [&str; 5] = [
        "__pycache__",
        ".pytest_cache",
        ".mypy_cache",
        ".ruff_cache",
        ".hypothesis",
    ];
    let is_bytecode = path
        .extension()
        .is_some_and(|extension| extension == "pyc" || extension == "pyo");
    let name = path.file_name().and_then(|name| name.to_str());
    is_bytecode
        || name.is_some_and(|name| FOLDERS.contains(&name))
        || path.ends_with("node_modules/.cache")
}

impl Snapshot {
    /// Scans every file and stores contents that `previous` does not have. Contents are durable in
    /// `blobs` on return. Protected plans, `.planwright/` and the caches of interpreters and
    /// linters are left out; protect the plan before the first snapshot.
    ///
    /// # Errors
    /// If the workspace is gone or contents cannot be stored. An unreadable file is not an error:
    /// only its size and times are recorded.
    pub fn take(
        workspace: &Workspace,
        blobs: &Blobs,
        previous: Option<&Self>,
        limits: &Limits,
    ) -> Result<Self, ToolError> {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |now| now.as_nanos());
        let taken = i64::try_from(now).unwrap_or(i64::MAX);
        let mut snapshot = Self {
            taken,
            git: git_print(workspace),
            ..Self::default()
        };
        let mut budget = Budget {
            limits,
            files: 0,
            bytes: 0,
            seen: 0,
        };
        let unreadable = walk(workspace, "", &mut |entry| {
            if workspace.protection(&entry.path).is_some() || is_cache(&entry.path) {
                return Ok(Step::Over);
            }
            if entry.ignored && !budget.look() {
                let parent = entry.path.parent().map(|parent| parent.to_owned());
                snapshot.unseen.insert(parent.unwrap_or_default().into());
                return Ok(Step::Over);
            }
            let path = RelPath::from(entry.path.clone());
            match entry.kind() {
                FileType::Directory => {
                    snapshot.folders.insert(path);
                }
                FileType::RegularFile | FileType::Symlink => {
                    let old = previous.and_then(|previous| previous.reliable(&path));
                    let file = budget.entry(blobs, entry, old)?;
                    snapshot.entries.insert(path, file);
                }
                _ => {}
            }
            Ok(Step::On)
        })?;
        snapshot
            .unseen
            .extend(unreadable.into_iter().map(RelPath::from));
        blobs.sync()?;
        Ok(snapshot)
    }

    /// Start time in nanoseconds since 1970.
    pub fn taken(&self) -> i64 {
        self.taken
    }

    /// Number of files and links.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no files or links.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The outermost folders that contain only ignored files: where tools put their output.
    pub fn output_folders(&self) -> BTreeSet<RelPath> {
        let above = |path: &RelPath| -> Vec<PathBuf> {
            let folders = path.as_path().ancestors().skip(1);
            let named = folders.filter(|folder| !folder.as_os_str().is_empty());
            named.map(Path::to_owned).collect()
        };
        let (ignored, kept): (Vec<_>, Vec<_>) =
            self.entries.iter().partition(|(_, entry)| entry.ignored);
        let kept: BTreeSet<PathBuf> = kept.into_iter().flat_map(|(path, _)| above(path)).collect();
        let outermost = ignored.into_iter().filter_map(|(path, _)| {
            let folders = above(path).into_iter().rev();
            folders.into_iter().find(|folder| !kept.contains(folder))
        });
        outermost.map(RelPath::from).collect()
    }

    /// Whether the target of HEAD or of a branch differs from that in `other`. A restore does not
    /// undo that.
    pub fn moved_git(&self, other: &Self) -> bool {
        self.git != other.git
    }

    /// The blob with a file's content, if the content was kept.
    pub fn blob(&self, path: &RelPath) -> Option<BlobId> {
        self.entries.get(path).and_then(|entry| entry.blob)
    }

    /// The entry, if its times reliably show changes.
    fn reliable(&self, path: &RelPath) -> Option<&Entry> {
        let settled = self.taken.saturating_sub(CLOCK_GRAIN);
        self.entries
            .get(path)
            .filter(|entry| entry.print.ctime < settled && entry.print.mtime < settled)
    }

    /// Whether `path` is in a folder that was not fully scanned.
    pub(super) fn is_unseen(&self, path: &RelPath) -> bool {
        path.as_path().ancestors().skip(1).any(|folder| {
            // Usually the set is empty, which is cheap to check.
            !self.unseen.is_empty() && self.unseen.contains(&RelPath::from(folder.to_owned()))
        })
    }
}

struct Budget<'l> {
    limits: &'l Limits,
    files: usize,
    bytes: u64,
    seen: usize,
}

impl Budget<'_> {
    /// Counts an ignored entry; `false` if it exceeds the limit and must not be examined.
    fn look(&mut self) -> bool {
        self.seen += 1;
        self.seen <= self.limits.ignored_seen
    }

    fn entry(
        &mut self,
        blobs: &Blobs,
        found: &walk::Entry<'_>,
        old: Option<&Entry>,
    ) -> Result<Entry, ToolError> {
        let print = print_of(&found.stat);
        let mode = found.stat.st_mode;
        let size = u64::try_from(print.size).unwrap_or_default();
        let keep = self.keeps(found.ignored, size);
        if let Some(old) = old.filter(|old| old.print == print && old.mode == mode)
            && (old.blob.is_some() || !keep)
        {
            let ignored = found.ignored;
            return Ok(Entry {
                ignored,
                ..old.clone()
            });
        }
        let link = found.kind() == FileType::Symlink;
        let content = if link {
            let target = found.dir.read_link_contents(found.name).ok();
            target.map(|target| target.as_os_str().as_bytes().to_vec())
        } else if keep {
            // An unreadable file is recorded without content.
            open_regular(found.dir, found.name)
                .ok()
                .flatten()
                .and_then(|(file, _)| read_all(file, self.limits.file_bytes).ok().flatten())
        } else {
            None
        };
        let blob = content.map(|content| blobs.put(&content)).transpose()?;
        Ok(Entry {
            print,
            mode,
            blob,
            ignored: found.ignored,
        })
    }

    fn keeps(&mut self, ignored: bool, size: u64) -> bool {
        if size > self.limits.file_bytes {
            return false;
        }
        if !ignored {
            return true;
        }
        let fits = self.files < self.limits.ignored_files
            && self.bytes.saturating_add(size) <= self.limits.ignored_bytes;
        if fits {
            self.files += 1;
            self.bytes += size;
        }
        fits
    }
}

/// A hash of the targets of HEAD and the branches; `None` if the workspace has no repository of its
/// own.
pub(crate) fn git_print(workspace: &Workspace) -> Option<ContentHash> {
    let (_, git) = workspace.folder(".git").ok()?;
    let mut hasher = Hasher::default();
    for name in ["HEAD", "packed-refs"] {
        hash_small(&git, name.as_ref(), &mut hasher);
    }
    if let Ok(refs) = git.open_dir("refs") {
        hash_refs(&refs, &mut hasher, 0);
    }
    Some(hasher.finish())
}

fn hash_refs(dir: &Dir, hasher: &mut Hasher, depth: usize) {
    let Ok(entries) = dir.entries() else { return };
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    for name in names {
        match dir.symlink_metadata(&name) {
            Ok(found) if found.is_dir() && depth < 32 => {
                hasher.update(name.as_bytes());
                if let Ok(inner) = dir.open_dir(&name) {
                    hash_refs(&inner, hasher, depth + 1);
                }
            }
            Ok(_) => hash_small(dir, &name, hasher),
            Err(_) => {}
        }
    }
}

fn hash_small(dir: &Dir, name: &std::ffi::OsStr, hasher: &mut Hasher) {
    let mut content = Vec::new();
    if let Ok(Some((file, _))) = open_regular(dir, name)
        && file.take(64 << 20).read_to_end(&mut content).is_ok()
    {
        hasher.update(name.as_bytes());
        hasher.update(b"\0");
        hasher.update(&content);
        hasher.update(b"\0");
    }
}
