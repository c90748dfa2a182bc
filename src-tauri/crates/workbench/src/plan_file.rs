//! Plan files on disk: finding, reading, recording and writing them.
//!
//! All content that is read or written is stored as a revision before anything depends on it. A
//! write names the content it was based on; if the file changed in the meantime, the edit is made
//! again on the new content, so nobody's changes are lost. Submodules: `writer` implements this,
//! `reader` and `disk_history` record changes by others, `stale` merges edits of an older revision,
//! `merge_summary` describes a merge's side effects.

mod disk_history;
mod merge_summary;
mod reader;
mod stale;
mod writer;

use std::path::{Path, PathBuf};

use gate::{Act, Bearer, Permit, own_act};
use plan::{Revision, source};
use store::{Author, NewRevision, Store};
use tools::{ContentHash, ToolError, Workspace, atomic, documents};

use crate::error::{Code, Error, Result};

pub use merge_summary::{is_merge, merge_summary, reason, summarize_merge};
pub use reader::Reader;
pub use writer::{NOT_WRITTEN, WRITE_ATTEMPTS, Writer, busy, edit_as_app};

/// How many of our last writes are checked for leftovers of a crash; more than one matters only if
/// others wrote in between.
const WRITES_TIDIED: usize = 8;

/// Maximum number of history events that are searched for these writes.
const EVENTS_TIDIED: usize = 64;

/// The content of a plan file.
#[derive(Debug, Clone)]
pub struct Content {
    /// The text of the file.
    pub text: String,
    /// The hash of the text.
    pub revision: Revision,
}

impl Content {
    /// Wraps a text with its hash.
    pub fn of(text: String) -> Self {
        let revision = Revision::of(text.as_bytes());
        Self { text, revision }
    }
}

/// A plan file inside a workspace.
#[derive(Debug, Clone)]
pub struct PlanFile {
    /// The absolute path with symlinks resolved: the plan's key in the store.
    pub path: PathBuf,
    /// The path relative to the workspace, with `/`.
    pub relative: String,
}

impl PlanFile {
    /// The plan's key in the store.
    pub fn key(&self) -> String {
        self.path.display().to_string()
    }

    /// A permit to write this file outside a run.
    pub fn permit(&self, bearer: Bearer) -> Permit {
        let path = self.relative.clone();
        own_act(bearer, Act::WriteDocument { path })
    }
}

/// Reads a file that need not be in a workspace. Fails with [`Code::UnusablePlan`] if it is
/// missing, not a file, too large or not text; the message says what to do.
pub fn read_anywhere(path: &Path) -> Result<Content> {
    let unusable = |message: String| Error::new(Code::UnusablePlan, message);
    let shown = path.display();
    let meta = std::fs::metadata(path)
        .map_err(|error| unusable(format!("can't open {shown}: {error}; check the path")))?;
    if !meta.is_file() {
        return Err(unusable(format!(
            "not a file: {shown}; enter the path of the plan's Markdown file"
        )));
    }
    if meta.len() > source::LIMIT {
        let error = source::SourceError::TooLarge { bytes: meta.len() };
        return Err(unusable(format!("{shown}: {error}")));
    }
    let bytes =
        std::fs::read(path).map_err(|error| unusable(format!("can't read {shown}: {error}")))?;
    decode(&bytes).map_err(|error| unusable(format!("{shown}: {error}")))
}

fn decode(bytes: &[u8]) -> std::result::Result<Content, source::SourceError> {
    let text = source::decode(bytes)?.to_owned();
    Ok(Content {
        text,
        revision: Revision::of(bytes),
    })
}

/// Reads the plan; refuses a path that leads out of the workspace.
pub fn read(workspace: &Workspace, file: &PlanFile) -> Result<Content> {
    let bytes = documents::read(workspace, &file.relative, source::LIMIT).map_err(|error| {
        let reason = match &error {
            ToolError::TooLarge { len, .. } => {
                source::SourceError::TooLarge { bytes: *len }.to_string()
            }
            ToolError::NotFound { .. } => {
                "the file no longer exists; if it was moved or renamed, open it at its new path"
                    .to_owned()
            }
            other => other.to_string(),
        };
        err!(UnusablePlan: "can't read the plan {}: {reason}", file.relative).because(error)
    })?;
    decode(&bytes).map_err(|error| err!(UnusablePlan: "{}: {error}", file.relative))
}

