//! Removes the Python bytecode of a file that was just written. Python checks a cache only by the
//! source's size and its modification time in whole seconds, so it could use a stale cache. Without
//! a cache, it compiles the file again.
//!
//! Only this file's caches in the folder beside it are removed; errors are ignored.

use std::ffi::OsStr;

use cap_std::fs::Dir;
use rustix::fs::{AtFlags, unlinkat};

const CACHES: &str = "__pycache__";

/// Removes the caches of a Python file in `dir`.
pub(super) fn forget(dir: &Dir, name: &OsStr) {
    let Some(stem) = name.to_str().and_then(|name| name.strip_suffix(".py")) else {
        return;
    };
    // A link might lead to other files' caches.
    let is_folder = dir
        .symlink_metadata(CACHES)
        .is_ok_and(|found| found.is_dir());
    let Some(caches) = is_folder.then(|| dir.open_dir(CACHES).ok()).flatten() else {
        return;
    };
    let of_file = format!("{stem}.");
    for entry in caches.entries().into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_own = name
            .to_str()
            .is_some_and(|name| name.starts_with(&of_file) && name.ends_with(".pyc"));
        if is_own && let Err(error) = unlinkat(&caches, &name, AtFlags::empty()) {
            tracing::debug!(%error, "couldn't delete a Python cache file");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_caches_of_the_file_go() {
        let folder = tempfile::tempdir().unwrap();
        let caches = folder.path().join(CACHES);
        std::fs::create_dir(&caches).unwrap();
        for name in [
            "m.cpython-311.pyc",
            "m.cpython-311.opt-1.pyc",
            "mm.cpython-311.pyc",
            "m.txt",
        ] {
            std::fs::write(caches.join(name), "x").unwrap();
        }
        let dir = Dir::open_ambient_dir(folder.path(), cap_std::ambient_authority()).unwrap();
        let left = || {
            let names = std::fs::read_dir(&caches).unwrap().flatten();
            let mut names: Vec<_> = names
                .map(|entry| entry.file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        forget(&dir, OsStr::new("m.txt"));
        assert_eq!(left().len(), 4);
        forget(&dir, OsStr::new("m.py"));
        assert_eq!(left(), ["m.txt", "mm.cpython-311.pyc"]);
    }

    #[test]
    fn a_folder_that_is_a_link_is_left() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(other.path().join("m.cpython-311.pyc"), "x").unwrap();
        std::os::unix::fs::symlink(other.path(), folder.path().join(CACHES)).unwrap();
        let dir = Dir::open_ambient_dir(folder.path(), cap_std::ambient_authority()).unwrap();
        forget(&dir, OsStr::new("m.py"));
        assert!(other.path().join("m.cpython-311.pyc").exists());
    }
}
