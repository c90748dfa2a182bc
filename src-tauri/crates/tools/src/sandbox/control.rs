//! Compares the files that decide what Git runs, before and after a command.
//!
//! These control files are sealed while a command runs. This module detects if a seal ever fails,
//! and protects tiers without one. Differences are reverted and reported; the files that were
//! found instead are moved to the app's own folder, never deleted. Repositories created during the
//! command keep only what can't run anything.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};

use super::commit::is_head;
use super::inventory::{list, open_to_owner};
use super::protect::is_stand_in;
use crate::git::harmless::harmless_part;

/// Maximum size of a control file whose content is kept, in bytes. Changes to larger files are only
/// reported.
const LARGEST: u64 = 1 << 20;
/// Maximum nesting depth of submodules.
const DEEPEST: u32 = 6;
/// Folders in which every file is a control file.
const WHOLE: [&str; 2] = ["hooks", "info"];

/// The state of a control file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    File {
        mode: u32,
        bytes: Vec<u8>,
    },
    /// Too large to store: length, ctime and inode.
    Large(u64, (i64, i64), u64),
    Folder,
    Link(PathBuf),
    Other,
}

type States = BTreeMap<PathBuf, State>;

/// The control files of all repositories that a command could reach.
#[derive(Debug, Default)]
pub(super) struct Control {
    /// The states by repository, or by place outside the repositories from which Git takes settings
    /// or programs; then by path.
    kept: BTreeMap<PathBuf, States>,
    /// Places in which every file is a control file and no new one may appear.
    control_paths: Vec<PathBuf>,
}

impl Control {
    /// Reads the control files of these Git folders and `.git` files, and everything at and below
    /// the other places from which Git takes settings or programs.
    pub(super) fn take(
        repositories: impl IntoIterator<Item = PathBuf>,
        control_paths: Vec<PathBuf>,
    ) -> Self {
        let paths: Vec<_> = repositories
            .into_iter()
            .chain(control_paths.clone())
            .collect();
        let mut this = Self {
            kept: BTreeMap::new(),
            control_paths,
        };
        for path in paths {
            let states = this.states(&path);
            this.kept.insert(path, states);
        }
        this
    }

    fn states(&self, path: &Path) -> States {
        let mut states = States::new();
        if self.control_paths.iter().any(|one| one == path) {
            read_whole(path, &mut states);
        } else {
            read(path, 0, &mut states);
        }
        states
    }

    /// Compares with the current state, reverts changes that could run something, and returns one
    /// sentence for each. `now` are the repositories that exist after the command; displaced files
    /// go to `aside`. Harmless changes stay, since the user may have worked with Git in the
    /// meantime.
    pub(super) fn restore(&self, now: &[PathBuf], aside: &Path) -> Vec<String> {
        let mut alarms = Vec::new();
        let mut aside = Aside::new(aside);
        // Files that were added, in old and new repositories.
        let mut new = States::new();
        for (repository, before) in &self.kept {
            let mut after = self.states(repository);
            for (path, was) in before {
                let is = after.remove(path);
                // Nothing can run from a folder that no longer exists.
                let is_gone = is.is_none()
                    && (*was == State::Folder || path.parent().is_none_or(|up| !up.exists()));
                if is.as_ref() == Some(was) || is_gone || runs_the_same(path, was, is.as_ref()) {
                    continue;
                }
                alarms.push(match put_back(path, was, is.is_some(), &mut aside) {
                    Ok(()) => format!("{} was changed and has been restored", path.display()),
                    Err(error) => format!(
                        "{} was changed and couldn't be restored ({error}): check it before \
                         using Git there",
                        path.display()
                    ),
                });
            }
            new.extend(after);
        }
        for repository in now.iter().filter(|one| !self.kept.contains_key(*one)) {
            read(repository, 0, &mut new);
        }
        self.disarm(&new, &mut aside, &mut alarms);
        alarms
    }

