//! File checkpoints: what the files of a workspace were at one moment, and the way back.
//!
//! A [`Snapshot`] names every file; contents are kept once each in [`Blobs`], outside the workspace.
//! Two snapshots give [`Change`]s; a change can be shown as a diff, undone alone ([`undo`], also
//! after later work, by a three-way merge), or all of them together ([`restore`]).
//!
//! Covered: regular files and links that Git would track, with content; files it ignores, with
//! content up to [`Limits`], beyond that only whether they changed. Of `.git` only where HEAD and the
//! branches point. Not covered: `.planwright/`, protected plans, owners, times, extended attributes,
//! pipes, sockets and devices. Nothing here overwrites what changed after the checkpoint was taken.

mod blobs;
mod changes;
mod diff;
mod follow;
mod overwritten;
mod put_back;
mod rel_path;
mod restore;
mod snapshot;
mod undo;

pub use blobs::{BlobId, Blobs};
pub use changes::{Change, ChangeKind};
pub use diff::{diff_of, unified};
pub use follow::merged_blob;
pub use overwritten::overwritten;
pub use rel_path::RelPath;
pub use restore::{NotRestored, Restored, restore};
pub(crate) use snapshot::git_print;
pub use snapshot::{Limits, Snapshot};
pub use undo::{UndoOutcome, undo};
