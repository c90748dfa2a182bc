//! `edit_file`, `write_file`, `delete_file`: computed first, applied later.

use gate::Permit;
use std::path::{Path, PathBuf};

use plan::{ToolCall, ToolName};
use serde::{Deserialize, Serialize};

use super::{MAX_FILE, edit};
use crate::atomic::{self, NewContent, Situation, may_write};
use crate::checkpoint::unified;
use crate::error::ToolError;
use crate::hash::ContentHash;
use crate::protection::{check_visible, check_writable};
use crate::workspace::{Place, Workspace, mode_of};

/// The state of a regular file at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileState {
    /// The SHA-256 of its content.
    pub hash: ContentHash,
    /// Its length in bytes.
    pub len: u64,
    /// Its permission bits.
    pub mode: u32,
}

/// The intended change, journaled before it is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteRecord {
    /// The file's path, relative to the workspace, with links resolved.
    pub path: String,
    /// The file before; `None` if it did not exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<FileState>,
    /// The file after; `None` if it is deleted. Its mode is expected, not guaranteed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<FileState>,
    /// The name of the hidden temporary file beside it.
    pub temp_name: String,
}

impl WriteRecord {
    /// The hashes of the content before and after.
    pub fn hashes(&self) -> (Option<ContentHash>, Option<ContentHash>) {
        (
            self.before.map(|state| state.hash),
            self.after.map(|state| state.hash),
        )
    }
}

/// A change that was computed but not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// The record to journal before [`commit`].
    pub record: WriteRecord,
    /// The content before; `None` if there is no file.
    pub old_content: Option<Vec<u8>>,
    /// The content after; `None` if the file is deleted.
    pub new_content: Option<Vec<u8>>,
    call: ToolCall,
}

impl Prepared {
    /// The call it was computed for, which the permit must allow.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// The change as a unified diff, for display and as evidence.
    pub fn diff(&self) -> String {
        let (old, new) = (self.old_content.as_deref(), self.new_content.as_deref());
        unified(&self.record.path, old, new)
    }
}

/// Computes the effect of a call without side effects.
///
/// # Errors
/// A refused or protected path, an `old_text` that does not occur exactly once, a file that is not
/// text or too large, or [`ToolError::Argument`] for a call that changes no file.
pub fn prepare(workspace: &Workspace, call: &ToolCall) -> Result<Prepared, ToolError> {
    workspace.ensure_present()?;
    let argument = |name: &str| call.string(name).unwrap_or_default();
    let path = argument("path");
    let place = match call.tool {
        ToolName::EditFile | ToolName::WriteFile => workspace.place(path)?,
        ToolName::DeleteFile => workspace.place_of_link(path)?,
        _ => {
            let reason = format!("`{}` doesn't change files", call.tool.as_str());
            return Err(ToolError::Argument { reason });
        }
    };
    if path.ends_with('/') {
        return Err(ToolError::NotAFile {
            path: path.to_owned(),
            kind: "a folder",
        });
    }
    let found = writable(workspace, &place)?;
    // Names with such characters would be unrecognizable on a screen or in a list.
    let is_unseen = |c: char| c.is_control() || plan::is_active(c) || plan::is_invisible(c);
    if found.is_none() && path.contains(is_unseen) {
        let reason = "new file names can't contain line breaks, control characters or invisible \
                      characters";
        return Err(ToolError::Argument {
            reason: reason.to_owned(),
        });
    }
    let missing = || ToolError::NotFound {
        path: path.to_owned(),
    };
    let (before, old_content) = match found {
        Some((state, content)) => (Some(state), Some(content)),
        None => (None, None),
    };
    let new_content = match call.tool {
        ToolName::EditFile => {
            // An error shows lines of the file.
            check_visible(workspace, &place.rel, path)?;
            let old = old_content.as_deref().ok_or_else(missing)?;
            let text = std::str::from_utf8(old).map_err(|error| ToolError::NotText {
                path: path.to_owned(),
                offset: error.valid_up_to(),
            })?;
            let text = edit::replace_once(path, text, argument("old_text"), argument("new_text"))?;
            Some(text.into_bytes())
        }
        ToolName::WriteFile => Some(argument("content").as_bytes().to_vec()),
        _ => {
            before.ok_or_else(missing)?;
            None
        }
    };
    let mode = before.map_or_else(new_file_mode, |state| state.mode);
    let after = new_content
        .as_deref()
        .map(|content| state_of(content, mode));
    let Some(path) = place.rel.to_str().map(str::to_owned) else {
        let reason = format!(
            "the name of `{}` is not valid UTF-8: rename it first",
            place.shown()
        );
        return Err(ToolError::Argument { reason });
    };
    let hash = |state: Option<FileState>| state.map(|state| state.hash);
    let temp_name = atomic::temp_name(&path, hash(before), hash(after));
    let record = WriteRecord {
        path,
        before,
        after,
        temp_name,
    };
    Ok(Prepared {
        record,
        old_content,
        new_content,
        call: call.clone(),
    })
}

