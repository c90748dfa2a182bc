//! Sessions: conversations with a model about a plan.
//!
//! A session consists of its entries in the store. [`Workbench::converse`] takes the person's input
//! and returns when the turn ends or needs the person; the answer may come from another process. If
//! two processes continue the same session, the second one to write is refused before it does
//! anything.

mod approved_revision;
mod exec_mode;
mod file_name;
mod listing;
mod planning;
pub mod rows;

use std::path::{Path, PathBuf};
use std::time::Instant;

use adequacy::expansion::Outcome as Grown;
use agent::session::entry::{Answer, Mode, ModeSetBy, Purpose};
use agent::session::machine::{Event, MAX_REQUESTS};
use agent::session::request::tokens;
use agent::session::{Config, Machine};
use gate::path::PlanPlace;
use plan::Plan;
use serde::Serialize;
use store::{NewSession, ReviewerVerdict, SessionRow};
use tools::sandbox::CancelToken;

use crate::clock::millis;
use crate::error::{Error, Result};
use crate::new_plan::provenance::ModelUsage;
use crate::plan_file::PlanFile;
use crate::session_driver::{Opened, SessionDriver};
use crate::wire::{SessionEvent, SessionState};
use crate::{Workbench, approval, foreign_folders, ids, plan_file};

pub use exec_mode::WorkRequest;
pub use exec_mode::nothing_approved;
pub use listing::SessionSummary;
pub use planning::Planned;

/// Receives the events of a turn.
pub type SessionSink<'a> = &'a mut (dyn FnMut(SessionEvent) + Send);

/// Length of a session ID: 8 characters, 40 bits.
const ID_LENGTH: usize = 8;

/// Number of tokens of a planning prompt without the goal: tools, rules and a few files.
pub(crate) const MIN_PROMPT_TOKENS: u64 = 3_000;

/// Number of tokens of a ten-step plan.
pub(crate) const PLAN_TOKENS: u32 = 2_048;

/// The parameters of a new session.
#[derive(Debug, Clone, Default)]
pub struct SessionRequest {
    /// The workspace folder; defaults to the plan's workspace, else the current folder.
    pub workspace: Option<PathBuf>,
    /// The plan file; if absent, a new one is named after the goal.
    pub plan: Option<PathBuf>,
    /// The goal, in the person's words; empty for a session about an existing plan.
    pub goal: String,
    /// The model; overrides the configured one.
    pub model: Option<String>,
}

/// A person's input to a session.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionInput {
    /// A goal to plan for. Switches to plan mode.
    Goal {
        /// The goal's text.
        words: String,
    },
    /// A message. Answers a pending question, but never grants a permission.
    Say {
        /// The message's text.
        words: String,
    },
    /// Requested changes to a proposal; never an approval. Switches to plan mode.
    Feedback {
        /// The revision that the feedback is about.
        revision: String,
        /// The requested changes.
        words: String,
    },
    /// The answer to a pending question.
    Answer {
        /// The ID of the call that asked the question.
        call: String,
        /// The person's answer.
        answer: Answer,
    },
    /// A change of mode.
    SetMode {
        /// The new mode.
        to: Mode,
    },
    /// The person approved a revision through the gate. Switches to exec mode without starting a
    /// turn.
    Approved {
        /// The full hash of the revision.
        revision: String,
    },
    /// A run of the plan ended. Returns to plan mode.
    RunEnded,
    /// Continues a turn that an earlier process left unfinished.
    Resume,
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionEnd {
    /// The session's ID.
    pub session: String,
    /// Why the turn ended.
    pub state: SessionState,
    /// The message, one or two sentences.
    pub message: String,
    /// The absolute path of the plan file, which may not exist yet.
    pub path: PathBuf,
    /// The proposed revision, if any.
    pub revision: Option<String>,
}

impl SessionEnd {
    /// The event that reports this end.
    pub(crate) fn event(&self) -> SessionEvent {
        SessionEvent::Ended {
            session: self.session.clone(),
            state: self.state,
            message: self.message.clone(),
            revision: self.revision.clone(),
        }
    }
}

/// A finished turn.
pub(crate) struct Turn {
    pub(crate) end: SessionEnd,
    /// The plan checked last, as the model wrote it, and the result of its expansion.
    pub(crate) grown: Option<(Plan, Grown)>,
    /// Usage of the model in this turn.
    pub(crate) usage: ModelUsage,
}

