//! A snapshot of a folder, to assert that nothing in it changed.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// One file, folder or link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// A file's content or a link's target; empty for a folder.
    pub content: Vec<u8>,
    /// File type and permission bits, as from `stat`.
    pub mode: u32,
    /// Modification time in nanoseconds.
    pub modified_ns: i128,
    /// Extended attributes in the `user.` namespace, by name; empty for a link.
    pub attributes: BTreeMap<String, Vec<u8>>,
}

/// All entries below a folder, by relative path. The contents are stored too, so that differences
/// can be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot(pub BTreeMap<String, Entry>);

impl Snapshot {
    /// Reads a folder; `skip` names entries to omit with everything below them.
    pub fn of(folder: &Path, skip: &[&str]) -> Self {
        let mut entries = BTreeMap::new();
        collect(folder, folder, skip, &mut entries);
        Self(entries)
    }

    /// Describes each difference between `earlier` and this snapshot.
    pub fn differences(&self, earlier: &Self) -> Vec<String> {
        let mut found = Vec::new();
        for (path, entry) in &self.0 {
            match earlier.0.get(path) {
                None => found.push(format!("{path}: added")),
                Some(before) => {
                    if before.content != entry.content {
                        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                        let (before, after) = (shown(&before.content), shown(&entry.content));
                        found.push(format!("{path}: content\n── was\n{before}\n── is\n{after}"));
                    }
                    if before.mode != entry.mode {
                        found.push(format!("{path}: mode {:o} → {:o}", before.mode, entry.mode));
                    }
                    if before.attributes != entry.attributes {
                        found.push(format!("{path}: extended attributes"));
                    }
                    // A changed folder time usually means that an entry changed, which is reported
                    // separately. An entry that was created and removed again is visible only here.
                    if before.modified_ns != entry.modified_ns {
                        found.push(format!("{path}: modification time"));
                    }
                }
            }
        }
        let gone = earlier.0.keys().filter(|path| !self.0.contains_key(*path));
        found.extend(gone.map(|path| format!("{path}: removed")));
        found
    }

    /// Asserts that nothing changed since `earlier`: contents, modes, times, and the set of
    /// entries. `but` lists paths that may differ, with everything below them and the times of
    /// their parent folders.
    #[track_caller]
    pub fn assert_same_as(&self, earlier: &Self, but: &[&str]) {
        let is_meant = |difference: &String| {
            let (path, what) = difference.split_once(": ").unwrap_or((difference, ""));
            but.iter().any(|but| {
                let above = path.is_empty() || is_below(but, path);
                let time = what == "modification time" || what == "added";
                is_below(path, but) || (above && time)
            })
        };
        let found = self.differences(earlier);
        let found: Vec<_> = found
            .into_iter()
            .filter(|difference| !is_meant(difference))
            .collect();
        assert!(found.is_empty(), "changed:\n{}", found.join("\n"));
    }

    /// Contents and modes without times, to compare two workspaces with the same history.
    pub fn contents(&self) -> BTreeMap<&str, (u32, &[u8])> {
        self.0
            .iter()
            .map(|(path, entry)| (path.as_str(), (entry.mode, entry.content.as_slice())))
            .collect()
    }

    /// The paths of all files and links that contain `text`.
    pub fn files_with(&self, text: &str) -> Vec<&str> {
        let holds = |entry: &Entry| String::from_utf8_lossy(&entry.content).contains(text);
        self.0
            .iter()
            .filter(|(_, entry)| holds(entry))
            .map(|(path, _)| path.as_str())
            .collect()
    }
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Reads the extended attributes in the `user.` namespace; empty for a link, or if the file system
/// has none.
fn attributes(at: &Path, metadata: &std::fs::Metadata) -> BTreeMap<String, Vec<u8>> {
    let mut names = vec![0; 4096];
    if metadata.is_symlink() {
        return BTreeMap::new();
    }
    let Ok(length) = rustix::fs::listxattr(at, &mut names) else {
        return BTreeMap::new();
    };
    let names = String::from_utf8_lossy(&names[..length]).into_owned();
    let value = |name: &str| {
        let mut value = vec![0; 4096];
        let length = rustix::fs::getxattr(at, name, &mut value).ok()?;
        value.truncate(length);
        Some((name.to_owned(), value))
    };
    let own = names.split('\0').filter(|name| name.starts_with("user."));
    own.filter_map(value).collect()
}

fn collect(top: &Path, at: &Path, skip: &[&str], found: &mut BTreeMap<String, Entry>) {
    let relative = at.strip_prefix(top).expect("an entry is below its folder");
    let name = relative.to_string_lossy().into_owned();
    if skip.iter().any(|skip| is_below(&name, skip)) {
        return;
    }
    let metadata = at.symlink_metadata().expect("an entry has metadata");
    let content = if metadata.is_file() {
        std::fs::read(at).expect("a file can be read")
    } else if metadata.is_symlink() {
        let target = std::fs::read_link(at).expect("a link can be read");
        target.into_os_string().into_encoded_bytes()
    } else {
        Vec::new()
    };
    let modified_ns =
        i128::from(metadata.mtime()) * 1_000_000_000 + i128::from(metadata.mtime_nsec());
    found.insert(
        name,
        Entry {
            content,
            mode: metadata.mode(),
            modified_ns,
            attributes: attributes(at, &metadata),
        },
    );
    if metadata.is_dir() {
        for entry in std::fs::read_dir(at).expect("a folder can be read") {
            collect(
                top,
                &entry.expect("an entry can be read").path(),
                skip,
                found,
            );
        }
    }
}