    /// Moves away files that would make Git run something in repositories that a command created.
    /// Known places and Git folders are handled by `restore`.
    pub(super) fn close(
        &self,
        places: impl Iterator<Item = PathBuf>,
        made: &[PathBuf],
        aside: &Path,
    ) -> Vec<String> {
        let mut done: Vec<_> = self.kept.keys().chain(made).collect();
        done.extend(&self.control_paths);
        let mut found = States::new();
        for place in places.filter(|place| !done.iter().any(|done| place.starts_with(done))) {
            read_whole(&place, &mut found);
        }
        let mut aside = Aside::new(aside);
        let is_harmless = |path: &Path| path.extension().is_some_and(|name| name == "sample");
        let found = found
            .into_iter()
            .filter(|(path, state)| *state != State::Folder && !is_harmless(path));
        let alarms = found.map(|(path, _)| match aside.take(&path) {
            Ok(()) => format!(
                "{} would run in a repository that the command created; moved it out of the \
                 workspace",
                path.display()
            ),
            Err(error) => format!(
                "{} would run in a repository that the command created and couldn't be moved \
                 ({error}): delete it before using Git there",
                path.display()
            ),
        });
        alarms.collect()
    }

    /// Removes everything new that could run something.
    fn disarm(&self, new: &States, aside: &mut Aside, alarms: &mut Vec<String>) {
        for (path, state) in new {
            let name = file_name(path);
            let is_hook = path.parent().is_some_and(|above| above.ends_with("hooks"));
            let is_control_path = self.control_paths.iter().any(|one| path.starts_with(one));
            let wrong = match state {
                State::Folder => continue,
                State::File { .. } if is_control_path => !name.ends_with(".sample"),
                State::Link(_) | State::Other | State::Large(..) => true,
                State::File { .. } if is_hook => !name.ends_with(".sample"),
                State::File { bytes, .. } if name.starts_with("config") => {
                    let (kept, taken) = harmless_part(&String::from_utf8_lossy(bytes));
                    if !taken.is_empty() {
                        let done = aside
                            .take(path)
                            .and_then(|()| write(path, 0o644, kept.as_bytes()));
                        let keys: Vec<_> = taken.into_iter().map(|(key, _)| key).collect();
                        alarms.push(disarmed(
                            path,
                            done,
                            &format!("removed {}", keys.join(", ")),
                        ));
                    }
                    continue;
                }
                State::File { bytes, .. } if name == "commondir" || name == ".git" => {
                    !self.leads_to_known(new, path, bytes)
                }
                State::File { .. } => continue,
            };
            if wrong {
                let done = aside.take(path);
                alarms.push(disarmed(path, done, "moved it out of the workspace"));
            }
        }
    }

    /// Whether a file that points to a Git folder points to one whose control files are checked.
    fn leads_to_known(&self, new: &States, path: &Path, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_end_matches(['\n', '\r']);
        let text = text.strip_prefix("gitdir: ").unwrap_or(text);
        let target = path
            .parent()
            .and_then(|above| above.join(text).canonicalize().ok());
        let all = self.kept.values().chain([new]).flatten();
        let mut folders = all.filter(|(_, state)| **state == State::Folder);
        target.is_some_and(|target| {
            folders.any(|(folder, _)| folder.canonicalize().is_ok_and(|folder| folder == target))
        })
    }
}

fn disarmed(path: &Path, result: io::Result<()>, what: &str) -> String {
    match result {
        Ok(()) => format!(
            "{} was created by the command and could run programs; {what}",
            path.display()
        ),
        Err(error) => format!(
            "{} was created by the command, could run programs and couldn't be fixed ({error}): \
             delete it before using Git there",
            path.display()
        ),
    }
}

fn file_name(path: &Path) -> &str {
    let name = path.file_name().and_then(|name| name.to_str());
    name.unwrap_or_default()
}

/// Whether a change can't run anything that did not run before: another branch, an exclude, a
/// sample, or harmless settings.
fn runs_the_same(path: &Path, was: &State, is: Option<&State>) -> bool {
    let Some(State::File { bytes: is, .. }) = is else {
        return false;
    };
    let State::File { bytes: was, .. } = was else {
        return false;
    };
    let name = file_name(path);
    let risk = |bytes: &[u8]| harmless_part(&String::from_utf8_lossy(bytes)).1;
    match name {
        "HEAD" => is_head(is),
        name if name.ends_with(".sample") => true,
        name if name.starts_with("config") => risk(was) == risk(is),
        _ => path.parent().is_some_and(|above| above.ends_with("info")),
    }
}

