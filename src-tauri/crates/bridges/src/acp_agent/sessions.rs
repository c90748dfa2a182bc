//! The editor's conversations and their turns. Each turn has its own thread, and ends before the
//! conversation's next turn starts.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use agent_client_protocol::v1::schema::{
    AvailableCommand, AvailableCommandInput, AvailableCommandsUpdate, NewSessionRequest,
    NewSessionResponse, PromptRequest, PromptResponse, SessionId, SessionMode, SessionModeState,
    SessionNotification, SessionUpdate, SetSessionModeRequest, UnstructuredCommandInput,
};
use agent_client_protocol::v1::{ConnectionTo, Responder};
use agent_client_protocol::{Client, Error as ProtocolError, ErrorCode};
use workbench::{CancelToken, Code, Error, Workbench, environment, ids};

use super::editor::Editor;
use super::prompt;
use super::transport::Traffic;
use super::turn::{self, Talk, Turn};

/// The only mode: nothing but the plan changes until it is approved.
const PLAN_MODE: &str = "plan";

/// Length of a session's ID, in base-32 characters.
const ID_LENGTH: usize = 16;

/// Maximum number of conversations; when exceeded, the least recently used one is dropped.
const MAX_SESSIONS: usize = 64;

/// Maximum number of concurrent turns.
const MAX_TURNS: usize = 8;

type Answer<T> = std::result::Result<T, ProtocolError>;

/// All conversations of a connection.
pub(super) struct Sessions {
    bench: Mutex<Workbench>,
    traffic: Arc<Traffic>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    sessions: HashMap<String, Session>,
    /// Threads of turns that may still be running.
    turns: Vec<JoinHandle<()>>,
    /// Number of prompts and new conversations so far; orders conversations by last use.
    count: u64,
}

struct Session {
    root: PathBuf,
    talk: Talk,
    /// Cancels the running turn; `None` if there is none.
    turn: Option<CancelToken>,
    last_used: u64,
}

impl Sessions {
    pub(super) fn new(bench: Workbench, traffic: Arc<Traffic>) -> Self {
        Self {
            bench: Mutex::new(bench),
            traffic,
            open: Mutex::default(),
        }
    }

