//! Carries out the effects of a run one after the other, and reports the results to the state
//! machine.
//!
//! A journal entry is durable before the side effect that it announces. The driver decides nothing
//! about the run; that is up to the machine.

mod agent_steps;
mod agent_turn;
mod calls;
pub(crate) mod changes;
mod context;
pub(crate) mod destructive_facts;
mod events;
mod executor_command;
mod job_messages;
mod jobs;
mod model_requests;
mod outcomes;
mod plan_effects;
mod read_calls;
mod report_timing;
mod server_wait;
mod stale_files;
mod steering;

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use agent::journal::{EndState, Entry, PlanEdit};
use agent::progress::Progress;
use agent::run::{Effect, Event, Lane, Machine};
use store::Store;
use tools::Workspace;
use tools::checkpoint::{Blobs, Snapshot};
use tools::files::Prepared;
use tools::sandbox::Sandbox;

use crate::Workbench;
use crate::clock::Clock;
use crate::endpoints::ModelAccess;
use crate::error::Result;
use crate::home::Home;
use crate::journal_rows;
use crate::plan_file::PlanFile;
use crate::run_control::RunControl;
use crate::settings::executors::Executor;
use crate::wire::RunEvent;

/// Receives the events of a run.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(RunEvent);

/// A function called with each effect before it is carried out. Returning `Break` stops the run,
/// leaving everything as if the process had been killed. Used to test crash recovery.
pub type Watch = Box<dyn FnMut(&Effect) -> ControlFlow<()> + Send>;

/// Maximum number of bytes of a step's output to pass on; the evidence always includes its end.
const MAX_OUTPUT_SHOWN: usize = 64 * 1024;

pub(crate) use agent_steps::Agents;
pub(crate) use jobs::Jobs;
pub(crate) use model_requests::step_profile;
pub(crate) use outcomes::command_text;
pub(crate) use report_timing::OutputBuffer;

pub(crate) struct Driver<'a> {
    pub(crate) bench: &'a Workbench,
    pub(crate) store: &'a Store,
    pub(crate) home: &'a Home,
    pub(crate) clock: &'a Clock,
    pub(crate) run: String,
    pub(crate) workspace: Workspace,
    pub(crate) plan: PlanFile,
    /// The plan files of the workspace, which commands may not write.
    pub(crate) plan_files: Vec<PathBuf>,
    pub(crate) blobs: Blobs,
    pub(crate) sandbox: Sandbox,
    pub(crate) timeout: std::time::Duration,
    pub(crate) control: RunControl,
    pub(crate) sink: Sink<'a>,
    pub(crate) watch: Option<Watch>,
    pub(crate) next_seq: i64,
    pub(crate) events: u64,
    /// Progress reporting of the active steps, by step.
    pub(crate) step_reports: BTreeMap<String, StepReports>,
    /// Commands and requests that run on other threads.
    pub(crate) jobs: Jobs,
    /// The model that carries out steps, if one is configured.
    pub(crate) access: Option<ModelAccess>,
    /// The command that steps are handed over to.
    pub(crate) executor: Option<Executor>,
    /// The agent that carries out steps, and its running instances.
    pub(crate) agents: Agents,
    /// How long to wait for an unreachable model server.
    pub(crate) server_wait: std::time::Duration,
    /// The async runtime for requests, created with the first one.
    pub(crate) runtime: Option<Arc<tokio::runtime::Runtime>>,
    /// Notes from the settings, given to every step.
    pub(crate) notes: Vec<String>,
    /// Number of requests sent in this process.
    pub(crate) requests: u64,
    /// The output limit in bytes for the current call, if a model made it.
    pub(crate) shown_bytes: Option<usize>,
    /// The step whose current or next command should be interrupted.
    pub(crate) interrupted: Option<String>,
    pub(crate) prepared: BTreeMap<String, Pending>,
    pub(crate) latest: Option<Snapshot>,
}

/// Progress reporting of one active step.
pub(crate) struct StepReports {
    began: Instant,
    /// Output to be passed on.
    output: report_timing::OutputBuffer,
    /// The progress reported last.
    progress: Progress,
}

