//! Commands of the desktop window: one [`Desktop`] per process, shared by all windows.
//!
//! Each method is one command, short enough to be called from a thread pool. Long operations, such
//! as a run or planning a goal, have their own thread or connection and report through events.
//! Submodules by subject: `start` (startup, workspaces, goals), `document` (outline, rows, tasks,
//! findings), `adequacy` (expansions, muting, Insights), `facts`, `editing`, `history` (revisions,
//! conflicts), `graphing`, `source`, `searching`, `copying`, `pictures`, `review` (drafts,
//! comments), `agent_reviews` (reviews requested by other agents), `approving`, `runs` (live runs,
//! questions, answers), `talking` (conversations with a model), `run_views`, `changes`, `inbox`,
//! `settings_view`, `models`, `templates`.
//!
//! Unless documented otherwise, a method fails with [`workbench::Code::Storage`], with the code for
//! an unknown id, and with the errors of the methods it calls.
//!
//! Independent of any window system: called by the shell, and by tests without a window.

#[macro_use]
extern crate workbench;

mod adequacy;
mod agent_reviews;
mod approving;
mod changes;
mod copying;
mod document;
mod editing;
mod events;
mod facts;
mod graphing;
mod history;
mod inbox;
mod models;
mod pictures;
mod review;
mod run_views;
mod runs;
mod searching;
mod settings_view;
mod source;
mod start;
mod step_effects;
mod talking;
mod templates;
#[cfg(test)]
mod testing;
pub mod wire;

use std::collections::BTreeMap;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use workbench::Workbench;
use workbench::environment::Environment;
use workbench::error::Result;
use workbench::routes::PlanningHandle;

pub use events::OnEvent;
pub(crate) use workbench::lock;

/// State shared by the windows of one process.
pub struct Desktop {
    shared: Arc<Shared>,
}

/// State shared with background threads.
pub(crate) struct Shared {
    /// The workbench for short calls; long operations open their own with `Workbench::again`.
    pub(crate) workbench: Mutex<Workbench>,
    /// Numbers and sends the events.
    pub(crate) events: events::Events,
    /// Runs carried out by this process.
    pub(crate) live: runs::Live,
    /// Conversations with a model.
    pub(crate) talks: talking::Talks,
    /// Planning in progress, by job id.
    pub(crate) planning: Mutex<BTreeMap<String, Arc<PlanningHandle>>>,
    /// Parsed plans.
    pub(crate) parsed: Mutex<document::Parsed>,
    /// One-line summaries of the changes between revisions.
    pub(crate) summaries: Mutex<history::Summaries>,
    /// Remembered facts about plans that were read.
    pub(crate) known: Mutex<events::Known>,
    /// Facts about the workspaces.
    pub(crate) facts: facts::Facts,
    /// Recent and running expansions.
    pub(crate) expansions: adequacy::Expansions,
    /// The running job of the active model.
    pub(crate) model_jobs: models::ModelJobs,
    /// The watched paths.
    pub(crate) watching: Mutex<events::Watching>,
    /// Ends the thread that watches for reviews requested by other processes.
    pub(crate) review_watch: agent_reviews::ReviewWatch,
    /// Tells other processes that a window is open.
    _mark: store::WindowMark,
    /// Problems found while opening the data.
    pub(crate) notices: Vec<String>,
}

impl Desktop {
    /// Sets how other agents are found and started.
    pub fn set_agents(&self, agents: Arc<dyn workbench::step_agents::StepAgents>) {
        self.shared.workbench().set_agents(agents);
    }

    /// Opens the user's data.
    ///
    /// # Errors
    /// [`workbench::Code::Storage`] if the data can't be used; the message says what to do.
    pub fn open(environment: Environment, on_event: OnEvent) -> Result<Self> {
        let (workbench, notices) = Workbench::open(environment)?;
        let mark = workbench.store.mark_window()?;
        let shared = Arc::new(Shared {
            workbench: Mutex::new(workbench),
            events: events::Events::new(on_event),
            live: runs::Live::default(),
            talks: talking::Talks::default(),
            planning: Mutex::default(),
            parsed: Mutex::default(),
            summaries: Mutex::default(),
            known: Mutex::default(),
            facts: facts::Facts::default(),
            expansions: adequacy::Expansions::default(),
            model_jobs: models::ModelJobs::default(),
            watching: Mutex::default(),
            review_watch: agent_reviews::ReviewWatch::default(),
            notices,
            _mark: mark,
        });
        shared.start_gathering()?;
        shared.watch_reviews()?;
        Ok(Self { shared })
    }

    /// A workbench with its own connection, for code outside this crate.
    ///
    /// # Errors
    /// [`workbench::Code::Storage`] if the database can't be opened again.
    pub fn workbench(&self) -> Result<Workbench> {
        self.shared.workbench().again()
    }

    /// Shuts down cleanly: cancels model replies, stops live runs after their current effect, and
    /// backs up the database.
    ///
    /// # Errors
    /// [`workbench::Code::Storage`] if the backup can't be written; the database itself is safe.
    pub fn close(&self) -> Result<()> {
        self.stop_live_talks();
        self.stop_live_runs();
        self.shared.workbench().store.backup()?;
        Ok(())
    }
}

impl Shared {
    /// The workbench, for a short call. A poisoned lock is safe to use: it holds only the
    /// connection, whose transactions roll back on a panic.
    pub(crate) fn workbench(&self) -> MutexGuard<'_, Workbench> {
        lock(&self.workbench)
    }
}

/// Waits until the map is empty; `false` if that takes longer than `limit`.
pub(crate) fn emptied<T>(
    live: &Mutex<BTreeMap<String, T>>,
    ended: &Condvar,
    limit: Duration,
) -> bool {
    let waited = ended.wait_timeout_while(lock(live), limit, |live| !live.is_empty());
    let (_left, waited) = waited.unwrap_or_else(PoisonError::into_inner);
    !waited.timed_out()
}

/// Runs `work` while calling `tell` on a separate thread at every `beat`.
pub(crate) fn while_telling<T>(
    beat: Duration,
    tell: impl Fn() + Send,
    work: impl FnOnce() -> T,
) -> T {
    let (done, wait) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // The channel closes when the work is done, even if it panics.
            while wait.recv_timeout(beat) == Err(RecvTimeoutError::Timeout) {
                tell();
            }
        });
        let _done = done;
        work()
    })
}

// Commands are called from a thread pool.
const _: fn() = || {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Desktop>();
};
