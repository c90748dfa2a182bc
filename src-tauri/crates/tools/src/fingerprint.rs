//! Metadata of a workspace's files at one moment, without contents, for detecting later changes.
//!
//! Kind, size, permissions, identity and both modification times are compared. The kernel's change
//! time also reveals changes of owners and extended attributes, and times that were set back.
//! Ignored files count; `.git` does not, except for the targets of its branches. Links are never
//! followed and file contents never read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustix::fs::Stat;

use crate::checkpoint::git_print;
use crate::error::ToolError;
use crate::hash::ContentHash;
use crate::walk::{Step, walk};
use crate::workspace::Workspace;

/// Maximum number of entries to scan; in a larger workspace, only these are compared.
const MAX_ENTRIES: usize = 200_000;

/// Metadata of a workspace's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    entries: BTreeMap<PathBuf, Print>,
    git: Option<ContentHash>,
}

/// Metadata of one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Print {
    mode: u32,
    len: i64,
    inode: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Print {
    fn of(stat: &Stat) -> Self {
        let is_folder = stat.st_mode & 0o170_000 == 0o040_000;
        Self {
            mode: stat.st_mode,
            // A folder's size and times depend on its entries, which are compared separately.
            len: if is_folder { 0 } else { stat.st_size },
            inode: stat.st_ino,
            modified: match is_folder {
                true => (0, 0),
                false => (stat.st_mtime, nanoseconds(stat.st_mtime_nsec)),
            },
            changed: match is_folder {
                true => (0, 0),
                false => (stat.st_ctime, nanoseconds(stat.st_ctime_nsec)),
            },
        }
    }
}

/// Converts a count, which is unsigned on some systems.
fn nanoseconds(count: impl TryInto<i64>) -> i64 {
    count.try_into().unwrap_or_default()
}

impl Fingerprint {
    /// Scans a workspace.
    ///
    /// # Errors
    /// [`ToolError::WorkspaceGone`], or an I/O error.
    pub fn take(workspace: &Workspace) -> Result<Self, ToolError> {
        let mut entries = BTreeMap::new();
        walk(workspace, "", &mut |entry| {
            if entries.len() >= MAX_ENTRIES {
                return Ok(Step::Stop);
            }
            entries.insert(entry.path.clone(), Print::of(&entry.stat));
            Ok(Step::On)
        })?;
        Ok(Self {
            entries,
            git: git_print(workspace),
        })
    }

    /// Paths that differ in `after`, sorted. Includes `.git` if the target of a branch changed.
    pub fn changes(&self, after: &Self) -> Vec<PathBuf> {
        let gone = self
            .entries
            .keys()
            .filter(|path| !after.entries.contains_key(*path));
        let other = after
            .entries
            .iter()
            .filter(|(path, print)| self.entries.get(*path) != Some(print))
            .map(|(path, _)| path);
        let mut changes: Vec<PathBuf> = gone.chain(other).cloned().collect();
        if self.git != after.git {
            changes.push(Path::new(".git").to_owned());
        }
        changes.sort_unstable();
        changes
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn changed_by(act: impl FnOnce(&Path)) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir(root.join("src")).unwrap();
        fs::write(root.join("src/a.py"), "a").unwrap();
        fs::write(root.join("b.txt"), "b").unwrap();
        fs::write(root.join(".gitignore"), "out\n").unwrap();
        let workspace = Workspace::open(root).unwrap();
        let before = Fingerprint::take(&workspace).unwrap();
        act(root);
        let after = Fingerprint::take(&workspace).unwrap();
        let changes = before.changes(&after);
        changes
            .iter()
            .map(|path| path.display().to_string())
            .collect()
    }

    #[test]
    fn looking_at_files_changes_nothing() {
        assert!(changed_by(|root| drop(fs::read(root.join("b.txt")).unwrap())).is_empty());
    }

    #[test]
    fn every_kind_of_change_is_seen() {
        assert_eq!(
            changed_by(|root| fs::write(root.join("c"), "").unwrap()),
            ["c"]
        );
        assert_eq!(
            changed_by(|root| fs::remove_file(root.join("b.txt")).unwrap()),
            ["b.txt"]
        );
        assert_eq!(
            changed_by(|root| fs::write(root.join("out"), "").unwrap()),
            ["out"]
        );
        let chmod = |root: &Path| {
            let mode = fs::Permissions::from_mode(0o600);
            fs::set_permissions(root.join("src/a.py"), mode).unwrap();
        };
        assert_eq!(changed_by(chmod), ["src/a.py"]);
        // The bytes are the same and the modification time is set back, but the change time reveals
        // the write.
        let touched = |root: &Path| {
            let path = root.join("src/a.py");
            let was = fs::metadata(&path).unwrap().modified().unwrap();
            fs::write(&path, "z").unwrap();
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(was).unwrap();
        };
        assert_eq!(changed_by(touched), ["src/a.py"]);
    }
}
