//! The rows of a session: what happened, in order, append-only.
//!
//! These types are the stored form. Fields are only ever added, and added fields carry
//! `#[serde(default)]`. A row is stored before it is acted on. What a model gets of a row and what
//! only the screen gets stand in fields apart.

use gate::question::PermissionRequest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::turn::{Reply, Usage};

gate::named! {
    /// What may change.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Mode {
        /// Nothing but the plan.
        #[default]
        Plan = "plan",
        /// The workspace.
        Exec = "exec",
    }
}

gate::named! {
    /// Who changed the mode. No model ever does.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum ModeSetBy {
        /// The person.
        Person = "person",
        /// A run of the plan ended, which returns to plan mode.
        RunEnd = "run_end",
    }
}

/// What the person's words are for; it decides when a turn is finished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "purpose", rename_all = "snake_case")]
pub enum Purpose {
    /// Anything: a text is an answer.
    Talk,
    /// A plan is wanted: done when one was proposed.
    Goal,
    /// Changes to a proposal are wanted: done when a changed plan was proposed.
    Feedback {
        /// The revision that the feedback is about.
        revision: String,
    },
    /// They went to the run that carries the plan out.
    Work,
}

/// How a plan is framed at a hand-off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Framing {
    /// The person approved this revision.
    Approved,
    /// The person approved an earlier revision, and steps changed since.
    ChangedSinceApproval,
    /// The mode was switched without an approval.
    Soft,
    /// It is being written, in plan mode; only in a summary.
    UnderWork,
}

/// How much of a plan a message shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// All of it.
    Whole,
    /// The step in hand, its neighbours, and counts.
    Window,
    /// Nothing: this revision's text stands in the conversation already.
    Above,
}

/// A plan that a message shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownPlan {
    /// Its workspace path.
    pub path: String,
    /// Its revision.
    pub revision: String,
    /// How much.
    pub extent: Extent,
    /// What is shown, not escaped; empty for [`Extent::Above`].
    pub text: String,
    /// How it is framed.
    pub framing: Framing,
}

/// What somebody else did to the plan file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum PlanChange {
    /// It reads otherwise.
    Edited {
        /// The revision that the model knows.
        from: String,
        /// The revision now.
        to: String,
        /// A compact diff; empty where the whole plan is shown in the same message.
        diff: String,
    },
    /// It is gone.
    Deleted {
        /// The revision that the model knows.
        from: String,
    },
}

/// Which revision a call showed or made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The revision.
    pub revision: String,
    /// Whether its whole text stands in the call or in its result.
    pub whole: bool,
    /// Whether the call changed the plan.
    pub edited: bool,
}

/// How a call ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CallResult {
    /// Whether it did what it should.
    pub ok: bool,
    /// What the model gets.
    pub content: String,
    /// What only the screen gets: diffs, previews. Never in a request.
    #[serde(default)]
    pub screen: Option<Value>,
    /// What it has to do with the plan.
    #[serde(default)]
    pub plan: Option<Seen>,
    /// The process ended while it ran; whether it happened is not known.
    #[serde(default)]
    pub is_unknown: bool,
}

impl CallResult {
    /// A result that is only a message to the model.
    pub(crate) fn message(ok: bool, content: String) -> Self {
        Self {
            ok,
            content,
            ..Self::default()
        }
    }
}

/// What the person is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The call that asks.
    pub call: String,
    /// The question.
    pub message: String,
    /// What can be answered; empty where words are wanted.
    #[serde(default)]
    pub options: Vec<String>,
    /// For a permission: what would be allowed.
    #[serde(default)]
    pub permission: Option<PermissionRequest>,
}

/// What the person answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// A question: these words, or the option chosen.
    Words {
        /// What they said.
        words: String,
    },
    /// A question is left open: the model decides and says what it assumed.
    Skip,
    /// A permission for this once.
    Once,
    /// A permission for the same request in the rest of the session.
    Session,
    /// No permission.
    No {
        /// What to do instead, if they said so.
        #[serde(default)]
        words: String,
    },
    /// Nobody answers any more: the turn was cancelled.
    Withdrawn,
}

