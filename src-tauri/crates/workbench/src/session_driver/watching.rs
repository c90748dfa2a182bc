//! Sees to it that plan mode changed nothing but the plan.
//!
//! The workspace is looked at before and after each of our commands, and at the beginning and the end
//! of a turn. What changed while a command ran is an alarm; the rest another program did, and it is
//! only told. The first look happens while the model is at work.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use agent::session::Mode;
use agent::session::machine::Machine;
use tools::Workspace;
use tools::fingerprint::Fingerprint;

use super::SessionDriver;
use crate::wire::SessionEvent;

/// Paths that one event names.
const NAMED: usize = 20;

/// What is known of the workspace from before.
#[derive(Default)]
pub(super) struct Watched {
    first: Option<JoinHandle<Option<Fingerprint>>>,
    /// What an alarm was told of.
    alarmed: BTreeSet<PathBuf>,
}

impl SessionDriver<'_> {
    /// Looks at the workspace at the beginning of a turn, on a thread of its own.
    pub(super) fn watch_files(&mut self, machine: &Machine) {
        let is_planning = machine.state().mode == Mode::Plan && machine.state().turn.is_some();
        if !is_planning || self.watched.first.is_some() {
            return;
        }
        let root = self.workspace.path().to_owned();
        self.watched.first = Some(std::thread::spawn(move || {
            let workspace = Workspace::open(&root).ok()?;
            Fingerprint::take(&workspace).ok()
        }));
    }

    /// Looks again at its end, and tells what another program changed meanwhile.
    pub(super) fn look_at_files(&mut self, machine: &Machine) {
        let Some(first) = self.watched.first.take() else {
            return;
        };
        if machine.state().mode != Mode::Plan {
            return;
        }
        let Some(first) = first.join().ok().flatten() else {
            return;
        };
        let Some(last) = self.look_now() else { return };
        let mut changed = self.but_the_plan(first.changes(&last));
        changed.retain(|path| !self.watched.alarmed.contains(path));
        self.told_changed(&changed, false);
    }

    /// How the workspace looks now; `None` where that cannot be said.
    pub(super) fn look_now(&self) -> Option<Fingerprint> {
        match Fingerprint::take(&self.workspace) {
            Ok(print) => Some(print),
            Err(error) => {
                tracing::warn!(%error, "the workspace could not be looked at");
                None
            }
        }
    }

    /// What changed while a command ran that was to change nothing, and the alarm about it.
    pub(super) fn changed_since(&mut self, before: Option<&Fingerprint>) -> Vec<String> {
        let after = before.and_then(|_| self.look_now());
        let (Some(before), Some(after)) = (before, after) else {
            return Vec::new();
        };
        let changed = self.but_the_plan(before.changes(&after));
        self.watched.alarmed.extend(changed.iter().cloned());
        self.told_changed(&changed, true);
        changed.iter().map(shown).collect()
    }

    /// Without the plan and the folders that it made for itself.
    fn but_the_plan(&self, changed: Vec<PathBuf>) -> Vec<PathBuf> {
        let plan = Path::new(&self.file.relative);
        changed
            .into_iter()
            .filter(|path| !plan.starts_with(path))
            .collect()
    }

    fn told_changed(&mut self, changed: &[PathBuf], is_alarm: bool) {
        if changed.is_empty() {
            return;
        }
        let files: Vec<String> = changed.iter().take(NAMED).map(shown).collect();
        if is_alarm {
            tracing::error!(session = %self.row.id, ?files, "changed while a read-only command ran");
        }
        (self.sink)(SessionEvent::Changed {
            files,
            count: changed.len(),
            is_alarm,
        });
    }
}

fn shown(path: impl AsRef<Path>) -> String {
    path.as_ref().display().to_string()
}
