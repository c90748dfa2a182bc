//! File checkpoints: snapshots of a workspace's files, and ways to return to them.
//!
//! A [`Snapshot`] lists every file; contents are stored once each in [`Blobs`], outside the
//! workspace. Comparing two snapshots gives [`Change`]s, which can be shown as a diff, undone
//! individually ([`undo`], even after later edits, by a three-way merge) or reverted together
//! ([`restore`]).
//!
//! Regular files and links that Git would track are kept with content. Ignored files are kept up to
//! [`Limits`], and beyond that only checked for changes. In `.git`, only the targets of HEAD and
//! the branches are recorded. `.planwright/`, protected plans, owners, times, extended attributes,
//! pipes, sockets and devices are not covered. Nothing here overwrites changes made after the
//! checkpoint.

mod blobs;
mod changes;
mod diff;
mod follow;
mod overwritten;
mod private_copy;
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
pub use private_copy::{Difference, Now, PrivateCopy};
pub use rel_path::RelPath;
pub use restore::{NotRestored, Restored, restore};
pub(crate) use snapshot::git_print;
pub use snapshot::{Limits, Snapshot};
pub use undo::{UndoOutcome, undo};
