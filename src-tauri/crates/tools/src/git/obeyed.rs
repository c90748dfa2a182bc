//! What Git runs or obeys although it lies in no Git folder: hooks, scripts and files of settings that
//! the user's settings, or links in a Git folder, lead to.
//!
//! Who can write there decides what runs at the user's next `git status`; so it is closed like the Git
//! folder itself. Git is asked for all settings in effect, included ones too, and whatever is not known
//! to be harmless counts by the paths in its value. Left out: aliases, which run by name only, and what
//! a hook goes on to call.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use super::harmless::is_harmless;
use super::repository::Repository;
use super::run::{Ran, run_for};
use crate::error::ToolError;

/// Listing settings takes milliseconds; a pipe in place of a file of settings would take for ever.
const LIMIT: Duration = Duration::from_secs(5);
/// As many links as Linux itself follows in one path.
const MAX_LINKS: usize = 40;
/// Settings whose whole value is a path, there or not.
const PATHS: [&str; 2] = ["hookspath", "path"];
/// Settings whose value begins with a program, there or not.
const PROGRAMS: [&str; 12] = [
    "askpass",
    "clean",
    "command",
    "driver",
    "editor",
    "external",
    "fsmonitor",
    "pager",
    "process",
    "program",
    "smudge",
    "textconv",
];
/// What of a Git folder may be a link.
const LINKED: [&str; 6] = [
    "config",
    "config.worktree",
    "hooks",
    "info",
    "info/attributes",
    "commondir",
];

/// One setting in effect.
#[derive(Debug, Clone, Copy)]
struct Setting<'a> {
    /// The file that it stands in.
    origin: Option<&'a Path>,
    key: &'a str,
    value: &'a str,
}

/// Every place below `within` (canonical) that Git would run something from, or take settings from, in
/// this repository, or in this folder where there is none: absolute, its parents no links. `home` is
/// where the user's own settings are.
///
/// # Errors
/// If Git does not answer.
pub(crate) fn places(
    within: &Path,
    folder: &Path,
    repository: Option<&Repository>,
    home: Option<&Path>,
) -> Result<Vec<PathBuf>, ToolError> {
    let mut args = vec!["config", "--list", "--show-scope", "--show-origin", "-z"];
    let at = repository.map(|one| format!("--git-dir={}", one.own.display()));
    if let Some(at) = &at {
        args.insert(0, at);
    }
    let listing = match run_for(folder, home, &args, &[], Instant::now() + LIMIT)? {
        // Whatever it could read counts; the user's Git reads no more.
        Ran::Ended { output, .. } => String::from_utf8_lossy(&output).into_owned(),
        Ran::NoGit => String::new(),
        Ran::TooLong => {
            return Err(ToolError::Io {
                doing: "asking Git for its settings in",
                path: folder.display().to_string(),
                reason: "it did not answer; run `git config --list` there yourself".to_owned(),
            });
        }
    };
    let top = repository.map_or(folder, |repository| &repository.top);
    let named = settings(&listing).flat_map(|setting| paths(setting, top, home));
    let folders = repository.into_iter().flat_map(Repository::folders);
    let links = folders.flat_map(|folder| LINKED.map(|name| folder.join(name)));
    let mut all: Vec<PathBuf> = named
        .chain(links)
        .flat_map(|path| with_links(&path))
        .collect();
    all.retain(|path| path.starts_with(within) && path != within);
    all.sort();
    all.dedup();
    Ok(all)
}

