//! Determines what each step of a run changed, from the snapshots around it.

use std::collections::BTreeMap;
use std::path::Path;

use agent::journal::Entry;
use agent::receipt::Timed;
use agent::run::state::{Reach, Standing, State};
use store::{Phase, Store};
use tools::checkpoint::{Blobs, Change, ChangeKind, RelPath, Snapshot, merged_blob};
use tools::{ContentHash, ToolError, Workspace, documents};

use crate::driver::changes::kept_snapshot;
use crate::error::Result;
use crate::own_changes::found_by;
use crate::plan_file::PlanFile;
use crate::{Workbench, journal_rows, plan_file};

/// The size limit of files in snapshots, in bytes.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// The changes of a run, by step.
pub struct RunChanges<'a> {
    store: &'a Store,
    run: String,
    journal: Vec<Timed>,
    /// The state of the run; `None` if its journal has no first entry.
    state: Option<State>,
    /// The steps with a snapshot, in the order they started, each with the index of its journal
    /// entry.
    started: Vec<(usize, String)>,
    /// The run's workspace.
    pub workspace: Workspace,
    /// The file contents that its steps replaced.
    pub blobs: Blobs,
    pub(crate) file: PlanFile,
}

impl Workbench {
    /// Reads the changes of a run.
    pub fn changes_of_run(&self, row: &store::Run) -> Result<RunChanges<'_>> {
        let journal = journal_rows::read(&self.store, &row.id)?;
        let workspace = self.open_workspace(Path::new(&row.workspace))?;
        let plan = Path::new(&row.plan);
        let file = match plan.exists() {
            true => {
                let (user, _) = self.settings_for(None);
                let root = Some(workspace.path());
                plan_file::locate(&self.environment.cwd, plan, root, &user.plan_folder)?.1
            }
            // The steps of a deleted plan are still on record.
            false => {
                let relative = plan.strip_prefix(workspace.path()).unwrap_or(plan);
                PlanFile {
                    path: plan.to_owned(),
                    relative: relative.display().to_string(),
                }
            }
        };
        let mut latest: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, (_, entry)) in journal.iter().enumerate() {
            if let Entry::CheckpointTaken { task } = entry {
                latest.insert(task, at);
            }
        }
        let mut started: Vec<(usize, String)> = latest
            .into_iter()
            .map(|(task, at)| (at, task.to_owned()))
            .collect();
        started.sort();
        let entries: Vec<Entry> = journal.iter().map(|(_, entry)| entry.clone()).collect();
        Ok(RunChanges {
            state: State::replay(&entries),
            store: &self.store,
            run: row.id.clone(),
            blobs: Blobs::open(&self.home.blobs)?,
            journal,
            started,
            workspace,
            file,
        })
    }
}

