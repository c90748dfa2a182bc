//! Restores a snapshot: reverts what an interrupted command left behind.

use std::io;

use cap_fs_ext::DirExt as _;
use gate::{Act, Action, Permit};
use rustix::fs::{AtFlags, FileType, Mode};
use serde::{Deserialize, Serialize};

use super::blobs::Blobs;
use super::changes::{Change, ChangeKind};
use super::put_back::{Side, current, place_of, put_back, put_mode_back};
use super::rel_path::RelPath;
use super::snapshot::Snapshot;
use crate::error::ToolError;
use crate::walk::{Step, walk};
use crate::workspace::Workspace;

/// The result of a restore.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Restored {
    /// Files that are now as they were in the snapshot.
    pub restored: Vec<RelPath>,
    /// Files that were left as they are, with reasons.
    pub not_restored: Vec<NotRestored>,
}

/// A file that was not restored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotRestored {
    /// The file's path.
    pub path: RelPath,
    /// The reason, as a sentence.
    pub reason: String,
}

/// Undoes `changes`, which were made since `target`, then creates missing folders and removes new
/// empty ones. Files that changed since the changes were computed are skipped and reported. It is
/// safe to repeat after a crash.
///
/// # Errors
/// [`ToolError::NotPermitted`] if the permit is for something else. It also fails if the workspace
/// is gone or the disk is full or read-only, since continuing would be pointless.
pub fn restore(
    permit: &Permit,
    workspace: &Workspace,
    blobs: &Blobs,
    target: &Snapshot,
    changes: &[Change],
) -> Result<Restored, ToolError> {
    permit.require(&Action::Own(Act::TakeBack))?;
    workspace.ensure_present()?;
    let mut outcome = Restored::default();
    // New files may be where a folder was, so they are removed first, deepest first.
    let created = changes
        .iter()
        .rev()
        .filter(|change| change.kind == ChangeKind::Created);
    let others = changes
        .iter()
        .filter(|change| change.kind != ChangeKind::Created);
    let mut new_folders_gone = false;
    for change in created.chain(others) {
        if change.kind != ChangeKind::Created && !new_folders_gone {
            remove_new_folders(workspace, target)?;
            new_folders_gone = true;
        }
        match one(workspace, blobs, target, change) {
            Ok(()) => outcome.restored.push(change.path.clone()),
            Err(
                error @ (ToolError::NoSpace { .. }
                | ToolError::Quota { .. }
                | ToolError::ReadOnly { .. }
                | ToolError::WorkspaceGone { .. }),
            ) => return Err(error),
            Err(error) => outcome.not_restored.push(NotRestored {
                path: change.path.clone(),
                reason: error.to_string(),
            }),
        }
    }
    create_missing_folders(workspace, target);
    remove_new_folders(workspace, target)?;
    outcome.restored.sort();
    Ok(outcome)
}

fn one(
    workspace: &Workspace,
    blobs: &Blobs,
    target: &Snapshot,
    change: &Change,
) -> Result<(), ToolError> {
    let created = change.kind == ChangeKind::Created;
    let mut place = match place_of(workspace, change) {
        // One of its parent folders is a file again, so it is already gone.
        Err(ToolError::NotAFolder { .. }) if created => return Ok(()),
        place => place?,
    };
    let changed = || ToolError::ChangedMeanwhile {
        path: change.path.to_string(),
        other: None,
    };
    if change.kind == ChangeKind::ModeChanged {
        return if put_mode_back(&place, change)? {
            Ok(())
        } else {
            Err(changed())
        };
    }
    let Some((before, after)) = Side::of(change) else {
        return Err(ToolError::NotKept {
            path: change.path.to_string(),
        });
    };
    let (now, _) = current(&place)?;
    let folder_again = created && now == Side::Other && target.folders.contains(&change.path);
    if now == before || folder_again {
        return Ok(());
    }
    if !now.same_content(after) && !now.same_content(before) {
        return Err(changed());
    }
    put_back(&mut place, blobs, now, before)
}

fn create_missing_folders(workspace: &Workspace, target: &Snapshot) {
    // Sorted, so parents come first. Errors are ignored, since these folders are empty anyway.
    for folder in &target.folders {
        if let Ok(place) = workspace.place_of_link(folder)
            && place.rel == folder.as_path()
            && place.missing.is_empty()
        {
            let _ = rustix::fs::mkdirat(&place.dir, &place.name, Mode::from_raw_mode(0o777));
        }
    }
}

fn remove_new_folders(workspace: &Workspace, target: &Snapshot) -> Result<(), ToolError> {
    let mut new = Vec::new();
    walk(workspace, "", &mut |entry| {
        let path = RelPath::from(entry.path.clone());
        if entry.kind() != FileType::Directory || workspace.protection(&entry.path).is_some() {
            return Ok(Step::Over);
        }
        if !target.folders.contains(&path) {
            if target.is_unseen(&path) {
                return Ok(Step::Over);
            }
            new.push(path);
        }
        Ok(Step::On)
    })?;
    for folder in new.iter().rev() {
        let Some(name) = folder.as_path().file_name() else {
            continue;
        };
        let parent = folder.as_path().parent().unwrap_or(folder.as_path());
        if let Ok((rel, dir)) = workspace.folder(parent)
            && rel == parent
            && is_empty(&dir, name).unwrap_or(false)
        {
            // Fails if another program added something; the folder then stays.
            let _ = rustix::fs::unlinkat(&dir, name, AtFlags::REMOVEDIR);
        }
    }
    Ok(())
}

fn is_empty(dir: &cap_std::fs::Dir, name: &std::ffi::OsStr) -> io::Result<bool> {
    Ok(dir.open_dir_nofollow(name)?.entries()?.next().is_none())
}
