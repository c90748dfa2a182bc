//! The state machine of a run: events in, effects out.
//!
//! Submodules: `effect` defines events and effects, [`state`] folds journal entries, `ready` finds
//! steps that may start, `next` chooses the next action, `step` takes one step through its stages,
//! `permits` decides whether a call may proceed, `read_batch` batches read-only calls, `checks`
//! runs a step's checks, `baseline` runs them before the first edit, `recheck` reruns checks whose
//! result a later step may have changed, `questions` builds questions, `hand_over` lets
//! user-defined commands carry out steps, `agent_work` lets another agent do so, `host` answers an
//! agent program that carries out the steps itself, `steer` handles input from a person during the
//! run, `recovery_options` lists the ways in which a step can recover, `claims` looks for evidence
//! behind a model's report, `signatures` completes steps, `losses` asks about file content that a
//! command deleted, `ending` ends a run, `view` holds the approved plan and the plan file,
//! `file_changes` asks about differences between the two, and `open` lists open questions even when
//! no process is running.
//!
//! The machine emits one effect at a time or, in a parallel run, one per step; see `lanes`. Notices
//! ([`Effect::Ask`], [`Effect::Progress`], [`Effect::Notice`], [`Effect::Interrupt`]) need no
//! answer. Every other effect except [`Effect::End`] is answered by exactly one event. Decisions
//! depend only on the journal and the plan. The order in which answers arrive can vary only between
//! steps that hold different files.
//!
//! Long because: it keeps the mapping from events to effects in one place.

mod agent_work;
mod baseline;
mod checks;
mod claims;
mod effect;
mod ending;
mod file_changes;
mod gates;
mod goal;
mod hand_over;
mod host;
mod lanes;
mod limits;
mod losses;
mod model_work;
mod next;
mod open;
mod permits;
mod planning;
mod questions;
mod read_batch;
mod ready;
mod recheck;
mod recovery_options;
mod signatures;
pub mod state;
mod steer;
mod step;
#[cfg(test)]
mod tests;
mod view;

use std::collections::BTreeMap;
use std::sync::Arc;

use gate::Permit;
use gate::answers::Answers;
use gate::path::PlanPlace;
use gate::permissions::Rule;
use gate::question::Question;
use plan::ToolCall;

use crate::journal::{CallOutcome, EndState, Entry, PlanEdit};
use crate::micro_planning::Strategy as PlanningStrategy;
use crate::model_step::StepProfile;
use crate::run_limits::RunLimits;
use crate::turn::Usage;
use crate::verification::{Verification, WorkspaceCheck};
use next::Turn;
use state::State;
use view::{FileView, PlanView};

pub use effect::{Effect, Event, Examined, Lane};
pub use ending::requirements_left;
pub use hand_over::Executor;
pub use open::{open_questions, unknown_outcome};
pub use ready::scope;
pub use recovery_options::{RecoveryOption, recovery_options};
pub use steer::Steer;
pub use view::fingerprints;

/// Values that the process gives to a run; none of them is stored.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The run's id, for which its permits are issued.
    pub run: String,
    /// Answers given in advance.
    pub answers: Answers,
    /// The permission rules in force.
    pub rules: Vec<Rule>,
    /// Whether commands run in a sandbox.
    pub sandboxed: bool,
    /// The model that carries out steps without `call:` lines; `None` if none is configured.
    pub model: Option<StepProfile>,
    /// The command or agent that carries out steps without `call:` lines instead of a model.
    pub hand_over: Option<Executor>,
    /// The name of the agent program that carries out the steps itself and asks before each change.
    pub host: Option<String>,
    /// The path of the plan file, which no step may change.
    pub plan: Option<PlanPlace>,
    /// The project's own checks. They must pass before a claimed goal counts as reached.
    pub project_checks: Vec<String>,
    /// The project's checks from the workspace's own settings. They run only after a person has
    /// seen them.
    pub unseen_checks: Vec<String>,
    /// When steps are planned; overrides the plan's setting. `None` if nobody chose.
    pub strategy: Option<PlanningStrategy>,
    /// When steps are planned, if neither a person nor the plan specifies it.
    pub usual_strategy: PlanningStrategy,
    /// Whether `usual_strategy` comes from the model's profile rather than from a person.
    pub is_by_profile: bool,
    /// How many steps to request from the model at once, 1 to 3.
    pub look_ahead: u8,
    /// How much context a model gets for a step.
    pub context: crate::context::Strategy,
    /// Limits on what the run spends on models.
    pub caps: RunLimits,
    /// The settings of verification.
    pub verification: Verification,
    /// Checks for a step that changed files and has no check of its own.
    pub workspace_checks: Vec<WorkspaceCheck>,
    /// The reason for overriding the quality gate for every step that it blocks.
    pub reason: Option<String>,
}