/// Reads the control files at and below a `.git` of any kind.
fn read(path: &Path, depth: u32, states: &mut States) {
    let Some(state) = state(path) else { return };
    let is_folder = state == State::Folder;
    states.insert(path.to_owned(), state);
    if !is_folder {
        return;
    }
    for entry in list(path).into_iter().flatten().flatten() {
        let (name, path) = (entry.file_name(), entry.path());
        let name = name.to_str().unwrap_or_default();
        if WHOLE.contains(&name) {
            read_whole(&path, states);
        } else if name == "worktrees" || name == "modules" {
            read_nested(&path, depth, states);
        } else if matches!(name, "HEAD" | "commondir" | "gitdir") || name.starts_with("config") {
            states.extend(self::state(&path).map(|state| (path, state)));
        }
    }
}

/// Reads every file in a folder.
fn read_whole(path: &Path, states: &mut States) {
    let Some(state) = state(path) else { return };
    let is_folder = state == State::Folder;
    states.insert(path.to_owned(), state);
    if is_folder {
        for entry in list(path).into_iter().flatten().flatten() {
            read_whole(&entry.path(), states);
        }
    }
}

/// Reads the Git folders of worktrees and submodules, whose names may have several parts.
fn read_nested(folder: &Path, depth: u32, states: &mut States) {
    if depth > DEEPEST {
        return;
    }
    for entry in list(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_git = ["HEAD", "commondir", "config"];
        if is_git
            .iter()
            .any(|name| path.join(name).symlink_metadata().is_ok())
        {
            read(&path, depth + 1, states);
        } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            read_nested(&path, depth + 1, states);
        }
    }
}

fn state(path: &Path) -> Option<State> {
    let data = fs::symlink_metadata(path).ok()?;
    if is_stand_in(path, &data) {
        return None;
    }
    Some(if data.is_symlink() {
        State::Link(fs::read_link(path).unwrap_or_default())
    } else if data.is_dir() {
        State::Folder
    } else if !data.is_file() {
        State::Other
    } else if data.len() > LARGEST {
        State::Large(data.len(), (data.mtime(), data.mtime_nsec()), data.ino())
    } else {
        let mode = data.mode() & 0o7777;
        State::File {
            mode,
            bytes: fs::read(path).unwrap_or_default(),
        }
    })
}

fn put_back(path: &Path, was: &State, is_there: bool, aside: &mut Aside) -> io::Result<()> {
    if is_there {
        aside.take(path)?;
    }
    match was {
        State::File { mode, bytes } => write(path, *mode, bytes),
        State::Folder => fs::create_dir(path),
        State::Link(target) => symlink(target, path),
        State::Large(..) | State::Other => Err(io::Error::other(
            "its original content was not \
                                                                 saved",
        )),
    }
}

fn write(path: &Path, mode: u32, bytes: &[u8]) -> io::Result<()> {
    use std::io::Write;
    let mut options = fs::OpenOptions::new();
    // The previous entry was moved away, so this creates a new file and never follows a link.
    let mut file = options.write(true).create_new(true).mode(mode).open(path)?;
    file.write_all(bytes)?;
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))
}

/// The folder for displaced files in the app's data, created on first use.
struct Aside {
    folder: PathBuf,
    count: u32,
}

impl Aside {
    fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            count: 0,
        }
    }

    fn take(&mut self, path: &Path) -> io::Result<()> {
        let mut private = fs::DirBuilder::new();
        private.recursive(true).mode(0o700).create(&self.folder)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let to = loop {
            self.count += 1;
            let to = self.folder.join(format!("{}-{name}", self.count));
            if to.symlink_metadata().is_err() {
                break to;
            }
        };
        let moved = fs::rename(path, &to).or_else(|error| match path.parent() {
            // The command may have removed its own permissions on the folder.
            Some(above) if error.kind() == io::ErrorKind::PermissionDenied => {
                open_to_owner(above, 0o300)?;
                fs::rename(path, &to)
            }
            _ => Err(error),
        });
        if moved.is_ok() {
            return Ok(());
        }
        // On another file system: copy, then delete.
        let data = fs::symlink_metadata(path)?;
        if data.is_dir() {
            return fs::remove_dir_all(path);
        }
        if data.is_file() {
            fs::copy(path, &to)?;
        }
        fs::remove_file(path)
    }
}

#[cfg(test)]
mod tests;
