//! Reads the state of the workspace's repository, and creates a branch for a run.
//!
//! Git itself is called in a way that runs no program the repository names (`run` explains how, and
//! what remains). Nothing here commits, changes a file or touches the index.

mod called;
pub(crate) mod control_paths;
pub(crate) mod harmless;
mod hooks;
mod links;
mod log;
mod program;
pub(crate) mod repository;
pub(crate) mod run;
mod status;

use std::time::{Duration, Instant};

use gate::{Act, Action, Permit};

use crate::error::ToolError;
use crate::workspace::Workspace;
pub use log::{Logged, head, log};
use run::{Ran, no_filters, run};

/// Total time limit for one query.
const LIMIT: Duration = Duration::from_secs(10);
/// How long to wait while Git writes its index.
const PATIENCE: Duration = Duration::from_secs(2);
/// Interval between checks for the index's lock file.
const PAUSE: Duration = Duration::from_millis(5);
/// Maximum number of changed files to list.
pub const MAX_DIRTY: usize = 1_000;
/// Maximum length of Git's message in an error, in characters.
const MAX_WORDS: usize = 400;

/// The state of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitState {
    /// The branch; `None` if HEAD is detached. A branch without commits already has a name.
    pub branch: Option<String>,
    /// The hash of the current commit; `None` before the first one.
    pub head: Option<String>,
    /// Files in the workspace that differ from it, at most [`MAX_DIRTY`], in Git's order.
    pub dirty: Vec<DirtyFile>,
    /// Number of files that differ, including unlisted ones, within the first 4 MiB of Git's list.
    pub dirty_total: usize,
}

/// A file that differs from the current commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirtyFile {
    /// The file's path, relative to the workspace. An untracked folder is one entry that ends with
    /// `/`. Invalid UTF-8 is shown with replacement characters.
    pub path: String,
    /// How it differs.
    pub status: DirtyStatus,
}

/// How a file differs from the current commit, staged or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DirtyStatus {
    /// Its content or mode differs.
    Modified,
    /// New and added to the index.
    Added,
    /// It no longer exists.
    Deleted,
    /// Its type changed, such as from a file to a link.
    TypeChanged,
    /// An unresolved merge conflict.
    Conflicted,
    /// New and not in the index.
    Untracked,
}

/// The state of the workspace's repository; `None` without a repository, a working tree or Git. If
/// the workspace is a folder inside a repository, only files below it are listed.
///
/// # Errors
/// If Git does not answer within ten seconds, or fails, with its message.
pub fn state(workspace: &Workspace) -> Result<Option<GitState>, ToolError> {
    workspace.ensure_present()?;
    let deadline = Instant::now() + LIMIT;
    let asked = ["rev-parse", "--is-inside-work-tree", "--show-prefix"];
    let place = run(workspace, &asked, &[], deadline)?;
    if matches!(place, Ran::NoGit) || place.found_no_repository() {
        return Ok(None);
    }
    let place = output(workspace, place)?;
    let Some(prefix) = place.strip_prefix(b"true\n") else {
        return Ok(None);
    };
    let prefix = prefix.strip_suffix(b"\n").unwrap_or(prefix);
    let filters = match no_filters(workspace, deadline)? {
        Ok(filters) => filters,
        Err(ran) => return output(workspace, ran).map(|_| None),
    };
    // A submodule's own status would use its own configuration.
    let args = [
        "status",
        "--porcelain=v2",
        "--branch",
        "-z",
        "--untracked-files=normal",
        "--no-renames",
        "--ignore-submodules=dirty",
        "--",
        ".",
    ];
    let listing = output(workspace, run(workspace, &args, &filters, deadline)?)?;
    Ok(Some(status::parse(&listing, prefix)))
}

/// Whether a file matches Git's index, as after a checkout; `false` for an untracked file or
/// without a repository. While Git has locked its index, such as during a checkout, this waits up
/// to two seconds.
///
/// # Errors
/// If Git does not answer within ten seconds.
pub fn is_checked_out(workspace: &Workspace, path: &str) -> Result<bool, ToolError> {
    workspace.ensure_present()?;
    let deadline = Instant::now() + LIMIT;
    let asked = ["rev-parse", "--git-path", "index.lock"];
    let Ran::Ended {
        ok: true, output, ..
    } = run(workspace, &asked, &[], deadline)?
    else {
        return Ok(false);
    };
    let lock = String::from_utf8_lossy(&output);
    let lock = workspace.path().join(lock.trim_end_matches('\n'));
    let patience = Instant::now() + PATIENCE;
    while lock.exists() && Instant::now() < patience {
        std::thread::sleep(PAUSE);
    }
    let literal = format!(":(literal){path}");
    let known = ["ls-files", "--error-unmatch", "--", &literal];
    if !matches!(
        run(workspace, &known, &[], deadline)?,
        Ran::Ended { ok: true, .. }
    ) {
        return Ok(false);
    }
    let Ok(filters) = no_filters(workspace, deadline)? else {
        return Ok(false);
    };
    let differs = [
        "diff-files",
        "--quiet",
        "--no-ext-diff",
        "--no-textconv",
        "--",
        &literal,
    ];
    let ran = run(workspace, &differs, &filters, deadline)?;
    Ok(matches!(ran, Ran::Ended { ok: true, .. }))
}