/// A run in progress.
#[derive(Debug)]
pub struct Machine {
    state: State,
    config: Config,
    /// The approved snapshot, which the run carries out.
    view: Arc<PlanView>,
    /// Whether the snapshot is up to date with the journal.
    view_is_current: bool,
    file: Option<Arc<FileView>>,
    /// Whether the plan was read after the last effect during which others could have changed it.
    plan_is_fresh: bool,
    /// Whether nothing has happened since the plan was read. Answers bound to a step's text are
    /// used only then.
    plan_was_just_read: bool,
    /// Questions that are waiting for a person in this process, by task.
    waiting: BTreeMap<String, Question>,
    /// For each step whose outcome is unknown, a sentence about what it changed in the workspace.
    left: BTreeMap<String, String>,
    /// Steps that failed in this process, which ends the run. Earlier failures become questions.
    failed_here: Vec<String>,
    cancelled: bool,
    /// Whether the run is pausing, so that no more steps start.
    pausing: bool,
    /// For each step, the latest inspection of what a call would destroy. It is used up by the
    /// step's next action.
    looked: BTreeMap<String, permits::Looked>,
    /// The person's pending input about single steps, in the order given.
    wishes: Vec<Steer>,
    /// Steps to skip as soon as their effect in progress ends, each with the reason.
    pending_skips: BTreeMap<String, String>,
    /// Permits to run agents that carry out steps, by step id.
    agent_permits: BTreeMap<String, Permit>,
    in_progress: BTreeMap<Lane, Effect>,
    /// What this process has done to answer the agent program that carries out the run.
    host_turn: host::HostTurn,
    /// How the run ends once no effect is in progress.
    ending: Option<(EndState, String)>,
    /// State of the steps in progress that is kept only in memory.
    lanes: lanes::Lanes,
    /// The effects that are due since the last batch, including entries to store.
    out: Vec<Effect>,
}

impl Machine {
    /// Rebuilds a run from its journal and the text of its approved revision. Returns `None` unless
    /// the first entry is [`Entry::Started`].
    pub fn replay(entries: &[Entry], approved: &str, config: Config) -> Option<Self> {
        let state = State::replay(entries)?;
        let mut view = PlanView::new(approved.to_owned(), state.started.revision.clone());
        let added = entries.iter().filter_map(|entry| match entry {
            Entry::PlanEdited {
                edit: PlanEdit::Add { addition },
                ..
            } => Some(addition),
            _ => None,
        });
        for addition in added {
            // The same steps were added to the same snapshot before, so adding them succeeds.
            if let Ok(with) = view.with(addition) {
                view = with;
            }
        }
        Some(Self {
            state,
            config,
            view: Arc::new(view),
            view_is_current: false,
            file: None,
            plan_is_fresh: false,
            plan_was_just_read: false,
            waiting: BTreeMap::new(),
            left: BTreeMap::new(),
            failed_here: Vec::new(),
            cancelled: false,
            pausing: false,
            looked: BTreeMap::new(),
            wishes: Vec::new(),
            pending_skips: BTreeMap::new(),
            agent_permits: BTreeMap::new(),
            in_progress: BTreeMap::new(),
            host_turn: host::HostTurn::default(),
            ending: None,
            lanes: lanes::Lanes::default(),
            out: Vec::new(),
        })
    }

    /// The state folded from the journal so far.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The title of a step.
    pub fn title_of(&self, id: &str) -> Option<&str> {
        self.view.task(id).map(|task| task.title.as_str())
    }

    /// The checks that a task lists.
    pub fn checks_named(&self, id: &str) -> &[String] {
        self.view.task(id).map_or(&[], |task| &task.verify)
    }

