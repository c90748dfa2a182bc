//! Carries out the effects of a session one after the other, and reports the results to the state
//! machine.
//!
//! Rows are durable before the effect that they announce starts. The driver decides nothing about
//! the session; that is up to the machine. Submodules: `model_requests` sends requests and reads
//! replies, `calls` carries out tool calls, `plan_effects` reads, checks and writes the plan,
//! `sandbox` tests the sandbox, `events` turns rows into events, `change_check` checks that plan
//! mode changed nothing else.

mod calls;
mod change_check;
mod events;
mod model_requests;
mod plan_effects;
mod sandbox;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use adequacy::WorkspaceFacts;
use adequacy::expansion::Outcome as Grown;
use agent::model_tool::as_tools;
use agent::session::entry::{Ending, Entry};
use agent::session::machine::{EditedPlan, Effect, Event, Machine, Outcome};
use agent::session::tools::{COMMAND, TOOLS};
use agent::turn::{Call, Usage};
use plan::Plan;
use repair::Tools;
use store::{SessionRow, SessionTold};
use tools::Workspace;
use tools::sandbox::{CancelToken, Sandbox};

use crate::Workbench;
use crate::endpoints::ModelAccess;
use crate::error::{Code, Error, Result};
use crate::new_plan::provenance::ModelUsage;
use crate::plan_file::PlanFile;
use crate::runtime;
use crate::sessions::{SessionEnd, SessionSink, rows};
use crate::settings::Settings;
use crate::wire::{SessionEvent, SessionState};

/// An opened session, with everything needed to drive it.
pub(crate) struct Opened {
    pub(crate) row: SessionRow,
    pub workspace: Workspace,
    pub settings: Settings,
    pub file: PlanFile,
    pub(crate) access: ModelAccess,
}

pub(crate) struct SessionDriver<'a> {
    bench: &'a Workbench,
    row: SessionRow,
    workspace: Arc<Workspace>,
    settings: Settings,
    file: PlanFile,
    access: ModelAccess,
    cancel: CancelToken,
    sink: SessionSink<'a>,
    runtime: tokio::runtime::Runtime,
    tools: Tools,
    /// The sandbox, once it was needed.
    sandbox: Option<Sandbox>,
    next_seq: i64,
    requests: u64,
    /// The tool calls of the current reply.
    calls: Vec<Call>,
    /// The files that plan mode must not change.
    watched: change_check::FileWatch,
    /// The facts of the plan's workspace, collected once.
    facts: Option<Arc<WorkspaceFacts>>,
    /// The facts being collected in the background, so that an edited plan can be checked without
    /// delay.
    pending_facts: Option<JoinHandle<WorkspaceFacts>>,
    /// The plan's revision when this driver last saw or wrote it.
    seen: Option<String>,
    question: Option<String>,
    /// The revision proposed last in this turn.
    offered: Option<String>,
    /// The plan checked last, and the result of its expansion.
    grown: Option<(Plan, Grown)>,
    /// Usage of the session before this turn.
    used_before: Usage,
    /// Number of unusable replies in this turn.
    faults: u32,
}

impl<'a> SessionDriver<'a> {
    /// A driver that continues from the entry `next_seq`.
    pub(crate) fn new(
        bench: &'a Workbench,
        opened: Opened,
        next_seq: i64,
        cancel: &CancelToken,
        sink: SessionSink<'a>,
    ) -> Result<Self> {
        let runtime = runtime::runtime()?;
        let Opened {
            row,
            workspace,
            settings,
            file,
            access,
        } = opened;
        protect(&workspace, &file)?;
        workspace.hide(&settings.private_files);
        Ok(Self {
            bench,
            row,
            workspace: Arc::new(workspace),
            settings,
            file,
            access,
            cancel: cancel.clone(),
            sink,
            runtime,
            tools: as_tools(&TOOLS).map_err(|error| Error::from_cause(Code::Internal, error))?,
            sandbox: None,
            next_seq,
            requests: 0,
            calls: Vec::new(),
            watched: change_check::FileWatch::default(),
            facts: None,
            pending_facts: None,
            seen: None,
            question: None,
            offered: None,
            grown: None,
            used_before: Usage::default(),
            faults: 0,
        })
    }

