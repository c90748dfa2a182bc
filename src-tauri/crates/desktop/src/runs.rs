//! Live runs: starting, controlling and answering them.
//!
//! Each run carried out by this process has a thread with its own connection. A person's input goes
//! to the run's control. Input that arrives after one part of the run has ended starts the next
//! part, so that nothing is lost or handled twice. `telling` turns a run's reports into events,
//! `answering` matches answers to questions, `carrying` is the thread.

mod answering;
mod carrying;
mod heard;
mod telling;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use gate::recovery::RecoveryStrategy;
use store::Holder;

use crate::wire::{DesktopEvent, ModelNow, Steering};
use crate::{Desktop, Shared, emptied, lock};
use workbench::error::{Code, Error, Result};
use workbench::opening::RecordedRun;
use workbench::{RunControl, Steer, Workbench};

pub(crate) use answering::effect_of_label;
pub(crate) use heard::{Heard, at_work};
pub(crate) use telling::Output;

/// How long to wait for current steps on shutdown before ending their commands.
const STEP_IN_HAND: Duration = Duration::from_secs(3);

/// How long to wait on shutdown for commands that are being ended.
const LAST_EFFECT: Duration = Duration::from_secs(10);

/// The runs carried out by this process.
#[derive(Default)]
pub(crate) struct Live {
    runs: Mutex<BTreeMap<String, LiveRun>>,
    /// Notified whenever a run ends.
    ended: Condvar,
    /// Questions already announced to the windows.
    told: Mutex<BTreeSet<String>>,
    /// Whether the program is shutting down, so that no run may start.
    is_closing: AtomicBool,
}

/// A run carried out by this process.
pub(crate) struct LiveRun {
    pub(crate) control: RunControl,
    /// Whether the journal has a start entry from this process; until then, earlier questions stay
    /// open.
    pub(crate) has_begun: bool,
    /// Whether a person asked for a pause.
    pub(crate) is_pausing: bool,
    /// Latest progress of its running steps, in the order they first reported.
    pub(crate) heard: Vec<Heard>,
    /// Command output by task.
    pub(crate) output: BTreeMap<String, Output>,
    /// The current model reply by task.
    pub(crate) said: BTreeMap<String, ModelNow>,
    /// Input received just after a part ended, for the next part.
    kept: Vec<Steer>,
}

impl LiveRun {
    fn new(control: RunControl, has_begun: bool) -> Self {
        Self {
            control,
            has_begun,
            is_pausing: false,
            heard: Vec::new(),
            output: BTreeMap::new(),
            said: BTreeMap::new(),
            kept: Vec::new(),
        }
    }

    /// Updates what is known about a running step, if it has reported before.
    fn hears(&mut self, task: &str, take: impl FnOnce(&mut Heard)) {
        let mut heard = self.heard.iter_mut();
        if let Some(heard) = heard.find(|heard| heard.progress.task == task) {
            take(heard);
        }
    }

    /// Sends input to the run, or keeps it for the next part.
    fn say(&mut self, said: Vec<Steer>) {
        for one in said {
            if !self.control.send(one.clone()) && one != Steer::Pause {
                self.kept.push(one);
            }
        }
    }
}

/// Identifies the run that a thread carries out.
#[derive(Debug, Clone)]
pub(crate) struct Carried {
    pub(crate) run: String,
    /// The plan's key.
    pub(crate) plan: String,
    pub(crate) title: String,
    pub(crate) workspace: String,
}

/// How a part of a run begins.
enum Part {
    /// As a new run that was just stored.
    Written(Box<RecordedRun>),
    /// As a resumed run.
    Resumed,
}

impl Desktop {
    /// Controls a run.
    ///
    /// # Errors
    /// [`Code::UnknownRun`]; [`Code::PlanIsRunning`] if another process is carrying it out, with
    /// its process id; [`Code::Usage`] for a run that is over; any error that prevents resuming it.
    pub fn steer(&self, run: &str, steering: Steering) -> Result<()> {
        let carried = self.shared.carried(run)?;
        let is_live = lock(&self.shared.live.runs).contains_key(&carried.run);
        let reason_to_skip = |text: String| match text.trim() {
            "" => Err(err!(Usage: "enter a reason to skip the step")),
            words => Ok(words.to_owned()),
        };
        let is_end = steering == Steering::Cancel;
        let said = match steering {
            Steering::Pause => {
                self.shared.here(&carried)?;
                if let Some(live) = lock(&self.shared.live.runs).get_mut(&carried.run) {
                    live.is_pausing = true;
                    live.say(vec![Steer::Pause]);
                }
                None
            }
            Steering::Resume if is_live => None,
            Steering::Cancel if is_live => {
                if let Some(live) = lock(&self.shared.live.runs).get(&carried.run) {
                    live.control.cancel();
                }
                None
            }
            Steering::Resume | Steering::Cancel => Some(Vec::new()),
            Steering::Skip { task, reason } => {
                let reason = reason_to_skip(reason)?;
                Some(vec![Steer::Skip { task, reason }])
            }
            Steering::Recover {
                task,
                strategy,
                words: with,
            } => {
                let strategy = RecoveryStrategy::from_name(&strategy).ok_or_else(|| {
                    err!(Usage:
                    "unknown recovery strategy {strategy}")
                })?;
                let with = with.map(|with| with.trim().to_owned());
                let with = with.filter(|with| !with.is_empty());
                if strategy == RecoveryStrategy::SkipAndContinue {
                    // The reason is written to the plan file.
                    reason_to_skip(with.clone().unwrap_or_default())?;
                }
                Some(vec![Steer::Recover {
                    task,
                    strategy,
                    words: with,
                }])
            }
            Steering::Retry { task } => Some(vec![Steer::Retry { task }]),
        };
        if let Some(said) = said {
            self.shared.take_up(&carried, said, is_end)?;
        }
        self.shared.run_changed(&carried);
        Ok(())
    }