    /// Handles an event and returns the effects to carry out, in order. The last one is the effect
    /// that needs an answer, or [`Effect::End`]. After [`Event::Cancel`], the list is empty if an
    /// effect in progress has not been answered yet. After [`Event::Steer`], it contains only
    /// entries and notices.
    ///
    /// Only for sequential runs, in which only one effect can be in progress. For parallel runs,
    /// use [`Machine::handle_of`].
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        let lane = self.in_progress.keys().next().cloned();
        self.handle_of(&lane.unwrap_or(Lane::Run), event)
    }

    /// Like [`Machine::handle`], for an answer to the effect in progress in this lane. Several of
    /// the returned effects may need an answer, each in its own lane. The list can be empty while
    /// other effects are in progress.
    pub fn handle_of(&mut self, lane: &Lane, event: Event) -> Vec<Effect> {
        match event {
            Event::Steer(said) => {
                self.steer(said);
                return std::mem::take(&mut self.out);
            }
            Event::Cancel => {
                self.cancelled = true;
                if !self.in_progress.is_empty() {
                    return Vec::new();
                }
            }
            Event::Begin => {}
            // Ignore the answer if no effect in this lane is waiting for one.
            event => {
                if let Some(effect) = self.in_progress.remove(lane) {
                    match &event {
                        // Its outcome is unknown, as after a crash: when the run is resumed, the
                        // person is asked what to do.
                        Event::Performed { outcome } if outcome.cancelled => {
                            self.plan_is_fresh = false;
                        }
                        _ => self.take_answer(event, effect),
                    }
                }
            }
        }
        // A prepared call is carried out at once; otherwise, choose the next action.
        if self.in_progress.is_empty() || self.is_parallel() {
            self.advance();
        }
        std::mem::take(&mut self.out)
    }

    fn take_answer(&mut self, event: Event, effect: Effect) {
        match (event, effect) {
            (
                Event::PlanRead {
                    text,
                    revision,
                    linked,
                },
                _,
            ) => {
                self.lanes.set_linked(linked);
                self.take_file(&text, revision);
            }
            (
                Event::PlanEdited {
                    text,
                    revision,
                    linked,
                },
                Effect::EditPlan(edit),
            ) => {
                self.lanes.set_linked(linked);
                self.take_edit(&text, revision, edit);
            }
            (Event::PlanUnusable { message }, _) => {
                self.end(EndState::Failed, message);
            }
            (Event::CheckpointTaken, Effect::TakeCheckpoint { task }) => {
                self.record(Entry::CheckpointTaken { task });
            }
            (Event::Looked { seen }, Effect::LookAt { task, tool, .. }) => {
                self.looked.insert(task, permits::Looked { tool, seen });
            }
            // The step was skipped in the meantime, so don't start the call.
            (Event::Prepared { .. }, Effect::Prepare { task, .. })
                if self.is_to_be_skipped(&task) => {}
            (
                Event::Prepared { record },
                Effect::Prepare {
                    task,
                    call,
                    tool,
                    permit,
                },
            ) => {
                let Some(permit) = permit else {
                    let path = tool.path().unwrap_or_default();
                    let reason = format!("`{path}` was created meanwhile; read it first");
                    return self.not_begun(task, call, &tool, reason);
                };
                self.record(Entry::Intended {
                    task: task.clone(),
                    call,
                    line: tool.to_line(),
                    record,
                });
                self.begin(Effect::Perform {
                    task,
                    call,
                    tool,
                    permit,
                });
            }
            (Event::NotPrepared { reason }, effect) => match effect {
                Effect::Prepare {
                    task, call, tool, ..
                } => self.not_begun(task, call, &tool, reason),
                Effect::TakeCheckpoint { task } => {
                    self.fail(task, reason);
                }
                _ => {
                    self.end(EndState::Failed, reason);
                }
            },
            (
                Event::Performed { outcome },
                Effect::Perform {
                    task, call, tool, ..
                },
            ) => {
                let tool = tool.tool.as_str().to_owned();
                self.finish_call(task, call, CallOutcome { tool, ..outcome });
            }
            (Event::PerformedAll { outcomes }, Effect::PerformAll { task, calls })
                if outcomes.len() == calls.len() =>
            {
                let ended = calls.into_iter().zip(outcomes);
                let ended = ended.map(|((call, tool, _), outcome)| {
                    let tool = tool.tool.as_str().to_owned();
                    (call, CallOutcome { tool, ..outcome })
                });
                self.finish_calls(task, ended.collect());
            }
            (
                Event::Performed { outcome },
                Effect::Check {
                    task, check, line, ..
                },
            ) => {
                self.finish_check(task, check, line, outcome);
            }
            (Event::Gathered { material }, Effect::Gather { task, .. }) => {
                self.choose_context(task, &material);
            }
            (Event::Replied { reply }, Effect::AskModel { task, request }) => {
                self.take_reply(task, &request, reply);
            }
            (Event::Replied { reply }, Effect::AskAgent { task, .. }) => {
                self.take_agent_reply(task, reply);
            }
            (Event::Planned { reply, there }, Effect::AskPlanner { task, .. }) => {
                self.take_planned(task, &reply, &there);
            }
            (Event::ModelFailed { reason }, Effect::AskPlanner { task, .. }) => {
                self.planner_failed(task, reason);
            }
            (Event::WindowExceeded { window, reason }, Effect::AskPlanner { task, request }) => {
                self.planner_exceeded(task, &request, window, reason);
            }
            (Event::ModelStopped { .. }, Effect::AskPlanner { .. }) => {}
            (Event::ServerGone { reason }, _) => {
                self.end(EndState::Paused, reason);
            }
            (Event::NotAdded { reason }, Effect::EditPlan(_)) => {
                self.record(Entry::StepsRefused { reason });
            }
            (Event::Performed { outcome }, Effect::CheckGoal { line, .. }) => {
                self.take_goal_check(line, &outcome);
            }
            (Event::Performed { outcome }, Effect::CheckBaseline { task, line, .. }) => {
                self.take_baseline(task, line, outcome);
            }
            // The next decision takes the person's input into account.
            (
                Event::ModelStopped { usage },
                Effect::AskModel { task, .. } | Effect::AskAgent { task, .. },
            ) => {
                if usage != Usage::default() {
                    self.record(Entry::ReplyStopped { task, usage });
                }
            }
            (Event::ModelFailed { reason }, Effect::AskAgent { task, .. }) => {
                self.agent_failed(&task, &reason);
            }
            (Event::ModelFailed { reason }, Effect::AskModel { task, request }) => {
                self.model_failed(&task, &request, &reason);
            }
            (Event::WindowExceeded { window, reason }, Effect::AskModel { task, request }) => {
                self.model_exceeded(&task, &request, window, &reason);
            }
            (
                Event::Examined(examined),
                Effect::Examine {
                    task, call, line, ..
                },
            ) => {
                self.take_examined(task, call, examined, &line);
            }
            (Event::Measured { changes }, Effect::Survey { task }) => {
                self.left.insert(task, questions::left_by_step(&changes));
            }
            (Event::Uncommitted { files }, Effect::Survey { task }) => {
                self.left.insert(task, questions::uncommitted(files));
            }
            (Event::TakenBack { files, left }, Effect::TakeBack { task }) => {
                self.record_undo(task, files, &left);
            }
            (Event::Measured { changes }, Effect::Measure { task }) => {
                self.complete(task, changes);
            }
            // The driver answered the wrong effect. Stop instead of guessing.
            (event, effect) => {
                let message = format!(
                    "internal error: unexpected event {event:?} for {effect:?}; please report it"
                );
                self.end(EndState::Failed, message);
            }
        }
    }

    fn not_begun(&mut self, task: String, call: usize, tool: &ToolCall, summary: String) {
        let tool = tool.tool.as_str().to_owned();
        let outcome = CallOutcome {
            tool,
            summary,
            ..CallOutcome::default()
        };
        self.finish_call(task, call, outcome);
    }

    fn take_file(&mut self, text: &str, revision: String) {
        self.plan_is_fresh = true;
        self.plan_was_just_read = true;
        if self
            .file
            .as_ref()
            .is_some_and(|file| file.revision == revision)
        {
            return;
        }
        if self.state.revision != revision {
            let revision = revision.clone();
            self.record(Entry::PlanChanged { revision });
        }
        let kept = &self.state.kept_steps;
        let file = FileView::read(text, revision, &self.view, kept);
        self.file = Some(Arc::new(file));
    }

    fn take_edit(&mut self, text: &str, revision: String, edit: PlanEdit) {
        let mut covered = BTreeMap::new();
        if let PlanEdit::Add { addition } = &edit {
            // When a plan that grows is approved, so are its goal, limits and permissions. When a
            // step is approved, so are its parts.
            match self.view.with(addition) {
                Ok(with) => {
                    let before = &self.view.fingerprints;
                    let prints = with.fingerprints.iter();
                    let new = prints.filter(|(id, print)| before.get(*id) != Some(*print));
                    covered = new
                        .map(|(id, print)| (id.0.clone(), print.clone()))
                        .collect();
                    self.view = Arc::new(with);
                    self.view_is_current = false;
                }
                Err(error) => {
                    let reason = error.to_string();
                    self.record(Entry::StepsRefused { reason });
                    return;
                }
            }
        }
        self.record(Entry::PlanEdited {
            edit,
            revision: revision.clone(),
            covered,
        });
        self.file = None;
        self.take_file(text, revision);
    }

    /// Applies an entry and journals it before the next effect. The caller then chooses the next
    /// action again.
    fn record(&mut self, entry: Entry) -> Turn {
        self.state.apply(&entry);
        let shows = matches!(
            entry,
            Entry::Done { .. }
                | Entry::Skipped { .. }
                | Entry::Decided { .. }
                | Entry::Failed { .. }
                | Entry::Refused { .. }
                | Entry::Retried { .. }
                | Entry::PlanEdited { .. }
        );
        self.view_is_current &= !shows;
        match self.out.last_mut() {
            Some(Effect::Journal(entries)) => entries.push(entry),
            _ => self.out.push(Effect::Journal(vec![entry])),
        }
        Turn::Again
    }

    fn begin(&mut self, effect: Effect) -> Turn {
        self.plan_was_just_read = false;
        let lane = effect.lane();
        match &lane {
            Lane::Step(task) => drop(self.looked.remove(task)),
            Lane::Run if effect != Effect::ReadPlan => self.looked.clear(),
            Lane::Run => {}
        }
        self.in_progress.insert(lane, effect.clone());
        self.out.push(effect);
        Turn::InProgress
    }
}
