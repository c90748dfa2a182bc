//! Hints added after the output of a command that failed because of the sandbox. The start of a
//! hint is shown as the reason for the failure.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::wire::Job;
use super::{Exit, Mode, Tier, roots, toolchains};
use crate::git::control_paths::{ControlPath, WHY_PROTECTED};
use crate::git::repository::Repository;

/// A shell's exit codes for a program that it cannot start.
const NOT_STARTED: [i32; 2] = [126, 127];

/// Messages of programs that cannot write a file.
const READ_ONLY: [&str; 3] = ["Read-only file system", "ermission denied", "resource busy"];

/// The hints for a failed command. `hides_settings` is set if it could not see repository settings
/// because they contain a login; `control_paths` are the workspace's files that Git would run or
/// take settings from.
pub(super) fn of(
    job: &Job,
    exit: Exit,
    output: &str,
    hides_settings: bool,
    control_paths: &[ControlPath],
) -> Vec<String> {
    let Exit::Exited(code) = exit else {
        return Vec::new();
    };
    if code == 0 || job.tier == Tier::None {
        return Vec::new();
    }
    let mut hints = Vec::new();
    if NOT_STARTED.contains(&code) {
        hints.extend(outside(job));
    }
    if job.mode == Mode::Exec {
        hints.extend(output.lines().find_map(|line| commit_elsewhere(job, line)));
        hints.extend(
            output
                .lines()
                .find_map(|line| closed(job, line, control_paths)),
        );
    }
    if hides_settings && output.contains("config': Permission denied") {
        hints.push(
            "remove the credentials from this repository's settings (`git remote set-url`) or \
             allow user namespaces: this sandbox can only hide the settings as a whole"
                .to_owned(),
        );
    }
    hints
}

/// For a write to a file outside the Git folders that Git runs or takes settings from: why it is
/// refused, and who may change the file.
fn closed(job: &Job, line: &str, control_paths: &[ControlPath]) -> Option<String> {
    if !READ_ONLY.iter().any(|words| line.contains(words)) {
        return None;
    }
    let words = line.split(|c: char| c.is_whitespace() || "\"'`:‘’".contains(c));
    let mut named = words.filter(|word| !word.is_empty());
    let file = named.find(|word| {
        let path = job.workspace.join(word);
        let is_in_git = path.iter().any(|name| name == ".git");
        !is_in_git
            && control_paths
                .iter()
                .any(|place| path.starts_with(&place.path))
    })?;
    Some(format!(
        "`{file}` is protected ({WHY_PROTECTED}): edit it yourself if you need to"
    ))
}

/// For a program in a folder that commands can't see: the setting that makes it visible.
fn outside(job: &Job) -> Option<String> {
    let words = job
        .argv
        .iter()
        .flat_map(|word| word.split(|c: char| c.is_whitespace() || "\"'`;&|()<>=".contains(c)));
    let home = job.homes.last();
    let program = words.filter(|word| word.contains('/')).find_map(|word| {
        let in_home = ["~/", "$HOME/", "${HOME}/"]
            .iter()
            .find_map(|prefix| word.strip_prefix(prefix));
        let path = match (in_home, home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => job.workspace.join(word),
        };
        let path = path.canonicalize().ok()?;
        let data = fs::metadata(&path).ok()?;
        let is_program = data.is_file() && data.permissions().mode() & 0o111 != 0;
        (is_program && !is_shown(&path, &job.workspace, &job.readable)).then_some(path)
    })?;
    let folder = to_let_in(&program, &job.homes);
    Some(format!(
        "add {} to `toolchains` in settings: the sandbox hides {}",
        folder.display(),
        program.display()
    ))
}

/// Whether commands can see a canonical path.
pub(super) fn is_shown(path: &Path, workspace: &Path, readable: &[PathBuf]) -> bool {
    let is_readable = readable.iter().any(|root| path.starts_with(root));
    roots::is_system(path) || path.starts_with(workspace) || is_readable
}

/// The folder to make visible for a program: the whole toolchain, since it needs its libraries.
pub(super) fn to_let_in(program: &Path, homes: &[PathBuf]) -> PathBuf {
    let folder = program.parent().unwrap_or(program);
    toolchains::root_of(folder, homes)
}

/// For a commit in a repository other than the workspace's: where it can be made.
fn commit_elsewhere(job: &Job, line: &str) -> Option<String> {
    let (_, rest) = line.split_once("Unable to create '")?;
    let (git, _) = rest.split_once("/index.lock'")?;
    let git = Path::new(git);
    let is_above = git.ends_with(".git")
        && git
            .parent()
            .is_some_and(|top| job.workspace.starts_with(top));
    if is_above || Repository::of(&job.workspace).is_some_and(|own| own.own == git) {
        let hint = "only a step that runs `git` directly in the workspace folder can commit";
        return (!job.commits).then(|| hint.to_owned());
    }
    let folder = work_tree(git)?;
    Some(format!(
        "to commit in that repository, run a plan with `--workspace {}`",
        folder.display()
    ))
}

/// The working tree of a Git folder, which for a submodule is elsewhere.
fn work_tree(git: &Path) -> Option<PathBuf> {
    if git.ends_with(".git") {
        return git.parent().map(Path::to_owned);
    }
    let settings = fs::read_to_string(git.join("config")).ok()?;
    let mut named = settings.lines().filter_map(|line| line.split_once('='));
    let (_, to) = named.find(|(key, _)| key.trim() == "worktree")?;
    git.join(to.trim().trim_matches('"')).canonicalize().ok()
}
