//! Reads plans and detects changes by other programs. A moved plan is reported once, and so is a
//! merged stale save, no matter which process merged it.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::SystemTime;

use tools::{Workspace, listing};

use crate::document::Located;
use crate::wire::{ChangedBy, DesktopEvent};
use crate::{Shared, lock};
use workbench::Workbench;
use workbench::error::Result;
use workbench::plan_file::{self, Content, Reader, is_merge, merge_summary};

/// Number of a plan's latest events to search for a merge.
const LAST_EVENTS: usize = 8;

/// Maximum files whose identity is remembered.
const MAX_FILES: usize = 10_000;

/// Maximum files of a workspace to scan for a moved plan.
const MAX_NEW: usize = 2_000;

/// Identifies a file across renames: device, inode and birth time. The birth time is needed because
/// inode numbers are reused.
type Identity = (u64, u64, SystemTime);

/// Remembered facts about plans that were read.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// The plan's key when each file was last read.
    files: HashMap<Identity, String>,
    /// For each plan, the last event up to which merges were reported to the windows.
    merges: HashMap<String, i64>,
    /// Who changed the lines of each conflict, by its id.
    pub(crate) conflict_authors: HashMap<i64, ChangedBy>,
}

impl Shared {
    /// Reads an existing plan and records changes by others. Plans in another program's home folder
    /// are only recorded.
    pub(crate) fn take_in(
        &self,
        workbench: &Workbench,
        workspace: &Workspace,
        located: &Located,
    ) -> Result<Content> {
        let (store, file) = (&workbench.store, &located.file);
        let key = file.key();
        let now = workbench.clock.now_ms();
        if located.foreign.is_some() {
            let content = plan_file::read(workspace, file)?;
            plan_file::record_found(store, &key, &content, now)?;
            return Ok(content);
        }
        let told = lock(&self.known).merges.get(&key).copied();
        let told = match told {
            Some(told) => told,
            None => store.revisions().latest(&key)?.map_or(0, |event| event.seq),
        };
        let identity = identity(&file.path);
        let was_at = identity.and_then(|identity| lock(&self.known).files.get(&identity).cloned());
        let reader = Reader {
            was_at: was_at.as_deref(),
            ..Reader::new(workspace, file, store, now)
        };
        let taken = reader.read()?;
        if let Some(identity) = self::identity(&file.path) {
            let mut known = lock(&self.known);
            if known.files.len() >= MAX_FILES {
                known.files.clear();
            }
            known.files.insert(identity, key.clone());
        }
        if let Some(from) = &taken.moved_from {
            self.tell_of_move(from, &key);
        }
        self.tell_of_merges(workbench, located, told)?;
        Ok(taken.content)
    }

    /// Looks for a missing plan elsewhere in its workspace. If it was moved, records and reports
    /// the move, and returns `true`.
    pub(crate) fn look_for(&self, workbench: &Workbench, located: &Located) -> Result<bool> {
        let key = located.file.key();
        if located.foreign.is_some() || workbench.store.revisions().latest(&key)?.is_none() {
            return Ok(false);
        }
        let Ok(workspace) = workbench.open_workspace(&located.root) else {
            return Ok(false);
        };
        let found = listing::files_below(&workspace, "", ".md", MAX_NEW)?;
        for relative in found.files {
            let path = workspace.path().join(&relative);
            let known = workbench
                .store
                .revisions()
                .latest(&path.display().to_string())?;
            if known.is_some() {
                continue;
            }
            let file = plan_file::PlanFile { path, relative };
            let now = workbench.clock.now_ms();
            let reader = Reader::new(&workspace, &file, &workbench.store, now);
            if reader.is_moved_from(&key)? {
                let at = Located {
                    root: located.root.clone(),
                    file,
                    foreign: None,
                };
                self.take_in(workbench, &workspace, &at)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn tell_of_move(&self, from: &str, to: &str) {
        lock(&self.watching).moved(from, to);
        {
            let mut known = lock(&self.known);
            if let Some(told) = known.merges.remove(from) {
                known.merges.insert(to.to_owned(), told);
            }
        }
        self.events.send(DesktopEvent::Moved {
            plan: from.to_owned(),
            to: to.to_owned(),
        });
        if let Some(workspace) = self.workspace_around(Path::new(to)) {
            self.plans_changed(&workspace);
        }
    }

    fn tell_of_merges(&self, workbench: &Workbench, located: &Located, told: i64) -> Result<()> {
        let key = located.file.key();
        let last = workbench.store.revisions().page(&key, None, LAST_EVENTS)?;
        let newest = last.first().map_or(told, |event| event.seq);
        lock(&self.known).merges.insert(key.clone(), newest);
        let is_news = |event: &store::RevisionEvent| event.seq > told && is_merge(event);
        let news: Vec<_> = last.iter().filter(|event| is_news(event)).collect();
        if news.is_empty() {
            return Ok(());
        }
        let (waiting, _) = workbench.store.plan_conflicts().waiting(&key)?;
        let relative = &located.file.relative;
        let mut message = match waiting {
            0 => format!(
                "Another program saved {relative} from an older version. Its changes and the newer ones are both in the file."
            ),
            _ => format!(
                "Another program saved {relative} from an older version, and some lines changed on both sides. The file has the other program's lines; the earlier ones are kept until you choose."
            ),
        };
        for told in news.into_iter().rev().filter_map(merge_summary) {
            message.push(' ');
            message.push_str(told);
        }
        self.events.send(DesktopEvent::Notice {
            about: None,
            message,
        });
        self.review_changed(&key);
        Ok(())
    }
}

/// Identifies a file; `None` if the file system doesn't record creation times.
fn identity(path: &Path) -> Option<Identity> {
    let found = path.metadata().ok()?;
    Some((found.dev(), found.ino(), found.created().ok()?))
}
