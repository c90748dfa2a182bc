//! Plan files on disk: found, read, recorded, written.
//!
//! Every content that is read or written becomes a revision in the store before anything depends on
//! it. A write names the content it was made from; if the file moved on in between, it is made anew
//! from what is there now, so nobody's bytes are lost. `found` says what others' contents are taken
//! for, `stale` merges what was saved over newer revisions.

mod found;
mod stale;

use std::path::{Path, PathBuf};

use plan::edit::{self, Applied, EditError, Splice};
use plan::{Plan, Revision, source};
use store::{Author, NewRevision, RevisionEvent, Store};
use tools::{ContentHash, ToolError, Workspace, atomic, documents};

use crate::error::{Code, Error, Result};

pub(crate) use found::{MERGED, Reader};

/// How many of our own last writes are looked at for what a crash left; more than one only when
/// others wrote between them.
const WRITES_TIDIED: usize = 8;

/// How many events are looked at for them.
const EVENTS_TIDIED: usize = 64;

/// Why a revision is there again whose successor was recorded and could not be written.
pub(crate) const NOT_WRITTEN: &str = "not written";

/// How often a write is made anew when others keep writing.
pub(crate) const WRITE_ATTEMPTS: usize = 40;

/// One content of a plan file.
#[derive(Debug, Clone)]
pub(crate) struct Content {
    pub(crate) text: String,
    pub(crate) revision: Revision,
}

/// A plan file inside a workspace.
#[derive(Debug, Clone)]
pub(crate) struct PlanFile {
    /// Absolute, links resolved: the plan's key in the store.
    pub(crate) path: PathBuf,
    /// Relative to the workspace, with `/`.
    pub(crate) relative: String,
}

impl PlanFile {
    /// The key under which the store knows it.
    pub(crate) fn key(&self) -> String {
        self.path.display().to_string()
    }
}

/// Reads a file that need not lie in a workspace.
///
/// # Errors
/// [`Code::UnusablePlan`] with what to do: missing, not a file, too large, not text.
pub(crate) fn read_anywhere(path: &Path) -> Result<Content> {
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
pub(crate) fn read(workspace: &Workspace, file: &PlanFile) -> Result<Content> {
    let bytes = documents::read(workspace, &file.relative, source::LIMIT).map_err(|error| {
        let reason = match &error {
            ToolError::TooLarge { len, .. } => {
                source::SourceError::TooLarge { bytes: *len }.to_string()
            }
            other => other.to_string(),
        };
        let message = format!("the plan {} cannot be read: {reason}", file.relative);
        Error {
            code: Code::UnusablePlan,
            message,
            source: Some(Box::new(error)),
        }
    })?;
    decode(&bytes)
        .map_err(|error| Error::new(Code::UnusablePlan, format!("{}: {error}", file.relative)))
}

/// Records a content found on disk, as somebody else's unless it is known already. Writes no file;
/// see [`Reader`] for that.
pub(crate) fn record_found(store: &Store, key: &str, content: &Content, now: i64) -> Result<()> {
    found::note(store, key, content, now, || false)?;
    Ok(())
}

/// Whether the app itself made a revision, as its ticks, answers and `skipped` lines are made: what it
/// merges for others is not its own.
pub(crate) fn is_own(event: &RevisionEvent) -> bool {
    event.author == Author::App && event.reason != MERGED
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

/// Somebody who changes a plan file.
pub(crate) struct Writer<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) file: &'a PlanFile,
    pub(crate) store: &'a Store,
    pub(crate) now: i64,
    pub(crate) author: Author,
    /// Why, in a few words for the history.
    pub(crate) reason: &'a str,
}