/// Applies a prepared change durably. Returns `None` if the file was deleted.
///
/// # Errors
/// [`ToolError::NotPermitted`] if the permit is for another call, [`ToolError::ChangedMeanwhile`]
/// if the file differs from what [`prepare`] saw, a refused path, or an I/O error. In each case the
/// file is unchanged and nothing is left beside it.
pub fn commit(
    permit: &Permit,
    workspace: &Workspace,
    prepared: &Prepared,
) -> Result<Option<FileState>, ToolError> {
    permit.require_write(&prepared.call)?;
    workspace.ensure_present()?;
    let record = &prepared.record;
    let mut place = place_of_record(workspace, record)?;
    let (before, after) = record.hashes();
    let Some(content) = prepared.new_content.as_deref() else {
        let Some(before) = before else {
            return Err(ToolError::NotFound {
                path: record.path.clone(),
            });
        };
        atomic::remove(&place, before, &record.temp_name)?;
        return Ok(None);
    };
    if before.is_some() && before == after {
        // Writing the same content would only change the times.
        let same = writable(workspace, &place)?.map(|(state, _)| state);
        return match same.filter(|state| Some(state.hash) == before) {
            Some(state) => Ok(Some(state)),
            None => Err(ToolError::ChangedMeanwhile {
                path: record.path.clone(),
                other: None,
            }),
        };
    }
    let created = place.create_parents()?;
    let temp_name = &record.temp_name;
    atomic::put(
        &place,
        &NewContent {
            expected: before,
            bytes: content,
            mode: None,
            temp_name,
        },
    )?;
    created.keep();
    let mode = place.stat()?.as_ref().map_or_else(new_file_mode, mode_of);
    Ok(Some(state_of(content, mode)))
}

/// Determines whether the change took place, and removes what a crash left beside the file.
///
/// # Errors
/// If the path is refused, or on an I/O error.
pub fn examine(workspace: &Workspace, record: &WriteRecord) -> Result<Situation, ToolError> {
    workspace.ensure_present()?;
    let place = place_of_record(workspace, record)?;
    let (before, after) = record.hashes();
    atomic::settle_at(&place, before, after, &record.temp_name)
}

fn place_of_record(workspace: &Workspace, record: &WriteRecord) -> Result<Place, ToolError> {
    let place = workspace.place_of_link(&record.path)?;
    check_writable(workspace, &place.rel)?;
    if place.rel.as_os_str() != record.path.as_str() {
        // A link was added to the path since then.
        return Err(ToolError::PathShifted {
            path: record.path.clone(),
        });
    }
    Ok(place)
}

/// The current file at a place; an error if it must not be written to.
fn writable(
    workspace: &Workspace,
    place: &Place,
) -> Result<Option<(FileState, Vec<u8>)>, ToolError> {
    check_name(workspace, &place.rel)?;
    let Some(stat) = place.stat()? else {
        return Ok(None);
    };
    may_write(place, &stat)?;
    let found = place.read(MAX_FILE)?;
    Ok(found.map(|(content, stat)| (state_of(&content, mode_of(&stat)), content)))
}

/// Refuses a protected path, and a path that begins or ends with whitespace: it is easily mistaken
/// for the same path without the whitespace, which is a different file.
fn check_name(workspace: &Workspace, rel: &Path) -> Result<(), ToolError> {
    let name = rel.to_string_lossy();
    if name != name.trim() {
        let reason = format!("the path “{name}” begins or ends with a space or a line break");
        return Err(ToolError::Argument { reason });
    }
    check_writable(workspace, rel)
}

/// Whether the file tools may write the file at this path, which need not exist; returns its path
/// in the workspace with links resolved. Writes nothing.
///
/// # Errors
/// A refused or protected path, or something that isn't a regular file with one name.
pub fn check_target(workspace: &Workspace, path: &str) -> Result<PathBuf, ToolError> {
    workspace.ensure_present()?;
    let place = workspace.place(path)?;
    if path.ends_with('/') {
        return Err(ToolError::NotAFile {
            path: path.to_owned(),
            kind: "a folder",
        });
    }
    check_name(workspace, &place.rel)?;
    if let Some(stat) = place.stat()? {
        may_write(&place, &stat)?;
    }
    Ok(place.rel)
}

fn state_of(content: &[u8], mode: u32) -> FileState {
    let len = u64::try_from(content.len()).unwrap_or(u64::MAX);
    FileState {
        hash: ContentHash::of(content),
        len,
        mode,
    }
}

/// The permission bits of a new file: 0666 minus the umask. The umask is read from `/proc`, since
/// querying it by system call would briefly set it for all threads.
fn new_file_mode() -> u32 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let umask = status
        .lines()
        .find_map(|line| line.strip_prefix("Umask:"))
        .and_then(|umask| u32::from_str_radix(umask.trim(), 8).ok())
        .unwrap_or(0o022);
    0o666 & !umask
}
