//! The rows of a session: what happened, in order, append-only.
//!
//! These types are the stored format. Fields are only ever added, with `#[serde(default)]`. A row
//! is stored before it is acted on. Data only for the screen has its own fields.
//!
//! Long because: it keeps the whole stored format in one place.

use gate::question::PermissionRequest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::turn::{Reply, Usage};

plan::named! {
    /// The mode, which decides what may be changed.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Mode {
        /// Only the plan.
        #[default]
        Plan = "plan",
        /// The workspace.
        Exec = "exec",
    }
}

plan::named! {
    /// Who changed the mode. A model never does.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum ModeSetBy {
        /// The person.
        Person = "person",
        /// The end of a run, which returns to plan mode.
        RunEnd = "run_end",
    }
}

/// The purpose of the person's message; it decides when a turn is finished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "purpose", rename_all = "snake_case")]
pub enum Purpose {
    /// Anything; a text answer finishes the turn.
    Talk,
    /// The person wants a plan; finished when one is proposed.
    Goal,
    /// The person wants changes to a proposal; finished when a changed plan is proposed.
    Feedback {
        /// The revision that the feedback is about.
        revision: String,
    },
    /// The message went to the run that carries out the plan.
    Work,
}

/// How a plan is introduced at a hand-off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Framing {
    /// The person approved this revision.
    Approved,
    /// The person approved an earlier revision, and steps have changed since.
    ChangedSinceApproval,
    /// The mode was switched without approval.
    Soft,
    /// It is being written in plan mode; used only in summaries.
    UnderWork,
}

/// How much of a plan a message shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// The whole plan.
    Whole,
    /// The current step, its neighbors, and counts.
    Window,
    /// Nothing: this revision's text is already in the conversation.
    Above,
}

/// A plan that a message shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownPlan {
    /// Its workspace path.
    pub path: String,
    /// Its revision.
    pub revision: String,
    /// How much of it is shown.
    pub extent: Extent,
    /// The shown text, unescaped; empty for [`Extent::Above`].
    pub text: String,
    /// How it is introduced.
    pub framing: Framing,
}

/// A change to the plan file from outside the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum PlanChange {
    /// It was edited.
    Edited {
        /// The last revision that the model knows.
        from: String,
        /// The new revision.
        to: String,
        /// A compact diff; empty if the same message shows the whole plan.
        diff: String,
    },
    /// It was deleted.
    Deleted {
        /// The last revision that the model knows.
        from: String,
    },
}

/// The plan revision that a call showed or created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The revision.
    pub revision: String,
    /// Whether its whole text is in the call or its result.
    pub whole: bool,
    /// Whether the call changed the plan.
    pub edited: bool,
}

/// The result of a call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CallResult {
    /// Whether it succeeded.
    pub ok: bool,
    /// The text that the model gets.
    pub content: String,
    /// Data only for the screen, such as diffs and previews. Never in a request.
    #[serde(default)]
    pub screen: Option<Value>,
    /// The revision of the plan that it showed or created.
    #[serde(default)]
    pub plan: Option<Seen>,
    /// The process ended during the call, so its outcome is unknown.
    #[serde(default)]
    pub is_unknown: bool,
}

impl CallResult {
    pub(crate) fn message(ok: bool, content: String) -> Self {
        Self {
            ok,
            content,
            ..Self::default()
        }
    }
}

/// A question to the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The id of the call that asks.
    pub call: String,
    /// The question.
    pub message: String,
    /// The possible answers; empty for a free-text answer.
    #[serde(default)]
    pub options: Vec<String>,
    /// For a permission, the request to allow.
    #[serde(default)]
    pub permission: Option<PermissionRequest>,
}

/// The person's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// For a question: free text or the chosen option.
    Words {
        /// The text of the answer.
        words: String,
    },
    /// For a question left open: the model decides and states its assumption.
    Skip,
    /// Permission for this one time.
    Once,
    /// Permission for the same request for the rest of the session.
    Session,
    /// Permission denied.
    No {
        /// The person's alternative, if they gave one.
        #[serde(default)]
        words: String,
    },
    /// No answer: the turn was cancelled.
    Withdrawn,
}

/// A proposal as stored in the conversation, without the plan's text, which is fetched by revision
/// when the card is opened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The plan's workspace path.
    #[serde(alias = "planPath")]
    pub path: String,
    /// The revision offered; empty in rows of version 0.
    #[serde(default)]
    pub revision: String,
    /// The adequacy badge.
    #[serde(default)]
    pub badge: String,
    /// The score, 0 to 100.
    #[serde(default)]
    pub score: u32,
    /// The model's changes since the last proposal, in one line; only for the screen.
    #[serde(default)]
    pub summary: String,
    /// The revision that the model's changes since the last proposal start from: the last proposal,
    /// or a later revision by others. Absent for the first proposal, and in older rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The plan's text, only in rows of version 0; only for the screen.
    #[serde(
        default,
        rename = "planContent",
        skip_serializing_if = "Option::is_none"
    )]
    pub content: Option<String>,
}

