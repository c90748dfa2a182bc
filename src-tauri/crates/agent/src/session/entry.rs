//! The rows of a session: what happened, in order, append-only.
//!
//! These types are the stored format. New fields need `#[serde(default)]`, and no field is ever
//! removed. A row is stored before it is acted on. Data that is only for the screen is in separate
//! fields.
//!
//! Long because: the whole stored format is in one place.

use gate::question::PermissionRequest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::turn::{Reply, Usage};

plan::named! {
    /// The mode, which determines what may be changed.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Mode {
        /// Only the plan may be changed.
        #[default]
        Plan = "plan",
        /// The workspace may be changed.
        Exec = "exec",
    }
}

plan::named! {
    /// Who changed the mode. A model can never change it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum ModeSetBy {
        /// The person.
        Person = "person",
        /// The end of a run, after which the session returns to plan mode.
        RunEnd = "run_end",
    }
}

/// The purpose of the person's message, which determines when the turn is finished.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "purpose", rename_all = "snake_case")]
pub enum Purpose {
    /// Anything else; the turn is finished with a text answer.
    Talk,
    /// The person wants a plan; the turn is finished when one is proposed.
    Goal,
    /// The person wants changes to a proposal; the turn is finished when a changed plan is
    /// proposed.
    Feedback {
        /// The revision that the feedback is about.
        revision: String,
    },
    /// The message was passed on to the run that carries out the plan.
    Work,
}

/// How a plan is introduced at a hand-off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Framing {
    /// The person approved this revision.
    Approved,
    /// The person approved an earlier revision, but steps have changed since then.
    ChangedSinceApproval,
    /// The mode was switched without an approval.
    Soft,
    /// The plan is still being written in plan mode; used only in summaries.
    UnderWork,
}

/// How much of a plan a message contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// The whole plan.
    Whole,
    /// The current step, its neighbors, and the number of other steps.
    Window,
    /// Nothing, because the text of this revision is already in the conversation.
    Above,
}

/// A plan contained in a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownPlan {
    /// The plan's path in the workspace.
    pub path: String,
    /// The plan's revision.
    pub revision: String,
    /// How much of the plan is shown.
    pub extent: Extent,
    /// The shown text, unescaped; empty for [`Extent::Above`].
    pub text: String,
    /// How the plan is introduced.
    pub framing: Framing,
}

/// A change to the plan file that was made outside the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum PlanChange {
    /// It was edited.
    Edited {
        /// The last revision that the model knows about.
        from: String,
        /// The revision after the edit.
        to: String,
        /// A compact diff; empty if the same message shows the whole plan.
        diff: String,
    },
    /// It was deleted.
    Deleted {
        /// The last revision that the model knows about.
        from: String,
    },
}

/// The plan revision that a call showed or created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The plan's revision.
    pub revision: String,
    /// Whether the whole text of the revision is in the call or its result.
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
    /// Data only for the screen, such as diffs and previews; never included in a request.
    #[serde(default)]
    pub screen: Option<Value>,
    /// The plan revision that the call showed or created.
    #[serde(default)]
    pub plan: Option<Seen>,
    /// Whether the outcome is unknown because the process ended during the call.
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
    /// The id of the call that asks the question.
    pub call: String,
    /// The text of the question.
    pub message: String,
    /// The possible answers; empty for a question to be answered in free text.
    #[serde(default)]
    pub options: Vec<String>,
    /// The request to be allowed, if the question asks for a permission.
    #[serde(default)]
    pub permission: Option<PermissionRequest>,
}

/// The person's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// The answer to a question: free text or the chosen option.
    Words {
        /// The text of the answer.
        words: String,
    },
    /// The question is left open: the model decides and states its assumption.
    Skip,
    /// Permission is granted once.
    Once,
    /// Permission is granted for all such requests in the rest of the session.
    Session,
    /// Permission is denied.
    No {
        /// The person's alternative, if they gave one.
        #[serde(default)]
        words: String,
    },
    /// There is no answer because the turn was cancelled.
    Withdrawn,
}

