//! Files outside the Git folders that Git runs or takes settings from: hooks, scripts and settings
//! files that the user's settings, or links in a Git folder, lead to.
//!
//! Whoever can write to these decides what runs at the user's next `git status`, so they are
//! protected like the Git folder itself. Git is asked for all effective settings, including
//! included files. The paths in the value of every setting not known to be harmless are protected,
//! as are files called by hooks and by programs named in settings.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use plan::word_list::WordList;
use serde::{Deserialize, Serialize};

use super::called::{Scope, words};
use super::harmless::is_harmless;
use super::hooks::{HOOKS, beside};
use super::links::trail;
use super::repository::Repository;
use super::run::{Ran, run_for};
use crate::error::ToolError;

/// Time limit for listing settings. This takes milliseconds, but a pipe in place of a settings file
/// would block forever.
const LIMIT: Duration = Duration::from_secs(5);
/// Settings whose whole value is a path, existing or not.
const PATHS: [&str; 2] = ["hookspath", "path"];
/// Settings whose value starts with a program, existing or not.
const PROGRAMS: WordList = WordList(
    "askpass clean cmd command driver editor external fsmonitor helper pager process program \
     smudge sshcommand textconv",
);
/// Entries of a Git folder that may be links.
const LINKED: [&str; 6] = [
    "config",
    "config.worktree",
    "hooks",
    "info",
    "info/attributes",
    "commondir",
];

/// Why no tool or command may write to such a path.
pub(crate) const WHY_PROTECTED: &str = "Git runs or reads it outside the sandbox";

/// A path from which Git would run something or read settings, including everything below it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct ControlPath {
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
}

/// How Git uses a path, even if nothing exists there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// A hooks folder.
    Folder,
    /// A program, script or settings file.
    File,
    /// A file beside the hooks folder with a hook's name. Most of these don't exist.
    Beside,
}

impl Kind {
    fn at(self, path: PathBuf) -> ControlPath {
        ControlPath { path, kind: self }
    }
}

/// An effective setting.
#[derive(Debug, Clone, Copy)]
struct Setting<'a> {
    /// The file that contains it.
    origin: Option<&'a Path>,
    key: &'a str,
    value: &'a str,
}

/// Every place below `within` (canonical) from which Git would run something or read settings in
/// this repository or, without a repository, in this folder. Paths are absolute, without links in
/// their parents. `home` is the folder with the user's own settings.
///
/// # Errors
/// If Git does not answer.
pub(crate) fn places(
    within: &Path,
    folder: &Path,
    repository: Option<&Repository>,
    home: Option<&Path>,
) -> Result<Vec<ControlPath>, ToolError> {
    let listing = listing(folder, repository, home)?;
    let top = repository.map_or(folder, |repository| &repository.top);
    let scope = Scope { within, top, home };
    let mut named = by_settings(&listing, scope);
    let own = repository.into_iter().flat_map(Repository::folders);
    let own = own.map(|folder| folder.join("hooks"));
    let folders = named.iter().filter(|place| place.kind == Kind::Folder);
    let folders = folders.map(|place| place.path.clone()).chain(own);
    let hooks = folders.flat_map(|folder| HOOKS.iter().map(move |name| folder.join(name)));
    let beside = named.iter().filter(|place| place.kind == Kind::Beside);
    let hooks = hooks.chain(beside.map(|place| place.path.clone()));
    let hooks: Vec<_> = hooks.filter(|path| path.is_file()).collect();
    let programs = settings(&listing).filter(|setting| setting.is_program());
    let programs: Vec<_> = programs.flat_map(|setting| setting.paths(scope)).collect();
    let called = scope.called(&hooks, &programs);
    let folders = repository.into_iter().flat_map(Repository::folders);
    let links = folders.flat_map(|folder| LINKED.map(|name| folder.join(name)));
    let files = called.into_iter().chain(links);
    named.extend(files.map(|path| Kind::File.at(path)));
    Ok(inside(within, named))
}

