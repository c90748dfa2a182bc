//! One line of `plan --json` with a model, and of `chat --json`. Fields are only added. No event holds
//! the text of the plan.

use agent::session::entry::{Mode, ModeSetBy};
use serde::Serialize;

use super::{ModelEvent, PlanReport};

/// What happens in a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum SessionEvent {
    /// The first line.
    Started {
        /// The session's id.
        session: String,
        /// The plan file, absolute; it need not be there yet.
        plan: String,
        /// The workspace folder.
        workspace: String,
        /// The endpoint's address.
        base_url: String,
        /// The model's name.
        model: String,
        /// The mode in force.
        mode: Mode,
    },
    /// The mode was changed, by the person or because a run ended.
    Mode {
        /// From.
        from: Mode,
        /// To.
        to: Mode,
        /// By whom.
        by: ModeSetBy,
        /// The revision that the person approved with it.
        #[serde(skip_serializing_if = "Option::is_none")]
        approved: Option<String>,
    },
    /// A request goes out.
    Request {
        /// Counts the session's requests in this process from 1.
        number: u64,
        /// 1 for the first time, more where it is sent again.
        attempt: u32,
    },
    /// The model writes a call.
    Calling {
        /// The tool, as far as it is known.
        name: String,
        /// How many bytes of arguments have come.
        bytes: usize,
    },
    /// The reply was stored.
    Replied {
        /// Its text, whole.
        text: String,
        /// What was repaired of it, in a few words each.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        repairs: Vec<String>,
        /// What could not be read of it, as the model is told.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        faults: Vec<String>,
        /// Tokens of the request.
        input: u64,
        /// Those of them that came from the provider's cache.
        cached: u64,
        /// Tokens of the reply.
        output: u64,
        /// Milliseconds from the request to the end of the reply.
        elapsed_ms: u64,
    },
    /// A call is carried out.
    Call {
        /// Its id in the session.
        id: String,
        /// The tool.
        name: String,
        /// What it is about, in one line: a path, a command.
        subject: String,
    },
    /// A piece of a command's output, as it comes, bounded.
    Output {
        /// The call.
        id: String,
        /// The text.
        text: String,
    },
    /// A call ended.
    Result {
        /// The call.
        id: String,
        /// Whether it did what it should.
        ok: bool,
        /// The first line of what the model gets.
        summary: String,
    },
    /// A call was not carried out.
    Refused {
        /// The call.
        id: String,
        /// What the model is told to do instead.
        message: String,
    },
    /// The plan file was written by the model.
    Plan {
        /// Its path in the workspace.
        path: String,
        /// Its revision now.
        revision: String,
    },
    /// The person is asked; the session goes on with the answer.
    Question {
        /// The call that asks.
        id: String,
        /// What is asked.
        message: String,
        /// What can be answered; empty where words are wanted.
        options: Vec<String>,
        /// For a permission: the tool.
        #[serde(skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        /// For a permission: what would be allowed.
        #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
        matches: Option<String>,
    },
    /// A plan is offered for approval. Its content is fetched by its revision.
    Proposal {
        /// Its path in the workspace.
        path: String,
        /// The revision offered.
        revision: String,
        /// The word for its adequacy.
        badge: String,
        /// 0 to 100.
        score: u32,
        /// What changed since the proposal before, in a few words.
        change: String,
    },
    /// How full the model's window is.
    Context {
        /// Tokens of the next request, estimated.
        tokens: u32,
        /// The window.
        window: u32,
        /// Of a hundred.
        percent: u32,
    },
    /// The beginning of the conversation was replaced by a summary.
    Compacted,
    /// Files of the workspace other than the plan look otherwise, although nothing was allowed to
    /// change them.
    Changed {
        /// Their paths in the workspace, the first of them where there are many.
        files: Vec<String>,
        /// How many there are.
        count: usize,
        /// Whether it happened while a command of the session ran: that is an alarm. Else another
        /// program did it.
        is_alarm: bool,
    },
    /// The plan that is offered, as `plan` tells of it.
    Planned(Box<PlanReport>),
    /// Something that a person should know and that stops nothing.
    Notice {
        /// One or two sentences.
        message: String,
    },
    /// The last line of `chat`.
    Ended {
        /// The session's id.
        session: String,
        /// Why the turn is over.
        state: SessionState,
        /// One or two sentences.
        message: String,
        /// The plan's revision, where a plan was offered.
        #[serde(skip_serializing_if = "Option::is_none")]
        revision: Option<String>,
    },
    /// What comes of a request meanwhile.
    #[serde(untagged)]
    Model(ModelEvent),
}

gate::named! {
    /// Why a turn is over.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
    pub enum SessionState {
        /// With the model's words.
        Answered = "answered",
        /// With a plan offered for approval.
        Proposed = "proposed",
        /// The person is asked.
        Waiting = "waiting",
        /// The person stopped it.
        Cancelled = "cancelled",
        /// The model gave words in place of the work it was to do.
        Unfinished = "unfinished",
        /// The reply was cut; it counts neither as an answer nor as a plan.
        Cut = "cut",
        /// It could not go on.
        Failed = "failed",
        /// No turn was begun: a mode was changed, an approval noted.
        Idle = "idle",
    }
}
