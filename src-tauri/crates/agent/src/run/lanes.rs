//! Runs several steps in parallel: decides which of them continue, which may start, and which must
//! wait.
//!
//! - Steps that hold different files run in parallel ([`file_locks`](crate::file_locks)). All other
//!   steps, and retried ones, run alone.
//! - A check sees the whole workspace. It runs only once every other step in progress has reached
//!   its own check, so that half-finished changes cannot affect the result.
//! - A step that is about to write to a file that another step holds waits until that step ends. If
//!   all steps wait for each other, the model of the first step gets an error that says so.
//! - After a failure or a pause, the steps in progress run to their end and no other starts. After
//!   a stop, only the effects in progress run to their end; the steps continue when the run is
//!   resumed.
//! - A step that waits for a person keeps its files and doesn't block other steps.

use std::collections::BTreeSet;

use gate::answers::Answer;
use gate::question::QuestionKind;
use plan::{Task, ToolCall};

use super::next::Turn;
use super::ready::Readiness;
use super::state::{Intent, Standing, TaskState};
use super::{Effect, Machine, PlanView};
use crate::file_locks::{self, LockContext};
use crate::model_step::step_tools;
use crate::model_tool::ModelTool;

/// State of the steps in progress that is kept only in memory, not in the journal.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    /// The step that may run its check now.
    alone: Option<String>,
    /// The step that must give up writing a file, because all steps wait for each other.
    yielding: Option<String>,
    /// The step that must run alone, once it has started.
    solo: Option<String>,
    /// Whether a step is waiting for the others to end.
    has_held: bool,
    /// Paths in the plan that lead through a link.
    linked: BTreeSet<String>,
}

impl Lanes {
    pub(super) fn set_linked(&mut self, linked: BTreeSet<String>) {
        self.linked = linked;
    }

    pub(super) fn must_yield(&self, id: &str) -> bool {
        self.yielding.as_deref() == Some(id)
    }
}

impl Machine {
    pub(super) fn is_parallel(&self) -> bool {
        self.state.started.parallel > 1
    }

    /// Steps that have started, aren't waiting for anyone, and weren't undone or skipped since.
    pub(super) fn active_steps(&self) -> impl Iterator<Item = &str> {
        let active = self.state.active();
        active.filter(|id| !self.waiting.contains_key(*id) && !self.is_blocked(id))
    }

    fn is_blocked(&self, id: &str) -> bool {
        let Some(index) = self.view.plan.index_of_name(id) else {
            return false;
        };
        match self.view.readiness(&self.state, index) {
            Readiness::Ready => false,
            Readiness::WaitsFor(_) => true,
            Readiness::SkippedBefore(_) => {
                let kind = QuestionKind::SkippedDependency;
                let known = self.state.tasks.get(id);
                known.and_then(|task| task.answers.get(&kind)) != Some(&Answer::Run)
            }
        }
    }

    /// The first side effect that an earlier process announced and that has no outcome.
    pub(super) fn unsettled(&self) -> Option<(&str, usize, &Intent)> {
        let mut intents = self.state.open_intents();
        intents.find(|(id, _, _)| !self.is_busy(id))
    }

    /// The paths that a step will hold; `None` if it must run alone, as every step does in a
    /// sequential run.
    pub(super) fn holds(&self, view: &PlanView, task: &Task) -> Option<Vec<String>> {
        if !self.is_parallel() {
            return None;
        }
        let by_model = self.is_by_model(task);
        let command = ModelTool::Workspace(plan::ToolName::RunCommand);
        let is_outline = by_model
            && self.agent_of(task).is_none()
            && self.is_sketch(view, task)
            && !self.state.planning.whole.contains(&task.id.0);
        // The run itself requests the parts of an outline step, so only one step can be split at a
        // time.
        if is_outline {
            return None;
        }
        file_locks::locked_paths(
            task,
            &LockContext {
                by_model,
                has_commands: step_tools::for_step(task).contains(&command),
                sandboxed: self.config.sandboxed,
                plan: self.config.plan.as_ref(),
                linked: Some(&self.lanes.linked),
            },
        )
    }

    fn is_shared(&self, id: &str) -> bool {
        self.state.tasks.get(id).is_some_and(TaskState::is_shared)
    }

