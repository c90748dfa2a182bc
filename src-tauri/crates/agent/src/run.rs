//! The machine that carries out one plan: events in, effects out.
//!
//! Submodules: `effect` is what goes in and out, [`state`] folds journal entries, `ready` says which
//! step may start, `next` decides what happens next, `step` carries one step through its stages,
//! `allowing` says whether a call may go ahead, `looking` which calls go together, `checking` runs its checks,
//! `baseline` runs them before the first edit, `recheck` those that a later step may have broken,
//! `asking` puts questions, `handing` hands steps over, `steer` takes what a person says while the run goes on,
//! `choosing` the way that they pick for a step, `claims` what a model's word is worth, `signatures` a step,
//! `losses` asks about file content that a command removed, `ending` ends a run, `view` is the approved plan and
//! the file, `file_changes` asks about what is different in the file, `open` lists what waits for a person when no
//! process is alive.
//!
//! The machine decides one effect at a time, or, where the run says so, one for each of several steps:
//! `lanes` says which. Notices ([`Effect::Ask`], [`Effect::Progress`],
//! [`Effect::Notice`], [`Effect::Interrupt`]) need no answer; every other effect but [`Effect::End`]
//! is answered by exactly one event. What is decided depends on journal and plan, and on the order in
//! which answers come only as far as steps that hold different files are concerned.
//!
//! Long because: which event answers which effect is read in one place.

mod allowing;
mod asking;
mod baseline;
mod checking;
mod choosing;
mod claims;
mod effect;
mod ending;
mod file_changes;
mod gates;
mod handing;
mod lanes;
mod limits;
mod looking;
mod losses;
mod modelled;
mod next;
mod open;
mod planning;
mod reaching;
mod ready;
mod recheck;
mod signatures;
pub mod state;
mod steer;
mod step;
#[cfg(test)]
mod tests;
mod view;

use std::collections::BTreeMap;
use std::sync::Arc;

use gate::answers::Answers;
use gate::path::PlanPlace;
use gate::permissions::Rule;
use gate::question::Question;
use plan::ToolCall;

use crate::journal::{CallOutcome, EndState, Entry, PlanEdit};
use crate::micro_planning::{Caps, Spent, Strategy as PlanningStrategy};
use crate::model_step::StepProfile;
use crate::turn::Usage;
use crate::verifying::{Verification, WorkspaceCheck};
use next::Turn;
use state::State;
use view::{FileView, PlanView};

pub use choosing::{Way, ways};
pub use effect::{Effect, Event, Examined, Lane};
pub use ending::requirements_left;
pub use handing::Executor;
pub use open::{open_questions, unknown_outcome};
pub use ready::scope;
pub use steer::Steer;
pub use view::fingerprints;

/// What a process brings to a run: nothing in it is stored.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The run's id, which its permits name.
    pub run: String,
    /// The answers at hand.
    pub answers: Answers,
    /// Permission rules in force.
    pub rules: Vec<Rule>,
    /// Whether commands run in a sandbox.
    pub sandboxed: bool,
    /// The model that carries out steps without `call:` lines; absent where none is configured.
    pub model: Option<StepProfile>,
    /// What steps without `call:` lines are handed over to in place of a model.
    pub hand_over: Option<Executor>,
    /// Where the plan file is, which no step may change.
    pub plan: Option<PlanPlace>,
    /// The project's own checks, which a claim that the goal is reached has to pass.
    pub project_checks: Vec<String>,
    /// The same where a workspace's own settings name them: run once a person has seen them.
    pub unseen_checks: Vec<String>,
    /// When the steps of this run's plan are thought of, whatever the plan says; absent where nobody chose.
    pub strategy: Option<PlanningStrategy>,
    /// When the steps of a plan are thought of that does not say so itself.
    pub usual_strategy: PlanningStrategy,
    /// Whether the usual strategy is the one of the model's profile, and nobody's choice.
    pub is_by_profile: bool,
    /// How many steps a model is asked for at once, 1 to 3.
    pub look_ahead: u8,
    /// How much of what is known a model is given for a step.
    pub context: crate::context::Strategy,
    /// How much a run may take of a model.
    pub caps: Caps,
    /// What is verified.
    pub verification: Verification,
    /// What checks a step that changed files and has no check of its own.
    pub workspace_checks: Vec<WorkspaceCheck>,
    /// A reason that lets every step pass that the quality gate blocks.
    pub reason: Option<String>,
}

