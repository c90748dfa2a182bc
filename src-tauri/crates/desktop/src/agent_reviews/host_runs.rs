//! Detects changes to runs that an agent program carries out, whose hook drives them in other
//! processes.

use std::collections::BTreeMap;

use crate::Shared;
use crate::run_views::RunRead;
use crate::runs::Carried;
use crate::wire::DesktopEvent;
use workbench::Workbench;
use workbench::error::Result;

/// Maximum number of runs to check; the newest ones are kept.
const MAX_RUNS: usize = 200;

/// The state of each run, and when it was set.
pub(super) type States = BTreeMap<String, (String, i64)>;

/// The states of the newest runs.
pub(super) fn read(bench: &Workbench) -> Result<States> {
    let rows = bench.store.runs().list()?.into_iter().take(MAX_RUNS);
    Ok(rows
        .map(|row| (row.id, (row.state, row.updated_ms)))
        .collect())
}

impl Shared {
    /// Sends events for agents' runs that another process changed.
    pub(super) fn tell_of_host_runs(&self, before: &States, now: &States) {
        let changed = now
            .iter()
            .filter(|(run, state)| before.get(*run) != Some(*state));
        for (run, (state, _)) in changed {
            let is_ours = self.live.with(run, |_| ()).is_some();
            let Ok(read) = self.read_run(run) else {
                continue;
            };
            if is_ours || read.state.started.choice.host.is_none() {
                continue;
            }
            let Ok(carried) = self.carried(run) else {
                continue;
            };
            self.run_ended(&carried);
            if state == "waiting" {
                self.tell_of_host_question(&carried, &read);
            }
        }
    }

    fn tell_of_host_question(&self, carried: &Carried, read: &RunRead) {
        let Some(question) = read.questions().into_iter().next() else {
            return;
        };
        self.events.send(DesktopEvent::Needed {
            run: Some(carried.run.clone()),
            talk: None,
            plan: carried.plan.clone(),
            title: carried.title.clone(),
            message: question.message,
        });
    }
}