impl Workbench {
    /// Creates a session, or returns `None` if no model is configured. Sends no request and writes
    /// only the session's row. Fails with [`crate::Code::Model`] for an invalid model
    /// configuration, [`crate::Code::Workspace`] for an unusable folder,
    /// [`crate::Code::UnusablePlan`] for a missing plan.
    pub fn begin_session(&mut self, request: &SessionRequest) -> Result<Option<String>> {
        let cwd = self.environment.cwd.clone();
        let (root, plan) = match &request.plan {
            Some(plan) => {
                let opened = self.open_plan(plan, request.workspace.as_deref())?;
                foreign_folders::refuse(self, &opened.file.path)?;
                let root = opened.workspace.path().to_owned();
                (root, Some(opened.file.path))
            }
            None => {
                let dir = request.workspace.as_ref();
                (dir.map_or_else(|| cwd.clone(), |dir| cwd.join(dir)), None)
            }
        };
        let workspace = self.open_workspace(&root)?;
        let (settings, _) = self.settings_for(Some(&workspace));
        let Some(access) = self.model_access(request.model.as_deref())? else {
            return Ok(None);
        };
        let plan = match plan {
            Some(plan) => plan,
            None => self.free_name(workspace.path(), &settings.plan_folder, &request.goal)?,
        };
        let id = ids::random(ID_LENGTH)?;
        let endpoint = access.client.endpoint();
        self.store.sessions().create(&NewSession {
            id: &id,
            workspace: &workspace.path().display().to_string(),
            plan: &plan.display().to_string(),
            goal: request.goal.trim(),
            base_url: &endpoint.base_url,
            model: &endpoint.model,
            at_ms: self.clock.now_ms(),
        })?;
        Ok(Some(id))
    }

    /// The newest session about a plan file, or a new one. Fails as [`Workbench::begin_session`]
    /// does; [`crate::Code::Model`] if no model is configured.
    pub fn session_about(&mut self, plan: &Path, model: Option<&str>) -> Result<String> {
        let opened = self.open_plan(plan, None)?;
        let of_plan = self.store.sessions().of_plan(&opened.file.key())?;
        if let Some(newest) = of_plan.into_iter().next() {
            return Ok(newest.id);
        }
        let request = SessionRequest {
            plan: Some(opened.file.path),
            model: model.map(str::to_owned),
            ..SessionRequest::default()
        };
        self.begin_session(&request)?.ok_or_else(no_model)
    }

    /// Handles the inputs in order and runs the turn until it ends or needs the person. A proposed
    /// plan is stored and reported like one made without a conversation. Fails with
    /// [`crate::Code::UnknownSession`]; [`crate::Code::Model`] if no model is configured any more;
    /// or the error that aborts the turn. An endpoint failure isn't an error but
    /// [`SessionState::Failed`].
    pub fn converse(
        &mut self,
        session: &str,
        inputs: Vec<SessionInput>,
        model: Option<&str>,
        cancel: &CancelToken,
        sink: SessionSink<'_>,
    ) -> Result<SessionEnd> {
        let began = Instant::now();
        let turn = self.turn(session, inputs, model, cancel, &mut *sink)?;
        let end = turn.end.clone();
        if end.state == SessionState::Proposed {
            let outcome = self.keep_turn(turn, millis(began.elapsed()))?;
            sink(SessionEvent::Planned(Box::new(outcome.report)));
        }
        sink(end.event());
        Ok(end)
    }