/// A proposal as it stands in the conversation: without the plan's text, which is fetched by its
/// revision when the card is opened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The plan's workspace path.
    #[serde(alias = "planPath")]
    pub path: String,
    /// The revision offered; empty in rows of version 0.
    #[serde(default)]
    pub revision: String,
    /// The word of adequacy.
    #[serde(default)]
    pub badge: String,
    /// The score, 0 to 100.
    #[serde(default)]
    pub score: u32,
    /// What changed since the last proposal, in one line; only for the screen.
    #[serde(default)]
    pub summary: String,
    /// The plan's text, in rows of version 0 alone; only for the screen.
    #[serde(
        default,
        rename = "planContent",
        skip_serializing_if = "Option::is_none"
    )]
    pub content: Option<String>,
}

/// What went wrong with a reply that the model is told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// Calls that could not be read.
    Format,
    /// No text and no call.
    Empty,
    /// Ended by the limit of tokens.
    Cut,
    /// Words in place of the work.
    Unfinished,
}

/// Why a turn ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Ending {
    /// With the model's words.
    Answered,
    /// With a proposal.
    Proposed,
    /// A person is asked; the turn goes on with the answer.
    Waiting,
    /// A run carries the plan out; no model was asked.
    Working {
        /// Which.
        run: String,
    },
    /// The person cancelled.
    Cancelled,
    /// It could not go on.
    Failed {
        /// Why, and what to do.
        reason: String,
    },
    /// The model gave words in place of the work it was to do.
    Unfinished {
        /// What is missing.
        reason: String,
    },
    /// The reply was cut, or ended without a reason; it counts neither as an answer nor as a plan.
    Cut {
        /// What was missing.
        reason: String,
    },
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Entry {
    /// The person's words.
    Said {
        /// The words.
        words: String,
        /// What they are for.
        #[serde(flatten)]
        purpose: Purpose,
    },
    /// The mode was changed.
    ModeSet {
        /// From.
        from: Mode,
        /// To.
        to: Mode,
        /// By whom.
        by: ModeSetBy,
        /// The revision that the person approved with it.
        #[serde(default)]
        approved: Option<String>,
    },
    /// The hand-off: the one message that tells the model the mode.
    Transition {
        /// The mode told before; absent in the first turn.
        from: Option<Mode>,
        /// The mode from here on.
        to: Mode,
        /// The tools that it lets through.
        tools: Vec<String>,
        /// The plan's path, told where no plan is shown; empty when no file has been chosen.
        #[serde(default)]
        path: String,
        /// Whether there is a file with words in it.
        #[serde(default)]
        has_plan: bool,
        /// The approved revision.
        #[serde(default)]
        approved: Option<String>,
        /// The plan, where it is handed over.
        #[serde(default)]
        plan: Option<ShownPlan>,
    },
    /// Somebody else changed the plan.
    PlanNotice {
        /// How.
        #[serde(flatten)]
        change: PlanChange,
    },
    /// What belongs before the person's words is complete; a request goes out.
    TurnBegan,
    /// A reply arrived: its calls under ids of ours, none where it is not whole.
    Replied {
        /// What it says.
        #[serde(flatten)]
        reply: Reply,
    },
    /// A call is about to be carried out.
    CallBegan {
        /// Which.
        id: String,
    },
    /// A call ended.
    CallEnded {
        /// Which.
        id: String,
        /// How.
        result: CallResult,
        /// What somebody else did to the plan meanwhile.
        #[serde(default)]
        notice: Option<PlanChange>,
    },
    /// A call was not carried out.
    Refused {
        /// Which.
        id: String,
        /// What to do instead.
        message: String,
    },
    /// The model is told what was wrong with its reply.
    Faulted {
        /// What.
        fault: FaultKind,
        /// What it is told.
        message: String,
    },
    /// The person is asked.
    Asked {
        /// What.
        question: Question,
    },
    /// The person answered.
    Answered {
        /// The call that asked.
        call: String,
        /// What they answered.
        #[serde(flatten)]
        answer: Answer,
    },
    /// A plan was offered for approval.
    Proposed {
        /// The card.
        card: Card,
    },
    /// The beginning of the conversation was replaced by a summary.
    Compacted {
        /// What was said and done.
        summary: String,
        /// How many of the latest messages stay as they are.
        keep: usize,
        /// The plan, where the session works with one.
        #[serde(default)]
        plan: Option<ShownPlan>,
        /// What the summary itself cost.
        #[serde(default)]
        usage: Usage,
    },
    /// The person stopped the turn before a reply was there.
    ReplyStopped {
        /// What the server had counted.
        usage: Usage,
    },
    /// The turn ended.
    TurnEnded {
        /// Why.
        #[serde(flatten)]
        ending: Ending,
    },
}
