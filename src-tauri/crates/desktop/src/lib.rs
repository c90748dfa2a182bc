//! What the desktop window asks for: one [`Desktop`] for the process, shared by its windows.
//!
//! Each method is one command of the window, short enough to be called from a thread pool; what takes
//! long (a run, planning a goal) has a thread or a connection of its own and tells of itself through
//! events. Submodules hold the commands by subject: `start` (places, workspaces, goals), `document`
//! (outline, rows, tasks, findings), `adequacy` (expansions, mutes, Insights), `facts`, `editing`, `history` (revisions, conflicts), `graphing`, `source`,
//! `searching`, `copying`, `pictures`, `review` (drafts, comments), `approving`, `runs` (live runs, questions,
//! answers), `talking` (conversations with a model), `run_views`, `changes`, `inbox`, `settings_view`, `models`, `templates`.
//!
//! Where a method says nothing of errors it fails with [`workbench::Code::Storage`], for an id that nothing has
//! with the code that says so, and as the method that it stands on.
//!
//! Knows no window: it is called by the shell, and by tests without one.

#[macro_use]
extern crate workbench;

mod adequacy;
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
pub mod wire;

use std::collections::BTreeMap;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use workbench::Workbench;
use workbench::environment::Environment;
use workbench::error::Result;
use workbench::routes::PlanningUnderWay;

pub use events::OnEvent;
pub(crate) use workbench::lock;

/// What the windows of one process share.
pub struct Desktop {
    shared: Arc<Shared>,
}

/// What threads of the desktop share with it.
pub(crate) struct Shared {
    /// For short calls; long work opens its own with `Workbench::again`.
    pub(crate) workbench: Mutex<Workbench>,
    /// Numbers and sends the events.
    pub(crate) events: events::Events,
    /// Runs that this process carries out.
    pub(crate) live: runs::Live,
    /// Conversations with a model.
    pub(crate) talks: talking::Talks,
    /// Planning that goes on, by the job's name.
    pub(crate) planning: Mutex<BTreeMap<String, Arc<PlanningUnderWay>>>,
    /// Plans as last parsed.
    pub(crate) parsed: Mutex<document::Parsed>,
    /// What changed from one revision to another, in a line each.
    pub(crate) summaries: Mutex<history::Summaries>,
    /// What is known of the plans that were read.
    pub(crate) known: Mutex<events::Known>,
    /// What is known of the workspaces.
    pub(crate) facts: facts::Facts,
    /// Plans that were made fuller lately.
    pub(crate) expansions: adequacy::Expansions,
    /// What is under way with the model in force.
    pub(crate) model_jobs: models::ModelJobs,
    /// What is watched.
    pub(crate) watching: Mutex<events::Watching>,
    /// What was wrong when the data was opened.
    pub(crate) notices: Vec<String>,
}

impl Desktop {
    /// Opens the user's data.
    ///
    /// # Errors
    /// [`workbench::Code::Storage`] when the data cannot be used; the message says what to do.
    pub fn open(environment: Environment, on_event: OnEvent) -> Result<Self> {
        let (workbench, notices) = Workbench::open(environment)?;
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
            notices,
        });
        shared.start_gathering()?;
        Ok(Self { shared })
    }

    /// Ends cleanly: what a model says is broken off, live runs are stopped after the effect in hand, the database is copied.
    ///
    /// # Errors
    /// [`workbench::Code::Storage`] when the copy cannot be written; the database itself is safe.
    pub fn close(&self) -> Result<()> {
        self.stop_live_talks();
        self.stop_live_runs();
        self.shared.workbench().store.backup()?;
        Ok(())
    }
}

impl Shared {
    /// The workbench for a short call. A panic in an earlier call left nothing half done in it: all
    /// it holds is the connection, whose transactions roll back.
    pub(crate) fn workbench(&self) -> MutexGuard<'_, Workbench> {
        lock(&self.workbench)
    }
}

/// Waits until nothing is left; `false` when that takes longer than `limit`.
pub(crate) fn emptied<T>(
    live: &Mutex<BTreeMap<String, T>>,
    ended: &Condvar,
    limit: Duration,
) -> bool {
    let waited = ended.wait_timeout_while(lock(live), limit, |live| !live.is_empty());
    let (_left, waited) = waited.unwrap_or_else(PoisonError::into_inner);
    !waited.timed_out()
}

/// Does the work; meanwhile `tell` is called again and again on a thread of its own, a beat apart.
pub(crate) fn while_telling<T>(
    beat: Duration,
    tell: impl Fn() + Send,
    work: impl FnOnce() -> T,
) -> T {
    let (done, wait) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // The channel closes when the work is done, also when it panics.
            while wait.recv_timeout(beat) == Err(RecvTimeoutError::Timeout) {
                tell();
            }
        });
        let _done = done;
        work()
    })
}

// Commands are called from a pool of threads.
const _: fn() = || {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Desktop>();
};
