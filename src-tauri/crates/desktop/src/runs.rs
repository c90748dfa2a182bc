//! Runs that go on: started, steered, answered.
//!
//! Each run that this process carries out has a thread with a connection of its own. What a person
//! says goes to the run's control; what comes too late for one part of the run begins the next part,
//! so that nothing said is lost and nothing is said twice. `telling` makes events of what a run
//! reports, `answering` brings answers to their questions, `carrying` is the thread.

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
use workbench::opening::Written;
use workbench::{RunControl, Steer, Workbench};

pub(crate) use answering::effect_of_label;
pub(crate) use heard::{Heard, at_work};
pub(crate) use telling::Output;

/// How long closing waits for the steps in hand, before their commands are ended.
const STEP_IN_HAND: Duration = Duration::from_secs(3);

/// How long closing waits for commands that are being ended.
const LAST_EFFECT: Duration = Duration::from_secs(10);

/// The runs that this process carries out.
#[derive(Default)]
pub(crate) struct Live {
    runs: Mutex<BTreeMap<String, LiveRun>>,
    /// Woken whenever one ends.
    ended: Condvar,
    /// Questions that the windows were told of.
    told: Mutex<BTreeSet<String>>,
    /// The program is ending: nothing is begun any more.
    is_closing: AtomicBool,
}

/// A run that this process carries out.
pub(crate) struct LiveRun {
    pub(crate) control: RunControl,
    /// Whether the journal says so: what waited before is asked until then.
    pub(crate) has_begun: bool,
    /// A person wants it to pause.
    pub(crate) is_pausing: bool,
    /// What its steps at work do, in the order in which they were first heard of.
    pub(crate) heard: Vec<Heard>,
    /// What commands have printed, by task.
    pub(crate) output: BTreeMap<String, Output>,
    /// What the model says of each step that it is asked about.
    pub(crate) said: BTreeMap<String, ModelNow>,
    /// Said when the part at work had just ended: the next part takes it.
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

    /// Takes note of a step at work, where one of this id is.
    fn hears(&mut self, task: &str, take: impl FnOnce(&mut Heard)) {
        let mut heard = self.heard.iter_mut();
        if let Some(heard) = heard.find(|heard| heard.progress.task == task) {
            take(heard);
        }
    }

    /// Says something to the run, or keeps it for its next part.
    fn say(&mut self, said: Vec<Steer>) {
        for one in said {
            if !self.control.send(one.clone()) && one != Steer::Pause {
                self.kept.push(one);
            }
        }
    }
}

/// Which run a thread carries.
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
    /// It was written down just now.
    Written(Box<Written>),
    /// It is taken up.
    Resumed,
}

impl Desktop {
    /// Steers a run.
    ///
    /// # Errors
    /// [`Code::UnknownRun`]; [`Code::PlanIsRunning`] when another process carries it, by its number;
    /// [`Code::Usage`] for a run that is over; what keeps it from being taken up.
    pub fn steer(&self, run: &str, steering: Steering) -> Result<()> {
        let carried = self.shared.carried(run)?;
        let is_live = lock(&self.shared.live.runs).contains_key(&carried.run);
        let words = |text: String, what: &str| match text.trim() {
            "" => Err(err!(Usage: "say why {what}")),
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
                let reason = words(reason, "the step is left out")?;
                Some(vec![Steer::Skip { task, reason }])
            }
            Steering::Recover {
                task,
                strategy,
                words: with,
            } => {
                let strategy = RecoveryStrategy::from_name(&strategy).ok_or_else(|| {
                    err!(Usage:
                    "there is no way to go on called {strategy}")
                })?;
                let with = with.map(|with| with.trim().to_owned());
                let with = with.filter(|with| !with.is_empty());
                if strategy == RecoveryStrategy::SkipAndContinue {
                    // It will stand in the plan file.
                    words(with.clone().unwrap_or_default(), "the step is left out")?;
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

    /// Stops every live run: after the step in hand if that ends soon, else by ending its command.
    /// Waits for their journals, with a bound. Such runs can be taken up again.
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

    /// The runs that this process carries out right now.
    pub fn live_runs(&self) -> Vec<String> {
        lock(&self.shared.live.runs).keys().cloned().collect()
    }
}

impl Live {
    /// Looks at a live run, or changes it; `None` when this process does not carry it.
    pub(crate) fn with<T>(&self, run: &str, look: impl FnOnce(&mut LiveRun) -> T) -> Option<T> {
        lock(&self.runs).get_mut(run).map(look)
    }

    /// Whether a question is told for the first time.
    fn is_news(&self, question: String) -> bool {
        lock(&self.told).insert(question)
    }
}

impl Shared {
    /// The run of an id or of the beginning of one.
    pub(crate) fn carried(&self, run: &str) -> Result<Carried> {
        let row = self.workbench().find_run(run)?;
        Ok(Carried {
            run: row.id,
            plan: row.plan,
            title: row.title,
            workspace: row.workspace,
        })
    }

    /// Refuses what is for a run that another process carries.
    pub(crate) fn here(&self, carried: &Carried) -> Result<()> {
        let holder = self.workbench().store.leases().holder(&carried.plan)?;
        match holder.filter(|holder| self.is_elsewhere(Some(holder), &carried.run)) {
            None => Ok(()),
            Some(other) => Err(err!(PlanIsRunning:
                "run {} is carried out by another process ({}); steer it there, or end that process first",
                other.run, other.pid)),
        }
    }

    /// Starts the thread of a run that was written down just now.
    pub(crate) fn start_run(self: &Arc<Self>, bench: Workbench, written: Written) -> Result<()> {
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

    /// Says something to a run; takes it up if no part of it is at work. `cancel` ends it at once.
    pub(crate) fn take_up(
        self: &Arc<Self>,
        carried: &Carried,
        said: Vec<Steer>,
        cancel: bool,
    ) -> Result<()> {
        self.here(carried)?;
        if self.live.is_closing.load(Ordering::SeqCst) {
            return Err(err!(Cancelled: "Planwright is closing; open it again and answer there"));
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
        // It hangs up when it has ended without a word, which only a panic can bring about.
        waiting.recv().unwrap_or_else(|_| {
            let message = "the run could not be taken up: internal error; please report it";
            Err(Error::new(Code::Internal, message))
        })
    }

    /// Tells the windows all that the end of a run, or of an undo, may have changed.
    pub(crate) fn run_ended(&self, carried: &Carried) {
        self.run_changed(carried);
        self.events.send(DesktopEvent::Inbox);
        self.plans_changed(Path::new(&carried.workspace));
    }

    /// Tells the windows that a run is another now.
    pub(crate) fn run_changed(&self, carried: &Carried) {
        self.events.send(DesktopEvent::Run {
            run: carried.run.clone(),
            plan: carried.plan.clone(),
        });
    }

    /// Whether another process carries a run.
    pub(crate) fn is_elsewhere(&self, holder: Option<&Holder>, run: &str) -> bool {
        holder.is_some_and(|holder| {
            holder.run == run && holder.pid != std::process::id() && holder.is_alive()
        })
    }
}