impl RunChanges<'_> {
    /// The started steps, in the order they ended; unfinished ones come last.
    pub(crate) fn steps(&self) -> impl DoubleEndedIterator<Item = &str> {
        let mut steps: Vec<&str> = self.started.iter().map(|(_, task)| task.as_str()).collect();
        steps.sort_by_key(|task| self.ended(task).unwrap_or(usize::MAX));
        steps.into_iter()
    }

    /// The index of the journal entry that last ended a step.
    fn ended(&self, task: &str) -> Option<usize> {
        self.journal.iter().rposition(|(_, entry)| match entry {
            Entry::Done { task: of, .. }
            | Entry::Failed { task: of, .. }
            | Entry::Refused { task: of, .. }
            | Entry::Skipped { task: of, .. } => of == task,
            _ => false,
        })
    }

    /// Whether the run started this step and took a snapshot before it.
    pub(crate) fn carried_out(&self, task: &str) -> bool {
        self.steps().any(|step| step == task)
    }

    /// Whether the step was undone and not started again since.
    pub(crate) fn is_undone(&self, task: &str) -> bool {
        let since = self.since(task);
        since.is_some_and(|mut entries| {
            entries.any(|entry| matches!(entry, Entry::Undone { task: of, .. } if of == task))
        })
    }

    /// The changes of one step, except to the plan file; empty for a step that wasn't started.
    pub fn of_step(&self, task: &str) -> Result<Vec<Change>> {
        if self.changed_nothing(task) {
            return Ok(Vec::new());
        }
        let Some(before) = self.kept(task, Phase::Before)? else {
            return Ok(Vec::new());
        };
        let after = match self.after(task, &before)? {
            Some(after) => after,
            // The step is running or was interrupted: use the current state.
            None => Snapshot::take(
                &self.workspace,
                &self.blobs,
                Some(&before),
                &Default::default(),
            )?,
        };
        let before = match self.standing(task) {
            // Changes by others were already removed when the step ended.
            Some(Standing::Done) => before,
            _ => {
                let (kept, state) = ((self.store, &self.blobs), self.state.as_ref());
                found_by(kept, (&self.run, task), state, before, &after)?
            }
        };
        let mut changes = Snapshot::changes(&before, &after);
        let reach = self.reach(task);
        changes.retain(|change| {
            change.path.as_path() != Path::new(&self.file.relative)
                && reach.takes_in(&change.path.to_string())
        });
        Ok(changes)
    }

    /// The combined changes of the run: each file from before the first step that touched it to
    /// after the last. Undone steps don't count.
    pub fn of_run(&self) -> Result<Vec<Change>> {
        let mut all: BTreeMap<RelPath, Change> = BTreeMap::new();
        for task in self.steps() {
            if self.is_undone(task) {
                continue;
            }
            for change in self.of_step(task)? {
                let change = match all.remove(&change.path) {
                    None => Some(change),
                    Some(first) => combined(&self.blobs, first, change)?,
                };
                if let Some(change) = change {
                    all.insert(change.path.clone(), change);
                }
            }
        }
        Ok(all.into_values().collect())
    }

    /// Which files a step may have changed itself.
    fn reach(&self, task: &str) -> Reach {
        let state = self.state.as_ref();
        state.map_or(Reach::All, |state| state.reach(task))
    }

    /// The journal entries since the step was last started; `None` if it never was.
    fn since(&self, task: &str) -> Option<impl Iterator<Item = &Entry>> {
        let (at, _) = self.started.iter().find(|(_, step)| step == task)?;
        Some(self.journal[*at..].iter().map(|(_, entry)| entry))
    }

    fn changed_nothing(&self, task: &str) -> bool {
        let done = self.since(task).and_then(|mut entries| {
            entries.find_map(|entry| match entry {
                Entry::Done {
                    task: of, changes, ..
                } if of == task => Some(changes.files.is_empty() && changes.ignored == 0),
                _ => None,
            })
        });
        done.unwrap_or(false)
    }

    fn standing(&self, task: &str) -> Option<Standing> {
        let task = self.state.as_ref()?.tasks.get(task)?;
        Some(task.standing)
    }

    /// The snapshot after a step: the one taken when it ended, or the one before the next step.
    /// Older versions took the former only for done steps.
    fn after(&self, task: &str, before: &Snapshot) -> Result<Option<Snapshot>> {
        if self.standing(task) != Some(Standing::Running)
            && let Some(after) = self.kept(task, Phase::After)?
            && after.taken() >= before.taken()
        {
            return Ok(Some(after));
        }
        let at = self.started.iter().position(|(_, step)| step == task);
        let next = match self.reach(task) {
            // Another step may have started while it was running.
            Reach::Only(_) => {
                let ended = self.ended(task);
                let mut started = self.started.iter();
                ended.and_then(|ended| started.find(|(at, step)| *at > ended && step != task))
            }
            Reach::All | Reach::Without(_) => at.and_then(|at| self.started.get(at + 1)),
        };
        match next {
            Some((_, next)) => self.kept(next, Phase::Before),
            None => Ok(None),
        }
    }

    fn kept(&self, task: &str, phase: Phase) -> Result<Option<Snapshot>> {
        kept_snapshot(self.store, &self.run, task, phase)
    }
}

/// Combines two changes of a file; `None` if the second reverted the first.
fn combined(blobs: &Blobs, mut first: Change, last: Change) -> Result<Option<Change>> {
    if let (Some(before), Some(after), Some(found)) = (first.before, first.after, last.before)
        && after != found
        && let Some(before) = merged_blob(blobs, after, before, found)?
    {
        // Another step changed the file in between; count that as part of the state before.
        first.before = Some(before);
    }
    let change = Change {
        kind: match (first.before_mode, last.after_mode) {
            (None, None) => return Ok(None),
            (None, Some(_)) => ChangeKind::Created,
            (Some(_), None) => ChangeKind::Deleted,
            (Some(before), Some(after)) => {
                match (
                    first.before.is_some() && first.before == last.after,
                    before == after,
                ) {
                    (true, true) => return Ok(None),
                    (true, false) => ChangeKind::ModeChanged,
                    (false, _) => ChangeKind::Modified,
                }
            }
        },
        before: first.before,
        before_mode: first.before_mode,
        held: first.held && last.held,
        ignored: first.ignored && last.ignored,
        ..last
    };
    Ok(Some(change))
}

/// Whether a file is in its state before a change.
pub fn is_as_before(workspace: &Workspace, change: &Change) -> bool {
    let path = change.path.to_string();
    let now = documents::read(workspace, &path, MAX_FILE_BYTES);
    match (now, change.before, change.before_mode) {
        (Err(ToolError::NotFound { .. }), _, None) => true,
        (Ok(_), _, Some(mode)) if change.kind == ChangeKind::ModeChanged => {
            use std::os::unix::fs::PermissionsExt as _;
            let found = workspace.path().join(change.path.as_path()).metadata();
            found.is_ok_and(|found| found.permissions().mode() & 0o7777 == mode & 0o7777)
        }
        (Ok(now), Some(before), Some(_)) => ContentHash::of(&now) == before,
        _ => false,
    }
}
