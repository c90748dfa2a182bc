//! Checks that tests leave the user's own Planwright data alone, by comparing it before and after.
//!
//! Compares names, sizes and modification times; never reads content.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::process::Failure;

/// A snapshot of the user's own folders.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OwnData(BTreeMap<PathBuf, (u64, Option<SystemTime>)>);

impl OwnData {
    /// Takes a snapshot of the current user's folders, as the platform and the environment name
    /// them.
    pub(crate) fn of_this_user() -> Self {
        Self::of(&folders(|name| std::env::var_os(name).map(PathBuf::from)))
    }

    fn of(folders: &[PathBuf]) -> Self {
        let mut found = BTreeMap::new();
        for folder in folders {
            collect(folder, &mut found);
        }
        Self(found)
    }

    /// Fails with the name of each file that was added, changed or removed.
    pub(crate) fn compare(&self, after: &Self) -> Result<(), Failure> {
        let mut differences = Vec::new();
        for (path, entry) in &after.0 {
            match self.0.get(path) {
                None => differences.push(format!("{}: added", path.display())),
                Some(earlier) if earlier != entry => {
                    differences.push(format!("{}: changed", path.display()));
                }
                Some(_) => {}
            }
        }
        let removed = self.0.keys().filter(|path| !after.0.contains_key(*path));
        differences.extend(removed.map(|path| format!("{}: removed", path.display())));
        if !differences.is_empty() {
            differences.push(
                "your own Planwright data changed, by a test or because Planwright was running; \
                 every test must set PLANWRIGHT_HOME"
                    .to_owned(),
            );
        }
        Failure::unless_empty(differences)
    }
}

/// The folders that may contain the user's Planwright data. Looks up environment variables with
/// `variable`, so that tests need no real environment.
fn folders(variable: impl Fn(&str) -> Option<PathBuf>) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = variable("PLANWRIGHT_HOME").into_iter().collect();
    let home = variable("HOME");
    let mut add = |base: Option<PathBuf>| folders.extend(base.map(|base| base.join("planwright")));
    for (name, usual) in [
        ("XDG_DATA_HOME", ".local/share"),
        ("XDG_CONFIG_HOME", ".config"),
        ("XDG_CACHE_HOME", ".cache"),
        ("XDG_STATE_HOME", ".local/state"),
    ] {
        // Even if the variable is set, check the default location too: a test that clears its
        // environment would write there.
        add(variable(name).filter(|path| path.is_absolute()));
        add(home.as_ref().map(|home| home.join(usual)));
    }
    for usual in ["Library/Application Support", "Library/Caches"] {
        add(home.as_ref().map(|home| home.join(usual)));
    }
    folders
}

fn collect(path: &Path, found: &mut BTreeMap<PathBuf, (u64, Option<SystemTime>)>) {
    let Ok(metadata) = path.symlink_metadata() else {
        return;
    };
    if !metadata.is_dir() {
        found.insert(path.to_owned(), (metadata.len(), metadata.modified().ok()));
        return;
    }
    // Folder sizes and times are ignored; the entries are compared instead.
    found.insert(path.to_owned(), (0, None));
    let Ok(entries) = path.read_dir() else { return };
    for entry in entries.flatten() {
        collect(&entry.path(), found);
    }
}

#[cfg(test)]
mod tests {
    use super::{OwnData, folders};
    use std::path::PathBuf;

    #[test]
    fn the_usual_and_the_named_folders_are_looked_at() {
        let found = folders(|name| match name {
            "HOME" => Some("/h".into()),
            "XDG_DATA_HOME" => Some("/data".into()),
            "XDG_CACHE_HOME" => Some("relative/is/ignored".into()),
            _ => None,
        });
        for path in [
            "/data/planwright",
            "/h/.local/share/planwright",
            "/h/.cache/planwright",
        ] {
            assert!(found.contains(&PathBuf::from(path)), "{path} in {found:?}");
        }
        assert!(found.iter().all(|path| path.is_absolute()));
    }

    #[test]
    fn an_added_a_changed_and_a_removed_file_are_each_named() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("planwright");
        std::fs::create_dir(&own).unwrap();
        std::fs::write(own.join("kept"), "1").unwrap();
        std::fs::write(own.join("changed"), "1").unwrap();
        std::fs::write(own.join("removed"), "1").unwrap();
        let before = OwnData::of(std::slice::from_ref(&own));
        assert_eq!(
            before.compare(&OwnData::of(std::slice::from_ref(&own))),
            Ok(())
        );

        std::fs::write(own.join("changed"), "22").unwrap();
        std::fs::write(own.join("added"), "1").unwrap();
        std::fs::remove_file(own.join("removed")).unwrap();
        let sentences = before
            .compare(&OwnData::of(&[own]))
            .unwrap_err()
            .to_string();
        for expected in ["added: added", "changed: changed", "removed: removed"] {
            assert!(sentences.contains(expected), "{expected} in {sentences}");
        }
        assert!(!sentences.contains("kept"), "{sentences}");
    }

    #[test]
    fn a_user_without_any_data_is_fine() {
        let nowhere = [PathBuf::from("/nonexistent/planwright")];
        assert_eq!(
            OwnData::of(&nowhere).compare(&OwnData::of(&nowhere)),
            Ok(())
        );
    }
}