/// The given files whose content differs from a commit, staged or not; `None` without a repository,
/// Git, such a commit or any paths. Files that no longer exist or are not in the commit are left
/// out. `commit` must be a full or abbreviated hash, since it may come from an untrusted file.
///
/// # Errors
/// If Git does not answer within ten seconds, or fails, with its message.
pub fn changed_since(
    workspace: &Workspace,
    commit: &str,
    paths: &[String],
) -> Result<Option<Vec<String>>, ToolError> {
    let is_hash = (4..=64).contains(&commit.len()) && commit.chars().all(|c| c.is_ascii_hexdigit());
    if !is_hash || paths.is_empty() {
        return Ok(None);
    }
    workspace.ensure_present()?;
    let deadline = Instant::now() + LIMIT;
    let named = format!("{commit}^{{commit}}");
    let asked = [
        "rev-parse",
        "--quiet",
        "--verify",
        "--end-of-options",
        &named,
    ];
    if !matches!(
        run(workspace, &asked, &[], deadline)?,
        Ran::Ended { ok: true, .. }
    ) {
        return Ok(None);
    }
    let filters = match no_filters(workspace, deadline)? {
        Ok(filters) => filters,
        Err(ran) => return output(workspace, ran).map(|_| None),
    };
    let mut args = vec![
        "diff",
        "--name-only",
        "-z",
        "--relative",
        "--diff-filter=MT",
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--ignore-submodules=all",
        commit,
        "--",
    ];
    let literal: Vec<String> = paths
        .iter()
        .map(|path| format!(":(literal){path}"))
        .collect();
    args.extend(literal.iter().map(String::as_str));
    let listing = output(workspace, run(workspace, &args, &filters, deadline)?)?;
    let listing = String::from_utf8_lossy(&listing);
    let changed = listing.split('\0').filter(|path| !path.is_empty());
    Ok(Some(changed.map(str::to_owned).collect()))
}

/// Creates a branch at HEAD and switches to it. All files stay as they are, changed or staged.
///
/// # Errors
/// [`ToolError::NotPermitted`] if the permit is for another name; [`ToolError::Argument`] for an
/// invalid or existing name, or without a repository; otherwise Git's message, for example during a
/// merge.
pub fn start_branch(permit: &Permit, workspace: &Workspace, name: &str) -> Result<(), ToolError> {
    permit.require(&Action::Own(Act::StartBranch {
        name: name.to_owned(),
    }))?;
    workspace.ensure_present()?;
    let deadline = Instant::now() + LIMIT;
    let argument = |reason: String| Err(ToolError::Argument { reason });
    let reference = format!("refs/heads/{name}");
    let form = run(workspace, &["check-ref-format", &reference], &[], deadline)?;
    match form {
        Ran::NoGit => {
            return argument(
                "Git is not installed: install it, or start the run without a new branch"
                    .to_owned(),
            );
        }
        Ran::Ended { ok: false, .. } => return not_a_name(name),
        Ran::Ended { ok: true, .. } if name.starts_with('-') || name == "HEAD" => {
            return not_a_name(name);
        }
        ran => output(workspace, ran)?,
    };
    let shown = ["show-ref", "--verify", "--quiet", &reference];
    let existing = run(workspace, &shown, &[], deadline)?;
    if existing.found_no_repository() {
        return argument(format!(
            "`{}` is not a Git repository: run `git init`, or start the run without a new branch",
            workspace.path().display()
        ));
    }
    if let Ran::Ended { ok: true, .. } = existing {
        return argument(format!(
            "branch `{name}` already exists: choose another name"
        ));
    }
    let filters = match no_filters(workspace, deadline)? {
        Ok(filters) => filters,
        Err(ran) => return output(workspace, ran).map(drop),
    };
    let args = [
        "switch",
        "--quiet",
        "--no-track",
        "--no-recurse-submodules",
        "--create",
        name,
    ];
    output(workspace, run(workspace, &args, &filters, deadline)?).map(drop)
}

fn not_a_name(name: &str) -> Result<(), ToolError> {
    let reason = format!(
        "invalid branch name {name:?}: use letters, digits, `-`, `_`, `.` and `/`, for example \
         `planwright/add-search`"
    );
    Err(ToolError::Argument { reason })
}

/// The output of a call that must succeed.
fn output(workspace: &Workspace, ran: Ran) -> Result<Vec<u8>, ToolError> {
    let reason = match ran {
        Ran::Ended {
            ok: true, output, ..
        } => return Ok(output),
        Ran::Ended { errors, .. } => words(&errors),
        Ran::TooLong => "no response within 10 seconds; try `git status` in that folder".to_owned(),
        Ran::NoGit => "Git is not installed".to_owned(),
    };
    Err(ToolError::Io {
        doing: "running Git in",
        path: workspace.path().display().to_string(),
        reason,
    })
}

/// Git's message in one line, without terminal control characters.
fn words(errors: &str) -> String {
    let lines = errors.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix("fatal: ")
            .or_else(|| line.strip_prefix("error: "))
            .unwrap_or(line)
    });
    let joined = lines
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("; ");
    let mut plain: String = joined
        .chars()
        .filter(|c| !c.is_control())
        .take(MAX_WORDS)
        .collect();
    if plain.is_empty() {
        plain.push_str("Git gave no reason");
    }
    plain
}
