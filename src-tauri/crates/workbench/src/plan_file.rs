//! Plan files on disk: found, read, recorded, written.
//!
//! Every content that is read or written becomes a revision in the store before anything depends on
//! it. A write names the content it was made from; if the file moved on in between, it is made anew
//! from what is there now, so nobody's bytes are lost. `writing` does that, `found` says what others' contents are taken
//! for, `stale` merges what was saved over newer revisions, `told` says what a merge did besides.

mod found;
mod noting;
mod stale;
mod told;
mod writing;

use std::path::{Path, PathBuf};

use gate::{Act, Bearer, Permit, own_act};
use plan::{Revision, source};
use store::{Author, NewRevision, Store};
use tools::{ContentHash, ToolError, Workspace, atomic, documents};

use crate::error::{Code, Error, Result};

pub use found::Reader;
pub use told::{is_merge, reason, told, told_of};
pub use writing::{NOT_WRITTEN, WRITE_ATTEMPTS, Writer, busy, edit_as_app};

/// How many of our own last writes are looked at for what a crash left; more than one only when
/// others wrote between them.
const WRITES_TIDIED: usize = 8;

/// How many events are looked at for them.
const EVENTS_TIDIED: usize = 64;

/// One content of a plan file.
#[derive(Debug, Clone)]
pub struct Content {
    /// The text.
    pub text: String,
    /// The hash of the text.
    pub revision: Revision,
}

impl Content {
    /// Of a text.
    pub fn of(text: String) -> Self {
        let revision = Revision::of(text.as_bytes());
        Self { text, revision }
    }
}

/// A plan file inside a workspace.
#[derive(Debug, Clone)]
pub struct PlanFile {
    /// Absolute, links resolved: the plan's key in the store.
    pub path: PathBuf,
    /// Relative to the workspace, with `/`.
    pub relative: String,
}

impl PlanFile {
    /// The key under which the store knows it.
    pub fn key(&self) -> String {
        self.path.display().to_string()
    }

    /// Leave to write this file, for whoever does so by themselves.
    pub fn permit(&self, bearer: Bearer) -> Permit {
        let path = self.relative.clone();
        own_act(bearer, Act::WriteDocument { path })
    }
}

/// Reads a file that need not lie in a workspace.
/// Fails with [`Code::UnusablePlan`] with what to do: missing, not a file, too large, not text.
pub fn read_anywhere(path: &Path) -> Result<Content> {
    let unusable = |message: String| Error::new(Code::UnusablePlan, message);
    let shown = path.display();
    let meta = std::fs::metadata(path).map_err(|error| {
        unusable(format!(
            "{shown} cannot be opened: {error}. Check the path."
        ))
    })?;
    if !meta.is_file() {
        return Err(unusable(format!(
            "{shown} is not a file; name the plan's Markdown file."
        )));
    }
    if meta.len() > source::LIMIT {
        let error = source::SourceError::TooLarge { bytes: meta.len() };
        return Err(unusable(format!("{shown}: {error}")));
    }
    let bytes = std::fs::read(path)
        .map_err(|error| unusable(format!("{shown} cannot be read: {error}.")))?;
    decode(&bytes).map_err(|error| unusable(format!("{shown}: {error}")))
}

fn decode(bytes: &[u8]) -> std::result::Result<Content, source::SourceError> {
    let text = source::decode(bytes)?.to_owned();
    Ok(Content {
        text,
        revision: Revision::of(bytes),
    })
}

/// Reads the plan through the workspace's jail.
pub fn read(workspace: &Workspace, file: &PlanFile) -> Result<Content> {
    let bytes = documents::read(workspace, &file.relative, source::LIMIT).map_err(|error| {
        let reason = match &error {
            ToolError::TooLarge { len, .. } => {
                source::SourceError::TooLarge { bytes: *len }.to_string()
            }
            ToolError::NotFound { .. } => {
                "the file is gone; if it was renamed or moved, open it where it is now".to_owned()
            }
            other => other.to_string(),
        };
        err!(UnusablePlan: "the plan {} cannot be read: {reason}", file.relative).because(error)
    })?;
    decode(&bytes).map_err(|error| err!(UnusablePlan: "{}: {error}", file.relative))
}

/// Records a content found on disk, as somebody else's unless it is known already. Writes no file;
/// see [`Reader`] for that.
pub fn record_found(store: &Store, key: &str, content: &Content, now: i64) -> Result<()> {
    noting::note(store, key, content, now, || false)?;
    Ok(())
}

/// Records a content.
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

/// Tidies up after a process that ended inside a write of the plan: what it left beside the file goes,
/// and if that turns out to be what another program wrote, it is put back.
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
        // A merge replaces the content before it, and comes from the one before that.
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

/// Finds the workspace of a plan file when none is named: the folder above the plan folder, else the
/// nearest folder with `.planwright` or `.git`, else the plan's own folder.
pub fn workspace_of(plan: &Path, plan_folder: &str) -> PathBuf {
    let own = || plan.parent().unwrap_or_else(|| Path::new("/")).to_owned();
    own_workspace_of(plan, plan_folder).unwrap_or_else(own)
}

/// The same, where something says that it is a workspace.
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

/// The plan file a person named: relative to the current folder, else to the workspace named.
/// Fails with [`Code::UnusablePlan`] when it does not exist, [`Code::Usage`] when it lies outside.
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
        "{shown} cannot be opened: {error}. Check the path.")
    })?;
    let root = match root {
        Some(root) => root,
        None => workspace_of(&path, plan_folder),
    };
    let root = root.canonicalize().map_err(|error| {
        let shown = root.display();
        err!(Workspace: "the workspace {shown} cannot be opened: {error}.")
    })?;
    let relative = path.strip_prefix(&root).map_err(|_| {
        let root = root.display();
        err!(Usage: "{shown} does not lie in the workspace {root}; name its own with --workspace")
    })?;
    let relative = relative.to_string_lossy().into_owned();
    Ok((root, PlanFile { path, relative }))
}
