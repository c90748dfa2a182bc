//! File checkpoints around a step: what it found, what it left, and the difference.

use std::collections::BTreeSet;
use std::path::Path;

use agent::journal::{Changes, Entry};
use agent::named::not_met;
use agent::run::state::State;
use agent::run::{Event, Machine};
use gate::destructive::{Danger, Written, dropped, hollow};
use store::{Phase, Store};
use tools::checkpoint::{self, Change, Limits, Snapshot};
use tools::git::{self, DirtyFile};

use super::Driver;
use crate::error::{Code, Error, Result};
use crate::own_changes;
use crate::undoing::take_back;

impl Driver<'_> {
    pub(super) fn take_checkpoint(&mut self, task: &str) -> Result<Event> {
        Ok(match self.keep_what_it_finds(task) {
            Ok(()) => Event::CheckpointTaken,
            Err(error) => Event::NotPrepared {
                reason: format!("the state before it could not be kept: {error}"),
            },
        })
    }

    /// Keeps what a step finds; where it is begun again, what happened since it ended.
    fn keep_what_it_finds(&mut self, task: &str) -> Result<()> {
        let Some(first) = self.kept_snapshot(task, Phase::Before)? else {
            self.keep_snapshot(task, Phase::Before)?;
            return Ok(());
        };
        let ended = self.kept_snapshot(task, Phase::After)?;
        if let Some(ended) = ended.filter(|ended| ended.taken() >= first.taken()) {
            let name = own_changes::between(task, &ended);
            self.keep_as(&name, Phase::Before, &ended)?;
            self.keep_snapshot(&name, Phase::After)?;
        }
        Ok(())
    }

    /// What the step changed, named by file, with the hash of the whole difference as evidence.
    /// Where others were under way as well, only what the step could write counts as its own.
    pub(super) fn measure(&mut self, machine: &Machine, task: &str) -> Result<Event> {
        let Some(first) = self.kept_snapshot(task, Phase::Before)? else {
            return Ok(Event::Measured {
                changes: Changes::default(),
            });
        };
        let last = self.keep_snapshot(task, Phase::After)?;
        let found = self.found_by(machine.state(), task, first.clone(), &last)?;
        if found != first {
            // As it is known now: what others do later has nothing to do with it.
            self.keep_as(task, Phase::Before, &found)?;
        }
        let mut all = self.work_between(&found, &last);
        let reach = machine.state().reach(task);
        all.retain(|change| reach.takes_in(&change.path.to_string()));
        self.keep_as_own(&all)?;
        self.tell_index(&all);
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
            not_met(&texts, title, machine.checks_named(task)),
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

    /// What the changed files that hold text held and hold.
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

    /// What differs from what a step found, or a snapshot of another name, without what others did; `None`
    /// where that is not on record.
    fn left_by(&self, state: &State, name: &str) -> Result<Option<Vec<Change>>> {
        let Some(first) = self.kept_snapshot(name, Phase::Before)? else {
            return Ok(None);
        };
        let now = self.look_around(self.latest.as_ref())?;
        let found = self.found_by(state, name, first, &now)?;
        Ok(Some(self.work_between(&found, &now)))
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

    /// What a command threw away of files that were there before this run, or before those whose steps count in
    /// it, by what was there before the command.
    pub(super) fn lost_since(
        &mut self,
        machine: &Machine,
        task: &str,
        before: Option<Snapshot>,
    ) -> Result<Option<Box<Danger>>> {
        let Some(before) = before else {
            return Ok(None);
        };
        let now = self.look_around(Some(&before))?;
        let (state, reach) = (machine.state(), machine.state().reach(task));
        let mut changes = self.work_between(&before, &now);
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
        // Before the first edit there is nothing else to compare with.
        if befores.is_empty() {
            befores.push(before);
        }
        befores.sort_by_key(Snapshot::taken);
        let made = state.tasks.values().flat_map(|known| &known.changes.files);
        let made = made.map(String::as_str).collect();
        let files = checkpoint::overwritten(&self.blobs, &befores, &made, &changes, &now)?;
        Ok(gate::destructive::lost(&files).map(Box::new))
    }

    /// Puts the files back that a step changed; those that its check changed where it is not at work.
    pub(super) fn take_step_back(&self, machine: &Machine, task: &str) -> Result<Event> {
        let permit = self.leave_to_take_back(task);
        let reach = machine.state().reach(task);
        let left = match machine.is_at_work(task) {
            true => self.left_by(machine.state(), task)?,
            false => self.left_by(machine.state(), &of_check(task))?,
        };
        let mut left = left.unwrap_or_default();
        left.retain(|change| reach.takes_in(&change.path.to_string()));
        let left: Vec<&Change> = left.iter().collect();
        let report = take_back(&permit, &self.workspace, &self.blobs, &left)?;
        let files = [report.restored, report.merged].concat();
        self.bench.tell_index(&self.workspace, &files);
        let conflicts = report.conflicts.into_iter().map(|conflict| conflict.path);
        let left = report.not_held.into_iter().chain(conflicts).collect();
        Ok(Event::TakenBack { files, left })
    }

    /// What a step whose outcome is unknown left; else what differs from the last commit.
    pub(super) fn survey(&self, machine: &Machine, task: &str) -> Event {
        let reach = machine.state().reach(task);
        let left = self.left_by(machine.state(), task).unwrap_or_else(|error| {
            tracing::info!(%error, "what a step that was cut off left is not known");
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

    /// Keeps what a step that ended without being done has made of files. What cannot be seen is left out.
    pub(super) fn keep_what_is_left(&mut self, entry: &Entry) {
        let (Entry::Failed { task, .. }
        | Entry::Refused { task, .. }
        | Entry::Skipped { task, .. }) = entry
        else {
            return;
        };
        if let Err(error) = self.try_to_keep_what_is_left(task) {
            tracing::info!(%error, "what a failed step left is not known");
        }
    }

    fn try_to_keep_what_is_left(&mut self, task: &str) -> Result<()> {
        let Some(first) = self.kept_snapshot(task, Phase::Before)? else {
            return Ok(());
        };
        let last = self.keep_snapshot(task, Phase::After)?;
        let changes = self.work_between(&first, &last);
        self.tell_index(&changes);
        self.keep_as_own(&changes)
    }

    /// Keeps what the run made of files, outputs left out, so that it is not told as changed by others.
    fn keep_as_own(&self, changes: &[Change]) -> Result<()> {
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

    /// Has the index of the workspace take in what a step made of files, outputs left out.
    fn tell_index(&self, changes: &[Change]) {
        let own = changes.iter().filter(|change| !change.ignored);
        let paths: Vec<String> = own.map(|change| change.path.to_string()).collect();
        self.bench.tell_index(&self.workspace, &paths);
    }

    /// What differs between two snapshots, the plan file left out: its ticks are not a step's work,
    /// and what a person writes there is not to be taken back with one.
    pub(super) fn work_between(&self, first: &Snapshot, last: &Snapshot) -> Vec<Change> {
        let mut changes = Snapshot::changes(first, last);
        changes.retain(|change| change.path.as_path() != Path::new(&self.plan.relative));
        changes
    }

    /// A snapshot of the workspace as it is now. Files that have not changed since `before` are not
    /// read again.
    pub(super) fn look_around(&self, before: Option<&Snapshot>) -> Result<Snapshot> {
        let limits = Limits::default();
        Ok(Snapshot::take(
            &self.workspace,
            &self.blobs,
            before,
            &limits,
        )?)
    }

    /// Takes a snapshot and keeps it under a name.
    pub(super) fn keep_snapshot(&mut self, name: &str, phase: Phase) -> Result<Snapshot> {
        let snapshot = self.look_around(self.latest.as_ref())?;
        self.keep_as(name, phase, &snapshot)?;
        self.latest = Some(snapshot.clone());
        Ok(snapshot)
    }

    pub(super) fn keep_as(&self, name: &str, phase: Phase, snapshot: &Snapshot) -> Result<()> {
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

/// The name under which the state before a check of a step is kept that threw something away.
pub(super) fn of_check(task: &str) -> String {
    format!("{task}/check")
}

/// A snapshot kept earlier: of a step, of one of its calls (`T2/call-0`), or of its checks.
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

/// Whether a name is that of a file which an editor keeps beside the one it has open, and takes away itself.
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