/// A side effect that is prepared but not carried out yet.
pub(crate) enum Pending {
    /// A write with its content.
    Write(Prepared),
    /// A command with the location of its outcome record.
    Command(calls::CommandRecord),
}

impl Driver<'_> {
    /// Runs the machine until the run ends in this process.
    pub(crate) fn drive(&mut self, machine: &mut Machine) -> Result<EndState> {
        let ended = self.play(machine);
        self.return_steering(machine);
        ended
    }

    fn play(&mut self, machine: &mut Machine) -> Result<EndState> {
        // Handle earlier steering first, so that it applies to the first decision.
        self.steer(machine)?;
        let mut queue: VecDeque<Effect> = machine.handle(Event::Begin).into();
        let mut is_told = false;
        loop {
            let cancelled = self.control.cancel_token().is_cancelled();
            if cancelled && !is_told {
                is_told = true;
                // The machine now ends the run. The current effect is still carried out, since its
                // journal entry may already be written.
                queue.extend(machine.handle(Event::Cancel));
            }
            let Some(effect) = queue.pop_front() else {
                match self.follow_jobs(machine)? {
                    Some(effects) => queue.extend(effects),
                    None => break,
                }
                continue;
            };
            if let Some(watch) = &mut self.watch
                && watch(&effect).is_break()
            {
                return Err(err!(Failed: "stopped by the watch callback"));
            }
            let Some(effect) = self.handle_immediate(effect)? else {
                continue;
            };
            match effect {
                Effect::End { state, message } => {
                    self.store
                        .runs()
                        .set_state(&self.run, state.as_str(), self.clock.now_ms())?;
                    // A cancelled run says nothing about the quality of the plan.
                    if matches!(state, EndState::Done | EndState::Failed) {
                        let is_done = state == EndState::Done;
                        self.bench.learn_checked(&self.plan.key(), is_done);
                    }
                    (self.sink)(RunEvent::Ended {
                        run: Some(self.run.clone()),
                        state,
                        message,
                        uncovered: Vec::new(),
                    });
                    return Ok(state);
                }
                effect => {
                    self.steer(machine)?;
                    let lane = effect.lane();
                    let Some(effect) = self.begin_job(machine, effect)? else {
                        continue;
                    };
                    let event = self.carry_out(machine, effect)?;
                    let interrupted = self.interrupted.take();
                    self.interrupted = interrupted.filter(|task| lane != Lane::Step(task.clone()));
                    queue.extend(machine.handle_of(&lane, event));
                }
            }
        }
        Err(err!(Failed: "internal error: the run stopped without an end state"))
    }

    fn carry_out(&mut self, machine: &mut Machine, effect: Effect) -> Result<Event> {
        let leave = effect.require_leave(&self.run);
        leave.map_err(|error| err!(Failed: "{error}"))?;
        if let Lane::Step(task) = effect.lane()
            && !matches!(effect, Effect::Perform { .. })
        {
            // The effect was prepared for a step that was then skipped.
            self.prepared.remove(&task);
        }
        match effect {
            Effect::ReadPlan => self.read_plan(machine.state().started.parallel > 1),
            Effect::EditPlan(edit) => self.edit_plan(&edit, machine.state().started.parallel > 1),
            Effect::TakeCheckpoint { task } => self.take_checkpoint(&task),
            Effect::Measure { task } => {
                self.keep_learned(machine, &task)?;
                self.measure(machine, &task)
            }
            Effect::Survey { task } => Ok(self.survey(machine, &task)),
            Effect::TakeBack { task } => self.undo_step(machine, &task),
            Effect::Gather { wants, .. } => self.gather(&wants),
            Effect::AskPlanner { request, .. } => self.ask_planner(machine, &request),
            Effect::CheckGoal { line, permit } => {
                self.check(machine, ("goal", &permit), &line, None)
            }
            Effect::CheckBaseline { task, line, permit } => self.check(
                machine,
                (&task, &permit),
                &line,
                Some(calls::BASELINE_SECONDS),
            ),
            Effect::LookAt { task, tool, look } => self.look_at(machine, &task, &tool, &look),
            Effect::Prepare {
                task, call, tool, ..
            } => Ok(self.prepare(machine, &task, call, &tool)),
            Effect::Perform {
                task,
                call,
                tool,
                permit,
            } => self.perform(machine, &task, call, &tool, &permit),
            Effect::PerformAll { task, calls } => Ok(self.perform_all(machine, &task, &calls)),
            Effect::AskModel { task, request } => self.ask_model(machine, &task, &request),
            Effect::AskAgent {
                task,
                brief,
                permit,
            } => self.ask_agent(machine, &task, &brief, permit),
            Effect::Check {
                task, line, permit, ..
            } => self.check(machine, (&task, &permit), &line, None),
            Effect::Examine {
                task,
                call,
                line,
                record,
            } => Ok(self.examine(machine, &task, call, &line, &record)),
            Effect::Journal(_)
            | Effect::Ask(_)
            | Effect::Progress(_)
            | Effect::Notice { .. }
            | Effect::Interrupt { .. }
            | Effect::End { .. } => {
                Err(err!(Failed: "internal error: this effect can't be carried out here"))
            }
        }
    }

    fn journal(&mut self, entries: &[Entry]) -> Result<()> {
        let now = self.clock.now_ms();
        self.next_seq = journal_rows::append(self.store, &self.run, self.next_seq, entries, now)?;
        for entry in entries {
            self.agents.end_with(entry);
            self.report_entry(entry);
            self.record_leftovers(entry);
        }
        Ok(())
    }

    /// Sends the event that corresponds to a journal entry, if any.
    fn report_entry(&mut self, entry: &Entry) {
        let mut notes = Vec::new();
        let (task, state, reason, changes) = match entry {
            Entry::Done {
                task,
                changes,
                verdict,
                ..
            } => {
                notes = verdict
                    .as_ref()
                    .map(|verdict| verdict.warnings.clone())
                    .unwrap_or_default();
                let doubt = verdict.as_ref().filter(|verdict| !verdict.is_verified);
                let state = doubt.map_or("done", |_| "unverified");
                let reason = doubt.map(|verdict| verdict.reasons.join("; "));
                (task, state, reason, changes.files.clone())
            }
            Entry::Decided { task, label } => (task, "done", Some(label.clone()), Vec::new()),
            Entry::Failed { task, reason } | Entry::Broken { task, reason, .. } => {
                (task, "failed", Some(reason.clone()), Vec::new())
            }
            Entry::Refused { task, reason, .. } => {
                (task, "refused", Some(reason.clone()), Vec::new())
            }
            Entry::Skipped { task, reason, .. } => {
                (task, "skipped", Some(reason.clone()), Vec::new())
            }
            Entry::Replied { task, reply } => return self.report_reply(task, reply),
            Entry::Reported {
                task,
                report,
                is_inferred,
            } => {
                return (self.sink)(RunEvent::Report {
                    task: task.clone(),
                    summary: report.summary.clone(),
                    done: report.done,
                    learned: report.learned.clone(),
                    decided: report.decided.clone(),
                    inferred: *is_inferred,
                });
            }
            Entry::Recovered { task, decision } => {
                return (self.sink)(RunEvent::Recovery {
                    task: task.clone(),
                    failure: decision.failure,
                    strategy: decision.strategy.as_str().to_owned(),
                    by: decision.by,
                    reason: decision.reason.clone(),
                });
            }
            Entry::PlanEdited {
                edit: PlanEdit::Add { addition },
                ..
            } => {
                let titles = addition.steps.iter().map(|step| step.title.clone());
                return (self.sink)(RunEvent::Planned {
                    under: addition.under.clone(),
                    steps: titles.collect(),
                });
            }
            Entry::PlanChanged { .. } => {
                let message = "the plan file was changed outside this run".to_owned();
                return (self.sink)(RunEvent::Notice { message });
            }
            Entry::Overridden {
                task,
                codes,
                reason,
            } => {
                let message = format!(
                    "{task}: quality gate overridden ({}): {reason}",
                    codes.join(", ")
                );
                tracing::warn!(run = %self.run, task = %task, "quality gate overridden");
                return (self.sink)(RunEvent::Notice { message });
            }
            _ => return,
        };
        let (task, state) = (task.clone(), state.to_owned());
        let seq = self.next_event();
        (self.sink)(RunEvent::Task {
            seq,
            task,
            state,
            reason,
            changes,
            notes,
        });
    }
}