/// One run, live.
#[derive(Debug)]
pub struct Machine {
    state: State,
    config: Config,
    /// The approved snapshot, which is what is carried out.
    view: Arc<PlanView>,
    /// Whether the snapshot shows what is recorded.
    view_is_current: bool,
    /// The plan file as last read.
    file: Option<Arc<FileView>>,
    /// Whether the plan was read since the last effect that gave others time to change it.
    plan_is_fresh: bool,
    /// Whether nothing at all was done since the plan was read: what an answer that is bound to a
    /// step's text needs.
    plan_was_just_read: bool,
    /// What waits for a person in this process, by task.
    waiting: BTreeMap<String, Question>,
    /// What the workspace shows of steps whose outcome is unknown, as a sentence.
    left: BTreeMap<String, String>,
    /// The steps that failed in this process, which end it; older failures are asked about.
    failed_here: Vec<String>,
    cancelled: bool,
    /// Whether no further step is to be begun.
    pausing: bool,
    /// What was last seen of the workspace, by step, and for which call; used up by whatever the step
    /// does next.
    looked: BTreeMap<String, allowing::Looked>,
    /// What the person wants done with single steps, in the order in which they said so.
    wishes: Vec<Steer>,
    /// Steps at work that a choice leaves out once that has ended, with the reason.
    leaving_out: BTreeMap<String, String>,
    /// The effects whose answers are awaited.
    under_way: BTreeMap<Lane, Effect>,
    /// How the run ends once nothing is under way any more.
    ending: Option<(EndState, String)>,
    /// What of the steps under way is known in this process alone.
    lanes: lanes::Lanes,
    /// Entries recorded and notices due since the last batch of effects.
    out: Vec<Effect>,
}

impl Machine {
    /// Rebuilds a run from its journal and the text of its approved revision. The first entry must be
    /// [`Entry::Started`]; a journal without one yields `None`.
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
            // What was added once can be added again: the snapshot is the same.
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
            leaving_out: BTreeMap::new(),
            under_way: BTreeMap::new(),
            ending: None,
            lanes: lanes::Lanes::default(),
            out: Vec::new(),
        })
    }

    /// The state that the journal so far amounts to.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The title of a step.
    pub fn title_of(&self, id: &str) -> Option<&str> {
        self.view.task(id).map(|task| task.title.as_str())
    }

    /// The checks that a task names.
    pub fn checks_named(&self, id: &str) -> &[String] {
        self.view.task(id).map_or(&[], |task| &task.verify)
    }

    /// Takes one event and answers with the effects to carry out, in order. The last one is the
    /// effect whose answer is awaited, or [`Effect::End`]; after `Cancel` the list may be empty,
    /// when the answer to the effect under way is still to come. What steers (`Answered`, `Pause`,
    /// `Skip`, `Retry`) is answered with entries and notices alone.
    ///
    /// For runs that carry out one step after the other, where an answer can only be to the one effect
    /// under way; else [`Machine::handle_of`].
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        let lane = self.under_way.keys().next().cloned();
        self.handle_of(&lane.unwrap_or(Lane::Run), event)
    }

    /// As [`Machine::handle`], for an answer to the effect under way of this lane. Several of the
    /// effects that come back may need an answer, each of a lane of its own; where others are under
    /// way, there may be none.
    pub fn handle_of(&mut self, lane: &Lane, event: Event) -> Vec<Effect> {
        match event {
            Event::Steer(said) => {
                self.steer(said);
                return std::mem::take(&mut self.out);
            }
            Event::Cancel => {
                self.cancelled = true;
                if !self.under_way.is_empty() {
                    return Vec::new();
                }
            }
            Event::Begin => {}
            // An answer that nobody waits for changes nothing.
            event => {
                if let Some(effect) = self.under_way.remove(lane) {
                    match &event {
                        // As after a crash: whoever goes on is asked what is to become of it.
                        Event::Performed { outcome } if outcome.cancelled => {
                            self.plan_is_fresh = false;
                        }
                        _ => self.take_answer(event, effect),
                    }
                }
            }
        }
        // What was prepared is performed at once; everything else is decided anew.
        if self.under_way.is_empty() || self.is_parallel() {
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
                self.looked.insert(task, allowing::Looked { tool, seen });
            }
            // Left out meanwhile: it is not even begun.
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
            // What the person said is decided on next.
            (Event::ModelStopped { usage }, Effect::AskModel { task, .. }) => {
                if usage != Usage::default() {
                    self.record(Entry::ReplyStopped { task, usage });
                }
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
                self.left.insert(task, asking::left_by_step(&changes));
            }
            (Event::Uncommitted { files }, Effect::Survey { task }) => {
                self.left.insert(task, asking::uncommitted(files));
            }
            (Event::TakenBack { files, left }, Effect::TakeBack { task }) => {
                self.taken_back(task, files, &left);
            }
            (Event::Measured { changes }, Effect::Measure { task }) => {
                self.complete(task, changes);
            }
            // The driver answered something else than was asked: stop rather than guess.
            (event, effect) => {
                let message = format!(
                    "internal error: {event:?} does not answer {effect:?}; please report it"
                );
                self.end(EndState::Failed, message);
            }
        }
    }

    /// A call that could not even be begun.
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
            // The approval of a plan that grows is one of its goal, limits and permissions; parts of an
            // approved step are approved with it.
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

    /// Applies an entry and puts it into the journal effect that precedes whatever comes next. The
    /// caller decides again.
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

    /// Starts an effect whose answer is awaited.
    fn begin(&mut self, effect: Effect) -> Turn {
        self.plan_was_just_read = false;
        let lane = effect.lane();
        match &lane {
            Lane::Step(task) => drop(self.looked.remove(task)),
            Lane::Run if effect != Effect::ReadPlan => self.looked.clear(),
            Lane::Run => {}
        }
        self.under_way.insert(lane, effect.clone());
        self.out.push(effect);
        Turn::UnderWay
    }
}
