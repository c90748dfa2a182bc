//! The files of a workspace with sizes and times, for an index that rereads only what changed.
//!
//! The walk follows the survey's rules. Only [`text_to_search`] reads contents, one file through
//! the workspace's handle. A file that is written twice within one clock tick and keeps its size
//! looks unchanged.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::UNIX_EPOCH;

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::rules::{
    is_binary_name, is_kept_as_plan, is_markdown, is_of_interest, is_plan, slashed, text_of, walker,
};
use super::{MAX_FILES, Survey};
use crate::error::ToolError;
use crate::workspace::Workspace;

/// Maximum number of files before a walk gives up; large enough that the first [`MAX_FILES`] by
/// path are the same each time.
const MAX_SEEN: usize = 250_000;

/// A file on disk, without its content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp {
    /// Its path in the workspace, separated by `/`.
    pub path: String,
    /// Its length in bytes.
    pub size: u64,
    /// When it was last written, in nanoseconds since 1970 UTC; 0 if unknown.
    pub mtime_ns: i64,
}

/// The files of a workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stamps {
    /// The files, sorted by path.
    pub files: Vec<Stamp>,
    /// Whether there are more than [`MAX_FILES`]; the first ones by path are included.
    pub is_partial: bool,
}

/// The files that a survey would list, except those in the plan folder.
///
/// # Errors
/// If the folder itself is missing or can't be listed; [`ToolError::Cancelled`] if it was stopped.
pub fn stamps_with_progress(
    workspace: &Workspace,
    plan_folder: &str,
    survey: &Survey,
) -> Result<Stamps, ToolError> {
    gather(workspace, walker(workspace.path()), plan_folder, survey)
}

/// Like [`stamps_with_progress`], but only for these paths. Paths that don't exist or are excluded
/// by the walk's rules are left out. Lists only their parent folders.
///
/// # Errors
/// Same as [`stamps_with_progress`].
pub fn stamps_of(
    workspace: &Workspace,
    plan_folder: &str,
    paths: &[String],
    survey: &Survey,
) -> Result<Stamps, ToolError> {
    let root = workspace.path();
    let mut wanted: BTreeSet<PathBuf> = BTreeSet::new();
    for path in paths {
        let full = root.join(path);
        let inside = full.ancestors().take_while(|folder| *folder != root);
        wanted.extend(inside.map(Path::to_owned));
    }
    let mut walk = walker(root);
    walk.filter_entry(move |entry: &DirEntry| {
        entry.depth() == 0 || wanted.contains(entry.path()) && is_of_interest(entry)
    });
    let mut found = gather(workspace, walk, plan_folder, survey)?;
    let asked: BTreeSet<&str> = paths.iter().map(String::as_str).collect();
    found.files.retain(|stamp| asked.contains(&*stamp.path));
    Ok(found)
}

/// The text of a file as available to searches; `None` if it is private, binary, too large, not
/// UTF-8, a plan or unreadable.
pub fn text_to_search(workspace: &Workspace, path: &str) -> Option<String> {
    if is_binary_name(path) || workspace.is_private(Path::new(path)) {
        return None;
    }
    let text = text_of(workspace.dir(), Path::new(path))?;
    (!is_markdown(path) || !is_plan(text.as_bytes())).then_some(text)
}

/// The results of one thread, merged when it ends.
struct Gathered<'a> {
    stamps: Vec<Stamp>,
    whole: &'a Mutex<Vec<Stamp>>,
}

impl Drop for Gathered<'_> {
    fn drop(&mut self) {
        let mut whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        whole.append(&mut self.stamps);
    }
}

fn gather(
    workspace: &Workspace,
    walk: WalkBuilder,
    plan_folder: &str,
    survey: &Survey,
) -> Result<Stamps, ToolError> {
    workspace.ensure_present()?;
    let root = workspace.path();
    let entries = workspace.dir().entries();
    entries.map_err(|error| ToolError::io("listing", root, &error))?;
    let whole = Mutex::new(Vec::new());
    let before = survey.files();
    walk.build_parallel().run(|| {
        let mut gathered = Gathered {
            stamps: Vec::new(),
            whole: &whole,
        };
        Box::new(move |entry| {
            if survey.is_stopped() || survey.files() - before > MAX_SEEN {
                return WalkState::Quit;
            }
            let stamp = entry
                .ok()
                .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
                .and_then(|entry| stamp(root, &entry))
                .filter(|stamp| !is_kept_as_plan(plan_folder, &stamp.path));
            if let Some(stamp) = stamp {
                survey.count();
                gathered.stamps.push(stamp);
            }
            WalkState::Continue
        })
    });
    if survey.is_stopped() {
        return Err(ToolError::Cancelled);
    }
    let mut files = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
    files.sort_unstable();
    let is_partial = files.len() > MAX_FILES;
    files.truncate(MAX_FILES);
    Ok(Stamps { files, is_partial })
}

fn stamp(root: &Path, entry: &DirEntry) -> Option<Stamp> {
    let path = slashed(entry.path().strip_prefix(root).ok()?)?;
    let found = entry.metadata().ok()?;
    let written = found.modified().ok();
    let since = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let mtime_ns = since.and_then(|since| i64::try_from(since.as_nanos()).ok());
    Some(Stamp {
        path,
        size: found.len(),
        mtime_ns: mtime_ns.unwrap_or(0),
    })
}
