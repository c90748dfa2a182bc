//! The exclusive right to run a plan: a lease in the database for processes of this data folder,
//! and a lock file in the workspace for all others.

use std::path::Path;

use serde::{Deserialize, Serialize};
use store::{Acquired, Holder, Lease, Lookup};
use tools::Workspace;
use tools::lock::{self, Lock, Locked};

use crate::error::{Code, Error, Result};
use crate::{Workbench, plan_file, run_record};

/// The content of the lock file.
#[derive(Debug, Serialize, Deserialize)]
struct LockNote {
    /// The ID of the run that holds the lock.
    run: String,
    /// The path of the data folder that has the run's journal.
    data: String,
}

/// A held lease with its lock. Release it with [`Workbench::release`].
#[derive(Debug)]
pub struct RunLease {
    lease: Lease,
    pub(crate) lock: Lock,
    /// Whether the lock file names a run that this data folder no longer knows.
    pub(crate) has_lost: bool,
}

impl Workbench {
    /// Acquires the right to run a plan: one runner per plan and workspace. Fails with
    /// [`Code::PlanIsRunning`] while another process holds it, or if a run of another data folder
    /// is interrupted or waiting in this workspace.
    pub fn lease(&self, plan: &str, workspace: &Path, run: &str) -> Result<RunLease> {
        let held = |other: &str| err!(PlanIsRunning: "this plan is already running: {other}; wait for it or stop it");
        let holder = Holder::current(run)?;
        let leases = self.store.leases();
        let lease = match leases.acquire(plan, &holder, Holder::is_alive)? {
            Acquired::Lease(lease) => lease,
            Acquired::HeldBy(other) => {
                return Err(held(&format!("run {} (process {})", other.run, other.pid)));
            }
        };
        let locked = self
            .lock(plan, workspace, run)
            .and_then(|locked| match locked {
                Locked::Lock(lock) => self.refuse_foreign(lock),
                Locked::HeldBy(words) => Err(held(&match note(&words) {
                    Some(note) if note.data == self.own_data() => {
                        format!("run {} of another copy of the plan file", note.run)
                    }
                    Some(note) => {
                        format!("run {} from another data folder ({})", note.run, note.data)
                    }
                    None => "another program".to_owned(),
                })),
            });
        match locked {
            Ok(lock) => {
                let mut has_lost = false;
                for (note, _) in notes(&lock) {
                    has_lost |= matches!(self.store.runs().get(&note.run)?, Lookup::None);
                }
                Ok(RunLease {
                    lease,
                    lock,
                    has_lost,
                })
            }
            Err(error) => {
                leases.release(&lease)?;
                Err(error)
            }
        }
    }

    /// Releases the lease and the lock. A run that was interrupted, or waits after carrying
    /// something out, leaves its ID in the lock file, so that the plan can't be run from another
    /// data folder.
    pub fn release(&self, held: RunLease) -> Result<()> {
        let RunLease { lease, lock, .. } = held;
        let has_begun = !matches!(self.store.runs().get(&lease.holder.run)?, Lookup::None);
        match self.open_beside(&lease)? {
            Some(run) => lock.leave(&self.note(&run)?)?,
            None if has_begun => {
                self.keep_record(&lock, &lease.holder.run)?;
                lock.release();
            }
            None => lock.put_back(),
        }
        self.store.leases().release(&lease)?;
        Ok(())
    }

    /// The run of the plan that has an unknown outcome, or waits for a person after carrying
    /// something out; `None` if there is none.
    fn open_beside(&self, lease: &Lease) -> Result<Option<String>> {
        let own = &lease.holder.run;
        if !self.unknown_outcomes(own)?.is_empty() {
            return Ok(Some(own.clone()));
        }
        for run in self.store.runs().of_plan(&lease.plan)? {
            if is_waiting(&run.state) && self.has_acted(&run.id)? {
                return Ok(Some(run.id));
            }
        }
        Ok(None)
    }

    /// Releases the lease of a thread of this process that has ended.
    pub fn abandon_lease(&self, plan: &str, run: &str) -> Result<()> {
        let leases = self.store.leases();
        if let Some(holder) = leases.holder(plan)?
            && holder.run == run
            && holder.pid == std::process::id()
        {
            leases.release(&Lease {
                plan: plan.to_owned(),
                holder,
                taken_over: None,
            })?;
        }
        Ok(())
    }

    /// Locks the plan under its current names and those it had when the run started.
    fn lock(&self, plan: &str, workspace: &Path, run: &str) -> Result<Locked> {
        // If the file can't be read, use only its path.
        let text = plan_file::read_anywhere(Path::new(plan)).map(|content| content.text);
        let text = text.unwrap_or_default();
        let mut names = run_record::names(&text, plan, &workspace.display().to_string());
        if let Lookup::One(row) = self.store.runs().get(run)? {
            names.extend(self.names_of(&row));
        }
        let workspace = Workspace::open(workspace)?;
        let names = names.iter().map(String::as_str);
        Ok(lock::acquire(&workspace, names, &self.note(run)?)?)
    }

    fn own_data(&self) -> String {
        self.home.data.display().to_string()
    }

    fn note(&self, run: &str) -> Result<String> {
        let note = LockNote {
            run: run.to_owned(),
            data: self.own_data(),
        };
        serde_json::to_string(&note).map_err(|error| Error::from_cause(Code::Failed, error))
    }

    /// Refuses if a run of another data folder is unfinished, since its progress is unknown here.
    fn refuse_foreign(&self, lock: Lock) -> Result<Lock> {
        let own = self.own_data();
        let foreign: Vec<_> = notes(&lock).filter(|(note, _)| note.data != own).collect();
        let Some((note, _)) = foreign.first() else {
            return Ok(lock);
        };
        let paths: Vec<&str> = foreign.iter().map(|(_, path)| *path).collect();
        let message = format!(
            "run {0} of this plan is unfinished, and its record is in {1}. To resume it or to discard it with \
             `planwright discard {0}`, set PLANWRIGHT_HOME to that folder. If the folder is gone, delete {2}",
            note.run,
            note.data,
            paths.join(" and ")
        );
        lock.put_back();
        Err(Error::new(Code::PlanIsRunning, message))
    }
}

/// Whether a run in this state continues once a person answers.
pub(crate) fn is_waiting(state: &str) -> bool {
    matches!(state, "waiting" | "paused")
}

/// The notes that earlier holders left, each with the path of its lock file.
fn notes(lock: &Lock) -> impl Iterator<Item = (LockNote, &str)> {
    let found = lock.found();
    found.filter_map(|(words, path)| Some((note(words)?, path)))
}

fn note(words: &str) -> Option<LockNote> {
    serde_json::from_str(words).ok()
}