    /// Runs the machine on these events until the turn ends or needs the person.
    pub(crate) fn drive(
        &mut self,
        machine: &mut Machine,
        events: Vec<Event>,
    ) -> Result<SessionEnd> {
        self.tell_state(machine, "working")?;
        self.used_before = machine.state().used;
        let mut ending = None;
        for event in events {
            ending = self.play(machine, event)?;
        }
        self.bench.store_counters(&mut self.access)?;
        self.report_context(machine);
        Ok(self.end_of(machine, ending))
    }

    /// Usage of the model in this turn.
    pub(crate) fn usage(&self, machine: &Machine) -> ModelUsage {
        let (used, before) = (machine.state().used, self.used_before);
        ModelUsage {
            model: self.access.client.endpoint().model.clone(),
            requests: u32::try_from(self.requests).unwrap_or(u32::MAX),
            input: used.input.saturating_sub(before.input),
            output: used.output.saturating_sub(before.output),
            faults: self.faults,
        }
    }

    /// The plan checked last, as the model wrote it, and the result of its expansion, if there is
    /// one.
    pub(crate) fn into_grown(self) -> Option<(Plan, Grown)> {
        self.grown
    }

    fn play(&mut self, machine: &mut Machine, event: Event) -> Result<Option<Ending>> {
        let mut queue: VecDeque<Effect> = machine.handle(event).into();
        self.watch_files(machine);
        let mut is_told = false;
        let mut ending = None;
        while let Some(effect) = queue.pop_front() {
            let Some(effect) = self.note(effect, &mut ending)? else {
                continue;
            };
            if self.cancel.is_cancelled() && !is_told {
                is_told = true;
                queue.extend(machine.handle(Event::Cancel));
                queue.extend(
                    not_begun(&effect).map_or_else(Vec::new, |event| machine.handle(event)),
                );
                continue;
            }
            let events = self.carry_out(machine, effect)?;
            if self.cancel.is_cancelled() && !is_told {
                is_told = true;
                queue.extend(machine.handle(Event::Cancel));
            }
            for event in events {
                queue.extend(machine.handle(event));
            }
        }
        self.check_files(machine);
        Ok(ending)
    }

    /// Carries out effects that need no result; returns all others.
    fn note(&mut self, effect: Effect, ending: &mut Option<Ending>) -> Result<Option<Effect>> {
        match effect {
            Effect::Store(entries) => {
                let now = self.bench.clock.now_ms();
                let store = &self.bench.store;
                self.next_seq = rows::append(store, &self.row.id, self.next_seq, &entries, now)?;
                for entry in &entries {
                    self.faults += u32::from(matches!(entry, Entry::Faulted { .. }));
                    self.tell(entry);
                }
            }
            Effect::Show(card) => {
                self.offered = Some(card.revision.clone());
                (self.sink)(SessionEvent::Proposal {
                    path: card.path,
                    revision: card.revision,
                    badge: card.badge,
                    score: card.score,
                    change: card.summary,
                });
            }
            Effect::Notice { message } => (self.sink)(SessionEvent::Notice { message }),
            Effect::Ask(question) => {
                self.question = Some(question.message.clone());
                let permission = question.permission;
                (self.sink)(SessionEvent::Question {
                    id: question.call,
                    message: question.message,
                    options: question.options,
                    tool: permission.as_ref().map(|request| request.tool.clone()),
                    matches: permission
                        .as_ref()
                        .map(gate::question::PermissionRequest::exact),
                });
            }
            // Nothing to interrupt: nothing is running between two effects.
            Effect::Interrupt => {}
            Effect::EndTurn { ending: why } => *ending = Some(why),
            other => return Ok(Some(other)),
        }
        Ok(None)
    }

