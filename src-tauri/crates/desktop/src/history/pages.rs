//! Pages of a plan's history, with a one-line summary of each entry.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use plan::Plan;
use plan::diff::{diff, summary};
use store::RevisionEvent;

use crate::wire::{HistoryEntry, HistoryPage};
use crate::{Desktop, Shared, lock};
use workbench::error::Result;
use workbench::plan_file::NOT_WRITTEN;

/// Maximum entries per page.
const MAX_ENTRIES: usize = 100;

/// Time limit for summarizing a page; the remaining entries go on the next page.
const TIME_LIMIT: Duration = Duration::from_millis(250);

/// Minimum entries per page, even if the time limit is exceeded.
const MIN_ENTRIES: usize = 5;

/// Maximum changes named in a summary.
const MAX_CHANGES: usize = 4;

/// Maximum cached summaries. Older ones can be recomputed quickly.
const KEPT: usize = 4_000;

/// Cached one-line summaries by pair of revisions. They never become stale, because a revision's
/// content never changes.
#[derive(Debug, Default)]
pub(crate) struct Summaries {
    lines: HashMap<(Option<String>, String), String>,
}

/// A revision's text and parsed plan; `None` if the content isn't stored or isn't text.
type Read = Option<Arc<(String, Plan)>>;

/// The parsed content of one page's entries, by hash.
type Contents = HashMap<String, Read>;

/// The parsed content with this hash, cached. Content that is damaged or isn't text is reported
/// when it is opened, not here.
fn read(contents: &mut Contents, shared: &Shared, hash: &str) -> Read {
    if let Some(known) = contents.get(hash) {
        return known.clone();
    }
    let bytes = shared.workbench().store.revisions().content(hash);
    let bytes = bytes.unwrap_or_else(|error| {
        tracing::warn!(%error, "couldn't summarize a history entry");
        None
    });
    let read = bytes.and_then(|bytes| {
        let text = String::from_utf8(bytes).ok()?;
        let (plan, _) = plan::parse(&text);
        Some(Arc::new((text, plan)))
    });
    contents.insert(hash.to_owned(), read.clone());
    read
}

impl Desktop {
    /// A page of the history before `before`, newest entry first. It may have fewer than `count`
    /// entries even if there are more.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] if the path isn't a plan's, [`workbench::Code::Storage`].
    pub fn history(&self, plan: &str, before: Option<i64>, count: u32) -> Result<HistoryPage> {
        let shared: &Shared = &self.shared;
        let count = usize::try_from(count).unwrap_or(MAX_ENTRIES);
        let count = count.clamp(1, MAX_ENTRIES);
        let (key, root, events, approved) = {
            let workbench = shared.workbench();
            let located = shared.locate(&workbench, plan)?;
            let key = located.file.key();
            // Fetch two more, because a failed write may hide the last entry's predecessor.
            let events = workbench.store.revisions().page(&key, before, count + 2)?;
            let approvals = workbench.store.approvals().of_plan(&key)?;
            let approved: HashSet<String> =
                approvals.into_iter().map(|given| given.revision).collect();
            (key, located.root, events, approved)
        };
        let began = Instant::now();
        let mut contents = Contents::default();
        let mut entries = Vec::new();
        let mut looked_at = 0;
        for (at, event) in events.iter().enumerate() {
            // A page doesn't end between a revision and the note that it wasn't written.
            let is_whole = at == 0 || events[at - 1].reason != NOT_WRITTEN;
            let is_late = at >= MIN_ENTRIES && began.elapsed() > TIME_LIMIT;
            if is_whole && (at >= count || is_late) {
                break;
            }
            looked_at = at + 1;
            if !is_whole || event.reason == NOT_WRITTEN {
                continue;
            }
            let parent = came_from(event, events.get(at + 1));
            let summary = shared.summed_up(&mut contents, parent.as_deref(), &event.hash);
            entries.push(HistoryEntry {
                seq: event.seq,
                revision: event.hash.clone(),
                parent,
                author: event.author.as_str().to_owned(),
                reason: event.reason.clone(),
                at_ms: event.at_ms,
                summary,
                moved_from: (event.plan != key).then(|| shown(&root, &event.plan)),
                is_approved: approved.contains(&event.hash),
            });
        }
        let is_more = looked_at < events.len();
        let next = events[..looked_at].last().filter(|_| is_more);
        let next = next.map(|last| last.seq);
        Ok(HistoryPage { entries, next })
    }
}

impl Shared {
    fn summed_up(&self, contents: &mut Contents, from: Option<&str>, to: &str) -> String {
        let key = (from.map(str::to_owned), to.to_owned());
        if let Some(known) = lock(&self.summaries).lines.get(&key) {
            return known.clone();
        }
        let before = match from {
            Some(from) => read(contents, self, from),
            None => Some(Arc::new((String::new(), plan::parse("").0))),
        };
        let (Some(before), Some(after)) = (before, read(contents, self, to)) else {
            return String::new();
        };
        let changes = diff((&before.0, &before.1), (&after.0, &after.1));
        let line = summary(&changes, MAX_CHANGES);
        let mut summaries = lock(&self.summaries);
        if summaries.lines.len() >= KEPT {
            summaries.lines.clear();
        }
        summaries.lines.insert(key, line.clone());
        line
    }
}

/// The revision to compare an entry with: its recorded parent, or the previous entry if there is
/// none.
fn came_from(event: &RevisionEvent, earlier: Option<&RevisionEvent>) -> Option<String> {
    let parent = event
        .parent
        .as_ref()
        .filter(|parent| **parent != event.hash);
    parent
        .or_else(|| earlier.map(|earlier| &earlier.hash))
        .cloned()
}

/// A path relative to its workspace, for display.
fn shown(root: &Path, plan: &str) -> String {
    let path = Path::new(plan);
    path.strip_prefix(root)
        .unwrap_or(path)
        .display()
        .to_string()
}
