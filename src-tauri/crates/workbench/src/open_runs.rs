//! Runs that are not over: a run that was cut off is resumed or discarded, and no other begins before; one
//! that waits gives way to a new one, which says so.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use agent::journal::{EndState, Entry};
use agent::run::state::State;
use plan::{Plan, identity};

use crate::error::Result;
use crate::lease::{RunLease, is_waiting};
use crate::opening::Opened;
use crate::{Workbench, journal_rows};

/// A side effect whose outcome is not known.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct UnknownOutcome {
    /// The step.
    pub task: String,
    /// The call as the plan writes it.
    pub line: String,
}

/// What became of a request to discard a run.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Discarded {
    /// The run's id.
    pub run: String,
    /// Whether it is discarded; otherwise its unknown outcomes have to be confirmed first.
    pub done: bool,
    /// What it was doing when it was cut off.
    pub unknown: Vec<UnknownOutcome>,
}

impl Workbench {
    /// Refuses to begin a run of a plan while another run of it was cut off, from whatever copy of its file
    /// that began, here or in a workspace that is gone since, as after it was moved.
    pub(crate) fn refuse_over_interrupted(&self, opened: &Opened, plan: &Plan) -> Result<()> {
        for run in self.runs_of(opened, plan)? {
            let state = self.live_state(&run)?;
            let is_cut_off = match state.as_str() {
                "interrupted" => self.has_begun(&run.id)?,
                // The lease says so, and by whom.
                "running" if run.plan == opened.file.key() => false,
                // Somebody looked and did not say what is to become of it, or is at it now.
                _ => !self.unknown_outcomes(&run.id)?.is_empty(),
            };
            if is_cut_off {
                let stands = match state.as_str() {
                    "running" => "is under way. Wait for it, or, when it was cut off, resume it",
                    _ => "was interrupted. Resume it",
                };
                return Err(err!(PlanIsRunning:
                    "run {0} of {1} {stands} with `planwright resume {0}`, or drop it with `planwright discard {0}`, \
                     which lists what it was doing",
                    run.id, run.plan));
            }
        }
        Ok(())
    }

    /// The runs of a plan that are not over, from whatever copy of its file they began.
    fn runs_of(&self, opened: &Opened, plan: &Plan) -> Result<Vec<store::Run>> {
        let mut names = identity::names(plan, &opened.file.relative);
        names.extend(identity::steps_name(plan));
        let key = opened.file.key();
        let mut runs = self.store.runs().list()?;
        runs.retain(|run| {
            let is_here = is_or_was(Path::new(&run.workspace), opened.workspace.path());
            let is_over = matches!(run.state.as_str(), "done" | "discarded");
            let is_same = || !self.names_of(run).is_disjoint(&names);
            !is_over && (run.plan == key || (is_here && is_same()))
        });
        Ok(runs)
    }

    /// Ends earlier runs of a plan for good, since another one begins: what they did stays on record. Says
    /// so of those that waited for a person. A plan that only has the same goal keeps its run.
    pub(crate) fn supersede(
        &self,
        opened: &Opened,
        plan: &Plan,
        by: &str,
        lease: &RunLease,
    ) -> Result<Vec<String>> {
        let mut notices = Vec::new();
        for run in self.runs_of(opened, plan)? {
            // One that is still said to be at work was cut off before it began anything.
            let is_ended = run.id != by && !is_beside(&run, opened, plan);
            if is_ended && self.live_state(&run)? != "running" {
                self.end_for_good(&run.id, &format!("run {by} took its place"))?;
                self.keep_record(&lease.lock, &run.id)?;
                if is_waiting(&run.state) {
                    notices.push(format!(
                        "run {} of this plan was waiting for you; it is closed, and this run takes its place",
                        run.id
                    ));
                }
            }
        }
        Ok(notices)
    }

