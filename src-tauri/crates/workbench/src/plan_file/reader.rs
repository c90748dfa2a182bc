//! Reads what others wrote to a plan file, and records it in the history before anything depends on
//! it.
//!
//! Content found on disk is one of four things. Known content is a *return* to an earlier revision
//! (undo in an editor, `git checkout`). Content based on an older revision is a *stale save*:
//! another program had the plan open and wrote its buffer over newer changes; `stale` merges it. A
//! plan at a new location may have *moved*, and keeps its history. Anything else is an *edit*.
//!
//! A stale save is recorded with its own reason, then the result of the merge is recorded and
//! written to the file. If a crash or another writer interrupts this, the next reader continues.
//! Plans that Planwright never wrote are never merged, since none of its changes could be lost.
//!
//! Many programs truncate a file before they write it. Content that looks incomplete is read again
//! while the file is new. If it was recorded anyway, it is disregarded once the complete content is
//! there.

use std::time::Duration;

use gate::Bearer;
use plan::source;
use store::{Author, RevisionEvent, Store};
use tools::Workspace;

use super::disk_history::{MAX_EVENTS, Noted, STALE, StaleSave, looks_cut, note};
use super::merge_summary::{reason, summarize_merge};
use super::{Content, PlanFile, WRITE_ATTEMPTS, Writer, busy, read, record, stale};
use crate::error::Result;

/// The reason recorded for a revision that merges a stale save; the side effects of the merge are
/// appended.
pub(crate) const MERGED: &str = "Merged what another program saved from an older version";

/// The reason recorded for a revision that looked like a stale save but that a person approved.
const APPROVED: &str = "found on disk, and approved";

/// Up to this age, a file's writer may still be writing.
const WRITE_IN_PROGRESS: Duration = Duration::from_millis(30);

/// Maximum number of times that content that looks incomplete is read.
const MAX_READS: usize = 8;

/// The delay between these reads.
const READ_INTERVAL: Duration = Duration::from_millis(8);

/// Maximum number of deleted plans to compare with a new one.
const MAX_GONE: usize = 64;

/// Content of a plan file that is recorded in the history.
#[derive(Debug)]
pub struct FoundContent {
    /// The current content of the file.
    pub content: Content,
    /// The key of the plan that was moved here, if one was.
    pub moved_from: Option<String>,
}

/// Reads a plan file and records what others wrote to it.
pub struct Reader<'a> {
    /// The workspace of the file.
    pub workspace: &'a Workspace,
    /// The plan file to read.
    pub file: &'a PlanFile,
    /// The store of revisions.
    pub store: &'a Store,
    /// The current time, in milliseconds since 1970.
    pub now: i64,
    /// The plan's earlier key, if the file itself says where it was.
    pub was_at: Option<&'a str>,
}

impl<'a> Reader<'a> {
    /// A reader of `file` without a known earlier location.
    pub fn new(workspace: &'a Workspace, file: &'a PlanFile, store: &'a Store, now: i64) -> Self {
        Self {
            workspace,
            file,
            store,
            now,
            was_at: None,
        }
    }

    /// Reads the plan, merging stale saves with newer revisions. Fails as [`read`] does, or with
    /// [`crate::Code::Storage`]. If a merge can't be written, that isn't an error: the file stays
    /// as it is until it can.
    pub fn read(&self) -> Result<FoundContent> {
        let mut moved_from = None;
        for _ in 0..WRITE_ATTEMPTS {
            let content = self.read_whole()?;
            let key = self.file.key();
            if self.store.revisions().latest(&key)?.is_none()
                && let Some(from) = self.came_from(&content)?
            {
                self.store.plan_moves().add(&from, &key, self.now)?;
                moved_from = Some(from);
            }
            let noted = note(self.store, &key, &content, self.now, || {
                self.is_checked_out()
            })?;
            let saved = match noted {
                Noted::Recorded => {
                    return Ok(FoundContent {
                        content,
                        moved_from,
                    });
                }
                Noted::Outdated => continue,
                Noted::Stale(saved) => saved,
            };
            if let Some(content) = self.merge(&content, &saved)? {
                return Ok(FoundContent {
                    content,
                    moved_from,
                });
            }
        }
        Err(busy(self.file))
    }

    /// Accepts the file's content as an intended edit if it is the revision that a person named.
    pub(crate) fn accept(&self, named: &str) -> Result<()> {
        let _turn = self.store.turn()?;
        let content = read(self.workspace, self.file)?;
        let (key, hash) = (self.file.key(), content.revision.as_str());
        let events = self.store.revisions().page(&key, None, MAX_EVENTS)?;
        let is_settled = events
            .first()
            .is_none_or(|latest| latest.hash == hash && latest.reason != STALE);
        if is_settled || !content.revision.matches(named.trim()) {
            return Ok(());
        }
        let before = events.iter().find(|event| event.reason != STALE);
        let parent = before.map(|event| event.hash.as_str());
        let author = Author::Outside;
        let (store, now) = (self.store, self.now);
        record(store, &key, &content, parent, author, APPROVED, now)
    }

