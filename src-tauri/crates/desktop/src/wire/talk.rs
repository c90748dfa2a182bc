//! The conversation about a plan: its rows, what is being said now, what it costs, what is asked.
//!
//! A row holds no plan text: a proposal names its revision, and its text is fetched when its card is
//! opened. What a tool answered is a line in a row, and is fetched whole when the row is opened.

use agent::session::context::Gauge;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{DiffLine, PermissionView};

/// A conversation at a glance.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct TalkView {
    /// Its session.
    pub session: String,
    /// The workspace.
    pub workspace: String,
    /// The plan's key.
    pub plan: String,
    /// Whether the plan's file is there; a new conversation has none yet.
    pub has_plan: bool,
    /// The words it began with; empty where there were none.
    pub goal: String,
    /// `plan` or `exec`.
    pub mode: String,
    /// `idle`; `working` in this process; `waiting` for an answer; `interrupted`: a process ended in
    /// the middle of a turn; `elsewhere`: another process works on it.
    pub state: String,
    /// `question` or `permission`, while one waits.
    pub asks: Option<String>,
    /// The model asked last.
    pub model: String,
    /// How many rows there are.
    pub rows: u32,
    /// What it does right now, while it works.
    pub work: Option<TalkWork>,
    /// The revision proposed last.
    pub latest: Option<String>,
    /// How full the model's window is.
    pub gauge: Gauge,
    /// What it cost so far.
    pub cost: TalkCost,
    /// What changed in the workspace besides the plan, in the last turn in plan mode.
    pub changed: Option<TalkChanged>,
    /// Why the last turn did not come to its end.
    pub trouble: Option<TalkTrouble>,
}

/// Files that changed although nothing was allowed to change them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TalkChanged {
    /// Their paths in the workspace, the first of them where there are many.
    pub files: Vec<String>,
    /// How many there are.
    pub count: u32,
    /// Whether it happened while a command of the model ran; else another program did it.
    pub is_alarm: bool,
}

/// What a conversation does right now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TalkWork {
    /// `preparing`, `asking`, `answering`, `calling`, `retrying` or `quiet`.
    pub phase: String,
    /// The call under way, or why it is tried again; empty otherwise.
    pub words: String,
    /// Since the turn began, milliseconds.
    pub elapsed_ms: u64,
    /// Whether it was told to stop.
    pub is_stopping: bool,
}

/// What a conversation cost, as the endpoint counted it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct TalkCost {
    /// Replies of the model.
    pub replies: u32,
    /// Tokens sent.
    pub input: u64,
    /// Of those, from the provider's cache.
    pub cached: u64,
    /// Tokens received.
    pub output: u64,
}

/// Why a turn did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TalkTrouble {
    /// `no_model`, `key`, `unknown_model`, `unreachable`, `endpoint`, `broken_off`, `window`, `limit`,
    /// `unfinished`, `unsaid`, `stopped` or `other`.
    pub kind: String,
    /// What happened and what to do.
    pub message: String,
    /// A command line that helps, where there is one.
    pub line: Option<String>,
}

/// Some rows of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct TalkPage {
    /// How many rows there are.
    pub total: u32,
    /// The rows from the one asked for on.
    pub rows: Vec<TalkRow>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct TalkRow {
    /// Its place, from 0; it never changes.
    pub index: u32,
    /// When it was stored.
    pub at_ms: i64,
    /// What it shows.
    pub item: TalkItem,
}