    /// Stops every live run: after the current step if that ends soon, else by ending its command.
    /// Waits for their journals up to a time limit. These runs can be resumed.
    pub(crate) fn stop_live_runs(&self) {
        let live = &self.shared.live;
        live.is_closing.store(true, Ordering::SeqCst);
        for run in lock(&live.runs).values_mut() {
            run.control.send(Steer::Pause);
        }
        if emptied(&live.runs, &live.ended, STEP_IN_HAND) {
            return;
        }
        for run in lock(&live.runs).values() {
            run.control.cancel();
        }
        if !emptied(&live.runs, &live.ended, LAST_EFFECT) {
            tracing::warn!("a run did not stop in time; it will be shown as interrupted");
        }
    }

    /// The runs carried out by this process.
    pub fn live_runs(&self) -> Vec<String> {
        lock(&self.shared.live.runs).keys().cloned().collect()
    }
}

impl Live {
    /// Reads or modifies a live run; `None` if this process isn't carrying it out.
    pub(crate) fn with<T>(&self, run: &str, look: impl FnOnce(&mut LiveRun) -> T) -> Option<T> {
        lock(&self.runs).get_mut(run).map(look)
    }

    /// Records that a question was announced; `false` if it already had been.
    fn is_news(&self, question: String) -> bool {
        lock(&self.told).insert(question)
    }
}

impl Shared {
    /// Finds a run by its id or a prefix of it.
    pub(crate) fn carried(&self, run: &str) -> Result<Carried> {
        let row = self.workbench().find_run(run)?;
        Ok(Carried {
            run: row.id,
            plan: row.plan,
            title: row.title,
            workspace: row.workspace,
        })
    }

    /// Fails if another process is carrying out the run.
    pub(crate) fn here(&self, carried: &Carried) -> Result<()> {
        let holder = self.workbench().store.leases().holder(&carried.plan)?;
        match holder.filter(|holder| self.is_elsewhere(Some(holder), &carried.run)) {
            None => Ok(()),
            Some(other) => Err(err!(PlanIsRunning:
                "run {} belongs to another process ({}); control it there, or end that process first",
                other.run, other.pid)),
        }
    }

    /// Starts the thread of a newly stored run.
    pub(crate) fn start_run(
        self: &Arc<Self>,
        bench: Workbench,
        written: RecordedRun,
    ) -> Result<()> {
        let carried = Carried {
            run: written.run.clone(),
            plan: written.opened.file.key(),
            title: crate::run_views::title_of(&written.opened.plan, &written.opened.file.relative),
            workspace: written.opened.workspace.path().display().to_string(),
        };
        let control = RunControl::new()?;
        if self.live.is_closing.load(Ordering::SeqCst) {
            control.send(Steer::Pause);
        }
        lock(&self.live.runs).insert(carried.run.clone(), LiveRun::new(control.clone(), true));
        let part = Part::Written(Box::new(written));
        self.spawn(bench, carried, part, control, None)
    }

    /// Sends input to a run, resuming it if it isn't running. `cancel` ends it immediately.
    pub(crate) fn take_up(
        self: &Arc<Self>,
        carried: &Carried,
        said: Vec<Steer>,
        cancel: bool,
    ) -> Result<()> {
        self.here(carried)?;
        if self.live.is_closing.load(Ordering::SeqCst) {
            return Err(err!(Cancelled: "Planwright is closing; reopen it and answer there"));
        }
        let control = RunControl::new()?;
        let bench = self.workbench().again()?;
        {
            let mut runs = lock(&self.live.runs);
            if let Some(live) = runs.get_mut(&carried.run) {
                if cancel {
                    live.control.cancel();
                }
                live.say(said);
                return Ok(());
            }
            if cancel {
                control.cancel();
            }
            for one in said {
                control.send(one);
            }
            runs.insert(carried.run.clone(), LiveRun::new(control.clone(), false));
        }
        let (begun, waiting) = sync_channel(1);
        self.spawn(bench, carried.clone(), Part::Resumed, control, Some(begun))?;
        // The channel closes without a message only after a panic.
        waiting.recv().unwrap_or_else(|_| {
            let message = "couldn't resume the run: internal error; please report it";
            Err(Error::new(Code::Internal, message))
        })
    }

    /// Announces everything that may have changed when a run or an undo ended.
    pub(crate) fn run_ended(&self, carried: &Carried) {
        self.run_changed(carried);
        self.events.send(DesktopEvent::Inbox);
        self.plans_changed(Path::new(&carried.workspace));
    }

    /// Tells the windows that a run changed.
    pub(crate) fn run_changed(&self, carried: &Carried) {
        self.events.send(DesktopEvent::Run {
            run: carried.run.clone(),
            plan: carried.plan.clone(),
        });
    }

    /// Whether another process is carrying out a run.
    pub(crate) fn is_elsewhere(&self, holder: Option<&Holder>, run: &str) -> bool {
        holder.is_some_and(|holder| {
            holder.run == run && holder.pid != std::process::id() && holder.is_alive()
        })
    }
}