    /// Reads the plan, waiting briefly if someone seems to be writing it.
    fn read_whole(&self) -> Result<Content> {
        let mut content = read(self.workspace, self.file)?;
        for _ in 1..MAX_READS {
            let age = self.file.path.metadata().and_then(|found| found.modified());
            let is_young =
                age.is_ok_and(|at| at.elapsed().is_ok_and(|age| age < WRITE_IN_PROGRESS));
            if !is_young || !looks_cut(&content.text) {
                break;
            }
            std::thread::sleep(READ_INTERVAL);
            content = read(self.workspace, self.file)?;
        }
        Ok(content)
    }

    /// Whether this file is the plan with this key, moved here.
    pub fn is_moved_from(&self, key: &str) -> Result<bool> {
        let content = match read(self.workspace, self.file) {
            Ok(content) => content,
            Err(error) => {
                tracing::info!(%error, "skipped a possible plan");
                return Ok(false);
            }
        };
        Ok(self.came_from(&content)?.as_deref() == Some(key))
    }

    /// Merges a stale save and writes the result. `None` if the file changed in the meantime.
    fn merge(&self, content: &Content, saved: &StaleSave) -> Result<Option<Content>> {
        let path = &self.file.path;
        let is_closed = |path: &std::path::Path| {
            rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_err()
        };
        if is_closed(path) || path.parent().is_none_or(is_closed) {
            tracing::info!(plan = %path.display(), "couldn't merge a stale save: the file isn't writable");
            return Ok(Some(content.clone()));
        }
        let merge = stale::merge(self.store, content, saved)?;
        let reason = reason(MERGED, summarize_merge(&merge).as_deref());
        let key = self.file.key();
        let merged = Content::of(merge.text);
        let newest = saved.newest.as_str();
        stale::keep_conflicts(
            self.store,
            &key,
            &merged,
            newest,
            &merge.conflicts,
            self.now,
        )?;
        // The parent is the newest revision, so that the app's own edits there stay approved. The
        // other program's edits don't count as the app's, even though the app merges them.
        let parent = (merged.revision.as_str() != newest).then_some(newest);
        if merged.revision == content.revision {
            let author = Author::App;
            record(self.store, &key, &merged, parent, author, &reason, self.now)?;
            return Ok(Some(merged));
        }
        let writer = Writer {
            workspace: self.workspace,
            file: self.file,
            store: self.store,
            now: self.now,
            author: Author::App,
            permit: self.file.permit(Bearer::App),
            reason: &reason,
        };
        match writer.replace_from(content, merged, parent) {
            Ok(written) => Ok(written),
            Err(error) => {
                tracing::warn!(%error, "couldn't write the merge of a stale save");
                Ok(Some(content.clone()))
            }
        }
    }

    fn is_checked_out(&self) -> bool {
        match tools::git::is_checked_out(self.workspace, &self.file.relative) {
            Ok(is_checked_out) => is_checked_out,
            Err(error) => {
                tracing::info!(%error, "couldn't determine whether Git wrote the plan");
                false
            }
        }
    }

    /// The key of the plan that was moved here, identified by the file itself, the ID in its front
    /// matter, or its content. The plan must no longer exist at its old location.
    fn came_from(&self, content: &Content) -> Result<Option<String>> {
        let key = self.file.key();
        let revisions = self.store.revisions();
        let is_gone = |plan: &str| plan != key && !std::path::Path::new(plan).exists();
        if let Some(was_at) = self.was_at.filter(|was_at| is_gone(was_at))
            && revisions.latest(was_at)?.is_some()
        {
            return Ok(Some(was_at.to_owned()));
        }
        if content.text.trim().is_empty() {
            return Ok(None);
        }
        let root = self.workspace.path().display().to_string();
        let mut gone: Vec<RevisionEvent> = Vec::new();
        for plan in revisions.plans_below(&root)? {
            if is_gone(&plan)
                && let Some(latest) = revisions.latest(&plan)?
            {
                // Use its last location, not the one where it was last written.
                gone.push(RevisionEvent { plan, ..latest });
            }
        }
        gone.sort_by_key(|latest| std::cmp::Reverse(latest.seq));
        gone.truncate(MAX_GONE);
        if let Some(id) = plan::parse(&content.text).0.front.id {
            for latest in &gone {
                if id_of(self.store, &latest.hash)?.as_ref() == Some(&id) {
                    return Ok(Some(latest.plan.clone()));
                }
            }
        }
        let mut same = gone
            .iter()
            .filter(|one| one.hash == content.revision.as_str());
        let name = self.file.path.file_name();
        let of_this_name = same
            .clone()
            .find(|one| std::path::Path::new(&one.plan).file_name() == name);
        // If two plans have this content, it is unclear which one moved.
        let only = match (same.next(), same.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        };
        Ok(of_this_name.or(only).map(|one| one.plan.clone()))
    }
}

/// The plan ID in the front matter of a recorded revision.
fn id_of(store: &Store, hash: &str) -> Result<Option<String>> {
    let bytes = store.revisions().content(hash)?.unwrap_or_default();
    let text = source::decode(&bytes).unwrap_or_default();
    Ok(plan::parse(text).0.front.id)
}
