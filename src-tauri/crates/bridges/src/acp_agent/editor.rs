//! The editor as a turn sees it: sends text, plan entries and tool calls, and receives the person's
//! answers to permission requests. Used from the turn's own thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use agent_client_protocol::Client;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    ContentBlock, ContentChunk, PermissionOption, PermissionOptionKind, RequestPermissionOutcome,
    RequestPermissionRequest, SessionId, SessionNotification, SessionUpdate, TextContent, ToolCall,
    ToolCallContent, ToolCallId, ToolCallStatus, ToolCallUpdate, ToolCallUpdateFields, ToolKind,
};
use workbench::CancelToken;

use super::transport::Traffic;

/// How often a turn checks for cancellation while it waits for an answer.
const TICK: Duration = Duration::from_millis(50);

/// Longest text in one message, in bytes.
pub(super) const MAX_TEXT: usize = 256 * 1024;

/// The number of the next tool call; tool call IDs must be unique in a session.
static NEXT_CALL: AtomicUsize = AtomicUsize::new(1);

/// The person's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reply {
    /// The index of the chosen option.
    Chosen(usize),
    /// No option was chosen: the request was cancelled, failed, or got an invalid answer.
    Nothing,
}

/// A choice offered to the person.
pub(super) struct Choice {
    /// The ID that an answer must match exactly.
    pub(super) id: String,
    pub(super) name: String,
    pub(super) kind: PermissionOptionKind,
}

impl From<(&str, &str, PermissionOptionKind)> for Choice {
    fn from((id, name, kind): (&str, &str, PermissionOptionKind)) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            kind,
        }
    }
}

/// A question for the person, shown as a tool call.
pub(super) struct Request<'a> {
    pub(super) title: &'a str,
    pub(super) kind: ToolKind,
    /// The details, as Markdown.
    pub(super) content: String,
    pub(super) choices: Vec<Choice>,
}

/// The connection to the editor for one turn.
pub(super) struct Editor {
    connection: ConnectionTo<Client>,
    session: SessionId,
    cancel: CancelToken,
    traffic: Arc<Traffic>,
}

impl Editor {
    pub(super) fn new(
        connection: ConnectionTo<Client>,
        session: SessionId,
        cancel: CancelToken,
        traffic: Arc<Traffic>,
    ) -> Self {
        Self {
            connection,
            session,
            cancel,
            traffic,
        }
    }

    /// The token that is cancelled when the person or the editor cancels the turn.
    pub(super) fn cancel_token(&self) -> &CancelToken {
        &self.cancel
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Sends part of the answer's text.
    pub(super) fn say(&self, text: &str) {
        self.update(SessionUpdate::AgentMessageChunk(chunk(text)));
    }

    /// Sends a paragraph of the answer.
    pub(super) fn say_paragraph(&self, text: &str) {
        self.say(&format!("{}\n\n", text.trim_end()));
    }

    /// Sends text as a thought, separate from the answer.
    pub(super) fn think(&self, text: &str) {
        self.update(SessionUpdate::AgentThoughtChunk(chunk(text)));
    }

    /// Sends a line as a thought, separate from the answer.
    pub(super) fn note(&self, line: &str) {
        self.think(&format!("{}\n\n", line.trim_end()));
    }

    /// Sends an update. Drops it if the connection is closed, because the turn is about to end.
    pub(super) fn update(&self, update: SessionUpdate) {
        self.traffic.count_message(|| self.is_cancelled());
        let told = SessionNotification::new(self.session.clone(), update);
        if self.connection.send_notification(told).is_err() {
            tracing::debug!("an update for an editor was dropped");
        }
    }

    /// Starts a tool call in the editor; returns its ID.
    pub(super) fn start_call(
        &self,
        title: &str,
        kind: ToolKind,
        status: ToolCallStatus,
        content: &str,
    ) -> ToolCallId {
        let id = ToolCallId::new(format!(
            "call-{}",
            NEXT_CALL.fetch_add(1, Ordering::Relaxed)
        ));
        let call = ToolCall::new(id.clone(), plan::visible_line(title));
        let call = call.kind(kind).status(status).content(contents(content));
        self.update(SessionUpdate::ToolCall(call));
        id
    }

    /// Ends a tool call. Without `content`, its current content stays.
    pub(super) fn end_call(&self, id: &ToolCallId, is_ok: bool, content: Option<&str>) {
        let status = match is_ok {
            true => ToolCallStatus::Completed,
            false => ToolCallStatus::Failed,
        };
        let fields = ToolCallUpdateFields::new()
            .status(status)
            .content(content.map(contents));
        self.update(SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(
            id.clone(),
            fields,
        )));
    }

    /// Asks the person and waits for the answer. An answer counts as a choice only if it names an
    /// offered option exactly and arrives before the turn is cancelled.
    pub(super) fn ask(&self, request: Request<'_>) -> Reply {
        let Request {
            title,
            kind,
            content,
            choices,
        } = request;
        let call = self.start_call(title, kind, ToolCallStatus::Pending, &content);
        let options = choices.iter().map(|choice| {
            let name = plan::visible_line(&choice.name);
            PermissionOption::new(choice.id.clone(), name, choice.kind)
        });
        let fields = ToolCallUpdateFields::new()
            .title(plan::visible_line(title))
            .kind(kind)
            .status(ToolCallStatus::Pending)
            .content(contents(&content));
        let asked = RequestPermissionRequest::new(
            self.session.clone(),
            ToolCallUpdate::new(call.clone(), fields),
            options.collect(),
        );
        let reply = match self.answer(asked) {
            Some(RequestPermissionOutcome::Selected(selected)) => {
                let named: &str = &selected.option_id.0;
                let found = choices.iter().position(|choice| choice.id == named);
                found.map_or(Reply::Nothing, Reply::Chosen)
            }
            _ => Reply::Nothing,
        };
        let is_allowed = |at: usize| {
            let kind = choices.get(at).map(|choice| choice.kind);
            kind == Some(PermissionOptionKind::AllowOnce)
                || kind == Some(PermissionOptionKind::AllowAlways)
        };
        let is_ok = matches!(reply, Reply::Chosen(at) if is_allowed(at));
        self.end_call(&call, is_ok, None);
        reply
    }

    fn answer(&self, request: RequestPermissionRequest) -> Option<RequestPermissionOutcome> {
        self.traffic.count_message(|| self.is_cancelled());
        if self.is_cancelled() {
            return None;
        }
        let (tell, answered) = channel();
        let sent = self.connection.send_request(request);
        let waiting = self.connection.spawn(async move {
            // The receiver is gone once the turn is cancelled.
            let _ = tell.send(sent.block_task().await);
            Ok(())
        });
        waiting.ok()?;
        loop {
            let received = answered.recv_timeout(TICK);
            if self.is_cancelled() {
                return None;
            }
            match received {
                Ok(Ok(response)) => return Some(response.outcome),
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }
}

fn chunk(text: &str) -> ContentChunk {
    ContentChunk::new(block(text))
}

fn contents(text: &str) -> Vec<ToolCallContent> {
    match text.is_empty() {
        true => Vec::new(),
        false => vec![ToolCallContent::from(block(text))],
    }
}

/// The text, cut at the maximum length, with invisible and control characters made visible.
fn block(text: &str) -> ContentBlock {
    let mut end = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let shown = plan::visible(&text[..end]);
    ContentBlock::Text(TextContent::new(shown.into_owned()))
}