    fn all(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a conversation about the workspace that contains a folder.
    pub(super) fn open(
        &self,
        request: &NewSessionRequest,
        responder: Responder<NewSessionResponse>,
        connection: &ConnectionTo<Client>,
    ) -> Answer<()> {
        let id = match self.add(request) {
            Ok(id) => SessionId::new(id),
            Err(error) => return responder.respond_with_error(refused(&error)),
        };
        let mode = SessionMode::new(PLAN_MODE, "Plan");
        let mode = mode.description("Only the plan changes until you approve it".to_owned());
        let modes = SessionModeState::new(PLAN_MODE, vec![mode]);
        responder.respond(NewSessionResponse::new(id.clone()).modes(modes))?;
        let commands = AvailableCommandsUpdate::new(commands());
        let update = SessionUpdate::AvailableCommandsUpdate(commands);
        connection.send_notification(SessionNotification::new(id, update))
    }

    fn add(&self, request: &NewSessionRequest) -> workbench::Result<String> {
        if !request.cwd.is_absolute() {
            let shown = request.cwd.display().to_string();
            return Err(Error::new(
                Code::Usage,
                format!(
                    "the folder must be absolute: {}",
                    plan::visible_line(&shown)
                ),
            ));
        }
        let root = {
            let bench = self.bench.lock().unwrap_or_else(PoisonError::into_inner);
            let root = bench.workspace_around(&request.cwd)?;
            bench.open_workspace(&root)?.path().to_owned()
        };
        let id = ids::random(ID_LENGTH)?;
        let mut open = self.all();
        if open.sessions.len() >= MAX_SESSIONS {
            let idle = open.sessions.iter();
            let idle = idle.filter(|(_, session)| session.turn.is_none());
            let oldest = idle.min_by_key(|(_, session)| session.last_used);
            if let Some(oldest) = oldest.map(|(id, _)| id.clone()) {
                open.sessions.remove(&oldest);
            }
        }
        open.count += 1;
        let session = Session {
            root,
            talk: Talk::default(),
            turn: None,
            last_used: open.count,
        };
        open.sessions.insert(id.clone(), session);
        Ok(id)
    }

    /// Accepts a mode change if it names the only mode.
    pub(super) fn set_mode(&self, request: &SetSessionModeRequest) -> Answer<()> {
        let open = self.all();
        let known = open.sessions.contains_key(&*request.session_id.0);
        match known && &*request.mode_id.0 == PLAN_MODE {
            true => Ok(()),
            false if known => Err(invalid(format!("the only mode is “{PLAN_MODE}”"))),
            false => Err(unknown_session()),
        }
    }

    /// Cancels the running turn of a conversation.
    pub(super) fn cancel(&self, id: &SessionId) {
        let open = self.all();
        let session = open.sessions.get(&*id.0);
        if let Some(turn) = session.and_then(|session| session.turn.as_ref()) {
            turn.cancel();
        }
    }

    /// Closes a conversation and cancels its running turn.
    pub(super) fn close(&self, id: &SessionId) -> Answer<()> {
        let removed = self.all().sessions.remove(&*id.0);
        let session = removed.ok_or_else(unknown_session)?;
        if let Some(turn) = session.turn {
            turn.cancel();
        }
        Ok(())
    }

    /// Starts a turn, which responds to the request when it ends.
    pub(super) fn prompt(
        self: &Arc<Self>,
        request: PromptRequest,
        responder: Responder<PromptResponse>,
        connection: ConnectionTo<Client>,
    ) -> Answer<()> {
        let started = environment::token().and_then(|cancel| {
            let bench = self.bench.lock().unwrap_or_else(PoisonError::into_inner);
            Ok((bench.again()?, cancel))
        });
        let (bench, cancel) = match started {
            Ok(started) => started,
            Err(error) => return responder.respond_with_error(refused(&error)),
        };
        let id = request.session_id.clone();
        let mut open = self.all();
        let (root, talk, words) = match open.begin(&request, &cancel) {
            Ok(begun) => begun,
            Err(error) => return responder.respond_with_error(error),
        };
        let withdrawn = responder.cancellation();
        let (ended, has_ended) = tokio::sync::oneshot::channel::<()>();
        let token = cancel.clone();
        connection.spawn(async move {
            tokio::select! {
                () = withdrawn.cancelled() => token.cancel(),
                _ = has_ended => {}
            }
            Ok(())
        })?;
        let editor = Editor::new(connection, id.clone(), cancel, Arc::clone(&self.traffic));
        let sessions = Arc::clone(self);
        let thread = std::thread::Builder::new().name("turn".to_owned());
        let spawned = thread.spawn(move || {
            let turn = Turn::new(bench, &editor, &root, talk);
            let (talk, answer) = catch_unwind(AssertUnwindSafe(|| turn.carry_out(&words)))
                .unwrap_or_else(|_| {
                    tracing::error!("a turn panicked");
                    let message = "Planwright failed to answer; see its log";
                    (Talk::default(), Err(Error::new(Code::Internal, message)))
                });
            sessions.end_turn(&id, talk);
            drop(ended);
            let answer = answer.map(PromptResponse::new);
            // The editor may have disconnected.
            let _ = responder.respond_with_result(answer.map_err(|error| refused(&error)));
        });
        match spawned {
            Ok(turn) => {
                open.turns.retain(|turn| !turn.is_finished());
                open.turns.push(turn);
            }
            Err(error) => {
                // The thread couldn't be started; dropping its responder responds with an error.
                tracing::error!(%error, "couldn't start a turn");
                if let Some(session) = open.sessions.get_mut(&*request.session_id.0) {
                    session.turn = None;
                }
            }
        }
        Ok(())
    }

    fn end_turn(&self, id: &SessionId, talk: Talk) {
        // The conversation may have been closed meanwhile.
        if let Some(session) = self.all().sessions.get_mut(&*id.0) {
            (session.talk, session.turn) = (talk, None);
        }
    }

    /// Cancels all turns and waits until they have ended.
    pub(super) fn end(&self) {
        let turns = {
            let mut open = self.all();
            let sessions = std::mem::take(&mut open.sessions);
            for turn in sessions.into_values().filter_map(|session| session.turn) {
                turn.cancel();
            }
            std::mem::take(&mut open.turns)
        };
        for turn in turns {
            // The thread catches its own panics.
            let _ = turn.join();
        }
    }
}

impl Open {
    /// Marks the conversation as busy, and hands its state to the turn.
    fn begin(
        &mut self,
        request: &PromptRequest,
        cancel: &CancelToken,
    ) -> Answer<(PathBuf, Talk, prompt::Prompt)> {
        let busy = self.sessions.values().filter(|one| one.turn.is_some());
        let is_full = busy.count() >= MAX_TURNS;
        self.count += 1;
        let session = self.sessions.get_mut(&*request.session_id.0);
        let session = session.ok_or_else(unknown_session)?;
        if session.turn.is_some() {
            let message = "this session is still working on a turn; wait for it or cancel it";
            return Err(ProtocolError::new(ErrorCode::INVALID_REQUEST, message));
        }
        if is_full {
            let message = format!("{MAX_TURNS} sessions are already busy; wait for one to finish");
            return Err(ProtocolError::new(ErrorCode::INTERNAL_ERROR, message));
        }
        let words = prompt::read(&request.prompt, &session.root).map_err(invalid)?;
        session.last_used = self.count;
        session.turn = Some(cancel.clone());
        let talk = std::mem::take(&mut session.talk);
        Ok((session.root.clone(), talk, words))
    }
}

fn commands() -> Vec<AvailableCommand> {
    let hint = UnstructuredCommandInput::new("what to achieve");
    let new = AvailableCommand::new(turn::NEW, "Plan another goal");
    let review = "Show the plan again and ask for approval";
    vec![
        new.input(AvailableCommandInput::Unstructured(hint)),
        AvailableCommand::new(turn::REVIEW, review),
    ]
}

fn invalid(message: String) -> ProtocolError {
    ProtocolError::new(ErrorCode::INVALID_PARAMS, message)
}

fn unknown_session() -> ProtocolError {
    invalid("there is no such session; start a new one".to_owned())
}

/// Converts an error for the editor.
fn refused(error: &Error) -> ProtocolError {
    let message = error.to_wire().message;
    match error.code {
        Code::Usage | Code::Workspace => invalid(message),
        _ => ProtocolError::new(ErrorCode::INTERNAL_ERROR, message),
    }
}
