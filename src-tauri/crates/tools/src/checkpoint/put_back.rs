//! Restores one file or link if it still is as expected.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use rustix::fs::{AtFlags, FileType, Mode};

use super::blobs::{BlobId, Blobs};
use super::changes::Change;
use crate::atomic::{self, NewContent};
use crate::error::ToolError;
use crate::hash::ContentHash;
use crate::protection::check_writable;
use crate::workspace::{Place, Workspace, open_regular, read_all};

/// The actual or expected entry at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Nothing,
    File {
        hash: BlobId,
        mode: u32,
    },
    Link {
        hash: BlobId,
    },
    /// A folder, pipe, socket or device.
    Other,
}

impl Side {
    /// Both sides of a change; `None` if some content was not kept.
    pub(super) fn of(change: &Change) -> Option<(Self, Self)> {
        let side = |blob: Option<BlobId>, mode: Option<u32>| match (blob, mode) {
            (_, None) => Some(Self::Nothing),
            (Some(hash), Some(mode)) => Some(match FileType::from_raw_mode(mode) {
                FileType::Symlink => Self::Link { hash },
                _ => Self::File {
                    hash,
                    mode: mode & 0o7777,
                },
            }),
            (None, Some(_)) => None,
        };
        Some((
            side(change.before, change.before_mode)?,
            side(change.after, change.after_mode)?,
        ))
    }

    /// Whether both have the same type and content, regardless of mode.
    pub(super) fn same_content(self, other: Self) -> bool {
        match (self, other) {
            (Self::File { hash: one, .. }, Self::File { hash: other, .. }) => one == other,
            _ => self == other && self != Self::Other,
        }
    }
}

/// The place of a change; refuses protected paths and paths that a link now redirects.
pub(super) fn place_of(workspace: &Workspace, change: &Change) -> Result<Place, ToolError> {
    let place = workspace.place_of_link(&change.path)?;
    check_writable(workspace, &place.rel)?;
    if place.rel != change.path.as_path() {
        return Err(ToolError::PathShifted {
            path: change.path.to_string(),
        });
    }
    Ok(place)
}

/// The current entry at a place, with its content if it is a file.
pub(super) fn current(place: &Place) -> Result<(Side, Option<Vec<u8>>), ToolError> {
    let failed = |error: io::Error| ToolError::io("reading", &place.rel, &error);
    let Some(stat) = place.stat()? else {
        return Ok((Side::Nothing, None));
    };
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => {
            let Some((file, stat)) = open_regular(&place.dir, &place.name).map_err(failed)? else {
                return Ok((Side::Nothing, None));
            };
            let content = read_all(file, u64::MAX - 1)
                .map_err(failed)?
                .unwrap_or_default();
            let hash = ContentHash::of(&content);
            Ok((
                Side::File {
                    hash,
                    mode: stat.st_mode & 0o7777,
                },
                Some(content),
            ))
        }
        FileType::Symlink => {
            let target = place.dir.read_link_contents(&place.name).map_err(failed)?;
            Ok((
                Side::Link {
                    hash: ContentHash::of(target.as_os_str().as_bytes()),
                },
                None,
            ))
        }
        _ => Ok((Side::Other, None)),
    }
}

/// Replaces the entry at `place`, which is expected to be `now`, with `target`.
pub(super) fn put_back(
    place: &mut Place,
    blobs: &Blobs,
    now: Side,
    target: Side,
) -> Result<(), ToolError> {
    // Read the content before removing anything.
    let content = match target {
        Side::File { hash, .. } | Side::Link { hash } => Some(blobs.get(hash)?),
        Side::Nothing | Side::Other => None,
    };
    match (now, target, content) {
        (
            Side::File {
                hash: old,
                mode: was,
            },
            Side::File { hash, mode },
            _,
        ) if old == hash => {
            if was == mode {
                Ok(())
            } else {
                set_mode(place, mode)
            }
        }
        (Side::File { hash: old, .. }, Side::File { hash, mode }, Some(content)) => {
            let temp_name = temp_name(place, Some(old), Some(hash));
            let new = NewContent {
                expected: Some(old),
                bytes: &content,
                mode: Some(mode),
                temp_name: &temp_name,
            };
            atomic::put(place, &new)
        }
        (now, target, content) => {
            take_away(place, now)?;
            match (target, content) {
                (Side::File { hash, mode }, Some(content)) => {
                    let temp_name = temp_name(place, None, Some(hash));
                    let created = place.create_parents()?;
                    let new = NewContent {
                        expected: None,
                        bytes: &content,
                        mode: Some(mode),
                        temp_name: &temp_name,
                    };
                    atomic::put(place, &new)?;
                    created.keep();
                    Ok(())
                }
                (Side::Link { .. }, Some(content)) => {
                    let created = place.create_parents()?;
                    let target = OsString::from_vec(content);
                    rustix::fs::symlinkat(&target, &place.dir, &place.name)
                        .map_err(|error| ToolError::io("linking", &place.rel, &error.into()))?;
                    created.keep();
                    Ok(())
                }
                _ => Ok(()),
            }
        }
    }
}

fn temp_name(place: &Place, before: Option<BlobId>, after: Option<BlobId>) -> String {
    atomic::temp_name(&place.shown(), before, after)
}

fn take_away(place: &Place, now: Side) -> Result<(), ToolError> {
    match now {
        Side::Nothing => Ok(()),
        Side::File { hash, .. } => atomic::remove(place, hash, &temp_name(place, Some(hash), None)),
        Side::Link { .. } => rustix::fs::unlinkat(&place.dir, &place.name, AtFlags::empty())
            .map_err(|error| ToolError::io("deleting", &place.rel, &error.into())),
        Side::Other => Err(ToolError::ChangedMeanwhile {
            path: place.shown(),
            other: None,
        }),
    }
}

fn set_mode(place: &Place, mode: u32) -> Result<(), ToolError> {
    let failed = |error: io::Error| ToolError::io("setting the mode of", &place.rel, &error);
    let found = match open_regular(&place.dir, &place.name) {
        // Without read permission, the file can't be opened, so its mode is set by path.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => None,
        result => Some(result.map_err(failed)?),
    };
    let set = |file: &File| rustix::fs::fchmod(file, Mode::from_raw_mode(mode));
    match found {
        Some(Some((file, _))) => set(&file).map_err(|error| failed(error.into())),
        Some(None) => Err(ToolError::NotFound {
            path: place.shown(),
        }),
        None => {
            let mode = Mode::from_raw_mode(mode);
            rustix::fs::chmodat(&place.dir, &place.name, mode, AtFlags::SYMLINK_NOFOLLOW)
                .map_err(|error| failed(error.into()))
        }
    }
}

/// Restores the permission bits, regardless of the content. Returns `false` if they have changed
/// again since, or weren't recorded.
pub(super) fn put_mode_back(place: &Place, change: &Change) -> Result<bool, ToolError> {
    let (Some(before), Some(after)) = (change.before_mode, change.after_mode) else {
        return Ok(false);
    };
    let now = place.stat()?.map(|stat| stat.st_mode);
    if now == Some(after) {
        set_mode(place, before & 0o7777)?;
    }
    Ok(now == Some(after) || now == Some(before))
}
