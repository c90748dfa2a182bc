//! Carries out the effects of a session, one after the other, and feeds the answers back.
//!
//! Rows are durable before the effect behind them begins. The driver decides nothing about the
//! session; what happens next is the machine's. Submodules: `asking` sends requests and reads replies,
//! `calls` carries out tools, `plan_effects` reads, judges and writes the plan, `proving` has the sandbox prove itself, `telling` makes events
//! of rows, `watching` sees to it that plan mode changed nothing else.

mod asking;
mod calls;
mod plan_effects;
mod proving;
mod telling;
mod watching;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use adequacy::WorkspaceFacts;
use adequacy::expansion::Outcome as Grown;
use agent::model_tool::as_tools;
use agent::repair::Tools;
use agent::session::entry::{Ending, Entry};
use agent::session::machine::{EditedPlan, Effect, Event, Machine, Outcome};
use agent::session::tools::{COMMAND, TOOLS};
use agent::turn::{Call, Usage};
use plan::Plan;
use store::{SessionRow, SessionTold};
use tools::Workspace;
use tools::sandbox::{CancelToken, Sandbox};

use crate::Workbench;
use crate::endpoints::ModelAccess;
use crate::error::{Code, Error, Result};
use crate::new_plan::taken::Asked;
use crate::plan_file::PlanFile;
use crate::sessions::{SessionEnd, SessionSink, rows};
use crate::settings::Settings;
use crate::waiting;
use crate::wire::{SessionEvent, SessionState};

/// What a process brings to a session.
pub(crate) struct Opened {
    pub(crate) row: SessionRow,
    pub workspace: Workspace,
    pub settings: Settings,
    pub file: PlanFile,
    pub(crate) access: ModelAccess,
}

/// What carries out one turn.
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
    /// The sandbox in force, once it was needed.
    sandbox: Option<Sandbox>,
    next_seq: i64,
    requests: u64,
    /// The calls of the reply in hand.
    calls: Vec<Call>,
    /// What plan mode must leave as it is.
    watched: watching::Watched,
    /// What is known around the plan, gathered once.
    around: Option<Arc<WorkspaceFacts>>,
    /// The same while it is being gathered, so that a plan that was edited is judged at once.
    around_soon: Option<JoinHandle<WorkspaceFacts>>,
    /// The plan's revision as this driver saw or wrote it last.
    seen: Option<String>,
    /// The question that was asked last.
    question: Option<String>,
    /// The revision offered last in this turn.
    offered: Option<String>,
    /// The plan judged last, and what making it fuller came to.
    grown: Option<(Plan, Grown)>,
    /// Tokens used before this turn.
    used_before: Usage,
    /// Replies of this turn that could not be used.
    faults: u32,
}

impl<'a> SessionDriver<'a> {
    /// A driver that goes on from the entry numbered `next_seq`.
    pub(crate) fn new(
        bench: &'a Workbench,
        opened: Opened,
        next_seq: i64,
        cancel: &CancelToken,
        sink: SessionSink<'a>,
    ) -> Result<Self> {
        let runtime = waiting::runtime()?;
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
            watched: watching::Watched::default(),
            around: None,
            around_soon: None,
            seen: None,
            question: None,
            offered: None,
            grown: None,
            used_before: Usage::default(),
            faults: 0,
        })
    }

    /// Plays the machine through these events, until the turn is over or a person is asked.
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
        self.bench.keep_noted(&mut self.access)?;
        self.told_context(machine);
        Ok(self.end_of(machine, ending))
    }

    /// What the model was asked in this turn, in figures.
    pub(crate) fn asked(&self, machine: &Machine) -> Asked {
        let (used, before) = (machine.state().used, self.used_before);
        Asked {
            model: self.access.client.endpoint().model.clone(),
            requests: u32::try_from(self.requests).unwrap_or(u32::MAX),
            input: used.input.saturating_sub(before.input),
            output: used.output.saturating_sub(before.output),
            faults: self.faults,
        }
    }

    /// The plan that is offered, as the model wrote it, and what making it fuller came to.
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
        self.look_at_files(machine);
        Ok(ending)
    }

    /// Carries out what needs no answer; gives everything else back.
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
            // Nothing is under way between two effects.
            Effect::Interrupt => {}
            Effect::EndTurn { ending: why } => *ending = Some(why),
            other => return Ok(Some(other)),
        }
        Ok(None)
    }

    fn carry_out(&mut self, machine: &mut Machine, effect: Effect) -> Result<Vec<Event>> {
        Ok(match effect {
            Effect::ReadPlan { known } => {
                // A turn that goes on may carry out a command first.
                if machine
                    .state()
                    .calls
                    .iter()
                    .any(|open| is_command(&open.call))
                {
                    self.learn_sandbox(machine);
                }
                vec![self.read_plan(known.as_deref())?]
            }
            Effect::StartModel(request) => {
                if self.around.is_none() && self.around_soon.is_none() {
                    let soon = self
                        .bench
                        .facts_around_soon(&self.workspace, &self.settings);
                    self.around_soon = Some(soon);
                }
                let event = self.ask(machine, &request)?;
                if runs_a_command(&event) {
                    self.learn_sandbox(machine);
                }
                self.changed_meanwhile(machine)?
                    .into_iter()
                    .chain([event])
                    .collect()
            }
            Effect::Compact(request) => vec![self.sum_up(&request)?],
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
                format!("The mode is {}.", machine.state().mode.as_str()),
            ),
            Some(Ending::Answered) => (SessionState::Answered, "The turn is over.".to_owned()),
            Some(Ending::Proposed) => (
                SessionState::Proposed,
                "A plan is offered: read it, then approve its revision or say what to change."
                    .to_owned(),
            ),
            Some(Ending::Waiting) => (
                SessionState::Waiting,
                self.question
                    .clone()
                    .unwrap_or_else(|| "An answer is needed.".to_owned()),
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

    /// Keeps how the session stands, for lists. Without an end it was broken off.
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

/// Whether a reply calls for the sandbox.
fn runs_a_command(event: &Event) -> bool {
    matches!(event, Event::ReplyArrived(reply) if reply.calls.iter().any(is_command))
}

/// What is answered for a call that a cancel came before.
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

/// Has the file tools refuse to write the plan. Where its folder is not there yet nothing can be
/// written either, and the gate knows the path.
fn protect(workspace: &Workspace, file: &PlanFile) -> Result<()> {
    match workspace.protect(Path::new(&file.relative)) {
        Err(tools::ToolError::NotFound { .. }) | Ok(()) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