/// A fault in a reply, reported to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// Calls that could not be parsed.
    Format,
    /// No text and no call.
    Empty,
    /// Cut off at the token limit.
    Cut,
    /// Text instead of the requested work.
    Unfinished,
}

/// Why a turn ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Ending {
    /// The model answered.
    Answered,
    /// The model proposed a plan.
    Proposed,
    /// It waits for a person's answer and then continues.
    Waiting,
    /// A run carries out the plan; no model was called.
    Working {
        /// The run's id.
        run: String,
    },
    /// The person cancelled.
    Cancelled,
    /// It could not continue.
    Failed {
        /// The reason, and how to fix it.
        reason: String,
    },
    /// The model answered with text instead of doing the requested work.
    Unfinished {
        /// The missing work.
        reason: String,
    },
    /// The reply was cut off or ended without a reason; it counts neither as an answer nor as a
    /// plan.
    Cut {
        /// The missing part.
        reason: String,
    },
}

/// A stored row of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Entry {
    /// A message from the person.
    Said {
        /// The text.
        words: String,
        /// Its purpose.
        #[serde(flatten)]
        purpose: Purpose,
    },
    /// The mode was changed.
    ModeSet {
        /// The previous mode.
        from: Mode,
        /// The new mode.
        to: Mode,
        /// Who changed it.
        by: ModeSetBy,
        /// The revision approved along with the change.
        #[serde(default)]
        approved: Option<String>,
    },
    /// The hand-off, the message that tells the model the mode.
    Transition {
        /// The mode that the model last knew; absent in the first turn.
        from: Option<Mode>,
        /// The mode from here on.
        to: Mode,
        /// The tools allowed in that mode.
        tools: Vec<String>,
        /// The plan's path, mentioned if no plan is shown; empty if no file has been chosen.
        #[serde(default)]
        path: String,
        /// Whether the file exists and isn't blank.
        #[serde(default)]
        has_plan: bool,
        /// The approved revision.
        #[serde(default)]
        approved: Option<String>,
        /// The plan, if it is handed over.
        #[serde(default)]
        plan: Option<ShownPlan>,
    },
    /// The plan was changed outside the session.
    PlanNotice {
        /// The change.
        #[serde(flatten)]
        change: PlanChange,
    },
    /// Everything before the person's message is recorded; a request is about to go out.
    TurnBegan,
    /// A reply arrived. Its calls get our own ids; an incomplete reply has none.
    Replied {
        /// The reply.
        #[serde(flatten)]
        reply: Reply,
    },
    /// A call is about to start.
    CallBegan {
        /// The call's id.
        id: String,
    },
    /// A call ended.
    CallEnded {
        /// The call's id.
        id: String,
        /// The result.
        result: CallResult,
        /// A change to the plan from outside during the call.
        #[serde(default)]
        notice: Option<PlanChange>,
    },
    /// A call was refused.
    Refused {
        /// The call's id.
        id: String,
        /// An alternative, for the model.
        message: String,
    },
    /// The model's reply was faulty; the model gets the details.
    Faulted {
        /// The kind of fault.
        fault: FaultKind,
        /// The message to the model.
        message: String,
    },
    /// The person is asked a question.
    Asked {
        /// The question.
        question: Question,
    },
    /// The person answered the question.
    Answered {
        /// The id of the call that asked.
        call: String,
        /// The answer.
        #[serde(flatten)]
        answer: Answer,
    },
    /// A plan was offered for approval.
    Proposed {
        /// The proposal's card.
        card: Card,
    },
    /// The beginning of the conversation was replaced with a summary.
    Compacted {
        /// The summary.
        summary: String,
        /// How many of the latest messages are kept unchanged.
        keep: usize,
        /// The plan, if the session works on one.
        #[serde(default)]
        plan: Option<ShownPlan>,
        /// The token usage of the summary request.
        #[serde(default)]
        usage: Usage,
    },
    /// The person stopped the turn before the reply arrived.
    ReplyStopped {
        /// The usage that the server reported up to then.
        usage: Usage,
    },
    /// The turn ended.
    TurnEnded {
        /// Why.
        #[serde(flatten)]
        ending: Ending,
    },
}