    fn carry_out(&mut self, machine: &mut Machine, effect: Effect) -> Result<Vec<Event>> {
        Ok(match effect {
            Effect::ReadPlan { known } => {
                // A resumed turn may carry out a command first.
                if machine
                    .state()
                    .calls
                    .iter()
                    .any(|open| is_command(&open.call))
                {
                    self.test_sandbox(machine);
                }
                vec![self.read_plan(known.as_deref())?]
            }
            Effect::StartModel(request) => {
                if self.facts.is_none() && self.pending_facts.is_none() {
                    let soon = self
                        .bench
                        .facts_around_soon(&self.workspace, &self.settings);
                    self.pending_facts = Some(soon);
                }
                let event = self.ask(machine, &request)?;
                if runs_a_command(&event) {
                    self.test_sandbox(machine);
                }
                self.plan_changes(machine)?
                    .into_iter()
                    .chain([event])
                    .collect()
            }
            Effect::Compact(request) => vec![self.summarize(&request)?],
            Effect::CallTool { id, call, permit } => vec![self.call_tool(id, &call, &permit)],
            Effect::EditPlan {
                id,
                target,
                new_text,
                known,
                permit,
            } => vec![self.edit_plan(id, (&target, &new_text), known.as_deref(), &permit)?],
            Effect::CheckPlan { id, before } => {
                vec![self.check_plan(id, before.as_deref())?]
            }
            Effect::Store(_)
            | Effect::Show(_)
            | Effect::Notice { .. }
            | Effect::Ask(_)
            | Effect::Interrupt
            | Effect::EndTurn { .. } => Vec::new(),
        })
    }

    fn end_of(&self, machine: &Machine, ending: Option<Ending>) -> SessionEnd {
        let (state, message) = match ending {
            None => (
                SessionState::Idle,
                format!("Now in {} mode.", machine.state().mode.as_str()),
            ),
            Some(Ending::Answered) => (SessionState::Answered, "Turn finished.".to_owned()),
            Some(Ending::Proposed) => (
                SessionState::Proposed,
                "Plan proposed. Review it, then approve its revision or request changes."
                    .to_owned(),
            ),
            Some(Ending::Waiting) => (
                SessionState::Waiting,
                self.question
                    .clone()
                    .unwrap_or_else(|| "Waiting for your answer.".to_owned()),
            ),
            Some(Ending::Working { run }) => (SessionState::Idle, format!("Sent to run {run}.")),
            Some(Ending::Cancelled) => (SessionState::Cancelled, "Cancelled.".to_owned()),
            Some(Ending::Failed { reason }) => (SessionState::Failed, reason),
            Some(Ending::Unfinished { reason }) => (SessionState::Unfinished, reason),
            Some(Ending::Cut { reason }) => (SessionState::Cut, reason),
        };
        SessionEnd {
            session: self.row.id.clone(),
            state,
            message,
            path: self.file.path.clone(),
            revision: self
                .offered
                .clone()
                .filter(|_| state == SessionState::Proposed),
        }
    }

    /// Stores the session's state for lists. Without `end`, the turn was interrupted.
    pub(crate) fn tell_store(&self, machine: &Machine, end: Option<&SessionEnd>) -> Result<()> {
        let state = end.map_or("working", |end| end.state.as_str());
        self.tell_state(machine, state)
    }

    fn tell_state(&self, machine: &Machine, state: &str) -> Result<()> {
        let used = machine.state().used;
        let endpoint = self.access.client.endpoint();
        let told = SessionTold {
            state,
            mode: machine.state().mode.as_str(),
            base_url: &endpoint.base_url,
            model: &endpoint.model,
            input_tokens: used.input,
            cached_tokens: used.cached,
            output_tokens: used.output,
            at_ms: self.bench.clock.now_ms(),
        };
        self.bench.keep_told(&self.row.id, &told)
    }
}

fn is_command(call: &Call) -> bool {
    call.name == COMMAND.as_str()
}

/// Whether a reply needs the sandbox.
fn runs_a_command(event: &Event) -> bool {
    matches!(event, Event::ReplyArrived(reply) if reply.calls.iter().any(is_command))
}

/// The result of a call that was cancelled before it started; `None` for other effects.
fn not_begun(effect: &Effect) -> Option<Event> {
    const CANCELLED: &str = "Cancelled before it began.";
    match effect {
        Effect::CallTool { id, .. } => Some(Event::CallDone {
            id: id.clone(),
            outcome: Outcome {
                content: CANCELLED.to_owned(),
                ..Outcome::default()
            },
        }),
        Effect::EditPlan { id, .. } => Some(Event::PlanEdited {
            id: id.clone(),
            edited: EditedPlan::Refused {
                message: CANCELLED.to_owned(),
            },
        }),
        _ => None,
    }
}

/// Makes the file tools refuse to write the plan. If its folder doesn't exist yet, nothing can be
/// written to it, and the gate checks the path anyway.
fn protect(workspace: &Workspace, file: &PlanFile) -> Result<()> {
    match workspace.protect(Path::new(&file.relative)) {
        Err(tools::ToolError::NotFound { .. }) | Ok(()) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
