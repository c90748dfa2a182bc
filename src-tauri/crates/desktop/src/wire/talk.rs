//! Conversations about a plan: rows, live text, cost and questions.
//!
//! Rows contain no plan text and no tool output. A proposal names its revision, and a call has a
//! one-line summary; the rest is fetched when the row is opened.

use agent::session::context::Gauge;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{DiffLine, PermissionView};

/// A summary of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct TalkView {
    /// Id of its session.
    pub session: String,
    /// The workspace's path.
    pub workspace: String,
    /// The plan's key.
    pub plan: String,
    /// Whether the plan's file exists; a new conversation has none yet.
    pub has_plan: bool,
    /// The first message; empty if there was none.
    pub goal: String,
    /// The mode: `plan` or `exec`.
    pub mode: String,
    /// `idle`; `working` (in this process); `waiting` (for an answer); `interrupted` (a process
    /// ended in the middle of a turn).
    pub state: String,
    /// What it asks for, if anything: `question` or `permission`.
    pub asks: Option<String>,
    /// Name of the model that got the last request.
    pub model: String,
    /// Number of rows.
    pub rows: u32,
    /// Its current activity, while working.
    pub work: Option<TalkWork>,
    /// The latest proposed revision.
    pub latest: Option<String>,
    /// How full the model's window is.
    pub gauge: Gauge,
    /// The cost so far.
    pub cost: TalkCost,
    /// Files outside the plan that changed during the last turn in plan mode.
    pub changed: Option<TalkChanged>,
    /// Why the last turn failed or was cut short.
    pub trouble: Option<TalkTrouble>,
}

/// Files that changed although nothing was permitted to change them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TalkChanged {
    /// Their paths in the workspace; only the first ones if there are many.
    pub files: Vec<String>,
    /// Total number of files.
    pub count: u32,
    /// Whether they changed while a command of the model was running; otherwise another program
    /// changed them.
    pub is_alarm: bool,
}

/// The current activity of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TalkWork {
    /// `preparing`, `asking`, `answering`, `calling`, `retrying` or `quiet`.
    pub phase: String,
    /// The call in progress, or the reason for a retry; empty otherwise.
    pub words: String,
    /// Time since the turn began, milliseconds.
    pub elapsed_ms: u64,
    /// Whether it is being stopped.
    pub is_stopping: bool,
}

/// The cost of a conversation, as reported by the endpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct TalkCost {
    /// Number of model replies.
    pub replies: u32,
    /// Tokens sent.
    pub input: u64,
    /// Tokens sent that the provider had cached.
    pub cached: u64,
    /// Tokens received.
    pub output: u64,
}

/// Why a turn failed or was cut short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TalkTrouble {
    /// `no_model`, `key`, `unknown_model`, `unreachable`, `endpoint`, `broken_off`, `window`,
    /// `limit`, `unfinished`, `unsaid`, `stopped` or `other`.
    pub kind: String,
    /// What happened and what to do.
    pub message: String,
    /// A shell command that helps, if there is one.
    pub line: Option<String>,
}

/// A page of rows.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct TalkPage {
    /// Total number of rows.
    pub total: u32,
    /// The rows, starting with the requested one.
    pub rows: Vec<TalkRow>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct TalkRow {
    /// Its index, from 0; it never changes.
    pub index: u32,
    /// When it was stored.
    pub at_ms: i64,
    /// Its content.
    pub item: TalkItem,
}

