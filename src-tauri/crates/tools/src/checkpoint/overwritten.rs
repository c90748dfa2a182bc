//! File contents before a run and now, for deciding whether content was lost.

use std::collections::{BTreeMap, BTreeSet};

use gate::destructive::Overwritten;

use super::blobs::{BlobId, Blobs};
use super::changes::{Change, ChangeKind};
use super::rel_path::RelPath;
use super::snapshot::Snapshot;
use crate::error::ToolError;

/// Maximum number of bytes compared per file.
const MAX_COMPARED: usize = 4 << 20;

/// The files that the run changed, each with its text before the run and now. A file that existed
/// before the run and that a command changed or deleted also has its text before the command. Empty
/// if no command changed or deleted a file.
///
/// `befores` are the snapshots before each step, in order. `made` are the files that steps are
/// known to have changed; those missing from the first snapshot are the run's own. Ignored files,
/// and files whose whole content is now in another file, don't count as losses, so their earlier
/// content is left out.
///
/// # Errors
/// If stored contents cannot be read.
pub fn overwritten(
    blobs: &Blobs,
    befores: &[Snapshot],
    made: &BTreeSet<&str>,
    by_command: &[Change],
    now: &Snapshot,
) -> Result<Vec<Overwritten>, ToolError> {
    let first = befores.first();
    let is_own = |path: &RelPath| {
        made.contains(path.to_string().as_str())
            && first.is_none_or(|first| !first.entries.contains_key(path))
    };
    let original = |path: &RelPath| {
        let mut found = befores.iter().filter_map(|before| before.entries.get(path));
        found.next().filter(|_| !is_own(path))
    };
    let commanded: BTreeMap<&RelPath, &Change> = by_command
        .iter()
        .filter(|change| !change.ignored)
        .filter(|change| matches!(change.kind, ChangeKind::Deleted | ChangeKind::Modified))
        .map(|change| (&change.path, change))
        .collect();
    if commanded.is_empty() {
        return Ok(Vec::new());
    }
    let known = befores.iter().flat_map(|before| before.entries.keys());
    let paths: BTreeSet<&RelPath> = known.chain(now.entries.keys()).collect();
    let is_changed = |path: &&&RelPath| {
        let (original, now) = (original(path), now.entries.get(path));
        let is_ignored = [original, now].iter().flatten().all(|entry| entry.ignored);
        let blob = |entry: Option<&super::snapshot::Entry>| entry.and_then(|entry| entry.blob);
        !is_ignored && (blob(original) != blob(now) || commanded.contains_key(**path))
    };
    let changed: Vec<&RelPath> = paths.iter().filter(is_changed).copied().collect();
    let held: BTreeSet<BlobId> = changed
        .iter()
        .filter_map(|path| now.entries.get(path)?.blob)
        .collect();
    let text = |blob: Option<BlobId>| -> Result<String, ToolError> {
        let mut bytes = blob.map(|blob| blobs.get(blob)).transpose()?;
        let bytes = bytes.as_mut().map(|bytes| {
            bytes.truncate(MAX_COMPARED);
            String::from_utf8_lossy(bytes).into_owned()
        });
        Ok(bytes.unwrap_or_default())
    };
    let mut files = Vec::new();
    for path in changed {
        let first = original(path);
        let command = commanded.get(path).filter(|change| {
            let is_moved = change.before.is_some_and(|blob| held.contains(&blob));
            first.is_some() && !is_moved
        });
        files.push(Overwritten {
            path: path.to_string(),
            original: text(first.and_then(|entry| entry.blob))?,
            before: match command {
                // Too large to be stored, so it can't be restored either.
                Some(change) if change.before.is_none() => Some(char::REPLACEMENT_CHARACTER.into()),
                Some(change) => Some(text(change.before)?),
                None => None,
            },
            now: text(now.entries.get(path).and_then(|entry| entry.blob))?,
        });
    }
    Ok(files)
}
