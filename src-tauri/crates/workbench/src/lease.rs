//! The right to carry out a plan: a lease in the database, which this data folder's processes respect, and
//! a lock in the workspace, which every process does.

use std::path::Path;

use serde::{Deserialize, Serialize};
use store::{Acquired, Holder, Lease};
use tools::Workspace;
use tools::lock::{self, Lock, Locked};

use crate::Workbench;
use crate::error::{Code, Error, Result};

/// What the lock file says of who holds it.
#[derive(Debug, Serialize, Deserialize)]
struct LockNote {
    /// The run's id.
    run: String,
    /// The data folder that has its journal.
    data: String,
}

/// Both, held. Hand it back with [`Workbench::release`].
#[derive(Debug)]
pub(crate) struct RunLease {
    lease: Lease,
    lock: Lock,
}

impl Workbench {
    /// Takes the right to carry out a plan: one runner per plan and workspace.
    /// Fails with [`Code::PlanIsRunning`] while another process has it, or where a run of another data
    /// folder was cut off in this workspace.
    pub(crate) fn lease(&self, plan: &str, workspace: &Path, run: &str) -> Result<RunLease> {
        let held = |other: &str| err!(PlanIsRunning: "{other} is carrying out this plan; wait for it or stop it");
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
                    Some(note) => {
                        format!("run {} of another data folder ({})", note.run, note.data)
                    }
                    None => "another program".to_owned(),
                })),
            });
        match locked {
            Ok(lock) => Ok(RunLease { lease, lock }),
            Err(error) => {
                leases.release(&lease)?;
                Err(error)
            }
        }
    }

    /// Hands it back. A run that this process was cut off in keeps its name in the workspace.
    pub(crate) fn release(&self, held: RunLease) -> Result<()> {
        let RunLease { lease, lock } = held;
        match self.unknown_outcomes(&lease.holder.run) {
            Ok(unknown) if !unknown.is_empty() => drop(lock),
            _ => lock.release(),
        }
        self.store.leases().release(&lease)?;
        Ok(())
    }

    /// Gives up what a thread of this process held that is gone.
    pub(crate) fn abandon_lease(&self, plan: &str, run: &str) -> Result<()> {
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

    fn lock(&self, plan: &str, workspace: &Path, run: &str) -> Result<Locked> {
        let workspace = Workspace::open(workspace)?;
        let note = LockNote {
            run: run.to_owned(),
            data: self.home.data().display().to_string(),
        };
        let words =
            serde_json::to_string(&note).map_err(|error| Error::from_cause(Code::Failed, error))?;
        Ok(lock::acquire(&workspace, plan, &words)?)
    }

    /// Nobody here can say what a run of another data folder was doing when it was cut off.
    fn refuse_foreign(&self, lock: Lock) -> Result<Lock> {
        let own = self.home.data().display().to_string();
        let Some(note) = note(lock.found()).filter(|note| note.data != own) else {
            return Ok(lock);
        };
        let message = format!(
            "run {0}, whose record is in {1}, was interrupted in this workspace. Resume it there, or drop it with \
             `planwright discard {0}` and PLANWRIGHT_HOME set to where it was started. If that folder is gone, \
             delete {2}",
            note.run,
            note.data,
            lock.path()
        );
        lock.put_back();
        Err(Error::new(Code::PlanIsRunning, message))
    }
}

fn note(words: &str) -> Option<LockNote> {
    serde_json::from_str(words).ok()
}
