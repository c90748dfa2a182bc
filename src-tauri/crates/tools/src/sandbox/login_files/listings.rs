//! Caches the relevant entries of toolchain folders for as long as the folders stay the same.
//!
//! Toolchains have thousands of folders, and each command needs to know what is in them. A folder's
//! times change whenever an entry is created, removed or renamed, so an unchanged folder isn't read
//! again. Contents of files are never remembered.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::CONTENT;
use crate::logins::{SETTINGS_FILES, contains_login, holds_login};
use crate::private::PrivateFiles;
use plan::word_list::WordList;

/// Maximum number of folders to remember.
const MAX_FOLDERS: usize = 50_000;

/// A folder that changed more recently than this may change again without its times changing.
const SETTLED: Duration = Duration::from_secs(2);

/// Whether a file contains a login.
type ContentCheck = fn(&Path) -> bool;

/// The entries of a folder that matter.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Folders to look into, and whether they are a toolchain's own files.
    pub(super) folders: Vec<(OsString, bool)>,
    /// Entries that are private by name.
    pub(super) private: Vec<OsString>,
    /// Settings files, each with the check of its content.
    pub(super) settings: Vec<(OsString, ContentCheck)>,
    /// The number of all entries.
    pub(super) entries: usize,
}

/// Identifies the state of a folder: device, inode, and times of modification and change.
type Stamp = (u64, u64, (i64, i64), (i64, i64));

/// A folder, whether it is the top of a toolchain, and the list of private files used.
type Key = (PathBuf, bool, Arc<str>);

type Listings = HashMap<Key, (Stamp, Arc<Listing>)>;

/// The entries of a folder. `is_top` says whether it is the top of a toolchain.
pub(super) fn of(folder: &Path, is_top: bool, private: &PrivateFiles) -> Arc<Listing> {
    static KNOWN: LazyLock<Mutex<Listings>> = LazyLock::new(Mutex::default);
    let now = SystemTime::now();
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    remembered(&mut known, now, folder, is_top, private)
}

fn remembered(
    known: &mut Listings,
    now: SystemTime,
    folder: &Path,
    is_top: bool,
    private: &PrivateFiles,
) -> Arc<Listing> {
    let Ok(about) = fs::symlink_metadata(folder) else {
        return Arc::default();
    };
    let key = (folder.to_owned(), is_top, private.patterns());
    let stamp = stamp(&about);
    if let Some((of, listing)) = known.get(&key)
        && *of == stamp
    {
        return Arc::clone(listing);
    }
    let listing = Arc::new(read(folder, is_top, private));
    if known.len() >= MAX_FOLDERS {
        known.clear();
    }
    match is_settled(&about, now) {
        true => drop(known.insert(key, (stamp, Arc::clone(&listing)))),
        false => drop(known.remove(&key)),
    }
    listing
}

fn stamp(about: &Metadata) -> Stamp {
    let modified = (about.mtime(), about.mtime_nsec());
    let changed = (about.ctime(), about.ctime_nsec());
    (about.dev(), about.ino(), modified, changed)
}

fn is_settled(about: &Metadata, now: SystemTime) -> bool {
    let now = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let latest = about.mtime().max(about.ctime());
    let latest = Duration::from_secs(u64::try_from(latest).unwrap_or_default());
    now.checked_sub(latest).is_some_and(|age| age > SETTLED)
}

fn read(folder: &Path, is_top: bool, private: &PrivateFiles) -> Listing {
    let mut listing = Listing::default();
    // Downloaded modules are in folders named after their hosts.
    let is_modules = folder.ends_with("pkg/mod");
    let is_of_scripts = folder.ends_with("init.d");
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        listing.entries += 1;
        let name = entry.file_name();
        let is = |names: WordList| names.iter().any(|one| name == OsStr::new(one));
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_dir() {
            if is_top && private.covers(Path::new(&name), true) {
                listing.private.push(name);
            } else {
                let is_left_out = is(CONTENT) || is_modules && name != OsStr::new("cache");
                listing.folders.push((name, is_left_out));
            }
        } else if private.covers(Path::new(&name), false) {
            listing.private.push(name);
        } else if is_of_scripts {
            listing.settings.push((name, holds_login));
        } else if is_top || is(SETTINGS_FILES) {
            listing.settings.push((name, contains_login));
        }
    }
    listing
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic fails the test")]

    use super::*;

    fn names(listing: &Listing) -> (Vec<&OsString>, Vec<&OsString>, Vec<&OsString>) {
        let mut folders: Vec<_> = listing.folders.iter().map(|(name, _)| name).collect();
        let mut private: Vec<_> = listing.private.iter().collect();
        let mut settings: Vec<_> = listing.settings.iter().map(|(name, _)| name).collect();
        folders.sort();
        private.sort();
        settings.sort();
        (folders, private, settings)
    }

    /// Repeats a change until the folder's times differ, since times advance in steps.
    fn change(folder: &Path, make: impl Fn()) {
        let before = stamp(&fs::metadata(folder).unwrap());
        while stamp(&fs::metadata(folder).unwrap()) == before {
            make();
        }
    }

    #[test]
    fn a_remembered_folder_has_what_reading_it_again_finds() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(".tool");
        fs::create_dir(&folder).unwrap();
        let mut known = Listings::new();
        let later = SystemTime::now() + Duration::from_secs(60);
        let private = PrivateFiles::usual();
        let steps: [&dyn Fn(); 6] = [
            &|| fs::write(folder.join("config.toml"), "a = 1\n").unwrap(),
            &|| {
                let _ = fs::remove_file(folder.join("credentials"));
                fs::write(folder.join("credentials"), "token").unwrap();
            },
            &|| {
                let _ = fs::remove_dir(folder.join("etc"));
                fs::create_dir(folder.join("etc")).unwrap();
            },
            &|| {
                fs::write(folder.join("plain"), "").unwrap();
                fs::rename(folder.join("plain"), folder.join("id_rsa")).unwrap();
            },
            &|| {
                fs::write(folder.join("gone"), "").unwrap();
                fs::remove_file(folder.join("gone")).unwrap();
            },
            &|| drop(fs::remove_file(folder.join("credentials"))),
        ];
        for make in steps {
            change(&folder, make);
            for _ in 0..2 {
                let listing = remembered(&mut known, later, &folder, true, &private);
                assert_eq!(names(&listing), names(&read(&folder, true, &private)));
            }
            assert_eq!(known.len(), 1);
        }
        // Listings for another list of private files are cached separately.
        let other = PrivateFiles::new(&["plans.txt".to_owned()]);
        change(&folder, || fs::write(folder.join("plans.txt"), "").unwrap());
        let usual = remembered(&mut known, later, &folder, true, &private);
        let more = remembered(&mut known, later, &folder, true, &other);
        assert_ne!(names(&usual).1, names(&more).1);
    }

    #[test]
    fn a_folder_that_just_changed_is_not_remembered() {
        let home = tempfile::tempdir().unwrap();
        let mut known = Listings::new();
        let private = PrivateFiles::usual();
        remembered(&mut known, SystemTime::now(), home.path(), true, &private);
        // A folder with a change time in the future isn't remembered either: the time can't be
        // trusted.
        remembered(&mut known, UNIX_EPOCH, home.path(), true, &private);
        assert!(known.is_empty());
    }
}
