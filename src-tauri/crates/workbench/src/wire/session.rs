//! The events of `chat --json`, and of `plan --json` with a model. Fields are only ever added. No
//! event contains the plan's text.

use agent::session::entry::{Mode, ModeSetBy};
use serde::Serialize;

use super::{ModelEvent, PlanReport};

/// An event of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum SessionEvent {
    /// The first line of the output.
    Started {
        /// The session's ID.
        session: String,
        /// The absolute path of the plan file, which may not exist yet.
        plan: String,
        /// The absolute path of the workspace.
        workspace: String,
        /// The endpoint's address.
        base_url: String,
        /// The model's name.
        model: String,
        /// The session's current mode.
        mode: Mode,
    },
    /// The session's mode changed.
    Mode {
        /// The previous mode.
        from: Mode,
        /// The new mode.
        to: Mode,
        /// Who changed it.
        by: ModeSetBy,
        /// The revision approved by this change, if any.
        #[serde(skip_serializing_if = "Option::is_none")]
        approved: Option<String>,
    },
    /// A request was sent to the model.
    Request {
        /// The number of the request in this session and process, from 1.
        number: u64,
        /// The attempt at this request, from 1.
        attempt: u32,
    },
    /// The model is writing a tool call.
    Calling {
        /// The tool's name, if known yet.
        name: String,
        /// Bytes of arguments so far.
        bytes: usize,
    },
    /// A reply of the model was stored.
    Replied {
        /// The reply's full text.
        text: String,
        /// What was repaired, in a few words each.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        repairs: Vec<String>,
        /// Unreadable parts, as described to the model.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        faults: Vec<String>,
        /// Tokens of the request.
        input: u64,
        /// Tokens of the request that the provider had cached.
        cached: u64,
        /// Tokens of the reply.
        output: u64,
        /// Milliseconds from request to end of reply.
        elapsed_ms: u64,
    },
    /// A tool call started.
    Call {
        /// The call's ID in the session.
        id: String,
        /// The tool's name.
        name: String,
        /// The subject in one line, such as a path or a command.
        subject: String,
    },
    /// A chunk of a command's output, truncated.
    Output {
        /// The call's ID.
        id: String,
        /// The text of the chunk.
        text: String,
    },
    /// A tool call ended.
    Result {
        /// The call's ID.
        id: String,
        /// Whether the call succeeded.
        ok: bool,
        /// The first line of the result that the model gets.
        summary: String,
    },
    /// A tool call was refused.
    Refused {
        /// The call's ID.
        id: String,
        /// The hint given to the model.
        message: String,
    },
    /// The model wrote the plan file.
    Plan {
        /// The plan's path in the workspace.
        path: String,
        /// The plan's new revision.
        revision: String,
    },
    /// A question for the person; the session continues with the answer.
    Question {
        /// The ID of the call that asks.
        id: String,
        /// The text of the question.
        message: String,
        /// The possible answers; empty for free text.
        options: Vec<String>,
        /// For a permission: the name of the tool.
        #[serde(skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        /// For a permission: the pattern that would be allowed.
        #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
        matches: Option<String>,
    },
    /// A plan is proposed for approval. Its text is fetched by revision.
    Proposal {
        /// The plan's path in the workspace.
        path: String,
        /// The proposed revision.
        revision: String,
        /// The adequacy badge.
        badge: String,
        /// The adequacy score, 0 to 100.
        score: u32,
        /// A short summary of changes since the previous proposal.
        change: String,
    },
    /// How full the model's context window is.
    Context {
        /// Estimated tokens of the next request.
        tokens: u32,
        /// The window's size in tokens.
        window: u32,
        /// Percentage used.
        percent: u32,
    },
    /// The start of the conversation was replaced by a summary.
    Compacted,
    /// Files other than the plan changed, although nothing was allowed to change them.
    Changed {
        /// Workspace paths of the first changed files.
        files: Vec<String>,
        /// The number of changed files.
        count: usize,
        /// Whether they changed while a command of the session was running, which is an alarm.
        /// Otherwise another program changed them.
        is_alarm: bool,
    },
    /// The proposed plan, as reported by `plan`.
    Planned(Box<PlanReport>),
    /// A notice that doesn't stop the session.
    Notice {
        /// The message, one or two sentences.
        message: String,
    },
    /// A notice that a reply couldn't be used, with the feedback sent to the model.
    #[serde(rename = "notice")]
    Faulted {
        /// The message, with the feedback.
        message: String,
    },
    /// The last line of `chat`.
    Ended {
        /// The session's ID.
        session: String,
        /// Why the turn ended.
        state: SessionState,
        /// The message, one or two sentences.
        message: String,
        /// The proposed revision, if any.
        #[serde(skip_serializing_if = "Option::is_none")]
        revision: Option<String>,
    },
    /// An event of the current model request.
    #[serde(untagged)]
    Model(ModelEvent),
}

plan::named! {
    /// Why a turn ended.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
    pub enum SessionState {
        /// The model answered.
        Answered = "answered",
        /// A plan was proposed for approval.
        Proposed = "proposed",
        /// The person was asked a question.
        Waiting = "waiting",
        /// The person cancelled it.
        Cancelled = "cancelled",
        /// The model replied with text instead of doing its work.
        Unfinished = "unfinished",
        /// The reply was cut off; it counts neither as an answer nor as a plan.
        Cut = "cut",
        /// The turn failed.
        Failed = "failed",
        /// No turn started, only a mode change or an approval.
        Idle = "idle",
    }
}
