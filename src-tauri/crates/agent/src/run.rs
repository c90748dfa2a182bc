//! The state machine of a run: events in, effects out.
//!
//! Submodules: `effect` defines events and effects, [`state`] folds journal entries, `ready` finds
//! steps that may start, `next` chooses the next action, `step` takes one step through its stages,
//! `permits` decides whether a call may proceed, `read_batch` batches read-only calls, `checks`
//! runs a step's checks, `baseline` runs them before the first edit, `recheck` reruns checks that a
//! later step may have broken, `questions` builds questions, `hand_over` hands steps to the user's
//! commands, `agent_work` to another agent, `steer` handles input from a person during the run, `recovery_options` lists the ways
//! in which a step can recover, `claims` looks for evidence behind a model's report, `signatures`
//! completes steps, `losses` asks about file content that a command deleted, `ending` ends a run,
//! `view` holds the approved plan and the file, `file_changes` asks about differences in the file,
//! and `open` lists open questions when no process is running.
//!
//! The machine emits one effect at a time or, in a parallel run, one per step; see `lanes`. Notices
//! ([`Effect::Ask`], [`Effect::Progress`], [`Effect::Notice`], [`Effect::Interrupt`]) need no
//! answer. Every other effect except [`Effect::End`] is answered by exactly one event. Decisions
//! depend only on the journal and the plan, and on the order of answers only between steps that
//! hold different files.
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
use crate::micro_planning::{RunLimits, Spent, Strategy as PlanningStrategy};
use crate::model_step::StepProfile;
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

/// What the process provides for a run. None of it is stored.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The run's id, which its permits carry.
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
    /// The path of the plan file, which no step may change.
    pub plan: Option<PlanPlace>,
    /// The project's own checks. They must pass before a claimed goal counts as reached.
    pub project_checks: Vec<String>,
    /// Such checks that come from a workspace's own settings: run only after a person has seen
    /// them.
    pub unseen_checks: Vec<String>,
    /// When steps are planned, overriding the plan; `None` if nobody chose.
    pub strategy: Option<PlanningStrategy>,
    /// When steps are planned if the plan doesn't say.
    pub usual_strategy: PlanningStrategy,
    /// Whether the usual strategy comes from the model's profile rather than from a person.
    pub is_by_profile: bool,
    /// How many steps to request from the model at once, 1 to 3.
    pub look_ahead: u8,
    /// How much context a model gets for a step.
    pub context: crate::context::Strategy,
    /// Limits on model use per run.
    pub caps: RunLimits,
    /// Verification settings.
    pub verification: Verification,
    /// Checks for a step that changed files and has no check of its own.
    pub workspace_checks: Vec<WorkspaceCheck>,
    /// The reason for overriding the quality gate for every step that it blocks.
    pub reason: Option<String>,
}

/// A live run.
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
    /// Whether nothing happened since the plan was read. Answers bound to a step's text need this.
    plan_was_just_read: bool,
    /// Questions that are waiting for a person in this process, by task.
    waiting: BTreeMap<String, Question>,
    /// A sentence per step with unknown outcome: what it left in the workspace.
    left: BTreeMap<String, String>,
    /// Steps that failed in this process, which end it; earlier failures become questions.
    failed_here: Vec<String>,
    cancelled: bool,
    /// Whether to start no further steps.
    pausing: bool,
    /// The latest look at the workspace, by step, and the call it was for. The step's next action
    /// uses it up.
    looked: BTreeMap<String, permits::Looked>,
    /// What the person wants done with single steps, in the order given.
    wishes: Vec<Steer>,
    /// Steps to skip as soon as their effect in progress ends, with the reason.
    pending_skips: BTreeMap<String, String>,
    /// Permits to run the agents of steps, in this process.
    agent_permits: BTreeMap<String, Permit>,
    in_progress: BTreeMap<Lane, Effect>,
    /// How the run ends once no effect is in progress.
    ending: Option<(EndState, String)>,
    /// State of the steps in progress that only this process knows.
    lanes: lanes::Lanes,
    /// Entries and notices since the last batch of effects.
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
            // It was added once to the same snapshot, so adding it again succeeds.
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

    /// Takes one event and returns the effects to carry out, in order. The last one is the effect
    /// whose answer is awaited, or [`Effect::End`]. After `Cancel` the list may be empty if an
    /// effect in progress has yet to answer. Steering (`Answered`, `Pause`, `Skip`, `Retry`) yields
    /// only entries and notices.
    ///
    /// For runs with one step at a time, where only one effect can be in progress. Otherwise, use
    /// [`Machine::handle_of`].
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        let lane = self.in_progress.keys().next().cloned();
        self.handle_of(&lane.unwrap_or(Lane::Run), event)
    }

    /// Like [`Machine::handle`], for an answer to the effect in progress in this lane. Several of
    /// the returned effects may need an answer, each in its own lane. The list may be empty while
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
            // Ignore an answer that nobody is waiting for.
            event => {
                if let Some(effect) = self.in_progress.remove(lane) {
                    match &event {
                        // As after a crash: when the run is resumed, the person is asked what to
                        // do.
                        Event::Performed { outcome } if outcome.cancelled => {
                            self.plan_is_fresh = false;
                        }
                        _ => self.take_answer(event, effect),
                    }
                }
            }
        }
        // A prepared call is performed at once; everything else is decided again.
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
            // Skipped in the meantime, so don't start it.
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
            // The next decision takes what the person said into account.
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
            // The driver answered the wrong effect: stop rather than guess.
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
            // Approving a plan that grows approves its goal, limits and permissions; approving a
            // step approves its parts.
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

    /// Applies an entry and adds it to the journal effect that precedes the next effect. The caller
    /// decides again.
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
