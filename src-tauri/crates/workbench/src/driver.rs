//! Carries out the effects of a run, one after the other, and feeds the answers back.
//!
//! The journal effect that stands before a side effect is durable before the side effect begins.
//! The driver decides nothing about the run; what to do next is the machine's.

mod asking;
mod calls;
pub(crate) mod changes;
mod context;
mod gone;
mod handing;
pub(crate) mod looking;
mod outcomes;
mod plan_effects;
mod pulse;
mod stale;
mod steering;

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::Instant;

use agent::journal::{EndState, Entry, PlanEdit};
use agent::model_step::StepReply;
use agent::progress::Progress;
use agent::question::Question;
use agent::run::{Effect, Event, Machine};
use store::Store;
use tools::Workspace;
use tools::checkpoint::{Blobs, Snapshot};
use tools::files::Prepared;
use tools::sandbox::Sandbox;

use crate::Workbench;
use crate::clock::Clock;
use crate::endpoints::ModelAccess;
use crate::error::{Code, Error, Result};
use crate::home::Home;
use crate::journal_rows;
use crate::plan_file::PlanFile;
use crate::run_control::RunControl;
use crate::settings::executors::Executor;
use crate::wire::RunEvent;

/// Receives the run's events.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(RunEvent);

/// Looks at every effect before it is carried out; breaking off leaves everything as a killed
/// process would. For tests of what a crash leaves behind.
pub type Watch = Box<dyn FnMut(&Effect) -> ControlFlow<()> + Send>;

/// Bytes of a step's output that are passed on; the end is in the evidence in any case.
const OUTPUT_SHOWN: usize = 64 * 1024;

pub(crate) use asking::step_profile;
pub(crate) use pulse::Spout;

/// What a driver works with.
pub(crate) struct Driver<'a> {
    pub(crate) bench: &'a Workbench,
    pub(crate) store: &'a Store,
    pub(crate) home: &'a Home,
    pub(crate) clock: &'a Clock,
    pub(crate) run: String,
    pub(crate) workspace: Workspace,
    pub(crate) plan: PlanFile,
    pub(crate) blobs: Blobs,
    pub(crate) sandbox: Sandbox,
    pub(crate) timeout: std::time::Duration,
    pub(crate) control: RunControl,
    pub(crate) sink: Sink<'a>,
    pub(crate) watch: Option<Watch>,
    pub(crate) next_seq: i64,
    pub(crate) events: u64,
    pub(crate) step_began: Option<(String, Instant)>,
    /// The model that carries out steps, where one is configured.
    pub(crate) access: Option<ModelAccess>,
    /// The command that steps are handed over to.
    pub(crate) executor: Option<Executor>,
    /// How long a server of it that is gone is waited for.
    pub(crate) server_wait: std::time::Duration,
    /// What waits for it; made for the first request.
    pub(crate) runtime: Option<tokio::runtime::Runtime>,
    /// Notes of the settings, for every step.
    pub(crate) notes: Vec<String>,
    /// Requests sent in this process.
    pub(crate) requests: u64,
    /// The most bytes of the call in hand that a model gets; absent where none made it.
    pub(crate) shown_bytes: Option<usize>,
    /// Output of the step at work on its way out.
    pub(crate) spout: Spout,
    /// What was last told of the step at work.
    pub(crate) latest_progress: Option<Progress>,
    /// The command in hand, or about to be, is to be ended.
    pub(crate) is_interrupted: bool,
    pub(crate) prepared: Option<Pending>,
    pub(crate) latest: Option<Snapshot>,
}

/// A side effect that is ready to happen.
pub(crate) enum Pending {
    /// A write, with the content.
    Write(Prepared),
    /// A command, with the place of its outcome record.
    Command(calls::CommandRecord),
}

