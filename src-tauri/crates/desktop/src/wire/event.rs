//! Events pushed to the windows, and Inbox items. Events are small, numbered and mostly without
//! content: they name what became stale, and the window refetches what it shows.

use serde::Serialize;
use specta::Type;

use super::{RunQuestion, StepProgress};

/// A numbered event. A gap in the numbers means that anything may be stale.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct NumberedEvent {
    /// The event's number, counted from 1 in each process.
    pub seq: u64,
    /// What happened.
    pub event: DesktopEvent,
}

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DesktopEvent {
    /// A workspace's plan list, or a badge in it, changed.
    Plans {
        /// The workspace's path.
        workspace: String,
    },
    /// A plan has a new revision.
    Plan {
        /// The plan's key.
        plan: String,
        /// The revision; `None` if the file is gone or can't be read.
        revision: Option<String>,
        /// Who wrote it: `person`, `app` or `outside`.
        author: String,
    },
    /// A plan file was moved, with everything stored for it.
    Moved {
        /// The old key.
        plan: String,
        /// The new key.
        to: String,
    },
    /// Comments, marks, drafts, conflicts or the waiting review of a plan changed.
    Review {
        /// The plan's key.
        plan: String,
    },
    /// A run's state, steps or questions changed.
    Run {
        /// The run's id.
        run: String,
        /// The plan's key.
        plan: String,
    },
    /// Progress of a run's current steps, sent with its content because it is small.
    Progress {
        /// The run's id.
        run: String,
        /// The plan's key.
        plan: String,
        /// Progress of the current step; with several in parallel, of the one that started first.
        progress: StepProgress,
        /// Progress of the other parallel steps.
        beside: Vec<StepProgress>,
    },
    /// A command in a step printed output.
    Output {
        /// The run's id.
        run: String,
        /// The task's id.
        task: String,
    },
    /// A question, a proposal or another agent waits for the user; sent once for each.
    Needed {
        /// The run's id; `None` if a conversation asks.
        run: Option<String>,
        /// Session of the conversation that asks or proposes, if any.
        talk: Option<String>,
        /// The plan's key.
        plan: String,
        /// The plan's title.
        title: String,
        /// What is needed, in one sentence.
        message: String,
    },
    /// The Inbox changed.
    Inbox,
    /// Insights changed: a revision was scored, a plan expanded or a finding resolved.
    Insights,
    /// The settings of the user or of a workspace changed.
    Settings,
    /// The active model, what is known about it, or its running job changed.
    Models,
    /// A workspace's folder disappeared or reappeared.
    Workspace {
        /// The workspace's path.
        workspace: String,
        /// Whether the folder is missing.
        is_missing: bool,
    },
    /// Planning progress.
    Planning {
        /// The job id that the window chose.
        job: String,
        /// A description for display: "Reading the workspace".
        phase: String,
        /// Files read so far.
        files: u32,
        /// Characters received so far in the current model reply.
        said: u32,
    },
    /// A plugin started or finished during planning.
    PlanningStep {
        /// The job id that the window chose.
        job: String,
        /// The plugin and its result; replaces an earlier step with the same number.
        step: workbench::wire::RouteStep,
    },
    /// A conversation's rows, state or questions changed.
    Talk {
        /// The conversation's session.
        session: String,
        /// The plan's key.
        plan: String,
    },
    /// More text from a model, at most twenty times a second; sent with its content because it is
    /// small.
    TalkText {
        /// The conversation's session.
        session: String,
        /// The reply's number, see [`super::TalkLive::reply`].
        reply: u32,
        /// Whether the text is thinking rather than the reply itself.
        is_thinking: bool,
        /// Offset of the text in UTF-16 units.
        at: u32,
        /// The new text.
        text: String,
    },
    /// A message for the user.
    Notice {
        /// A key: a later notice with the same key replaces this one. Not for display.
        about: Option<String>,
        /// The message, in one or two sentences.
        message: String,
    },
}

/// One item in the Inbox.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct InboxItem {
    /// The item's id; stable for as long as the item waits.
    pub id: String,
    /// The workspace's path.
    pub workspace: String,
    /// The plan's key.
    pub plan: String,
    /// The plan's title.
    pub title: String,
    /// `approval` for a proposal, `agent_review` if another agent waits for a decision on the plan,
    /// `plan_question` for a question about a plan (see
    /// [`super::PlanQuestion`]), `talk_waiting` or `talk_interrupted` for a conversation, else the
    /// kind of the run's question or the state of a run that can be resumed.
    pub kind: String,
    /// The run's id, if a run is waiting.
    pub run: Option<String>,
    /// The conversation's session, if a conversation is waiting.
    pub talk: Option<String>,
    /// The run's question, if it asked one.
    pub question: Option<RunQuestion>,
    /// What the item is about, in one sentence.
    pub message: String,
    /// When it started waiting.
    pub since_ms: i64,
}
