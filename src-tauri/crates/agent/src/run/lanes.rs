//! Several steps under way at once, where the run says so: which go on, which may begin, which wait.
//!
//! - Steps go side by side that hold different files ([`holding`](crate::holding)); every other step,
//!   and one that is tried again, goes alone.
//! - A check looks at the whole workspace. It is run when every other step under way has come to its own
//!   check, so that no half-done change of another step speaks for it or against it.
//! - A step that is about to write what another one holds waits until that one is over. Where all wait
//!   for one another, the model of the first is told so.
//! - After a failure, and after a pause was asked for, the steps under way go on to their ends and no
//!   other begins. A stop lets only the effects under way end; the steps go on when the run is resumed.
//! - A step that waits for a person holds its files, and holds up nobody else.

use std::collections::BTreeSet;

use gate::answers::Answer;
use gate::question::QuestionKind;
use plan::{Task, ToolCall};

use super::next::Turn;
use super::ready::Readiness;
use super::state::{Intent, Standing, TaskState};
use super::{Effect, Machine, PlanView};
use crate::holding::{self, Ground};
use crate::model_step::table;
use crate::model_tool::ModelTool;

/// What of the steps under way is known in this process alone.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    /// The step whose turn it is to be alone.
    alone: Option<String>,
    /// The step that has to do without, since all wait for one another.
    tied: Option<String>,
    /// The step that goes alone and has begun to.
    solo: Option<String>,
    /// Whether a step waits for the others to come to their ends.
    has_held: bool,
    /// Paths of the plan that lead through a link.
    linked: BTreeSet<String>,
}

impl Lanes {
    pub(super) fn set_linked(&mut self, linked: BTreeSet<String>) {
        self.linked = linked;
    }

    pub(super) fn is_tied(&self, id: &str) -> bool {
        self.tied.as_deref() == Some(id)
    }
}

impl Machine {
    /// Whether the run may have several steps under way.
    pub(super) fn is_parallel(&self) -> bool {
        self.state.started.parallel > 1
    }

    /// The steps that are begun and wait for nobody: not for a step either that was taken back or left out
    /// since.
    pub(super) fn at_work(&self) -> impl Iterator<Item = &str> {
        let active = self.state.active();
        active.filter(|id| !self.waiting.contains_key(*id) && !self.is_held_up(id))
    }