impl Driver<'_> {
    /// Plays the machine until the run ends in this process.
    pub(crate) fn drive(&mut self, machine: &mut Machine) -> Result<EndState> {
        let ended = self.play(machine);
        self.give_back(machine);
        ended
    }

    fn play(&mut self, machine: &mut Machine) -> Result<EndState> {
        // What was said before counts from the first decision on.
        self.steer(machine)?;
        let mut queue: VecDeque<Effect> = machine.handle(Event::Begin).into();
        let mut told = false;
        while let Some(effect) = queue.pop_front() {
            if let Some(watch) = &mut self.watch
                && watch(&effect).is_break()
            {
                return Err(Error::new(Code::Failed, "broken off"));
            }
            if self.control.cancel_token().is_cancelled() && !told {
                told = true;
                // Under way or not, the machine now heads for the end; the effect in hand is still
                // carried out, since its journal entry may be written already.
                queue.extend(machine.handle(Event::Cancel));
            }
            let Some(effect) = self.note(effect)? else {
                continue;
            };
            match effect {
                Effect::End { state, message } => {
                    self.store
                        .runs()
                        .set_state(&self.run, state.as_str(), self.clock.now_ms())?;
                    let run = Some(self.run.clone());
                    let uncovered = Vec::new();
                    (self.sink)(RunEvent::Ended {
                        run,
                        state,
                        message,
                        uncovered,
                    });
                    return Ok(state);
                }
                effect => {
                    self.steer(machine)?;
                    let event = self.carry_out(machine, effect)?;
                    self.is_interrupted = false;
                    queue.extend(machine.handle(event));
                }
            }
        }
        Err(Error::new(
            Code::Failed,
            "internal error: the run stopped without an end",
        ))
    }

    fn carry_out(&mut self, machine: &mut Machine, effect: Effect) -> Result<Event> {
        if !matches!(effect, Effect::Perform { .. }) {
            // Prepared for a step that was left out before it began.
            self.prepared = None;
        }
        match effect {
            Effect::ReadPlan => self.read_plan(),
            Effect::EditPlan(edit) => self.edit_plan(&edit),
            Effect::TakeCheckpoint { task } => self.take_checkpoint(&task),
            Effect::Measure { task } => {
                self.keep_learned(machine, &task)?;
                self.measure(&task)
            }
            Effect::Gather { wants, .. } => self.gather(&wants),
            Effect::AskPlanner { request, .. } => self.ask_planner(machine, &request),
            Effect::CheckGoal { line } => self.check(machine, "goal", &line),
            Effect::LookAt { look, .. } => Ok(Event::Looked {
                seen: looking::look_at(&self.workspace, &look),
            }),
            Effect::Prepare { task, call, tool } => Ok(self.prepare(machine, &task, call, &tool)),
            Effect::Perform { task, call, tool } => self.perform(machine, &task, call, &tool),
            Effect::AskModel { task, request } => self.ask_model(machine, &task, &request),
            Effect::Check { task, line, .. } => self.check(machine, &task, &line),
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
            | Effect::End { .. } => Err(Error::new(
                Code::Failed,
                "internal error: a notice was taken for work",
            )),
        }
    }

    fn journal(&mut self, entries: &[Entry]) -> Result<()> {
        let now = self.clock.now_ms();
        self.next_seq = journal_rows::append(self.store, &self.run, self.next_seq, entries, now)?;
        for entry in entries {
            self.tell(entry);
        }
        Ok(())
    }

    /// Passes on what a journal entry means for those who watch.
    fn tell(&mut self, entry: &Entry) {
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
            Entry::Failed { task, reason } => (task, "failed", Some(reason.clone()), Vec::new()),
            Entry::Refused { task, reason, .. } => {
                (task, "refused", Some(reason.clone()), Vec::new())
            }
            Entry::Skipped { task, reason, .. } => {
                (task, "skipped", Some(reason.clone()), Vec::new())
            }
            Entry::Replied { task, reply } => return self.tell_reply(task, reply),
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
                let message = "the plan file was changed by somebody else".to_owned();
                return (self.sink)(RunEvent::Notice { message });
            }
            Entry::Overridden {
                task,
                codes,
                reason,
            } => {
                let message = format!(
                    "{task} passes the quality gate ({}): {reason}",
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

    fn tell_reply(&mut self, task: &str, reply: &StepReply) {
        let repairs = reply.calls.iter().flat_map(|call| call.repairs.clone());
        (self.sink)(RunEvent::Replied {
            task: task.to_owned(),
            text: reply.text.clone(),
            calls: reply.calls.iter().map(|call| call.name.clone()).collect(),
            repairs: repairs.collect(),
            faults: reply
                .faults
                .iter()
                .map(|fault| fault.kind.as_str().to_owned())
                .collect(),
            input: reply.usage.input,
            cached: reply.usage.cached,
            output: reply.usage.output,
            elapsed_ms: reply.elapsed_ms,
        });
    }

    fn waiting(&mut self, question: Question) {
        let (tool, matches) = match &question.permission {
            Some(request) => (Some(request.tool.clone()), Some(request.exact())),
            None => (None, None),
        };
        let danger = question
            .permission
            .as_ref()
            .and_then(|request| request.danger.as_ref());
        let subjects = danger.map(|danger| danger.subjects.clone());
        (self.sink)(RunEvent::Waiting {
            subjects: subjects.unwrap_or_default(),
            kind: question.question.as_str().to_owned(),
            id: question.task,
            options: question.options,
            message: question.message,
            tool,
            matches,
        });
    }

    fn progress(&mut self, progress: Progress) {
        let now = Instant::now();
        if self
            .step_began
            .as_ref()
            .is_none_or(|(task, _)| *task != progress.task)
        {
            self.step_began = Some((progress.task.clone(), now));
            self.spout = Spout::default();
        }
        self.latest_progress = Some(progress.clone());
        let began = self.step_began.as_ref().map_or(now, |(_, began)| *began);
        let elapsed_ms = u64::try_from((now - began).as_millis()).unwrap_or(u64::MAX);
        let seq = self.next_event();
        let (step, steps) = progress.step;
        (self.sink)(RunEvent::Progress {
            seq,
            task: progress.task,
            step,
            steps,
            phase: progress.phase,
            tools_used: progress.tools_used,
            discoveries: progress.discoveries,
            current_action: progress.current_action,
            elapsed_ms,
        });
    }

    fn next_event(&mut self) -> u64 {
        self.events += 1;
        self.events
    }
}
