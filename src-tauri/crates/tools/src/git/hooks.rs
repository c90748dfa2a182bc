//! The names of hooks, and where scripts with these names may be besides the hooks folder.

use std::path::{Path, PathBuf};

use plan::word_list::WordList;

use super::links::trail;

/// All Git hooks except the server hook `update`, since other scripts have that name too.
pub(super) const HOOKS: WordList = WordList(
    "applypatch-msg commit-msg fsmonitor-watchman p4-changelist p4-post-changelist p4-pre-submit \
     p4-prepare-changelist post-applypatch post-checkout post-commit post-index-change post-merge \
     post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit \
     pre-push pre-rebase pre-receive prepare-commit-msg proc-receive push-to-checkout \
     reference-transaction sendemail-validate",
);

/// The paths with a hook's name in the folder above a hooks folder, existing or not, since husky's
/// hooks call scripts with the same name there. A hooks folder that is the workspace itself can't
/// be protected as a whole; then these are the paths in that folder.
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
    let files = above.flat_map(|folder| HOOKS.iter().map(move |name| folder.join(name)));
    files.filter(|path| !path.is_dir()).collect()
}