/// The content of a row.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TalkItem {
    /// A message from the person.
    Said {
        /// The message; very long ones are truncated.
        words: String,
        /// What it is for: `goal`, `talk`, `feedback` or `work`.
        purpose: String,
        /// The revision it is about, for feedback.
        revision: Option<String>,
    },
    /// A message from the model.
    Model {
        /// The message, as sanitized HTML.
        html: String,
    },
    /// A tool call of the model.
    Call {
        /// The call's id.
        call: String,
        /// The tool's name, as the model wrote it.
        tool: String,
        /// A description for display: “Read src/cli.py”.
        title: String,
        /// The call's state: `running`, `asked`, `done`, `failed`, `refused` or `unknown`.
        state: String,
        /// The result in one line.
        summary: String,
    },
    /// A question from the model.
    Question {
        /// The id of the call that asks it.
        call: String,
        /// The question.
        message: String,
        /// The possible answers.
        options: Vec<String>,
        /// Whether it is waiting for an answer.
        is_open: bool,
        /// The answer; `None` if the question is open or was withdrawn.
        answer: Option<String>,
    },
    /// A permission request.
    Permission {
        /// The id of the call that needs it.
        call: String,
        /// The details of the request.
        permission: PermissionView,
        /// Why it is needed.
        why: String,
        /// Whether it is waiting for an answer.
        is_open: bool,
        /// The answer, once there is one.
        answer: Option<String>,
    },
    /// A proposed plan.
    Proposal {
        /// The proposal's number in the conversation, from 1.
        number: u32,
        /// The plan's path in the workspace.
        path: String,
        /// The revision; `None` in rows of an older format.
        revision: Option<String>,
        /// The revision that the model's changes since the previous proposal start from: that
        /// proposal, or a later edit by others. `None` for the first proposal.
        before: Option<String>,
        /// The adequacy badge; empty in rows of an older format.
        badge: String,
        /// The score, 0 to 100.
        score: u32,
        /// What the model changed since the previous proposal.
        summary: String,
    },
    /// A change of mode.
    Mode {
        /// The old mode: `plan` or `exec`.
        from: String,
        /// The new mode: `plan` or `exec`.
        to: String,
        /// The cause: `person` or `run_end`.
        by: String,
        /// The revision that was approved with this change, if any.
        approved: Option<String>,
    },
    /// A notice about something else that happened.
    Notice {
        /// `outside`: another program changed the plan; `repair`: a reply had to be repaired;
        /// `summary`: the start of the conversation was summarized.
        about: String,
        /// The message, in a sentence or two.
        message: String,
    },
    /// A turn that ended without an answer or a proposal.
    Ended {
        /// `cancelled`, `failed`, `unfinished` or `cut`.
        why: String,
        /// What happened and what to do.
        trouble: TalkTrouble,
    },
}

/// The reply being streamed, which isn't a row yet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct TalkLive {
    /// The reply's number in this process; a different number means a different reply.
    pub reply: u32,
    /// The text so far.
    pub text: String,
    /// The thinking so far.
    pub thinking: String,
}

/// A tool call in full.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct TalkCall {
    /// The arguments as the model wrote them, including the text of a plan.
    pub arguments: String,
    /// The result sent to the model; bounded.
    pub content: String,
    /// Whether the middle of `content` was cut out.
    pub is_cut: bool,
    /// The changes it made.
    pub diff: Vec<DiffLine>,
}

/// The text of a proposed plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct TalkProposal {
    /// The text, as proposed.
    pub text: String,
}

/// A conversation in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TalkSummary {
    /// Id of its session.
    pub session: String,
    /// The plan's key.
    pub plan: String,
    /// The first message.
    pub goal: String,
    /// See [`TalkView::state`].
    pub state: String,
    /// Time of the last activity.
    pub at_ms: i64,
}

/// A request to start a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
pub struct TalkRequest {
    /// The workspace's path.
    pub workspace: String,
    /// Key of the plan to talk about; `None` to write a new plan.
    pub plan: Option<String>,
    /// The first message.
    pub input: TalkInput,
}

/// A person's input to a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(tag = "input", rename_all = "snake_case")]
pub enum TalkInput {
    /// A goal to plan.
    Goal {
        /// The goal in the person's words.
        words: String,
    },
    /// Any other message.
    Say {
        /// The message.
        words: String,
    },
    /// An answer to an open question.
    Answer {
        /// The id of the call that asked.
        call: String,
        /// The answer.
        answer: TalkAnswer,
    },
    /// Changes the mode.
    Mode {
        /// The new mode: `plan` or `exec`.
        to: String,
    },
    /// Resumes a turn that was interrupted when a process ended.
    Resume,
    /// Sends the last message again after its turn failed or was cut short.
    Retry,
}

/// An answer to a question in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum TalkAnswer {
    /// Free text, or the chosen option.
    Words {
        /// The text.
        words: String,
    },
    /// Let the model decide.
    Skip,
    /// Allow once.
    Once,
    /// Allow for this conversation.
    Session,
    /// Don't allow.
    No {
        /// What to do instead.
        words: String,
    },
}
