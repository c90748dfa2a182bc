//! What the windows are told unasked: small, numbered, and without content: an event says what became
//! stale, and the window fetches what it shows. And everything that waits for a person, of all plans.

use serde::Serialize;
use specta::Type;

use super::{RunQuestion, StepProgress};

/// An event with its number. A gap in the numbers means that everything may be stale.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct NumberedEvent {
    /// From 1 in this process.
    pub seq: u64,
    /// What happened.
    pub event: DesktopEvent,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DesktopEvent {
    /// A workspace's list of plans, or a badge in it.
    Plans {
        /// Which workspace.
        workspace: String,
    },
    /// The content of a plan: it has another revision now.
    Plan {
        /// Which plan.
        plan: String,
        /// Absent when the file is gone or cannot be read.
        revision: Option<String>,
        /// `person`, `app` or `outside`: who wrote it.
        author: String,
    },
    /// A plan lies elsewhere now, with all that belongs to it.
    Moved {
        /// Where it lay.
        plan: String,
        /// Where it lies.
        to: String,
    },
    /// Comments, marks, drafts or conflicts of a plan.
    Review {
        /// Which plan.
        plan: String,
    },
    /// A run's state, steps or questions.
    Run {
        /// Which run.
        run: String,
        /// Its plan.
        plan: String,
    },
    /// The progress of a run's current step: small enough to carry.
    Progress {
        /// Which run.
        run: String,
        /// Its plan.
        plan: String,
        /// What the step does; of several under way, the one begun first.
        progress: StepProgress,
        /// What the others do.
        beside: Vec<StepProgress>,
    },
    /// A command of a step has printed something.
    Output {
        /// Which run.
        run: String,
        /// Its task.
        task: String,
    },
    /// A person is needed, for the first time for this question.
    Needed {
        /// Which run; absent where a conversation asks.
        run: Option<String>,
        /// Which conversation, where one asks or proposes.
        talk: Option<String>,
        /// Its plan.
        plan: String,
        /// The plan's title.
        title: String,
        /// One sentence.
        message: String,
    },
    /// The Inbox.
    Inbox,
    /// How plans fared: there is a new revision judged, an expansion or a settled finding.
    Insights,
    /// The settings of the user or of a workspace.
    Settings,
    /// The model in force, what is known of it, or what is under way with it.
    Models,
    /// The workspace's folder is gone, or is back.
    Workspace {
        /// Which.
        workspace: String,
        /// Whether it is gone.
        is_missing: bool,
    },
    /// How far planning is.
    Planning {
        /// The job that the window named.
        job: String,
        /// In words: "Reading the workspace".
        phase: String,
        /// Files read so far.
        files: u32,
        /// Characters that a model said to what it is asked now.
        said: u32,
    },
    /// A plugin begins or has ended in planning.
    PlanningStep {
        /// The job that the window named.
        job: String,
        /// What it is and how it went; one of the same number takes its place.
        step: workbench::wire::RouteStep,
    },
    /// A conversation: its rows, its state, or what is asked.
    Talk {
        /// Its session.
        session: String,
        /// Its plan.
        plan: String,
    },
    /// What a model goes on to say: small enough to carry, and at most twenty times a second.
    TalkText {
        /// The session.
        session: String,
        /// Which reply, see [`super::TalkLive::reply`].
        reply: u32,
        /// Whether it is thought, not said.
        is_thinking: bool,
        /// How many UTF-16 units of it came before.
        at: u32,
        /// What was added.
        text: String,
    },
    /// Something that the person should know.
    Notice {
        /// One or two sentences.
        message: String,
    },
}

/// One thing that waits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct InboxItem {
    /// Stable while it waits.
    pub id: String,
    /// The workspace.
    pub workspace: String,
    /// The plan's key.
    pub plan: String,
    /// The plan's title.
    pub title: String,
    /// `approval` for a proposal, `plan_question` for a question about a plan (see
    /// [`super::PlanQuestion`]), `talk_waiting` and `talk_interrupted` for a conversation, the kind of the
    /// question, or the state of a run that can be resumed.
    pub kind: String,
    /// The run, where one asks.
    pub run: Option<String>,
    /// The conversation, where one waits.
    pub talk: Option<String>,
    /// The question, where a run asks one.
    pub question: Option<RunQuestion>,
    /// One sentence.
    pub message: String,
    /// Since when.
    pub since_ms: i64,
}