/// Records content found on disk, attributed to someone else unless it is already known. Writes no
/// file; for that, see [`Reader`].
pub fn record_found(store: &Store, key: &str, content: &Content, now: i64) -> Result<()> {
    disk_history::note(store, key, content, now, || false)?;
    Ok(())
}

/// Records content as a revision.
pub(crate) fn record(
    store: &Store,
    key: &str,
    content: &Content,
    parent: Option<&str>,
    author: Author,
    reason: &str,
    now: i64,
) -> Result<()> {
    store.revisions().record(&NewRevision {
        plan: key,
        hash: content.revision.as_str(),
        parent,
        author,
        reason,
        at_ms: now,
        content: content.text.as_bytes(),
    })?;
    Ok(())
}

/// Cleans up after a process that died while writing the plan: removes its leftover file, or
/// restores it if it holds another program's changes.
pub fn tidy(workspace: &Workspace, file: &PlanFile, store: &Store) -> Result<()> {
    let events = store.revisions().page(&file.key(), None, EVENTS_TIDIED)?;
    let mut tidied = 0;
    for (at, event) in events.iter().enumerate() {
        if !matches!(event.author, Author::App | Author::Person) || tidied == WRITES_TIDIED {
            continue;
        }
        tidied += 1;
        let Ok(after) = event.hash.parse::<ContentHash>() else {
            continue;
        };
        // A merge replaces the previous content, but is based on the one before that.
        let earlier = events.get(at + 1).map(|earlier| &earlier.hash);
        let mut replaced: Vec<&String> = event.parent.iter().chain(earlier).collect();
        replaced.dedup();
        for before in replaced {
            let Ok(before) = before.parse::<ContentHash>() else {
                continue;
            };
            let temp = atomic::temp_name(&file.relative, Some(before), Some(after));
            atomic::settle(workspace, &file.relative, Some(before), Some(after), &temp)?;
        }
    }
    Ok(())
}

/// Finds the workspace of a plan file: the parent of the plan folder, else the nearest folder with
/// `.planwright` or `.git`, else the plan's own folder.
pub fn workspace_of(plan: &Path, plan_folder: &str) -> PathBuf {
    let own = || plan.parent().unwrap_or_else(|| Path::new("/")).to_owned();
    own_workspace_of(plan, plan_folder).unwrap_or_else(own)
}

/// Like [`workspace_of`], but `None` unless a marker identifies the workspace.
pub fn own_workspace_of(plan: &Path, plan_folder: &str) -> Option<PathBuf> {
    let parent = plan.parent()?;
    let folder = Path::new(plan_folder);
    if parent.ends_with(folder) {
        let above = parent.ancestors().nth(folder.components().count());
        if let Some(above) = above {
            return Some(above.to_owned());
        }
    }
    let is_workspace = |dir: &&Path| dir.join(".planwright").is_dir() || dir.join(".git").exists();
    parent.ancestors().find(is_workspace).map(Path::to_owned)
}

/// Finds a plan file that a person named, relative to the current folder or else the given
/// workspace. Fails with [`Code::UnusablePlan`] if it doesn't exist, [`Code::Usage`] if it is
/// outside.
pub fn locate(
    cwd: &Path,
    named: &Path,
    workspace: Option<&Path>,
    plan_folder: &str,
) -> Result<(PathBuf, PlanFile)> {
    let root = workspace.map(|dir| cwd.join(dir));
    let here = cwd.join(named);
    let there = root.as_ref().map(|root| root.join(named));
    let found = [Some(here.clone()), there]
        .into_iter()
        .flatten()
        .find(|path| path.exists());
    let found = found.unwrap_or(here);
    let shown = named.display();
    let path = found.canonicalize().map_err(|error| {
        err!(UnusablePlan:
        "can't open {shown}: {error}; check the path")
    })?;
    let root = match root {
        Some(root) => root,
        None => workspace_of(&path, plan_folder),
    };
    let root = root.canonicalize().map_err(|error| {
        let shown = root.display();
        err!(Workspace: "can't open the workspace {shown}: {error}")
    })?;
    let relative = path.strip_prefix(&root).map_err(|_| {
        let root = root.display();
        err!(Usage: "{shown} is not in the workspace {root}; pass its workspace with --workspace")
    })?;
    let relative = relative.to_string_lossy().into_owned();
    Ok((root, PlanFile { path, relative }))
}
