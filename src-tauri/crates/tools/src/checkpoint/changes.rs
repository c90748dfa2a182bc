//! Differences between two snapshots.

use rustix::fs::FileType;
use serde::{Deserialize, Serialize};

use super::blobs::BlobId;
use super::rel_path::RelPath;
use super::snapshot::{Entry, Snapshot};

/// How a file differs between two snapshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// The file is new.
    Created,
    /// The content differs, or a file was replaced by a link or vice versa.
    Modified,
    /// The file no longer exists.
    Deleted,
    /// Only the permission bits differ.
    ModeChanged,
}

/// A file or link that differs between two snapshots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The file's path.
    pub path: RelPath,
    /// The kind of change.
    pub kind: ChangeKind,
    /// The content before (for a link: its target); `None` if there was none or it was not kept.
    pub before: Option<BlobId>,
    /// The content after; `None` if there is none or it was not kept.
    pub after: Option<BlobId>,
    /// Type and permission bits before; `None` if nothing existed.
    pub before_mode: Option<u32>,
    /// Type and permission bits after; `None` if nothing exists.
    pub after_mode: Option<u32>,
    /// Whether it can be undone, since everything needed was kept.
    pub held: bool,
    /// Whether Git ignores it; it is then usually an output that can be regenerated.
    pub ignored: bool,
}

impl Snapshot {
    /// All differences, sorted by path. Folders that either snapshot did not fully scan are
    /// skipped.
    pub fn changes(before: &Self, after: &Self) -> Vec<Change> {
        let mut changes = Vec::new();
        for (path, old) in &before.entries {
            match after.entries.get(path) {
                Some(new) => {
                    if let Some(kind) = compare(old, new) {
                        changes.push(change(path, kind, Some(old), Some(new)));
                    }
                }
                None if after.is_unseen(path) => {}
                None => changes.push(change(path, ChangeKind::Deleted, Some(old), None)),
            }
        }
        for (path, new) in &after.entries {
            if !before.entries.contains_key(path) && !before.is_unseen(path) {
                changes.push(change(path, ChangeKind::Created, None, Some(new)));
            }
        }
        changes.sort_by(|one, other| one.path.cmp(&other.path));
        changes
    }
}

pub(super) fn compare(old: &Entry, new: &Entry) -> Option<ChangeKind> {
    let same_type = FileType::from_raw_mode(old.mode) == FileType::from_raw_mode(new.mode);
    let same_content = match (old.blob, new.blob) {
        (Some(old), Some(new)) => old == new,
        // A mode change also changes ctime, so ctime is not compared.
        _ => {
            (old.print.ino, old.print.size, old.print.mtime)
                == (new.print.ino, new.print.size, new.print.mtime)
        }
    };
    if !same_type || !same_content {
        Some(ChangeKind::Modified)
    } else {
        (old.mode != new.mode).then_some(ChangeKind::ModeChanged)
    }
}

fn change(path: &RelPath, kind: ChangeKind, old: Option<&Entry>, new: Option<&Entry>) -> Change {
    let kept = |side: Option<&Entry>| side.is_none_or(|entry| entry.blob.is_some());
    Change {
        path: path.clone(),
        kind,
        before: old.and_then(|entry| entry.blob),
        after: new.and_then(|entry| entry.blob),
        before_mode: old.map(|entry| entry.mode),
        after_mode: new.map(|entry| entry.mode),
        held: kind == ChangeKind::ModeChanged || (kept(old) && kept(new)),
        ignored: [old, new].into_iter().flatten().all(|entry| entry.ignored),
    }
}
