//! File checkpoints: snapshots before and after a step, and the differences between them.

use std::collections::BTreeSet;
use std::path::Path;

use agent::change_review;
use agent::journal::{Changes, Entry};
use agent::run::state::State;
use agent::run::{Event, Machine};
use gate::destructive::{Danger, Written, dropped, hollow};
use store::{Phase, Store};
use tools::checkpoint::{self, Change, Limits, Snapshot};
use tools::git::{self, DirtyFile};

use super::Driver;
use crate::error::{Code, Error, Result};
use crate::own_changes;
use crate::undo::undo_all;

impl Driver<'_> {
    pub(super) fn take_checkpoint(&mut self, task: &str) -> Result<Event> {
        Ok(match self.snapshot_before(task) {
            Ok(()) => Event::CheckpointTaken,
            Err(error) => Event::NotPrepared {
                reason: format!("couldn't take a checkpoint before the step: {error}"),
            },
        })
    }

    /// Takes the snapshot before a step. If the step is repeated, also records what changed since
    /// it last ended.
    fn snapshot_before(&mut self, task: &str) -> Result<()> {
        let Some(first) = self.kept_snapshot(task, Phase::Before)? else {
            self.snapshot_now(task, Phase::Before)?;
            return Ok(());
        };
        let ended = self.kept_snapshot(task, Phase::After)?;
        if let Some(ended) = ended.filter(|ended| ended.taken() >= first.taken()) {
            let name = own_changes::between(task, &ended);
            self.store_snapshot(&name, Phase::Before, &ended)?;
            self.snapshot_now(&name, Phase::After)?;
        }
        Ok(())
    }

    /// The files that the step changed, with a hash of the full diff as evidence. If other steps
    /// ran in parallel, includes only files within this step's reach.
    pub(super) fn measure(&mut self, machine: &Machine, task: &str) -> Result<Event> {
        let Some(first) = self.kept_snapshot(task, Phase::Before)? else {
            return Ok(Event::Measured {
                changes: Changes::default(),
            });
        };
        let last = self.snapshot_now(task, Phase::After)?;
        let found = self.found_by(machine.state(), task, first.clone(), &last)?;
        if found != first {
            // Store the adjusted state, so that later changes by others don't affect it.
            self.store_snapshot(task, Phase::Before, &found)?;
        }
        let mut all = self.changes_between(&found, &last);
        let reach = machine.state().reach(task);
        all.retain(|change| reach.takes_in(&change.path.to_string()));
        self.record_own_changes(&all)?;
        self.record_since_asked(task, &last)?;
        self.update_index(&all);
        let (outputs, changes): (Vec<Change>, Vec<Change>) =
            all.into_iter().partition(|change| change.ignored);
        let diff_hash = match changes.is_empty() {
            true => None,
            false => Some(checkpoint::diff_of(&self.blobs, &changes)?.1.to_hex()),
        };
        let title = machine.title_of(task).unwrap_or_default();
        let texts = self.texts_of(&changes);
        let doubts = [
            hollow(&texts, title),
            dropped(&texts, title),
            change_review::review(&texts, title, machine.checks_named(task)),
        ];
        let doubt = doubts
            .into_iter()
            .flatten()
            .min_by_key(|doubt| !doubt.is_certain);
        let files = changes.iter().map(|change| change.path.to_string());
        Ok(Event::Measured {
            changes: Changes {
                files: files.collect(),
                diff_hash,
                ignored: outputs.len(),
                is_certain: doubt.as_ref().is_some_and(|doubt| doubt.is_certain),
                hollow: doubt.map(|doubt| doubt.why),
            },
        })
    }

    /// The text files that were created or changed, with their text before and after.
    fn texts_of(&self, changes: &[Change]) -> Vec<Written> {
        let text = |blob: Option<checkpoint::BlobId>| match blob {
            Some(blob) => String::from_utf8(self.blobs.get(blob).ok()?).ok(),
            None => Some(String::new()),
        };
        let there = changes.iter().filter(|change| change.after.is_some());
        let both = there.filter_map(|change| {
            let path = change.path.to_string();
            Some((path, text(change.before)?, text(change.after)?))
        });
        both.collect()
    }

    /// The changes since the snapshot `name` was taken, except those by others; `None` if there is
    /// no such snapshot.
    fn changes_left(&self, state: &State, name: &str) -> Result<Option<Vec<Change>>> {
        let Some(first) = self.kept_snapshot(name, Phase::Before)? else {
            return Ok(None);
        };
        let now = self.take_snapshot(self.latest.as_ref())?;
        let found = self.found_by(state, name, first, &now)?;
        Ok(Some(self.changes_between(&found, &now)))
    }

    fn found_by(
        &self,
        state: &State,
        name: &str,
        first: Snapshot,
        last: &Snapshot,
    ) -> Result<Snapshot> {
        let kept = (self.store, &self.blobs);
        own_changes::found_by(kept, (&self.run, name), Some(state), first, last)
    }

    /// Data that a command destroyed in files from before this run, or from before an earlier run
    /// whose steps count as done in this one. `before` is the state before the command.
    pub(super) fn lost_since(
        &mut self,
        machine: &Machine,
        task: &str,
        before: Option<Snapshot>,
    ) -> Result<Option<Box<Danger>>> {
        let Some(before) = before else {
            return Ok(None);
        };
        let now = self.take_snapshot(Some(&before))?;
        let (state, reach) = (machine.state(), machine.state().reach(task));
        let mut changes = self.changes_between(&before, &now);
        changes.retain(|change| {
            let path = change.path.to_string();
            reach.takes_in(&path) && !is_of_an_editor(&path)
        });
        if changes.is_empty() {
            return Ok(None);
        }
        let earlier = state
            .tasks
            .values()
            .filter_map(|known| known.earlier_run.as_deref());
        let runs: BTreeSet<&str> = earlier.chain([self.run.as_str()]).collect();
        let mut befores = Vec::new();
        for run in runs {
            for (name, phase) in self.store.snapshots().of_run(run)? {
                if phase == Phase::Before && !name.contains('/') {
                    befores.extend(kept_snapshot(self.store, run, &name, phase)?);
                }
            }
        }
        // Without an earlier snapshot, compare with the state before the command.
        if befores.is_empty() {
            befores.push(before);
        }
        befores.sort_by_key(Snapshot::taken);
        let made = state.tasks.values().flat_map(|known| &known.changes.files);
        let made = made.map(String::as_str).collect();
        let files = checkpoint::overwritten(&self.blobs, &befores, &made, &changes, &now)?;
        Ok(gate::destructive::lost(&files).map(Box::new))
    }

    /// Undoes a step's file changes. If the step is done or has no snapshot, undoes only the
    /// changes made by its check.
    pub(super) fn undo_step(&self, machine: &Machine, task: &str) -> Result<Event> {
        let permit = self.undo_permit(task);
        let reach = machine.state().reach(task);
        let left = match machine.can_undo_work(task) {
            true => self.changes_left(machine.state(), task)?,
            false => self.changes_left(machine.state(), &check_snapshot_name(task))?,
        };
        let mut left = left.unwrap_or_default();
        left.retain(|change| reach.takes_in(&change.path.to_string()));
        let left: Vec<&Change> = left.iter().collect();
        let report = undo_all(&permit, &self.workspace, &self.blobs, &left)?;
        let files = [report.restored, report.merged].concat();
        self.bench.update_index(&self.workspace, &files);
        self.bench.record_undone(&self.plan.key(), &left, &files)?;
        let conflicts = report.conflicts.into_iter().map(|conflict| conflict.path);
        let left = report.not_held.into_iter().chain(conflicts).collect();
        Ok(Event::TakenBack { files, left })
    }

    /// The changes left by a step with unknown outcome; without a snapshot from before the step,
    /// the uncommitted files instead.
    pub(super) fn survey(&self, machine: &Machine, task: &str) -> Event {
        let reach = machine.state().reach(task);
        let left = self
            .changes_left(machine.state(), task)
            .unwrap_or_else(|error| {
                tracing::info!(%error, "couldn't determine what an interrupted step changed");
                None
            });
        let Some(mut left) = left else {
            let git = git::state(&self.workspace).ok().flatten();
            let names =
                |file: DirtyFile| Some(file.path).filter(|path| *path != self.plan.relative);
            return Event::Uncommitted {
                files: git.map(|state| state.dirty.into_iter().filter_map(names).collect()),
            };
        };
        left.retain(|change| reach.takes_in(&change.path.to_string()));
        let (outputs, files): (Vec<Change>, Vec<Change>) =
            left.into_iter().partition(|change| change.ignored);
        let changes = Changes {
            files: files.iter().map(|change| change.path.to_string()).collect(),
            ignored: outputs.len(),
            ..Changes::default()
        };
        Event::Measured { changes }
    }

    /// Records the changes left by a step that ended without being done. Failures are only logged.
    pub(super) fn record_leftovers(&mut self, entry: &Entry) {
        let (Entry::Failed { task, .. }
        | Entry::Refused { task, .. }
        | Entry::Skipped { task, .. }) = entry
        else {
            return;
        };
        if let Err(error) = self.try_record_leftovers(task) {
            tracing::info!(%error, "couldn't record what a failed step changed");
        }
    }

    fn try_record_leftovers(&mut self, task: &str) -> Result<()> {
        let Some(first) = self.kept_snapshot(task, Phase::Before)? else {
            return Ok(());
        };
        let last = self.snapshot_now(task, Phase::After)?;
        let changes = self.changes_between(&first, &last);
        self.update_index(&changes);
        self.record_own_changes(&changes)?;
        self.record_since_asked(task, &last)
    }

    /// Records the changes that a step has made by the time it pauses for permission. Failures are
    /// only logged.
    pub(super) fn record_work_so_far(&mut self, task: &str) {
        if let Err(error) = self.try_record_work_so_far(task) {
            tracing::info!(%error, "couldn't record what a paused step changed");
        }
    }

    fn try_record_work_so_far(&mut self, task: &str) -> Result<()> {
        let Some(first) = self.kept_snapshot(task, Phase::Before)? else {
            return Ok(());
        };
        let now = self.snapshot_now(&asked_snapshot_name(task), Phase::After)?;
        let changes = self.changes_between(&first, &now);
        self.record_own_changes(&changes)
    }

    /// Records the changes of a step since it last paused for permission.
    fn record_since_asked(&self, task: &str, last: &Snapshot) -> Result<()> {
        let Some(asked) = self.kept_snapshot(&asked_snapshot_name(task), Phase::After)? else {
            return Ok(());
        };
        self.record_own_changes(&self.changes_between(&asked, last))
    }

    /// Records the run's changes, except ignored outputs, so that they aren't attributed to others.
    fn record_own_changes(&self, changes: &[Change]) -> Result<()> {
        let own: Vec<_> = changes
            .iter()
            .filter(|change| !change.ignored)
            .map(|change| {
                let hex = |blob: Option<checkpoint::BlobId>| blob.map(|blob| blob.to_hex());
                (
                    change.path.to_string(),
                    hex(change.before),
                    hex(change.after),
                )
            })
            .collect();
        if !own.is_empty() {
            let bases = self.store.plan_bases();
            bases.follow(&self.plan.key(), &own, self.clock.now_ms())?;
        }
        Ok(())
    }

    /// Updates the workspace index after a step's changes, except ignored outputs.
    fn update_index(&self, changes: &[Change]) {
        let own = changes.iter().filter(|change| !change.ignored);
        let paths: Vec<String> = own.map(|change| change.path.to_string()).collect();
        self.bench.update_index(&self.workspace, &paths);
    }

    /// The changes between two snapshots, except to the plan file: its ticks aren't the step's
    /// work, and undoing a step must not undo a person's edits.
    pub(super) fn changes_between(&self, first: &Snapshot, last: &Snapshot) -> Vec<Change> {
        let mut changes = Snapshot::changes(first, last);
        changes.retain(|change| change.path.as_path() != Path::new(&self.plan.relative));
        changes
    }

    /// Takes a snapshot of the workspace. Files unchanged since `before` aren't read again.
    pub(super) fn take_snapshot(&self, before: Option<&Snapshot>) -> Result<Snapshot> {
        let limits = Limits::default();
        Ok(Snapshot::take(
            &self.workspace,
            &self.blobs,
            before,
            &limits,
        )?)
    }

    /// Takes a snapshot and stores it under a name.
    pub(super) fn snapshot_now(&mut self, name: &str, phase: Phase) -> Result<Snapshot> {
        let snapshot = self.take_snapshot(self.latest.as_ref())?;
        self.store_snapshot(name, phase, &snapshot)?;
        self.latest = Some(snapshot.clone());
        Ok(snapshot)
    }

    pub(super) fn store_snapshot(
        &self,
        name: &str,
        phase: Phase,
        snapshot: &Snapshot,
    ) -> Result<()> {
        let bytes =
            serde_json::to_vec(snapshot).map_err(|error| Error::from_cause(Code::Failed, error))?;
        let now = self.clock.now_ms();
        self.store
            .snapshots()
            .put(&self.run, name, phase, &bytes, now)?;
        Ok(())
    }

    pub(super) fn kept_snapshot(&self, name: &str, phase: Phase) -> Result<Option<Snapshot>> {
        kept_snapshot(self.store, &self.run, name, phase)
    }
}