    fn is_held_up(&self, id: &str) -> bool {
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

    /// The first side effect that an earlier process announced, and that has no outcome.
    pub(super) fn unsettled(&self) -> Option<(&str, usize, &Intent)> {
        let mut intents = self.state.open_intents();
        intents.find(|(id, _, _)| !self.is_busy(id))
    }

    /// What a step is to hold; `None` for one that goes alone, as all do in a run of one lane.
    pub(super) fn holds(&self, view: &PlanView, task: &Task) -> Option<Vec<String>> {
        if !self.is_parallel() {
            return None;
        }
        let by_model = self.is_by_model(task);
        let command = ModelTool::Workspace(plan::ToolName::RunCommand);
        let is_outline = by_model
            && self.is_sketch(view, task)
            && !self.state.planning.whole.contains(&task.id.0);
        // Asking what it is made of is the run's own business, one at a time.
        if is_outline {
            return None;
        }
        holding::held(
            task,
            &Ground {
                by_model,
                has_commands: table::of_step(task).contains(&command),
                sandboxed: self.config.sandboxed,
                plan: self.config.plan.as_ref(),
                linked: Some(&self.lanes.linked),
            },
        )
    }

    fn is_shared(&self, id: &str) -> bool {
        self.state.tasks.get(id).is_some_and(TaskState::is_shared)
    }

    /// Carries every step that is under way and idle further; `Nothing` when none can go on now.
    pub(super) fn go_on_lanes(&mut self, view: &PlanView) -> Turn {
        self.lanes.has_held = false;
        if self.is_checking() {
            return Turn::Nothing;
        }
        let mut held = Vec::new();
        for id in self.crew() {
            if self.is_busy(&id) {
                continue;
            }
            match self.go_on(view, &id) {
                Turn::Nothing => held.push(id),
                turn => return turn,
            }
        }
        self.lanes.has_held = !held.is_empty();
        if !self.under_way.is_empty() {
            return Turn::Nothing;
        }
        for id in &held {
            self.lanes.alone = Some(id.clone());
            let turn = self.go_on(view, id);
            self.lanes.alone = None;
            if !matches!(turn, Turn::Nothing) {
                return turn;
            }
        }
        let Some(first) = held.into_iter().next() else {
            return Turn::Nothing;
        };
        self.lanes.tied = Some(first.clone());
        let turn = self.go_on(view, &first);
        self.lanes.tied = None;
        turn
    }

    /// The steps that go on now: those that share the workspace, else one that goes alone.
    fn crew(&mut self) -> Vec<String> {
        let at_work: Vec<String> = self.at_work().map(str::to_owned).collect();
        let solo = self.lanes.solo.take().filter(|solo| at_work.contains(solo));
        if let Some(solo) = solo {
            self.lanes.solo = Some(solo.clone());
            return vec![solo];
        }
        let (shared, alone): (Vec<String>, Vec<String>) =
            at_work.into_iter().partition(|id| self.is_shared(id));
        if !shared.is_empty() {
            return shared;
        }
        self.lanes.solo = alone.first().cloned();
        self.lanes.solo.iter().cloned().collect()
    }

    fn is_checking(&self) -> bool {
        let mut under_way = self.under_way.values();
        under_way.any(|effect| matches!(effect, Effect::Check { .. }))
    }

    /// Whether a step's check may be run now.
    pub(super) fn may_check(&self, id: &str) -> bool {
        !self.is_parallel() || self.lanes.alone.as_deref() == Some(id)
    }

    /// Whether the steps under way have to come to their ends before anything else is begun.
    pub(super) fn finishes_first(&self) -> bool {
        let is_closing = !self.failed_here.is_empty() || self.pausing;
        self.at_work().next().is_some() && (is_closing || self.lanes.has_held || self.is_checking())
    }

    /// Whether a step whose turn has come may begin beside those under way.
    pub(super) fn may_begin(&self, view: &PlanView, index: usize) -> bool {
        if !self.is_parallel() {
            return true;
        }
        let task = &view.plan.tasks[index];
        let standing = self.state.standing(&task.id);
        if standing == Standing::Running {
            // What holds it up is asked about or said.
            return self.is_held_up(task.id.as_str());
        }
        let at_work: Vec<&str> = self.at_work().collect();
        let is_first = at_work.is_empty();
        let file = self.file.as_ref();
        if !is_first && file.is_some_and(|file| file.uncovered.contains_key(&task.id)) {
            return false;
        }
        // A question changes nothing.
        if task.is_pause() || standing == Standing::Failed {
            return task.is_pause() || is_first;
        }
        let Some(holds) = self.holds(view, task) else {
            return is_first;
        };
        let is_free = self.state.active().all(|other| {
            let other = self.state.tasks.get(other).map(TaskState::held);
            other.is_none_or(|held| !holding::overlap(&held, &holds))
        });
        let has_room = at_work.len() < usize::from(self.state.started.parallel.min(holding::MOST));
        let all_share = at_work.iter().all(|id| self.is_shared(id));
        is_free && (is_first || (has_room && all_share))
    }

    /// The step that holds what a call would write.
    pub(super) fn held_by_another(&self, id: &str, tool: &ToolCall) -> Option<String> {
        if !self.is_parallel() || tool.tool.is_read_only() {
            return None;
        }
        let path = tool.path()?;
        let mut others = self.state.active().filter(|other| *other != id);
        let holds =
            |known: &TaskState| known.holds.is_some() && holding::is_held(&known.held(), path);
        let holder = others.find(|other| self.state.tasks.get(*other).is_some_and(holds));
        holder.map(str::to_owned)
    }
}
