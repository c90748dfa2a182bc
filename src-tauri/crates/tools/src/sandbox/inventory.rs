//! Finds what a command must not reach in a workspace: repositories, private files and pipes.
//!
//! A single walk looks only at names and types. No link is followed, and only settings that may
//! contain a login are opened. A folder is a Git folder if Git would accept it, whatever its name:
//! `HEAD` beside `objects` and `refs`, or beside `commondir`.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::private::PrivateFiles;

/// The paths that were found, all absolute.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Inventory {
    /// Git folders, and files or links named `.git`: the workspace's own and all nested ones.
    pub(super) repositories: Vec<PathBuf>,
    /// Files and folders that are private (see [`PrivateFiles`]), and other names of these files.
    pub(super) private: Vec<PathBuf>,
    /// FIFOs and sockets, through which a command could talk to an outside process.
    pub(super) channels: Vec<PathBuf>,
}

impl Inventory {
    /// Scans everything below `root`, which may itself be a Git folder.
    pub(super) fn take(root: &Path, private: &PrivateFiles) -> Self {
        let mut this = Self::default();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            this.look(root, &folder, private, &mut folders);
        }
        this.repositories.sort();
        this.add_hard_links(root);
        this
    }

    /// Adds the other names of private files. Looks at all files only if a private one has several.
    fn add_hard_links(&mut self, root: &Path) {
        let linked = |path: &PathBuf| -> Option<(u64, u64)> {
            let found = fs::symlink_metadata(path).ok()?;
            (found.is_file() && found.nlink() > 1).then(|| (found.dev(), found.ino()))
        };
        let files: BTreeSet<(u64, u64)> = self.private.iter().filter_map(linked).collect();
        if files.is_empty() {
            return;
        }
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = list(&folder) else { continue };
            for entry in entries.flatten() {
                let (path, kind) = (entry.path(), entry.file_type());
                if kind.is_ok_and(|kind| kind.is_dir()) {
                    folders.push(path);
                } else if linked(&path).is_some_and(|file| files.contains(&file))
                    && !self.private.contains(&path)
                {
                    self.private.push(path);
                }
            }
        }
    }

    fn look(
        &mut self,
        root: &Path,
        folder: &Path,
        private: &PrivateFiles,
        folders: &mut Vec<PathBuf>,
    ) {
        let Ok(entries) = list(folder) else { return };
        let mut names = [false; 4];
        let first = folders.len();
        for entry in entries.flatten() {
            let name = entry.file_name();
            for (seen, wanted) in names
                .iter_mut()
                .zip(["HEAD", "objects", "refs", "commondir"])
            {
                *seen |= name == OsStr::new(wanted);
            }
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let path = entry.path();
            if name == OsStr::new(".git") {
                self.repositories.push(path);
            } else if kind.is_fifo() || kind.is_socket() {
                self.channels.push(path);
            } else if path
                .strip_prefix(root)
                .is_ok_and(|relative| private.covers_in(root, relative, kind.is_dir()))
            {
                self.private.push(path);
            } else if kind.is_dir() {
                folders.push(path);
            }
        }
        let [head, objects, refs, common] = names;
        if head && (objects && refs || common) {
            self.repositories.push(folder.to_owned());
            if folder != root {
                // Git folders are protected as a whole, so there is no need to look inside.
                folders.truncate(first);
            }
        }
    }
}

/// The entries of a folder. If its owner lacks permission to list it, adds that permission first,
/// since files in it could still be opened by name.
pub(super) fn list(folder: &Path) -> io::Result<fs::ReadDir> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_to_owner(folder, 0o500)?;
            fs::read_dir(folder)
        }
        listed => listed,
    }
}

/// Gives the owner of a folder additional permissions.
pub(super) fn open_to_owner(folder: &Path, rights: u32) -> io::Result<()> {
    let mode = fs::symlink_metadata(folder)?.permissions().mode();
    fs::set_permissions(folder, fs::Permissions::from_mode(mode | rights))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_file_is_found_under_each_of_its_names() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        fs::create_dir(root.join("sub")).unwrap();
        fs::write(root.join("key.pem"), "x").unwrap();
        fs::write(root.join("a.txt"), "x").unwrap();
        fs::hard_link(root.join("key.pem"), root.join("sub/plain.txt")).unwrap();
        fs::hard_link(root.join("a.txt"), root.join("b.txt")).unwrap();
        let mut found = Inventory::take(root, &PrivateFiles::new(&[])).private;
        found.sort();
        assert_eq!(found, [root.join("key.pem"), root.join("sub/plain.txt")]);
        let nothing = Inventory::take(root, &PrivateFiles::none()).private;
        assert_eq!(nothing, Vec::<PathBuf>::new());
    }

    #[test]
    fn every_folder_that_git_would_use_is_found_whatever_its_name() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        for folder in [
            ".git/objects",
            "lib/.git",
            "bare/objects",
            "bare/refs",
            "bare/inner/.git",
            "linked",
            "plain/objects",
            "closed/in/.git",
        ] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in [
            "bare/HEAD",
            "linked/HEAD",
            "linked/commondir",
            "plain/HEAD",
            ".env",
        ] {
            fs::write(root.join(file), "").unwrap();
        }
        fs::create_dir(root.join("sub")).unwrap();
        fs::write(root.join("sub/.git"), "gitdir: ../bare").unwrap();
        fs::set_permissions(root.join("closed"), fs::Permissions::from_mode(0o300)).unwrap();
        let found = Inventory::take(root, &PrivateFiles::new(&[]));
        let names = [
            ".git",
            "bare",
            "closed/in/.git",
            "lib/.git",
            "linked",
            "sub/.git",
        ];
        assert_eq!(found.repositories, names.map(|name| root.join(name)));
        assert_eq!(found.private, [root.join(".env")]);
    }
}