/// Whether Git, in one of the repositories around this path in a workspace, would run it or take
/// settings from it. Both are canonical.
///
/// # Errors
/// If Git does not answer.
pub(crate) fn covers(workspace: &Path, path: &Path) -> Result<bool, ToolError> {
    let above = path.ancestors().skip(1);
    let inside = above.take_while(|folder| *folder != workspace);
    let nested = inside.filter(|folder| folder.join(".git").symlink_metadata().is_ok());
    for folder in nested.chain([workspace]) {
        let places = places(workspace, folder, Repository::of(folder).as_ref(), None)?;
        if places.iter().any(|place| path.starts_with(place)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The places of the repositories inside a workspace, which these Git folders belong to.
///
/// # Errors
/// If Git does not answer.
pub(crate) fn of_nested(workspace: &Path, found: &[PathBuf]) -> Result<Vec<PathBuf>, ToolError> {
    let nested = found.iter().filter_map(|git| Repository::at(git));
    let mut all = Vec::new();
    for nested in nested.filter(|nested| nested.top != workspace) {
        all.extend(places(workspace, &nested.top, Some(&nested), None)?);
    }
    Ok(all)
}

/// The settings of a listing: scope, origin, then key and value in two lines.
fn settings(listing: &str) -> impl Iterator<Item = Setting<'_>> {
    let mut fields = listing.split('\0');
    std::iter::from_fn(move || Some((fields.next()?, fields.next()?, fields.next()?)))
        // Our own, which switch everything off for the call.
        .filter(|(scope, ..)| *scope != "command")
        .map(|(_, origin, setting)| {
            let (key, value) = setting.split_once('\n').unwrap_or((setting, ""));
            let origin = origin.strip_prefix("file:").map(Path::new);
            Setting { origin, key, value }
        })
}

/// The paths by which a setting could have something run or read: the file it stands in, and those in
/// its value.
fn paths(setting: Setting<'_>, top: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let Setting { origin, key, value } = setting;
    let origin = origin.map(|origin| top.join(origin));
    let name = key.rsplit('.').next().unwrap_or(key);
    let is = |names: &[&str]| names.iter().any(|one| name.eq_ignore_ascii_case(one));
    let mut all = Vec::new();
    if is(&PATHS) {
        let is_include = key.starts_with("include");
        let base = origin
            .as_deref()
            .and_then(Path::parent)
            .filter(|_| is_include);
        all.push(resolved(base.unwrap_or(top), home, value));
    } else if !is_harmless(key, value) && !key.starts_with("alias.") {
        let parts = value.split(|c: char| c.is_whitespace() || "!\"'`;&|()<>=$".contains(c));
        for (number, word) in parts.filter(|word| !word.is_empty()).enumerate() {
            let path = resolved(top, home, word);
            let is_program = number == 0 && is(&PROGRAMS) && word.contains('/');
            if path.is_file() || is_program {
                all.push(path);
            }
        }
    }
    all.extend(origin);
    all
}

fn resolved(base: &Path, home: Option<&Path>, text: &str) -> PathBuf {
    match (text.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => base.join(text),
    }
}

/// Every link on the way of a path, the place it leads to, there or not, and where the links in that
/// folder lead to.
fn with_links(path: &Path) -> Vec<PathBuf> {
    let mut all = trail(path);
    let entries = all.last().map(fs::read_dir);
    for entry in entries.into_iter().flatten().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
            all.extend(trail(&entry.path()));
        }
    }
    all
}

fn trail(path: &Path) -> Vec<PathBuf> {
    let parts = |path: &Path| -> VecDeque<OsString> {
        let parts = path.components().filter(|part| *part != Component::CurDir);
        parts.map(|part| part.as_os_str().to_owned()).collect()
    };
    let (mut at, mut rest, mut all) = (PathBuf::new(), parts(path), Vec::new());
    while let Some(part) = rest.pop_front() {
        if part == ".." {
            at.pop();
            continue;
        }
        // The root takes the place of what was there before.
        let next = at.join(part);
        match fs::read_link(&next) {
            Ok(target) if all.len() < MAX_LINKS => {
                all.push(next);
                let mut way = parts(&target);
                way.append(&mut rest);
                rest = way;
            }
            _ => at = next,
        }
    }
    all.push(at);
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
            ("alias.x", "!tools/clean.py", &[]),
            ("remote.o.push", "refs/heads/a:refs/heads/b", &[]),
            ("remote.o.url", "tools/clean.py", &[]),
            ("core.pager", "less -R", &[]),
        ] {
            let setting = Setting {
                origin: None,
                key,
                value,
            };
            let origin = top.join("conf/config");
            let origin = key.starts_with("include").then_some(origin.as_path());
            let mut found = paths(Setting { origin, ..setting }, &top, Some(&home));
            found.retain(|path| Some(path.as_path()) != origin);
            let wanted: Vec<_> = named.iter().map(|name| top.join(name)).collect();
            assert_eq!(found, wanted, "{key} = {value}");
        }
    }

    #[test]
    fn every_link_on_the_way_is_named() {
        let root = tempfile::tempdir().unwrap();
        let top = root.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("real")).unwrap();
        std::os::unix::fs::symlink("real", top.join("second")).unwrap();
        std::os::unix::fs::symlink(top.join("second"), top.join("first")).unwrap();
        let all = trail(&top.join("first/absent"));
        assert_eq!(
            all,
            ["first", "second", "real/absent"].map(|name| top.join(name))
        );
    }
}
