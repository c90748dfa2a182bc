//! Finds settings files of toolchains and repositories that contain logins.

mod listings;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::logins::contains_login;
use crate::private::PrivateFiles;
use plan::word_list::WordList;

/// Folders with a toolchain's own files, often large. Only their direct entries are checked,
/// nothing deeper.
const CONTENT: WordList = WordList(
    ".git bin caches checkouts content-v2 doc docs download include index-v5 lib lib64 libexec \
     man node_modules objects refs registry sbin share src store test wrapper",
);
/// Maximum depth of settings: `tools/image/node/20.1.0/etc/npmrc`.
const MAX_DEPTH: u32 = 6;
/// Maximum number of entries to look at in one toolchain.
const MAX_ENTRIES: usize = 20_000;

/// Files in toolchains that are private by name, or settings that contain a login. A toolchain
/// inside another is scanned once, with its own depth limit.
pub(super) fn of_toolchains(roots: BTreeSet<PathBuf>, private: &PrivateFiles) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // Inner folders sort after the ones that contain them.
    for root in roots.iter().rev() {
        of_toolchain(root, &roots, private, &mut found);
    }
    found
}

fn of_toolchain(
    root: &Path,
    others: &BTreeSet<PathBuf>,
    private: &PrivateFiles,
    found: &mut Vec<PathBuf>,
) {
    let mut seen = 0;
    let mut folders = vec![(root.to_owned(), 1)];
    while let Some((folder, depth)) = folders.pop() {
        let listing = listings::of(&folder, depth == 1, private);
        seen += listing.entries;
        found.extend(listing.private.iter().map(|name| folder.join(name)));
        // A file's content can change without its folder changing, so it is always checked.
        for (name, holds) in &listing.settings {
            let path = folder.join(name);
            if holds(&path) {
                found.push(path);
            }
        }
        for (name, is_left_out) in &listing.folders {
            let path = folder.join(name);
            let is_deep = depth >= MAX_DEPTH || seen >= MAX_ENTRIES;
            if !is_deep && !others.contains(&path) {
                folders.push((path, if *is_left_out { MAX_DEPTH } else { depth + 1 }));
            }
        }
    }
}

/// A repository's settings files that contain a login, including those of its worktrees and
/// submodules.
pub(super) fn of_repository(git: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![(git.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let files = ["config", "config.worktree", "FETCH_HEAD"].map(|name| folder.join(name));
        found.extend(files.into_iter().filter(|file| contains_login(file)));
        // A submodule's name may be `vendor/lib`.
        let inner = match depth {
            0 => vec![folder.join("modules"), folder.join("worktrees")],
            _ => vec![folder],
        };
        for inner in inner.iter().filter(|_| depth < MAX_DEPTH) {
            for entry in fs::read_dir(inner).into_iter().flatten().flatten() {
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                let name = entry.file_name();
                if is_folder && !CONTENT.iter().any(|content| name == OsStr::new(content)) {
                    folders.push((entry.path(), depth + 1));
                }
            }
        }
    }
    found
}