impl Writer<'_> {
    /// Makes the splices from what is there now and writes the result. Returns the content that
    /// stands afterwards; without splices nothing is written.
    pub(crate) fn edit(
        &self,
        splices: impl Fn(&str, &Plan) -> std::result::Result<Vec<Splice>, EditError>,
    ) -> Result<Content> {
        for _ in 0..WRITE_ATTEMPTS {
            let reader = Reader {
                workspace: self.workspace,
                file: self.file,
                store: self.store,
                now: self.now,
                was_at: None,
            };
            let before = reader.read()?.content;
            let (plan, _) = plan::parse(&before.text);
            let failed = |error: EditError| {
                Error::new(
                    Code::Failed,
                    format!("{} cannot be edited: {error}", self.file.relative),
                )
            };
            let splices = splices(&before.text, &plan).map_err(failed)?;
            if splices.is_empty() {
                return Ok(before);
            }
            let Applied { text, .. } = edit::apply(&before.text, &splices).map_err(failed)?;
            if let Some(after) = self.replace(&before, text)? {
                return Ok(after);
            }
        }
        Err(busy(self.file))
    }

    /// Records a content as a revision, then puts it in the place of the one it was made from, which
    /// was recorded before. `None`, and nothing written, if the file moved on in between.
    pub(crate) fn replace(&self, before: &Content, text: String) -> Result<Option<Content>> {
        self.replace_from(before, text, Some(before.revision.as_str()))
    }

    /// As [`Writer::replace`], for a content that the history takes to come from another revision than
    /// the one it replaces.
    fn replace_from(
        &self,
        before: &Content,
        text: String,
        parent: Option<&str>,
    ) -> Result<Option<Content>> {
        let (store, file) = (self.store, self.file);
        let bytes = text.as_bytes();
        if bytes.len() as u64 > source::LIMIT {
            let bytes = bytes.len() as u64;
            let error = source::SourceError::TooLarge { bytes };
            return Err(Error::new(
                Code::Usage,
                format!("{} would become too large: {error}", file.relative),
            ));
        }
        let after = Content {
            revision: Revision::of(bytes),
            text,
        };
        let key = file.key();
        // Others may have written since `before` was read: what was known last is noted again, not that.
        let known = store.revisions().latest(&key)?;
        record(
            store,
            &key,
            &after,
            parent,
            self.author,
            self.reason,
            self.now,
        )?;
        let expected = ContentHash::of(before.text.as_bytes());
        let bytes = after.text.as_bytes();
        let made = Some(ContentHash::of(bytes));
        let temp = atomic::temp_name(&file.relative, Some(expected), made);
        let written = atomic::replace(self.workspace, &file.relative, Some(expected), bytes, &temp);
        // What was recorded as coming next did not come. A merge stays the newest all the same: what is
        // written meanwhile is merged with it.
        if written.is_err()
            && self.reason != found::MERGED
            && let Err(error) = self.note_not_written(&key, known.as_ref())
        {
            tracing::warn!(%error, "that a write failed could not be noted");
        }
        match written {
            Ok(()) => Ok(Some(after)),
            Err(ToolError::ChangedMeanwhile { .. }) => Ok(None),
            Err(error) => {
                let message = format!("the plan {} cannot be written: {error}", file.relative);
                Err(Error {
                    code: Code::Workspace,
                    message,
                    source: Some(Box::new(error)),
                })
            }
        }
    }
}

impl Writer<'_> {
    fn note_not_written(&self, key: &str, known: Option<&store::RevisionEvent>) -> Result<()> {
        let Some(known) = known else { return Ok(()) };
        let text = crate::approval::revision_text(self.store, &known.hash)?;
        let content = Content {
            revision: Revision::of(text.as_bytes()),
            text,
        };
        let (author, parent) = (Author::App, None);
        record(
            self.store,
            key,
            &content,
            parent,
            author,
            NOT_WRITTEN,
            self.now,
        )
    }
}

/// Others write the plan faster than it can be read.
pub(crate) fn busy(file: &PlanFile) -> Error {
    Error::new(
        Code::Workspace,
        format!(
            "{} is being written by another program all the time; try again",
            file.relative
        ),
    )
}

/// Edits the plan as the app; see [`Writer::edit`].
pub(crate) fn edit_as_app(
    workspace: &Workspace,
    file: &PlanFile,
    store: &Store,
    now: i64,
    reason: &str,
    splices: impl Fn(&str, &Plan) -> std::result::Result<Vec<Splice>, EditError>,
) -> Result<Content> {
    let author = Author::App;
    let writer = Writer {
        workspace,
        file,
        store,
        now,
        author,
        reason,
    };
    writer.edit(splices)
}

/// Tidies up after a process that ended inside a write of the plan: what it left beside the file goes,
/// and if that turns out to be what another program wrote, it is put back.
pub(crate) fn tidy(workspace: &Workspace, file: &PlanFile, store: &Store) -> Result<()> {
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
pub(crate) fn workspace_of(plan: &Path, plan_folder: &str) -> PathBuf {
    let parent = plan.parent().unwrap_or_else(|| Path::new("/"));
    let folder = Path::new(plan_folder);
    if parent.ends_with(folder) {
        let above = parent.ancestors().nth(folder.components().count());
        if let Some(above) = above {
            return above.to_owned();
        }
    }
    parent
        .ancestors()
        .find(|dir| dir.join(".planwright").is_dir() || dir.join(".git").exists())
        .unwrap_or(parent)
        .to_owned()
}

/// The plan file a person named: relative to the current folder, else to the workspace named.
///
/// # Errors
/// [`Code::UnusablePlan`] when it does not exist, [`Code::Usage`] when it lies outside.
pub(crate) fn locate(
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
        Error::new(
            Code::UnusablePlan,
            format!("{shown} cannot be opened: {error}. Check the path."),
        )
    })?;
    let root = match root {
        Some(root) => root,
        None => workspace_of(&path, plan_folder),
    };
    let root = root.canonicalize().map_err(|error| {
        let shown = root.display();
        Error::new(
            Code::Workspace,
            format!("the workspace {shown} cannot be opened: {error}."),
        )
    })?;
    let relative = path.strip_prefix(&root).map_err(|_| {
        let root = root.display();
        Error::new(
            Code::Usage,
            format!("{shown} does not lie in the workspace {root}; name its own with --workspace"),
        )
    })?;
    let relative = relative.to_string_lossy().into_owned();
    Ok((root, PlanFile { path, relative }))
}