    /// Runs the turn itself. Stores only the conversation, and doesn't report the end.
    pub(crate) fn turn(
        &mut self,
        session: &str,
        inputs: Vec<SessionInput>,
        model: Option<&str>,
        cancel: &CancelToken,
        sink: SessionSink<'_>,
    ) -> Result<Turn> {
        let row = self.find_session(session)?;
        let workspace = self.open_workspace(Path::new(&row.workspace))?;
        let (settings, problems) = self.settings_for(Some(&workspace));
        for problem in problems {
            sink(SessionEvent::Notice {
                message: problem.to_string(),
            });
        }
        // Newer configuration wins; the session's model is used only if none is configured.
        let has_model =
            settings.endpoint.is_some() || self.environment.text("PLANWRIGHT_MODEL").is_some();
        let model = model.or((!has_model).then_some(row.model.as_str()));
        let mut access = self.model_access(model)?.ok_or_else(no_model)?;
        for input in &inputs {
            if let SessionInput::Goal { words } = input {
                let prompt = MIN_PROMPT_TOKENS + u64::from(tokens(words));
                self.room_for(&mut access, prompt, PLAN_TOKENS, cancel)?;
            }
        }
        let file = plan_of(&row)?;
        let state = rows::state(&self.store, &row.id)?;
        let is_work = |input: &SessionInput| matches!(input, SessionInput::Say { .. });
        if state.mode == Mode::Exec && inputs.first().is_some_and(is_work) {
            return Err(err!(Internal:
                "internal error: in exec mode, messages go to the run"));
        }
        let next_seq = i64::try_from(state.rows)
            .unwrap_or(i64::MAX)
            .saturating_add(1);
        let profile = access.limits();
        let mut rules = settings.permissions.clone();
        rules.extend(self.stored_rules(workspace.path())?);
        let config = Config {
            session: row.id.clone(),
            plan: PlanPlace {
                path: file.relative.clone(),
                root: workspace.path().display().to_string(),
                aliases: Vec::new(),
            },
            rules,
            // The sandbox is tested only when the first command is about to run.
            can_run_read_only: false,
            is_enforced: settings.plan_adequacy_enforce,
            max_requests: MAX_REQUESTS,
            profile,
        };
        let mut machine = Machine::of(state, config);
        sink(SessionEvent::Started {
            session: row.id.clone(),
            plan: row.plan.clone(),
            workspace: row.workspace.clone(),
            base_url: access.client.endpoint().base_url.clone(),
            model: access.client.endpoint().model.clone(),
            mode: machine.state().mode,
        });
        let events = inputs.into_iter().map(|input| self.event_of(input, &row));
        let events = events.collect::<Result<Vec<_>>>()?;
        let opened = Opened {
            row: row.clone(),
            workspace,
            settings,
            file,
            access,
        };
        let mut driver = SessionDriver::new(self, opened, next_seq, cancel, sink)?;
        let ended = driver.drive(&mut machine, events);
        let told = driver.tell_store(&machine, ended.as_ref().ok());
        let usage = driver.usage(&machine);
        let grown = driver.into_grown();
        let end = ended?;
        told?;
        Ok(Turn { end, grown, usage })
    }

    fn event_of(&self, input: SessionInput, row: &SessionRow) -> Result<Event> {
        Ok(match input {
            SessionInput::Goal { words } => Event::Said {
                words: said(words)?,
                purpose: Purpose::Goal,
            },
            SessionInput::Say { words } => Event::Said {
                words: said(words)?,
                purpose: Purpose::Talk,
            },
            SessionInput::Feedback { revision, words } => {
                let revision = self.revision_of(row, &revision)?;
                let words = said(words)?;
                self.keep_verdict(&row.plan, ReviewerVerdict::NeedsRevision);
                Event::Feedback { revision, words }
            }
            SessionInput::Answer { call, answer } => Event::Answered { call, answer },
            SessionInput::SetMode { to } => Event::SetMode {
                to,
                by: ModeSetBy::Person,
            },
            SessionInput::Approved { revision } => Event::Approved {
                revision: self.revision_of(row, &revision)?,
            },
            SessionInput::RunEnded => Event::SetMode {
                to: Mode::Plan,
                by: ModeSetBy::RunEnd,
            },
            SessionInput::Resume => Event::Resume,
        })
    }

    /// Resolves a revision of the session's plan to its full hash.
    fn revision_of(&self, row: &SessionRow, named: &str) -> Result<String> {
        let content = plan_file::read_anywhere(Path::new(&row.plan))?;
        Ok(approval::resolve(&self.store, &row.plan, named, &content)?.revision)
    }
}

/// The error for a session without a configured model.
pub fn no_model() -> Error {
    err!(Model:
        "no model is configured: set PLANWRIGHT_BASE_URL and PLANWRIGHT_MODEL, or `endpoint` in your \
         settings.json")
}

fn said(words: String) -> Result<String> {
    match words.trim() {
        "" => Err(err!(Usage: "the message is empty; enter some text")),
        _ => Ok(words),
    }
}

fn plan_of(row: &SessionRow) -> Result<PlanFile> {
    let path = PathBuf::from(&row.plan);
    let relative = path
        .strip_prefix(&row.workspace)
        .map_err(|_| err!(Storage: "the plan of session {} is outside its workspace", row.id))?
        .to_string_lossy()
        .into_owned();
    Ok(PlanFile { path, relative })
}