/// The name of the snapshot taken when a step last paused for permission.
fn asked_snapshot_name(task: &str) -> String {
    format!("{task}/asked")
}

/// The name of the snapshot taken before a destructive check of a step.
pub(super) fn check_snapshot_name(task: &str) -> String {
    format!("{task}/check")
}

/// A stored snapshot of a step, one of its calls (`T2/call-0`), or its checks.
pub(crate) fn kept_snapshot(
    store: &Store,
    run: &str,
    name: &str,
    phase: Phase,
) -> Result<Option<Snapshot>> {
    let Some(bytes) = store.snapshots().get(run, name, phase)? else {
        return Ok(None);
    };
    let read = serde_json::from_slice(&bytes);
    read.map(Some)
        .map_err(|error| Error::from_cause(Code::Storage, error))
}

/// Whether a name is that of a temporary file that editors create and delete themselves.
fn is_of_an_editor(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let swap = name
        .strip_prefix('.')
        .and_then(|name| name.rsplit_once('.'));
    let is_swap = swap.is_some_and(|(_, end)| end.len() == 3 && end.starts_with("sw"));
    is_swap
        || name == "4913"
        || name.ends_with('~')
        || [".#", ".~lock.", ".goutputstream-"]
            .iter()
            .any(|start| name.starts_with(start))
}
