//! The right to carry out a plan: a lease in the database, which this data folder's processes respect, and
//! a lock in the workspace, which every process does.

use std::path::Path;

use serde::{Deserialize, Serialize};
use store::{Acquired, Holder, Lease, Lookup};
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
    /// Whether a run left its name in the workspace of which this data folder knows nothing any more.
    pub(crate) has_lost: bool,
}

impl Workbench {
    /// Takes the right to carry out a plan: one runner per plan and workspace.
    /// Fails with [`Code::PlanIsRunning`] while another process has it, or where a run of another data
    /// folder was cut off or waits in this workspace.
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
            Ok(lock) => {
                let left = note(lock.found());
                let known = left.map(|note| self.store.runs().get(&note.run));
                let has_lost = matches!(known.transpose()?, Some(Lookup::None));
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

    /// Hands it back. A run that was cut off, or waits after it carried something out, keeps its name in the
    /// workspace, so that nobody runs the plan from another data folder meanwhile.
    pub(crate) fn release(&self, held: RunLease) -> Result<()> {
        let RunLease {
            lease,
            lock,
            has_lost,
        } = held;
        let is_lost = has_lost && matches!(self.store.runs().get(&lease.holder.run)?, Lookup::None);
        match self.open_beside(&lease)? {
            None if is_lost => lock.put_back(),
            Some(run) => lock.leave(&self.note(&run)?)?,
            None => lock.release(),
        }
        self.store.leases().release(&lease)?;
        Ok(())
    }

    /// The run of the plan that was cut off, or that waits for a person.
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
        Ok(lock::acquire(&workspace, plan, &self.note(run)?)?)
    }

    fn note(&self, run: &str) -> Result<String> {
        let note = LockNote {
            run: run.to_owned(),
            data: self.home.data.display().to_string(),
        };
        serde_json::to_string(&note).map_err(|error| Error::from_cause(Code::Failed, error))
    }

    /// Nobody here can say how far a run of another data folder came.
    fn refuse_foreign(&self, lock: Lock) -> Result<Lock> {
        let own = self.home.data.display().to_string();
        let Some(note) = note(lock.found()).filter(|note| note.data != own) else {
            return Ok(lock);
        };
        let message = format!(
            "run {0} of this plan is open in this workspace, and its record is in {1}. Resume it there, or drop it \
             with `planwright discard {0}` and PLANWRIGHT_HOME set to where it was started. If that folder is gone, \
             delete {2}",
            note.run,
            note.data,
            lock.path()
        );
        lock.put_back();
        Err(Error::new(Code::PlanIsRunning, message))
    }
}

/// Whether a run in this state goes on when a person has answered.
pub(crate) fn is_waiting(state: &str) -> bool {
    matches!(state, "waiting" | "paused")
}

fn note(words: &str) -> Option<LockNote> {
    serde_json::from_str(words).ok()
}
