//! Applies changes made by others, such as other steps, to an earlier snapshot. Comparing it with a
//! later one then shows only a step's own changes.

use super::blobs::{BlobId, Blobs};
use super::changes::{Change, compare};
use super::snapshot::{Entry, Print, Snapshot};
use super::undo::merged;
use crate::error::ToolError;

/// Metadata for content that was never in a file on disk.
const NO_FILE: Print = Print {
    dev: 0,
    ino: 0,
    size: 0,
    mtime: 0,
    ctime: i64::MAX,
};

impl Snapshot {
    /// Applies `changes` that others made since this snapshot; `after` has the resulting files.
    /// Files that are the same here and in `last`, the later snapshot to compare with, are skipped.
    /// If both sides changed a file, only the others' part is applied; if the parts can't be
    /// separated, the file stays as it is. Contents are durable on return.
    ///
    /// # Errors
    /// If content cannot be read or stored.
    pub fn follow(
        &mut self,
        blobs: &Blobs,
        changes: &[Change],
        after: &Self,
        last: &Self,
    ) -> Result<(), ToolError> {
        for change in changes.iter().filter(|change| change.held) {
            let path = &change.path;
            let own = self.entries.get(path);
            let is_same = |other: Option<&Entry>| match (own, other) {
                (Some(own), Some(other)) => compare(own, other).is_none(),
                (own, other) => own.is_none() && other.is_none(),
            };
            let found = after.entries.get(path);
            if is_same(last.entries.get(path)) || is_same(found) {
                continue;
            }
            let known = (
                own.and_then(|entry| entry.blob),
                own.map(|entry| entry.mode),
            );
            let theirs = match found {
                _ if known != (change.before, change.before_mode) => {
                    both(blobs, change, own)?.or_else(|| own.cloned())
                }
                found => found.cloned(),
            };
            match theirs {
                Some(entry) => self.entries.insert(path.clone(), entry),
                None => self.entries.remove(path),
            };
        }
        blobs.sync()
    }
}

/// Merges the others' change into a file; `None` if a version is missing or they can't be merged.
fn both(blobs: &Blobs, change: &Change, own: Option<&Entry>) -> Result<Option<Entry>, ToolError> {
    let (Some(before), Some(after), Some(own)) = (change.before, change.after, own) else {
        return Ok(None);
    };
    let Some(ours) = own.blob else {
        return Ok(None);
    };
    let blob = merged_blob(blobs, before, ours, after)?;
    Ok(blob.map(|blob| Entry {
        print: NO_FILE,
        blob: Some(blob),
        ..own.clone()
    }))
}

/// Stores `base` merged with both sides' changes; `None` if they touch the same lines or one of
/// them is not text. Durable after [`Blobs::sync`].
///
/// # Errors
/// If content cannot be read or stored.
pub fn merged_blob(
    blobs: &Blobs,
    base: BlobId,
    ours: BlobId,
    theirs: BlobId,
) -> Result<Option<BlobId>, ToolError> {
    match merged(&blobs.get(base)?, &blobs.get(ours)?, &blobs.get(theirs)?) {
        Ok(text) => blobs.put(text.as_bytes()).map(Some),
        Err(_) => Ok(None),
    }
}
