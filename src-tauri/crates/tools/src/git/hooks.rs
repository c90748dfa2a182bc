//! The names of hooks, and where besides their folder they lie.

use std::path::{Path, PathBuf};

use super::links::trail;

/// The hooks of Git, but for `update` of a server: other scripts have that name too.
pub(super) const HOOKS: [&str; 27] = [
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "p4-changelist",
    "p4-post-changelist",
    "p4-pre-submit",
    "p4-prepare-changelist",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-receive",
    "post-rewrite",
    "post-update",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "pre-receive",
    "prepare-commit-msg",
    "proc-receive",
    "push-to-checkout",
    "reference-transaction",
    "sendemail-validate",
];

/// The files named like hooks in the folder above a folder of hooks, there or not: the hooks of husky are
/// scripts that call the one of their own name there. A folder of hooks that holds the whole workspace
/// cannot be closed; of it these files are.
pub(super) fn beside(hooks: &Path, within: &Path) -> Vec<PathBuf> {
    let above = trail(hooks).into_iter().filter_map(|path| {
        let is_whole = path == within;
        let folder = if is_whole {
            Some(&*path)
        } else {
            path.parent()
        };
        folder.map(Path::to_owned)
    });
    let files = above.flat_map(|folder| HOOKS.map(|name| folder.join(name)));
    files.filter(|path| !path.is_dir()).collect()
}
