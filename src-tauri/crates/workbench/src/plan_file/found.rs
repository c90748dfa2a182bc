//! What others wrote: taken into the history before anything depends on it.
//!
//! A content found on disk is one of four things. One that is known is a *return* to it (undo in an
//! editor, `git checkout`). One that was made from an older revision is a *stale save*: another program
//! had the plan open and wrote its buffer over what came since; `stale` merges it. A plan at a new place
//! may be one that *moved*: it keeps its history. Everything else is somebody's *edit*.
//!
//! A stale save is recorded with a reason of its own, then what it is merged to, then that is written in
//! its place. Whatever of this a crash or another writer leaves undone, the next reader goes on with.
//! Plans that Planwright never wrote are never merged: nothing of its own could be lost there.
//!
//! Many programs empty a file before they write it. A content that looks cut off is read again while the
//! file is young, and if it was taken in all the same it counts for nothing once the rest is there.

use std::time::Duration;

use gate::Bearer;
use plan::source;
use store::{Author, RevisionEvent, Store};
use tools::Workspace;

use super::noting::{MAX_EVENTS, Noted, STALE, StaleSave, looks_cut, note};
use super::told::{reason, told};
use super::{Content, PlanFile, WRITE_ATTEMPTS, Writer, busy, read, record, stale};
use crate::error::Result;

/// Why a revision is there that a stale save was merged to; what there is to tell of it stands behind.
pub(crate) const MERGED: &str = "Merged what another program saved from an older version";

/// Why a revision is there that could be a stale save, and is not, since a person approved it.
const APPROVED: &str = "found on disk, and approved";

/// How young a file is whose writer may not be done.
const YOUNG: Duration = Duration::from_millis(30);

/// How often a content that looks cut off is read.
const PATIENT_READS: usize = 8;

/// And how long until it is read again.
const PAUSE: Duration = Duration::from_millis(8);

/// Plans that are gone and looked at to find where a new one came from.
const MAX_GONE: usize = 64;

/// A content as it is taken in.
#[derive(Debug)]
pub struct Taken {
    /// What stands in the file now.
    pub content: Content,
    /// The key of the plan that came to lie here.
    pub moved_from: Option<String>,
}

/// Somebody who reads a plan file and takes in what others wrote to it.
pub struct Reader<'a> {
    /// The workspace of the file.
    pub workspace: &'a Workspace,
    /// The file.
    pub file: &'a PlanFile,
    /// Where revisions are kept.
    pub store: &'a Store,
    /// Milliseconds since 1970.
    pub now: i64,
    /// The key of a plan that is known to have become this one, from the file itself.
    pub was_at: Option<&'a str>,
}

impl<'a> Reader<'a> {
    /// A reader of `file`, not known to have moved.
    pub fn new(workspace: &'a Workspace, file: &'a PlanFile, store: &'a Store, now: i64) -> Self {
        Self {
            workspace,
            file,
            store,
            now,
            was_at: None,
        }
    }

    /// Reads the plan. What another program saved over newer revisions is merged with them.
    /// Fails as [`read`]; [`crate::Code::Storage`]. That a merge cannot be written is no error: the
    /// file then stays as it is until it can.
    pub fn read(&self) -> Result<Taken> {
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
                Noted::Taken => {
                    return Ok(Taken {
                        content,
                        moved_from,
                    });
                }
                Noted::Outdated => continue,
                Noted::Stale(saved) => saved,
            };
            if let Some(content) = self.merge(&content, &saved)? {
                return Ok(Taken {
                    content,
                    moved_from,
                });
            }
        }
        Err(busy(self.file))
    }

    /// Takes what the file holds for meant as it is, if it is the revision that a person names.
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

    /// Reads the plan, and waits a little for a writer who seems to be in the middle of it.
    fn read_whole(&self) -> Result<Content> {
        let mut content = read(self.workspace, self.file)?;
        for _ in 1..PATIENT_READS {
            let age = self.file.path.metadata().and_then(|found| found.modified());
            let is_young = age.is_ok_and(|at| at.elapsed().is_ok_and(|age| age < YOUNG));
            if !is_young || !looks_cut(&content.text) {
                break;
            }
            std::thread::sleep(PAUSE);
            content = read(self.workspace, self.file)?;
        }
        Ok(content)
    }

    /// Whether the plan at this key came to lie here.
    pub fn is_moved_from(&self, key: &str) -> Result<bool> {
        let content = match read(self.workspace, self.file) {
            Ok(content) => content,
            Err(error) => {
                tracing::info!(%error, "a file that could be a plan is not looked at");
                return Ok(false);
            }
        };
        Ok(self.came_from(&content)?.as_deref() == Some(key))
    }

    /// Writes what a stale save comes to. `None` if the file moved on in between.
    fn merge(&self, content: &Content, saved: &StaleSave) -> Result<Option<Content>> {
        let path = &self.file.path;
        let is_closed = |path: &std::path::Path| {
            rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_err()
        };
        if is_closed(path) || path.parent().is_none_or(is_closed) {
            tracing::info!(plan = %path.display(), "a stale save stays: the file cannot be written");
            return Ok(Some(content.clone()));
        }
        let merge = stale::merge(self.store, content, saved)?;
        let reason = reason(MERGED, told(&merge).as_deref());
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
        // The steps that lead to the newest revision go on from it, so that what the app itself wrote
        // there stays approved. What the other program wrote is not the app's, whoever merged it.
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
                tracing::warn!(%error, "a stale save stays: its merge cannot be written");
                Ok(Some(content.clone()))
            }
        }
    }

    fn is_checked_out(&self) -> bool {
        match tools::git::is_checked_out(self.workspace, &self.file.relative) {
            Ok(is_checked_out) => is_checked_out,
            Err(error) => {
                tracing::info!(%error, "Git does not say whether it wrote the plan");
                false
            }
        }
    }

    /// The plan that came to lie here: told by the file itself, by the id in its front matter, or by the
    /// content; its old place must be empty.
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
                // Where it lay last, not where that was written.
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
        // Of two with this content nobody can say which one it is.
        let only = match (same.next(), same.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        };
        Ok(of_this_name.or(only).map(|one| one.plan.clone()))
    }
}

/// The id in the front matter of a recorded content.
fn id_of(store: &Store, hash: &str) -> Result<Option<String>> {
    let bytes = store.revisions().content(hash)?.unwrap_or_default();
    let text = source::decode(&bytes).unwrap_or_default();
    Ok(plan::parse(text).0.front.id)
}