/// What a row shows.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TalkItem {
    /// The person's words.
    Said {
        /// The words; very long ones are cut.
        words: String,
        /// `goal`, `talk`, `feedback` or `work`.
        purpose: String,
        /// For feedback: the revision that it is about.
        revision: Option<String>,
    },
    /// What the model said.
    Model {
        /// Sanitised.
        html: String,
    },
    /// A call of the model.
    Call {
        /// Its id.
        call: String,
        /// The tool, as the model named it.
        tool: String,
        /// As people read it: “Read src/cli.py”.
        title: String,
        /// `running`, `asked`, `done`, `failed`, `refused` or `unknown`.
        state: String,
        /// What came of it in a line.
        summary: String,
    },
    /// A question of the model's.
    Question {
        /// Its call.
        call: String,
        /// The question.
        message: String,
        /// What can be answered.
        options: Vec<String>,
        /// Whether it waits for an answer.
        is_open: bool,
        /// What was answered; `None` where it was withdrawn or is open.
        answer: Option<String>,
    },
    /// A permission that was asked for.
    Permission {
        /// Its call.
        call: String,
        /// What would be allowed.
        permission: PermissionView,
        /// Why it is asked.
        why: String,
        /// Whether it waits for an answer.
        is_open: bool,
        /// What was answered.
        answer: Option<String>,
    },
    /// A plan that was offered.
    Proposal {
        /// From 1 in this conversation.
        number: u32,
        /// The plan's path in the workspace.
        path: String,
        /// The revision; absent in rows of older form.
        revision: Option<String>,
        /// The revision of the proposal before it.
        before: Option<String>,
        /// The word of adequacy; empty in rows of older form.
        badge: String,
        /// The score, 0 to 100.
        score: u32,
        /// What changed since the one before.
        summary: String,
    },
    /// The mode was changed.
    Mode {
        /// `plan` or `exec`.
        from: String,
        /// `plan` or `exec`.
        to: String,
        /// `person` or `run_end`.
        by: String,
        /// The revision that was approved with it.
        approved: Option<String>,
    },
    /// Something that happened besides.
    Notice {
        /// `outside`: somebody else changed the plan; `repair`: a reply could not be used as it came;
        /// `summary`: the beginning was summed up.
        about: String,
        /// In a sentence or two.
        message: String,
    },
    /// A turn ended otherwise than with an answer or a proposal.
    Ended {
        /// `cancelled`, `failed`, `unfinished` or `cut`.
        why: String,
        /// What happened and what to do.
        trouble: TalkTrouble,
    },
}

/// What is being said and is no row yet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct TalkLive {
    /// Which reply of this process: another number is another reply.
    pub reply: u32,
    /// Its text so far.
    pub text: String,
    /// What it thought so far.
    pub thinking: String,
}

/// A call, whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct TalkCall {
    /// Its arguments as the model wrote them; a plan's text among them too.
    pub arguments: String,
    /// What the model got; bounded.
    pub content: String,
    /// Whether its middle was left out.
    pub is_cut: bool,
    /// What it changed.
    pub diff: Vec<DiffLine>,
}

/// The plan of a proposal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct TalkProposal {
    /// Its text, as it was offered.
    pub text: String,
}

/// A conversation in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TalkSummary {
    /// Its session.
    pub session: String,
    /// The plan's key.
    pub plan: String,
    /// The words it began with.
    pub goal: String,
    /// See [`TalkView::state`].
    pub state: String,
    /// When something last happened.
    pub at_ms: i64,
}

/// Begins a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
pub struct TalkRequest {
    /// The workspace.
    pub workspace: String,
    /// The plan that it is about; `None` for one that is to be written.
    pub plan: Option<String>,
    /// What is said first.
    pub input: TalkInput,
}

/// What a person says.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(tag = "input", rename_all = "snake_case")]
pub enum TalkInput {
    /// What should be done: a plan is wanted.
    Goal {
        /// In their words.
        words: String,
    },
    /// Anything else.
    Say {
        /// In their words.
        words: String,
    },
    /// The answer to what is asked.
    Answer {
        /// The call that asks.
        call: String,
        /// The answer.
        answer: TalkAnswer,
    },
    /// The mode control.
    Mode {
        /// `plan` or `exec`.
        to: String,
    },
    /// A turn goes on that a process left in the middle.
    Resume,
    /// What was said last is said again: its turn did not come to its end.
    Retry,
}

/// An answer to a question of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum TalkAnswer {
    /// These words, or the option chosen.
    Words {
        /// The words.
        words: String,
    },
    /// The model decides.
    Skip,
    /// Allowed this once.
    Once,
    /// Allowed in this conversation.
    Session,
    /// Not allowed.
    No {
        /// What to do instead.
        words: String,
    },
}
