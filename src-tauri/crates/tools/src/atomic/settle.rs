//! Determines after a crash whether a file was changed, and cleans up.

use std::ffi::OsString;
use std::io;

use rustix::fs::AtFlags;
use rustix::io::Errno;

use super::{Found, exchange, hash_at, part_name, rename_new};
use crate::error::ToolError;
use crate::hash::ContentHash;
use crate::workspace::{Place, Workspace, sync_folder};

/// Whether an intended change took place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Situation {
    /// The file is unchanged: the change can be made.
    NotDone,
    /// The file is as intended: the change was made.
    Done,
    /// Neither: someone else changed the file. A person has to look at it.
    Neither,
}

/// Determines whether the change of `path` from `before` to `after` (`None`: no file) took place,
/// and removes leftovers under `temp_name`. If these are another program's content, they are
/// restored.
///
/// # Errors
/// If the path is refused, or on an I/O error.
pub fn settle(
    workspace: &Workspace,
    path: &str,
    before: Option<ContentHash>,
    after: Option<ContentHash>,
    temp_name: &str,
) -> Result<Situation, ToolError> {
    workspace.ensure_present()?;
    let place = workspace.place(path)?;
    settle_at(&place, before, after, temp_name)
}

/// Like [`settle`], for a path that is already resolved.
pub(crate) fn settle_at(
    place: &Place,
    before: Option<ContentHash>,
    after: Option<ContentHash>,
    temp_name: &str,
) -> Result<Situation, ToolError> {
    let temp = OsString::from(temp_name);
    if place.missing.is_empty() {
        tidy(place, before, after, &temp)
            .map_err(|error| ToolError::io("cleaning up next to", &place.rel, &error))?;
    }
    let found = if place.missing.is_empty() {
        hash_at(&place.dir, &place.name)
            .map_err(|error| ToolError::io("reading", &place.rel, &error))?
    } else {
        Found::Nothing
    };
    let is = |side: Option<ContentHash>| found == side.map_or(Found::Nothing, Found::Content);
    Ok(if is(after) {
        Situation::Done
    } else if is(before) {
        Situation::NotDone
    } else {
        Situation::Neither
    })
}

fn tidy(
    place: &Place,
    before: Option<ContentHash>,
    after: Option<ContentHash>,
    temp: &OsString,
) -> io::Result<()> {
    let dir = &place.dir;
    let unlink = |name: &OsString| match rustix::fs::unlinkat(dir, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(io::Error::from(error)),
    };
    unlink(&part_name(temp))?;
    let kept = hash_at(dir, temp)?;
    let ours = |found: Found| {
        [before, after]
            .into_iter()
            .flatten()
            .any(|hash| found == Found::Content(hash))
    };
    if kept == Found::Nothing {
        return Ok(());
    }
    if ours(kept) {
        unlink(temp)?;
        return sync_folder(dir);
    }
    // The crash came before the exchange was checked, and this content is another program's.
    let now = hash_at(dir, &place.name)?;
    if now == Found::Nothing {
        rename_new(dir, temp, &place.name)?;
    } else if after.is_some_and(|hash| now == Found::Content(hash)) {
        exchange(dir, temp, &place.name)?;
        if ours(hash_at(dir, temp)?) {
            unlink(temp)?;
        }
    } else {
        // Both contents may be someone's work, so the older one gets a visible name.
        let mut rescued = place.name.clone();
        rescued.push(format!(
            ".rescued-{}",
            temp.to_string_lossy().trim_start_matches('.')
        ));
        tracing::warn!(path = %place.rel.display(), "kept another program's version next to the \
                                                     file");
        match rename_new(dir, temp, &rescued) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            result => result?,
        }
    }
    sync_folder(dir)
}