/// Whether Git would run a file at this path or read settings from it, in any repository of the
/// workspace that contains the path. Both paths are canonical.
///
/// # Errors
/// If Git does not answer.
pub(crate) fn covers(workspace: &Path, path: &Path) -> Result<bool, ToolError> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let above = path.ancestors().skip(1);
    let inside = above.take_while(|folder| *folder != workspace);
    let nested = inside.filter(|folder| folder.join(".git").symlink_metadata().is_ok());
    for folder in nested.chain([workspace]) {
        let repository = Repository::of(folder);
        let places = places(workspace, folder, repository.as_ref(), home.as_deref())?;
        if places.iter().any(|place| path.starts_with(&place.path)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The places in the repositories nested in a workspace, given by their Git folders. The user's
/// settings in each of these home folders may name places in every repository.
///
/// # Errors
/// If Git does not answer.
pub(crate) fn of_nested(
    workspace: &Path,
    found: &[PathBuf],
    homes: &[PathBuf],
) -> Result<Vec<ControlPath>, ToolError> {
    let mut all = Vec::new();
    for nested in nested(workspace, found) {
        for home in homes {
            all.extend(places(workspace, &nested.top, Some(&nested), Some(home))?);
        }
    }
    Ok(all)
}

/// The places named by settings in repositories that a command created. Files called by hooks are
/// left out, since the user's global hooks may name files that every project has.
///
/// # Errors
/// If Git does not answer.
pub(crate) fn of_new(
    workspace: &Path,
    made: &[PathBuf],
    homes: &[PathBuf],
) -> Result<Vec<ControlPath>, ToolError> {
    let mut all = Vec::new();
    for nested in nested(workspace, made) {
        for home in homes {
            let (within, top, home) = (workspace, &*nested.top, Some(&**home));
            let listing = listing(top, Some(&nested), home)?;
            let named = by_settings(&listing, Scope { within, top, home });
            all.extend(inside(workspace, named));
        }
    }
    Ok(all)
}

fn nested(workspace: &Path, found: &[PathBuf]) -> impl Iterator<Item = Repository> {
    let all = found.iter().filter_map(|git| Repository::at(git));
    all.filter(move |nested| nested.top != workspace)
}

/// All effective settings, as listed by Git.
fn listing(
    folder: &Path,
    repository: Option<&Repository>,
    home: Option<&Path>,
) -> Result<String, ToolError> {
    let mut args = vec!["config", "--list", "--show-scope", "--show-origin", "-z"];
    let at = repository.map(|one| format!("--git-dir={}", one.own.display()));
    if let Some(at) = &at {
        args.insert(0, at);
    }
    match run_for(folder, home, &args, &[], Instant::now() + LIMIT)? {
        // Use a partial listing too, since the user's Git reads no more than that either.
        Ran::Ended { output, .. } => Ok(String::from_utf8_lossy(&output).into_owned()),
        Ran::NoGit => Ok(String::new()),
        Ran::TooLong => Err(ToolError::Io {
            doing: "reading Git settings in",
            path: folder.display().to_string(),
            reason: "no response; try `git config --list` in that folder".to_owned(),
        }),
    }
}

/// The places that settings name, and the files that contain these settings.
fn by_settings(listing: &str, scope: Scope<'_>) -> Vec<ControlPath> {
    let mut all = Vec::new();
    for setting in settings(listing) {
        let (paths, is_hooks) = (setting.paths(scope), setting.is_hooks());
        if is_hooks {
            let files = paths.iter().flat_map(|path| beside(path, scope.within));
            all.extend(files.map(|path| Kind::Beside.at(path)));
        }
        let kind = if is_hooks { Kind::Folder } else { Kind::File };
        all.extend(paths.into_iter().map(|path| kind.at(path)));
        let origin = setting.origin.map(|origin| scope.top.join(origin));
        all.extend(origin.map(|path| Kind::File.at(path)));
    }
    all
}

/// The places in the workspace without duplicates, and the targets of links in their paths.
fn inside(within: &Path, named: Vec<ControlPath>) -> Vec<ControlPath> {
    let mut all: Vec<ControlPath> = named.iter().flat_map(with_links).collect();
    all.retain(|place| place.path.starts_with(within) && place.path != within);
    all.sort();
    all.dedup_by(|next, kept| next.path == kept.path);
    all
}

/// Parses a listing of settings, each with its scope, origin, and key and value on two lines. Our
/// own settings are left out.
fn settings(listing: &str) -> impl Iterator<Item = Setting<'_>> {
    let mut fields = listing.split('\0');
    std::iter::from_fn(move || Some((fields.next()?, fields.next()?, fields.next()?)))
        // Leave out our own settings, which disable all programs for this call.
        .filter(|(scope, ..)| *scope != "command")
        .map(|(_, origin, setting)| {
            let (key, value) = setting.split_once('\n').unwrap_or((setting, ""));
            let origin = origin.strip_prefix("file:").map(Path::new);
            Setting { origin, key, value }
        })
}

impl Setting<'_> {
    fn name(&self) -> &str {
        self.key.rsplit('.').next().unwrap_or(self.key)
    }

    fn is_hooks(self) -> bool {
        self.key.eq_ignore_ascii_case("core.hookspath")
    }

    /// Whether the setting names a program to run rather than a file to read.
    fn is_program(self) -> bool {
        PROGRAMS.has_in_any_case(self.name()) || self.value.starts_with('!')
    }

    /// The paths in the setting's value that could be run or read.
    fn paths(self, scope: Scope<'_>) -> Vec<PathBuf> {
        let Self { origin, key, value } = self;
        let Scope { top, home, .. } = scope;
        if PATHS
            .iter()
            .any(|path| self.name().eq_ignore_ascii_case(path))
        {
            let origin = origin.map(|origin| top.join(origin));
            let base = origin.as_deref().and_then(Path::parent);
            let base = base.filter(|_| key.starts_with("include"));
            return vec![resolved(base.unwrap_or(top), home, value)];
        }
        if is_harmless(key, value) {
            return Vec::new();
        }
        let first = words(value).next().filter(|word| word.contains('/'));
        let first = first.filter(|_| self.is_program());
        let mut all: Vec<_> = first
            .map(|word| resolved(top, home, word))
            .into_iter()
            .collect();
        all.extend(scope.named(value));
        all.dedup();
        all
    }
}