    /// Advances every idle step in progress; `Nothing` if none can continue now.
    pub(super) fn advance_steps(&mut self, view: &PlanView) -> Turn {
        self.lanes.has_held = false;
        if self.is_checking() {
            return Turn::Nothing;
        }
        let mut held = Vec::new();
        for id in self.next_steps() {
            if self.is_busy(&id) {
                continue;
            }
            match self.advance_step(view, &id) {
                Turn::Nothing => held.push(id),
                turn => return turn,
            }
        }
        self.lanes.has_held = !held.is_empty();
        if !self.in_progress.is_empty() {
            return Turn::Nothing;
        }
        for id in &held {
            self.lanes.alone = Some(id.clone());
            let turn = self.advance_step(view, id);
            self.lanes.alone = None;
            if !matches!(turn, Turn::Nothing) {
                return turn;
            }
        }
        let Some(first) = held.into_iter().next() else {
            return Turn::Nothing;
        };
        self.lanes.yielding = Some(first.clone());
        let turn = self.advance_step(view, &first);
        self.lanes.yielding = None;
        turn
    }

    /// The steps that continue now: those that run in parallel or, if there are none, a step that
    /// runs alone.
    fn next_steps(&mut self) -> Vec<String> {
        let active_steps: Vec<String> = self.active_steps().map(str::to_owned).collect();
        let solo = self
            .lanes
            .solo
            .take()
            .filter(|solo| active_steps.contains(solo));
        if let Some(solo) = solo {
            self.lanes.solo = Some(solo.clone());
            return vec![solo];
        }
        let (shared, alone): (Vec<String>, Vec<String>) =
            active_steps.into_iter().partition(|id| self.is_shared(id));
        if !shared.is_empty() {
            return shared;
        }
        self.lanes.solo = alone.first().cloned();
        self.lanes.solo.iter().cloned().collect()
    }

    fn is_checking(&self) -> bool {
        let mut in_progress = self.in_progress.values();
        in_progress.any(|effect| matches!(effect, Effect::Check { .. }))
    }

    pub(super) fn may_check(&self, id: &str) -> bool {
        !self.is_parallel() || self.lanes.alone.as_deref() == Some(id)
    }

    /// Whether the steps in progress must end before anything else starts.
    pub(super) fn finishes_first(&self) -> bool {
        let is_closing = !self.failed_here.is_empty() || self.pausing;
        self.active_steps().next().is_some()
            && (is_closing || self.lanes.has_held || self.is_checking())
    }

    /// Whether a step that is ready may start alongside those in progress.
    pub(super) fn may_begin(&self, view: &PlanView, index: usize) -> bool {
        if !self.is_parallel() {
            return !self.waits_with_host(&view.plan.tasks[index]);
        }
        let task = &view.plan.tasks[index];
        let standing = self.state.standing(&task.id);
        if standing == Standing::Running {
            // `start` reports what blocks the step or asks the person about it.
            return self.is_blocked(task.id.as_str());
        }
        let active_steps: Vec<&str> = self.active_steps().collect();
        let is_first = active_steps.is_empty();
        let file = self.file.as_ref();
        if !is_first && file.is_some_and(|file| file.uncovered.contains_key(&task.id)) {
            return false;
        }
        // A question changes no files.
        if task.is_pause() || standing == Standing::Failed {
            return task.is_pause() || is_first;
        }
        let Some(holds) = self.holds(view, task) else {
            return is_first;
        };
        let is_free = self.state.active().all(|other| {
            let other = self.state.tasks.get(other).map(TaskState::held);
            other.is_none_or(|held| !file_locks::overlap(&held, &holds))
        });
        let has_room = active_steps.len()
            < usize::from(self.state.started.parallel.min(file_locks::MAX_PARALLEL));
        let all_share = active_steps.iter().all(|id| self.is_shared(id));
        is_free && (is_first || (has_room && all_share))
    }

    /// The step that holds the file to which this call would write.
    pub(super) fn held_by_another(&self, id: &str, tool: &ToolCall) -> Option<String> {
        if !self.is_parallel() || tool.tool.is_read_only() {
            return None;
        }
        let path = tool.path()?;
        let mut others = self.state.active().filter(|other| *other != id);
        let holds =
            |known: &TaskState| known.holds.is_some() && file_locks::is_locked(&known.held(), path);
        let holder = others.find(|other| self.state.tasks.get(*other).is_some_and(holds));
        holder.map(str::to_owned)
    }
}
