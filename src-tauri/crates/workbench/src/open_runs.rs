//! Unfinished runs. An interrupted run must be resumed or discarded before another run of the plan
//! can start; a waiting run is replaced by the new one, with a notice.

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

/// A side effect with unknown outcome.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct UnknownOutcome {
    /// The step's ID.
    pub task: String,
    /// The call, as written in the plan.
    pub line: String,
}

/// The result of a request to discard a run.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Discarded {
    /// The run's ID.
    pub run: String,
    /// Whether it was discarded; if not, its unknown outcomes must be confirmed first.
    pub done: bool,
    /// The side effects with unknown outcome.
    pub unknown: Vec<UnknownOutcome>,
}

impl Workbench {
    /// Refuses to start a run while another run of the same plan is interrupted, even if that one
    /// used another copy of the file, here or in a workspace that was moved or deleted since.
    pub(crate) fn refuse_over_interrupted(&self, opened: &Opened, plan: &Plan) -> Result<()> {
        for run in self.runs_of(opened, plan)? {
            let state = self.live_state(&run)?;
            let is_cut_off = match state.as_str() {
                "interrupted" => self.has_begun(&run.id)?,
                // The lease reports this case, naming the holder.
                "running" if run.plan == opened.file.key() => false,
                // Either its unknown outcomes were examined but not decided, or it is running now.
                _ => !self.unknown_outcomes(&run.id)?.is_empty(),
            };
            if is_cut_off {
                let advice = match state.as_str() {
                    "running" => "is in progress. Wait for it or, if it was interrupted, resume it",
                    _ => "was interrupted. Resume it",
                };
                return Err(err!(PlanIsRunning:
                    "run {0} of {1} {advice} with `planwright resume {0}`, or discard it with `planwright discard {0}`, \
                     which lists what it was doing",
                    run.id, run.plan));
            }
        }
        Ok(())
    }

    /// The unfinished runs of a plan, including those of other copies of its file.
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

    /// Closes earlier runs of a plan because a new one starts; their journals stay. Returns notices
    /// about those that waited for a person. Runs of a different plan with the same goal are kept.
    pub(crate) fn supersede(
        &self,
        opened: &Opened,
        plan: &Plan,
        by: &str,
        lease: &RunLease,
    ) -> Result<Vec<String>> {
        let mut notices = Vec::new();
        for run in self.runs_of(opened, plan)? {
            // `refuse_over_interrupted` has refused all interrupted runs, except those that did
            // nothing.
            let is_ended = run.id != by && !is_beside(&run, opened, plan);
            if is_ended && self.live_state(&run)? != "running" {
                self.end_for_good(&run.id, &format!("replaced by run {by}"))?;
                self.keep_record(&lease.lock, &run.id)?;
                if is_waiting(&run.state) {
                    notices.push(format!(
                        "run {} of this plan was waiting on you; this run replaces it",
                        run.id
                    ));
                }
            }
        }
        Ok(notices)
    }

    /// Discards a run that isn't running, so that it can't be resumed. If it has unknown outcomes,
    /// they are returned, and the run is discarded only if `is_confirmed`. Fails with
    /// [`crate::Code::UnknownRun`]; [`crate::Code::Usage`] for a run that is done;
    /// [`crate::Code::PlanIsRunning`] while a process carries it out.
    pub fn discard(&mut self, run: &str, is_confirmed: bool) -> Result<Discarded> {
        let row = self.find_run(run)?;
        if row.state == EndState::Done.as_str() {
            return Err(
                err!(Usage: "run {} is done, so it can't be discarded; to undo a step, use `planwright undo {0} STEP`", row.id),
            );
        }
        if !Path::new(&row.workspace).exists() {
            // The workspace is gone, so no process can run it, and no lock file can be created.
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
            self.end_for_good(run, "discarded by the user")?;
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

    /// The state of a run, replayed from its journal; `None` if the journal has no first entry.
    pub fn state_of(&self, run: &str) -> Result<Option<State>> {
        Ok(State::replay(&self.entries(run)?))
    }

    /// Whether a run got as far as starting a step.
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

    /// Whether a run carried out anything, was about to, or builds on an earlier run.
    pub(crate) fn has_acted(&self, run: &str) -> Result<bool> {
        let is_act = |entry: &Entry| match entry {
            Entry::Started(started) => !started.evidence.is_empty(),
            entry => matches!(entry, Entry::Intended { .. }),
        };
        Ok(self.entries(run)?.iter().any(is_act))
    }

    /// The journaled side effects of a run that have no outcome.
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

/// Whether a path is this folder under any name (such as a bind mount), or no longer exists.
fn is_or_was(named: &Path, folder: &Path) -> bool {
    let identity = |path: &Path| path.metadata().map(|data| (data.dev(), data.ino()));
    match (identity(named), identity(folder)) {
        (Ok(named), Ok(folder)) => named == folder,
        (named, _) => named.is_err(),
    }
}

/// Whether a run's plan file exists and has a different ID.
fn is_beside(run: &store::Run, opened: &Opened, plan: &Plan) -> bool {
    let is_other = || {
        let text = fs::read_to_string(&run.plan).ok()?;
        let other = plan::parse(&text).0.front.id?;
        Some(plan.front.id.as_ref().is_some_and(|id| *id != other))
    };
    run.plan != opened.file.key() && is_other().unwrap_or(false)
}