fn resolved(base: &Path, home: Option<&Path>, text: &str) -> PathBuf {
    match (text.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => base.join(text),
    }
}

/// Every link in a place's path and what the path leads to, existing or not; if that is a folder,
/// the same for each link in it.
fn with_links(place: &ControlPath) -> Vec<ControlPath> {
    let on = |path: &Path, kind: Kind| trail(path).into_iter().map(move |path| kind.at(path));
    let mut all: Vec<ControlPath> = on(&place.path, place.kind).collect();
    let entries = all.last().map(|place| fs::read_dir(&place.path));
    for entry in entries.into_iter().flatten().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
            all.extend(on(&entry.path(), Kind::File));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_count_by_the_paths_in_them() {
        let root = tempfile::tempdir().unwrap();
        let top = root.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("tools")).unwrap();
        for file in ["tools/clean.py", "monitor"] {
            fs::write(top.join(file), "").unwrap();
        }
        let home = top.join("home");
        for (key, value, named) in [
            ("core.hookspath", ".husky/_", &[".husky/_"] as &[&str]),
            ("core.hookspath", "hooks", &["hooks"]),
            ("core.hookspath", "~/hooks", &["home/hooks"]),
            ("include.path", "team.conf", &["conf/team.conf"]),
            (
                "includeif.gitdir:x.path",
                "../up.conf",
                &["conf/../up.conf"],
            ),
            ("core.fsmonitor", "monitor", &["monitor"]),
            ("core.fsmonitor", "tools/absent", &["tools/absent"]),
            ("core.fsmonitor", "true", &[]),
            (
                "filter.x.clean",
                "python3 tools/clean.py %f",
                &["tools/clean.py"],
            ),
            ("filter.lfs.clean", "git-lfs clean -- %f", &[]),
            ("filter.x.clean", "sed s/a/b/", &[]),
            (
                "credential.helper",
                "!tools/clean.py get",
                &["tools/clean.py"],
            ),
            ("alias.x", "!tools/clean.py", &["tools/clean.py"]),
            (
                "alias.x",
                "!f() { cd tools && ./clean.py; }; f",
                &["tools/./clean.py"],
            ),
            ("alias.x", "!tools/absent", &["tools/absent"]),
            ("alias.x", "log --oneline", &[]),
            ("remote.o.push", "refs/heads/a:refs/heads/b", &[]),
            ("remote.o.url", "tools/clean.py", &[]),
            ("core.pager", "less -R", &[]),
        ] {
            let origin = top.join("conf/config");
            let origin = key.starts_with("include").then_some(origin.as_path());
            let setting = Setting { origin, key, value };
            let (within, home) = (&*top, Some(&*home));
            let found = setting.paths(Scope {
                within,
                top: within,
                home,
            });
            let wanted: Vec<_> = named.iter().map(|name| top.join(name)).collect();
            assert_eq!(found, wanted, "{key} = {value}");
        }
    }
}
