//! Checks that plan mode changed nothing but the plan.
//!
//! Compares fingerprints of the workspace before and after each command, and at the start and end
//! of a turn. A change during a command raises an alarm; any other change is attributed to another
//! program and only reported. The first fingerprint is taken while the model is working.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use agent::session::Mode;
use agent::session::machine::Machine;
use tools::Workspace;
use tools::fingerprint::Fingerprint;

use super::SessionDriver;
use crate::wire::SessionEvent;

/// Maximum number of paths listed in an event.
const MAX_LISTED: usize = 20;

/// The state of the workspace at the start of the turn, and the changes already reported.
#[derive(Default)]
pub(super) struct FileWatch {
    first: Option<JoinHandle<Option<Fingerprint>>>,
    /// The paths already reported in an alarm.
    alarmed: BTreeSet<PathBuf>,
}

impl SessionDriver<'_> {
    /// Takes a fingerprint at the start of a turn, on a separate thread.
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

    /// Compares the workspace with its fingerprint from the start of the turn, and reports what
    /// other programs changed.
    pub(super) fn check_files(&mut self, machine: &Machine) {
        let Some(first) = self.watched.first.take() else {
            return;
        };
        if machine.state().mode != Mode::Plan {
            return;
        }
        let Some(first) = first.join().ok().flatten() else {
            return;
        };
        let Some(last) = self.take_fingerprint() else {
            return;
        };
        let mut changed = self.without_plan(first.changes(&last));
        changed.retain(|path| !self.watched.alarmed.contains(path));
        self.report_changes(&changed, false);
    }

    /// The current fingerprint; `None` if it can't be taken.
    pub(super) fn take_fingerprint(&self) -> Option<Fingerprint> {
        match Fingerprint::take(&self.workspace) {
            Ok(print) => Some(print),
            Err(error) => {
                tracing::warn!(%error, "couldn't take a fingerprint of the workspace");
                None
            }
        }
    }

    /// Finds the files changed during a read-only command, and raises an alarm for them. Empty if a
    /// fingerprint is missing.
    pub(super) fn changed_since(&mut self, before: Option<&Fingerprint>) -> Vec<String> {
        let after = before.and_then(|_| self.take_fingerprint());
        let (Some(before), Some(after)) = (before, after) else {
            return Vec::new();
        };
        let changed = self.without_plan(before.changes(&after));
        self.watched.alarmed.extend(changed.iter().cloned());
        self.report_changes(&changed, true);
        changed.iter().map(shown).collect()
    }

    /// Removes the plan and its parent folders from the list.
    fn without_plan(&self, changed: Vec<PathBuf>) -> Vec<PathBuf> {
        let plan = Path::new(&self.file.relative);
        changed
            .into_iter()
            .filter(|path| !plan.starts_with(path))
            .collect()
    }

    fn report_changes(&mut self, changed: &[PathBuf], is_alarm: bool) {
        if changed.is_empty() {
            return;
        }
        let files: Vec<String> = changed.iter().take(MAX_LISTED).map(shown).collect();
        if is_alarm {
            tracing::error!(session = %self.row.id, ?files, "files changed while a read-only command ran");
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
