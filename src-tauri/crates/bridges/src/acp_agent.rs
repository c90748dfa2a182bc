//! Planwright as an ACP agent: an editor sends a goal, shows the plan with its badge and findings,
//! and asks the person to approve it.
//!
//! The crate `agent-client-protocol` implements version 1 of the protocol. Submodules: `transport`
//! limits the size of messages, `sessions` keeps the editor's conversations and starts a thread for
//! each turn, `prompt` interprets the person's message, `turn` decides what a turn does,
//! `plan_requests` makes plans, `review` shows one and asks for its approval, `approval` stores it,
//! `run` follows a run and asks its questions, `editor` talks to the editor during a turn.
//!
//! **Architecture invariants.** A revision is approved only by choosing the option that Planwright
//! offered for it, in answer to the request that showed it, and only if the file still has exactly
//! that content. No mode, message, cancelled or unknown answer, error or closed connection approves
//! anything. Everything an editor sends is limited in size. If a turn is cancelled or its editor
//! disconnects, its journal is still complete when it ends.

mod approval;
mod editor;
mod entries;
mod plan_requests;
mod prompt;
mod questions;
mod review;
mod run;
mod sessions;
mod transport;
mod turn;

use std::sync::Arc;

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::schema::{
    AgentCapabilities, CancelNotification, CloseSessionRequest, CloseSessionResponse,
    Implementation, InitializeRequest, InitializeResponse, NewSessionRequest, PromptCapabilities,
    PromptRequest, SessionCapabilities, SessionCloseCapabilities, SetSessionModeRequest,
    SetSessionModeResponse,
};
use agent_client_protocol::{
    Agent, Channel, Error as ProtocolError, on_receive_notification, on_receive_request,
};
use tokio::io::{AsyncRead, AsyncWrite};
use workbench::{Code, Error, Result, Workbench};

use sessions::Sessions;
use transport::Traffic;

/// Serves an editor on standard input and output until it closes the connection.
///
/// # Errors
/// [`Code::Failed`] if the agent can't be started.
pub fn serve_stdio(bench: &Workbench) -> Result<()> {
    serve_on(bench, rmcp::transport::stdio_pipes)
}

/// Like [`serve_stdio`], but on other streams. `connect` is called inside the agent's runtime.
///
/// # Errors
/// The errors of [`serve_stdio`].
pub fn serve_on<R, W>(bench: &Workbench, connect: impl FnOnce() -> (R, W)) -> Result<()>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin,
{
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::from_cause(Code::Failed, error))?;
    let traffic = Arc::new(Traffic::default());
    let sessions = Arc::new(Sessions::new(bench.again()?, Arc::clone(&traffic)));
    let served = runtime.block_on(async {
        let (reader, writer) = connect();
        let (agent, wire) = Channel::duplex();
        let (served, ()) = tokio::join!(
            serve(agent, Arc::clone(&sessions)),
            transport::carry(reader, writer, wire, &traffic)
        );
        served
    });
    if let Err(error) = served {
        tracing::info!(code = ?error.code, "lost the connection to an editor");
    }
    sessions.end();
    // A thread may still be reading standard input, and nothing can stop it.
    runtime.shutdown_background();
    Ok(())
}

/// Answers requests until the connection is closed.
async fn serve(
    channel: Channel,
    sessions: Arc<Sessions>,
) -> std::result::Result<(), ProtocolError> {
    let (new, mode, close) = (sessions.clone(), sessions.clone(), sessions.clone());
    let (prompt, cancel) = (sessions.clone(), sessions);
    Agent
        .v1()
        .name("planwright")
        .on_receive_request(
            async move |_: InitializeRequest, responder, _| responder.respond(introduction()),
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: NewSessionRequest, responder, connection| {
                new.open(&request, responder, &connection)
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: SetSessionModeRequest, responder, _| {
                let set = mode.set_mode(&request);
                responder.respond_with_result(set.map(|()| SetSessionModeResponse::new()))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: CloseSessionRequest, responder, _| {
                let closed = close.close(&request.session_id);
                responder.respond_with_result(closed.map(|()| CloseSessionResponse::new()))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: PromptRequest, responder, connection| {
                prompt.prompt(request, responder, connection)
            },
            on_receive_request!(),
        )
        .on_receive_notification(
            async move |notification: CancelNotification, _| {
                cancel.cancel(&notification.session_id);
                Ok(())
            },
            on_receive_notification!(),
        )
        .connect_to(channel)
        .await
}

/// The name, version and capabilities that Planwright reports to the editor.
fn introduction() -> InitializeResponse {
    let agent = Implementation::new("planwright", env!("CARGO_PKG_VERSION"));
    let close = SessionCapabilities::new().close(SessionCloseCapabilities::new());
    InitializeResponse::new(ProtocolVersion::V1)
        .agent_info(agent.title("Planwright".to_owned()))
        .agent_capabilities(
            AgentCapabilities::new()
                .prompt_capabilities(PromptCapabilities::new().embedded_context(true))
                .session_capabilities(close),
        )
}
