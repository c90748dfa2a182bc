//! What the files of a workspace look like at one moment, without reading them: to see afterwards
//! that nothing was changed, or what was.
//!
//! Kind, size, permissions, identity and both times of change are compared; the time that the system
//! keeps itself tells of owners, times set back and extended attributes too. What Git ignores counts,
//! `.git` does not but for where its branches point. Never follows a link, never reads a content of a
//! file of the workspace.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustix::fs::Stat;

use crate::checkpoint::git_print;
use crate::error::ToolError;
use crate::hash::ContentHash;
use crate::walk::{Step, walk};
use crate::workspace::Workspace;

/// The most entries that are looked at; a larger workspace is compared by these.
const MOST: usize = 200_000;

/// What the files of a workspace look like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    entries: BTreeMap<PathBuf, Print>,
    git: Option<ContentHash>,
}

/// How one of them looks.
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
            // A folder's size and times follow what is in it, which is looked at by itself.
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

/// The same on systems that count them without a sign.
fn nanoseconds(count: impl TryInto<i64>) -> i64 {
    count.try_into().unwrap_or_default()
}

impl Fingerprint {
    /// Looks at a workspace.
    ///
    /// # Errors
    /// [`ToolError::WorkspaceGone`], or what the disk says.
    pub fn take(workspace: &Workspace) -> Result<Self, ToolError> {
        let mut entries = BTreeMap::new();
        walk(workspace, "", &mut |entry| {
            if entries.len() >= MOST {
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

    /// What looks otherwise in `after`, in the order of the paths; `.git` where a branch points
    /// elsewhere.
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
        // The same bytes, and the time set back: the system's own time of change tells.
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