    /// Discards a run that is not under way, so that it can never be resumed. What it was doing when it
    /// was cut off is listed first, and discarded only where `is_confirmed`.
    ///
    /// # Errors
    /// [`crate::Code::UnknownRun`]; [`crate::Code::Usage`] for a run that is done; [`crate::Code::PlanIsRunning`] while a process carries it out.
    pub fn discard(&mut self, run: &str, is_confirmed: bool) -> Result<Discarded> {
        let row = self.find_run(run)?;
        if row.state == EndState::Done.as_str() {
            return Err(
                err!(Usage: "run {} is done; there is nothing to discard. `planwright undo {0} STEP` undoes a step", row.id),
            );
        }
        if !Path::new(&row.workspace).exists() {
            // Nobody can carry it out, and there is no place for a lock.
            return self.discard_leased(&row.id, is_confirmed);
        }
        let lease = self.lease(&row.plan, Path::new(&row.workspace), &row.id)?;
        let discarded = self.discard_leased(&row.id, is_confirmed);
        self.release(lease)?;
        discarded
    }

    fn discard_leased(&self, run: &str, is_confirmed: bool) -> Result<Discarded> {
        let unknown = self.unknown_outcomes(run)?;
        let done = is_confirmed || unknown.is_empty();
        if done {
            self.end_for_good(run, "discarded by a person")?;
        }
        Ok(Discarded {
            run: run.to_owned(),
            done,
            unknown,
        })
    }

    pub(crate) fn entries(&self, run: &str) -> Result<Vec<Entry>> {
        let journal = journal_rows::read(&self.store, run)?;
        Ok(journal.into_iter().map(|(_, entry)| entry).collect())
    }

    /// What the journal of a run amounts to; `None` where it has no beginning.
    pub fn state_of(&self, run: &str) -> Result<Option<State>> {
        Ok(State::replay(&self.entries(run)?))
    }

    /// Whether a run got as far as a step.
    fn has_begun(&self, run: &str) -> Result<bool> {
        let is_before = |entry: &Entry| {
            use Entry::{Cut, PlanChanged, Resumed, Started};
            matches!(
                entry,
                Started(_) | Resumed { .. } | PlanChanged { .. } | Cut
            )
        };
        Ok(!self.entries(run)?.iter().all(is_before))
    }

    /// Whether a run carried anything out, was about to, or goes on where an earlier one ended.
    pub(crate) fn has_acted(&self, run: &str) -> Result<bool> {
        let is_act = |entry: &Entry| match entry {
            Entry::Started(started) => !started.evidence.is_empty(),
            entry => matches!(entry, Entry::Intended { .. }),
        };
        Ok(self.entries(run)?.iter().any(is_act))
    }

    /// The side effects of a run that were announced and have no outcome.
    pub(crate) fn unknown_outcomes(&self, run: &str) -> Result<Vec<UnknownOutcome>> {
        let state = self.state_of(run)?;
        let intents = state.iter().flat_map(State::open_intents);
        let unknown = intents.map(|(task, _, intent)| UnknownOutcome {
            task: task.to_owned(),
            line: intent.line.clone(),
        });
        Ok(unknown.collect())
    }

    fn end_for_good(&self, run: &str, message: &str) -> Result<()> {
        let now = self.clock.now_ms();
        let state = EndState::Discarded;
        let next_seq = self.store.journal().next_seq(run)?;
        if next_seq > crate::running::FIRST_ENTRY {
            let entry = Entry::Ended {
                state,
                message: message.to_owned(),
            };
            journal_rows::append(&self.store, run, next_seq, &[entry], now)?;
        }
        Ok(self.store.runs().set_state(run, state.as_str(), now)?)
    }
}

/// Whether a path leads to this folder, by whatever name (a bind mount is another), or leads nowhere any more.
fn is_or_was(named: &Path, folder: &Path) -> bool {
    let identity = |path: &Path| path.metadata().map(|data| (data.dev(), data.ino()));
    match (identity(named), identity(folder)) {
        (Ok(named), Ok(folder)) => named == folder,
        (named, _) => named.is_err(),
    }
}

/// Whether the file of a run is there, and is a plan with an id of its own.
fn is_beside(run: &store::Run, opened: &Opened, plan: &Plan) -> bool {
    let is_other = || {
        let text = fs::read_to_string(&run.plan).ok()?;
        let other = plan::parse(&text).0.front.id?;
        Some(plan.front.id.as_ref().is_some_and(|id| *id != other))
    };
    run.plan != opened.file.key() && is_other().unwrap_or(false)
}
