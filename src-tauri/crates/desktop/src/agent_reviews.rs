//! Reviews requested by other agents: lists the pending ones, and runs a thread that detects new
//! ones, and changes of the runs that agents carry out.
//!
//! An agent's process adds and withdraws reviews and questions in the database, which sends no
//! events. So a thread reads the database's version a few times a second, and compares the pending
//! reviews and the states of runs only if something was written.

mod host_runs;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use store::Review;

use crate::run_views::title_of;
use crate::wire::{DesktopEvent, InboxItem, WaitingReview};
use crate::{Desktop, Shared, lock};
use workbench::Workbench;
use workbench::error::{Code, Error, Result};

/// How often to read the database's version.
const LOOK_EVERY: Duration = Duration::from_millis(300);

/// How often to read the pending reviews even if nothing was written, because an agent that is
/// killed writes nothing.
const READ_EVERY: Duration = Duration::from_secs(2);

/// Held by [`Shared`]; dropping it ends the thread.
#[derive(Default)]
pub(crate) struct ReviewWatch(Mutex<Option<Sender<()>>>);

impl Desktop {
    /// The newest pending review of a plan, requested by another agent.
    ///
    /// # Errors
    /// [`workbench::Code::Storage`].
    pub fn waiting_review(&self, plan: &str) -> Result<Option<WaitingReview>> {
        let newest = self.shared.workbench().waiting_reviews(Some(plan))?.pop();
        Ok(newest.map(|review| WaitingReview {
            id: review.id,
            agent: review.agent,
            since_ms: review.asked_ms,
        }))
    }
}

impl Shared {
    /// The pending reviews as Inbox items.
    pub(crate) fn agent_reviews(&self) -> Result<Vec<InboxItem>> {
        let waiting = self.workbench().waiting_reviews(None)?;
        let items = waiting.into_iter().map(|review| InboxItem {
            id: format!("review/{}", review.id),
            title: self.title_of_review(&review),
            kind: "agent_review".to_owned(),
            message: message(&review),
            since_ms: review.asked_ms,
            workspace: review.workspace,
            plan: review.plan,
            ..InboxItem::default()
        });
        Ok(items.collect())
    }

    fn title_of_review(&self, review: &Review) -> String {
        let parsed = self.parsed_latest(&review.plan);
        parsed.map_or_else(
            || review.plan.clone(),
            |parsed| title_of(&parsed.plan, &review.plan),
        )
    }

    /// Starts the thread. Fails with [`Code::Failed`] if it can't be started.
    pub(crate) fn watch_reviews(self: &Arc<Self>) -> Result<()> {
        let (end, ended) = mpsc::channel();
        *lock(&self.review_watch.0) = Some(end);
        let shared = Arc::downgrade(self);
        std::thread::Builder::new()
            .name("agent reviews".to_owned())
            .spawn(move || watch(&shared, &ended))
            .map_err(|error| Error::from_cause(Code::Failed, error))?;
        Ok(())
    }
}

/// Checks for changes until the windows are closed.
fn watch(shared: &Weak<Shared>, ended: &Receiver<()>) {
    let mut watcher = Watcher::default();
    while ended.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
        let Some(shared) = shared.upgrade() else {
            return;
        };
        let looked = watcher.look(&shared);
        if let Err(error) = &looked
            && !watcher.has_failed
        {
            tracing::warn!(%error, "couldn't check for reviews requested by other agents");
        }
        watcher.has_failed = looked.is_err();
    }
}

/// State of the thread that checks for changes.
#[derive(Default)]
struct Watcher {
    /// The thread's own database connection, opened on first use.
    bench: Option<Workbench>,
    /// The database's version when the reviews were last read, and the time.
    read: Option<(i64, Instant)>,
    /// The pending reviews by ID; `None` before the first read.
    waiting: Option<BTreeMap<String, Review>>,
    /// The states of the newest runs, as of the last read; `None` before the first read.
    runs: Option<host_runs::States>,
    /// Whether the last check failed, so that a persistent problem is reported once.
    has_failed: bool,
}

impl Watcher {
    fn look(&mut self, shared: &Shared) -> Result<()> {
        let bench = match self.bench.take() {
            Some(bench) => bench,
            None => shared.workbench().again()?,
        };
        let bench = self.bench.insert(bench);
        let version = bench.store.data_version()?;
        let has_waiting = self.waiting.as_ref().is_some_and(|some| !some.is_empty());
        if let Some((known, at)) = self.read
            && known == version
            && !(has_waiting && at.elapsed() >= READ_EVERY)
        {
            return Ok(());
        }
        let waiting = bench.waiting_reviews(None)?.into_iter();
        let waiting = waiting.map(|review| (review.id.clone(), review)).collect();
        self.read = Some((version, Instant::now()));
        // Reviews that were pending when the window opened are shown, but not announced.
        let is_first = self.waiting.is_none();
        let before = self.waiting.replace(waiting).unwrap_or_default();
        let after = self.waiting.iter().flatten();
        shared.tell_of_reviews(&before, after.map(|(_, review)| review), is_first);
        let runs = host_runs::read(bench)?;
        let before = self.runs.replace(runs).filter(|_| !is_first);
        if let (Some(before), Some(now)) = (before, &self.runs) {
            shared.tell_of_host_runs(&before, now);
        }
        Ok(())
    }
}

impl Shared {
    /// Sends events for the reviews that were added, withdrawn or decided, or whose plan was moved.
    fn tell_of_reviews<'r>(
        &self,
        before: &BTreeMap<String, Review>,
        after: impl Iterator<Item = &'r Review>,
        is_first: bool,
    ) {
        let mut gone = before.clone();
        let mut plans = BTreeSet::new();
        for review in after {
            let known = gone.remove(&review.id);
            if known
                .as_ref()
                .is_some_and(|known| known.plan == review.plan)
            {
                continue;
            }
            plans.insert(review.plan.clone());
            if known.is_none() && !is_first {
                self.events.send(DesktopEvent::Needed {
                    run: None,
                    talk: None,
                    plan: review.plan.clone(),
                    title: self.title_of_review(review),
                    message: message(review),
                });
            }
        }
        plans.extend(gone.into_values().map(|review| review.plan));
        if plans.is_empty() {
            return;
        }
        for plan in plans {
            self.review_changed(&plan);
        }
        self.events.send(DesktopEvent::Inbox);
    }
}

fn message(review: &Review) -> String {
    format!("{} is waiting for your decision.", review.agent)
}

#[cfg(test)]
mod tests;
