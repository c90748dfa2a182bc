//! Changes as text.

use similar::TextDiff;

use super::blobs::Blobs;
use super::changes::{Change, ChangeKind};
use crate::error::ToolError;
use crate::hash::ContentHash;

/// Larger sides are not compared line by line, since that would take too long. A time limit instead
/// would make the text, which serves as evidence, depend on the machine.
const MAX_BYTES: usize = 4 << 20;

/// A change as a unified diff; `None` is a missing file. Binary or too large content is summarized
/// in one line. Equal contents give an empty text.
pub fn unified(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    if before == after {
        return String::new();
    }
    let name = |prefix: &str, side: Option<&[u8]>| match side {
        Some(_) => format!("{prefix}/{path}"),
        None => "/dev/null".to_owned(),
    };
    let (old_name, new_name) = (name("a", before), name("b", after));
    let (old, new) = (before.unwrap_or_default(), after.unwrap_or_default());
    let text = |bytes| {
        std::str::from_utf8(bytes)
            .ok()
            .filter(|text| !text.contains('\0'))
    };
    match (text(old), text(new)) {
        (Some(old), Some(new)) if old.len() <= MAX_BYTES && new.len() <= MAX_BYTES => {
            if old.is_empty() && new.is_empty() {
                return format!("--- {old_name}\n+++ {new_name}\n");
            }
            TextDiff::from_lines(old, new)
                .unified_diff()
                .context_radius(3)
                .header(&old_name, &new_name)
                .to_string()
        }
        _ => format!(
            "--- {old_name}\n+++ {new_name}\nContents differ: {} bytes ({}) → {} bytes ({})\n",
            old.len(),
            ContentHash::of(old).short(),
            new.len(),
            ContentHash::of(new).short()
        ),
    }
}

/// All changes as one text, and its hash for use as evidence.
///
/// # Errors
/// [`ToolError::BlobLost`] if a blob is missing.
pub fn diff_of(blobs: &Blobs, changes: &[Change]) -> Result<(String, ContentHash), ToolError> {
    let mut text = String::new();
    for change in changes {
        let path = change.path.to_string();
        if change.kind == ChangeKind::ModeChanged || change.before_mode != change.after_mode {
            let mode = |mode: Option<u32>| mode.map(|mode| format!("{mode:o}"));
            if let (Some(old), Some(new)) = (mode(change.before_mode), mode(change.after_mode)) {
                text.push_str(&format!("mode of {path}: {old} → {new}\n"));
            }
        }
        if !change.held {
            text.push_str(&format!("{path}: changed; content not saved\n"));
            continue;
        }
        let content = |blob: Option<_>| blob.map(|blob| blobs.get(blob)).transpose();
        let (before, after) = (content(change.before)?, content(change.after)?);
        text.push_str(&unified(&path, before.as_deref(), after.as_deref()));
    }
    let hash = ContentHash::of(text.as_bytes());
    Ok((text, hash))
}