/// A proposal as stored in the conversation. It doesn't contain the plan's text, which is looked up
/// by revision when the card is opened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The plan's workspace path.
    #[serde(alias = "planPath")]
    pub path: String,
    /// The revision that was proposed; empty in rows of version 0.
    #[serde(default)]
    pub revision: String,
    /// The plan's adequacy badge.
    #[serde(default)]
    pub badge: String,
    /// The plan's score, 0 to 100.
    #[serde(default)]
    pub score: u32,
    /// What the model changed since the last proposal, in one line; only for the screen.
    #[serde(default)]
    pub summary: String,
    /// The revision that the model started from when it changed the plan after the last proposal:
    /// the last proposal, or a later revision by others. Absent for the first proposal and in older
    /// rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The plan's text, which only rows of version 0 contain; only for the screen.
    #[serde(
        default,
        rename = "planContent",
        skip_serializing_if = "Option::is_none"
    )]
    pub content: Option<String>,
}

/// What was wrong with a reply, as reported to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The reply contains calls that could not be parsed.
    Format,
    /// The reply contains neither text nor a call.
    Empty,
    /// The reply was cut off at the token limit.
    Cut,
    /// The reply contains text instead of the requested work.
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
    /// The turn waits for a person's answer and then continues.
    Waiting,
    /// A run carries out the plan; no model was asked.
    Working {
        /// The run's id.
        run: String,
    },
    /// The person cancelled.
    Cancelled,
    /// The turn could not continue.
    Failed {
        /// The reason, and how to fix it.
        reason: String,
    },
    /// The model answered with text instead of doing the requested work.
    Unfinished {
        /// The work that is missing, in a few words.
        reason: String,
    },
    /// The reply was cut off or ended without a reason; it counts neither as an answer nor as a
    /// plan.
    Cut {
        /// What is missing from the reply.
        reason: String,
    },
}

/// A stored row of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Entry {
    /// A message from the person.
    Said {
        /// The text of the message.
        words: String,
        /// The message's purpose.
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
        /// The revision that was approved together with the change.
        #[serde(default)]
        approved: Option<String>,
    },
    /// The hand-off: the message that tells the model which mode it is in.
    Transition {
        /// The mode that the model last knew; absent in the first turn.
        from: Option<Mode>,
        /// The mode from here on.
        to: Mode,
        /// The tools allowed in that mode.
        tools: Vec<String>,
        /// The plan's path, which is mentioned if no plan is shown; empty if no file has been
        /// chosen.
        #[serde(default)]
        path: String,
        /// Whether the plan file exists and isn't blank.
        #[serde(default)]
        has_plan: bool,
        /// The revision that the person approved.
        #[serde(default)]
        approved: Option<String>,
        /// The plan, if it is shown.
        #[serde(default)]
        plan: Option<ShownPlan>,
    },
    /// The plan was changed outside the session.
    PlanNotice {
        /// The change to the plan.
        #[serde(flatten)]
        change: PlanChange,
    },
    /// Everything that precedes the person's message is recorded, and a request is about to be
    /// sent.
    TurnBegan,
    /// A reply arrived. Its calls get ids from the app; an incomplete reply has no calls.
    Replied {
        /// The model's reply.
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
        /// The result of the call.
        result: CallResult,
        /// A change to the plan made outside the session during the call.
        #[serde(default)]
        notice: Option<PlanChange>,
    },
    /// A call was refused.
    Refused {
        /// The call's id.
        id: String,
        /// A message that tells the model an alternative.
        message: String,
    },
    /// The model's reply was faulty. The model is told the details.
    Faulted {
        /// The kind of fault.
        fault: FaultKind,
        /// The message to the model.
        message: String,
    },
    /// The person is asked a question.
    Asked {
        /// The question that the person is asked.
        question: Question,
    },
    /// The person answered the question.
    Answered {
        /// The id of the call that asked.
        call: String,
        /// The person's answer.
        #[serde(flatten)]
        answer: Answer,
    },
    /// A plan was offered for approval.
    Proposed {
        /// The proposal as shown on its card.
        card: Card,
    },
    /// The beginning of the conversation was replaced with a summary.
    Compacted {
        /// The text of the summary.
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
        /// The usage that the server had reported by then.
        usage: Usage,
    },
    /// The turn ended.
    TurnEnded {
        /// Why the turn ended.
        #[serde(flatten)]
        ending: Ending,
    },
}
