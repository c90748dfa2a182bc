//! Undoes a single change, even after later edits to the same file.

use gate::{Act, Action, Permit};
use serde::{Deserialize, Serialize};

use super::blobs::Blobs;
use super::changes::{Change, ChangeKind};
use super::put_back::{Side, current, place_of, put_back, put_mode_back};
use crate::atomic::{self, NewContent};
use crate::error::ToolError;
use crate::hash::ContentHash;
use crate::workspace::{Place, Workspace};

/// Files larger than this, in bytes, are not merged, since that could take minutes.
const MAX_MERGE: usize = 4 << 20;

/// The result of an undo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum UndoOutcome {
    /// The file is as it was before the change.
    Restored,
    /// The change was removed and later edits to the file were kept.
    Merged,
    /// The change and later edits touch the same lines, or the file is not text; it was left as it
    /// is.
    Conflict {
        /// The merge with conflict markers, or a sentence that explains why there is none.
        text: String,
    },
}

/// Undoes one change.
///
/// # Errors
/// [`ToolError::NotPermitted`] if the permit is for something else, [`ToolError::NotKept`],
/// [`ToolError::BlobLost`], a protected or refused path, or an I/O error. In each case the file is
/// unchanged.
pub fn undo(
    permit: &Permit,
    workspace: &Workspace,
    blobs: &Blobs,
    change: &Change,
) -> Result<UndoOutcome, ToolError> {
    permit.require(&Action::Own(Act::TakeBack))?;
    workspace.ensure_present()?;
    let path = change.path.to_string();
    if !change.held {
        return Err(ToolError::NotKept { path });
    }
    let mut place = place_of(workspace, change)?;
    let conflict = |text: String| Ok(UndoOutcome::Conflict { text });
    if change.kind == ChangeKind::ModeChanged {
        return if put_mode_back(&place, change)? {
            Ok(UndoOutcome::Restored)
        } else {
            conflict(format!(
                "The mode of `{path}` was changed again later. Set it yourself."
            ))
        };
    }
    let Some((before, after)) = Side::of(change) else {
        return Err(ToolError::NotKept { path });
    };
    let (now, content) = current(&place)?;
    if now.same_content(after) || now.same_content(before) {
        put_back(&mut place, blobs, now, before)?;
        return Ok(UndoOutcome::Restored);
    }
    let sides = (before, after, now, content);
    let (Side::File { hash: old, .. }, Side::File { hash: new, .. }, Side::File { .. }, Some(ours)) =
        sides
    else {
        return conflict(match (before, now) {
            (Side::Nothing, _) => format!(
                "`{path}` was created by this step and changed later. Delete it yourself if you \
                 don't need the later changes."
            ),
            (_, Side::Nothing) => format!(
                "`{path}` was changed by this step and deleted later. There is nothing to undo."
            ),
            _ => format!("`{path}` was replaced by something else. Restore it yourself."),
        });
    };
    merge(&place, &blobs.get(new)?, &ours, &blobs.get(old)?)
}

/// Why two changes of the same content can't be merged.
pub(super) enum Unmerged {
    /// One of them is not text.
    NoText,
    /// One of them is larger than [`MAX_MERGE`].
    TooLarge,
    /// Both touch the same lines; the merge with conflict markers.
    Conflict(String),
}

/// Merges the changes of both sides into `base`.
pub(super) fn merged(base: &[u8], ours: &[u8], theirs: &[u8]) -> Result<String, Unmerged> {
    let text = |bytes| {
        std::str::from_utf8(bytes)
            .ok()
            .filter(|text| !text.contains('\0'))
    };
    let (Some(base), Some(ours), Some(theirs)) = (text(base), text(ours), text(theirs)) else {
        return Err(Unmerged::NoText);
    };
    if [base, ours, theirs]
        .iter()
        .any(|text| text.len() > MAX_MERGE)
    {
        return Err(Unmerged::TooLarge);
    }
    diffy::merge(base, ours, theirs).map_err(Unmerged::Conflict)
}

fn merge(place: &Place, base: &[u8], ours: &[u8], theirs: &[u8]) -> Result<UndoOutcome, ToolError> {
    let path = place.shown();
    let text = match merged(base, ours, theirs) {
        Ok(merged) => {
            let (now, then) = (ContentHash::of(ours), ContentHash::of(merged.as_bytes()));
            let temp_name = atomic::temp_name(&path, Some(now), Some(then));
            let new = NewContent {
                expected: Some(now),
                bytes: merged.as_bytes(),
                mode: None,
                temp_name: &temp_name,
            };
            atomic::put(place, &new)?;
            return Ok(UndoOutcome::Merged);
        }
        Err(Unmerged::NoText) => {
            format!("`{path}` is not a text file and was changed later. Restore it yourself.")
        }
        Err(Unmerged::TooLarge) => format!("`{path}` is too large to merge. Restore it yourself."),
        Err(Unmerged::Conflict(text)) => text,
    };
    Ok(UndoOutcome::Conflict { text })
}
