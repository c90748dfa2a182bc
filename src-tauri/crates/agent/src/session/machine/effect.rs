//! The events and effects of a [`Machine`](super::Machine), as data.

use adequacy::{Report, Severity};
use gate::Permit;
use plan::ToolCall;
use serde_json::Value;

use crate::session::call::PlanTarget;
use crate::session::entry::Mode;
use crate::session::entry::{
    Answer, Card, Ending, Entry, ModeSetBy, PlanChange, Purpose, Question,
};
use crate::session::request::Request;
use crate::turn::{Reply, Usage};

/// The plan file's current content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanNow {
    /// The file's path in the workspace.
    pub path: String,
    /// The file's revision.
    pub revision: String,
    /// The file's text.
    pub text: String,
}

/// The result of reading the plan file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanFound {
    /// The file is known not to exist.
    Missing,
    /// The file was read.
    There(PlanNow),
    /// The file can't be read, which doesn't mean that it is missing.
    Unreadable {
        /// The reason, and how to fix it.
        reason: String,
    },
}

/// A short summary of a plan's adequacy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// The plan's badge.
    pub badge: String,
    /// The score, 0 to 100.
    pub score: u32,
    /// Whether the plan is unfit to be carried out, because it is an outline or too thin.
    pub is_weak: bool,
    /// The most severe findings as task and code, without text from the plan: `T3 vague_step`.
    pub findings: Vec<String>,
}

impl Standing {
    /// Summarizes a report. Contains the most severe findings, except those that the person muted.
    pub fn of(report: &Report) -> Self {
        const NAMED: usize = 8;
        let findings = report
            .findings
            .iter()
            .filter(|finding| finding.muted.is_none() && finding.severity != Severity::Info)
            .take(NAMED)
            .map(|finding| {
                let code = finding.code.as_str();
                match &finding.task {
                    Some(task) => format!("{task} {code}"),
                    None => code.to_owned(),
                }
            })
            .collect();
        Self {
            badge: report.badge.as_str().to_owned(),
            // The value is between 0 and 100, so the cast doesn't truncate it.
            score: (report.score.clamp(0.0, 1.0) * 100.0).round() as u32,
            is_weak: report.badge.is_weak(),
            findings,
        }
    }
}

/// The outcome of a tool call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// Whether it succeeded.
    pub ok: bool,
    /// The text for the model, whose length the machine limits.
    pub content: String,
    /// Data only for the screen.
    pub screen: Option<Value>,
    /// If the call showed the plan file: the file's revision, and whether `content` contains its
    /// whole text.
    pub plan: Option<(String, bool)>,
}

/// An event from outside the machine.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The person sent a message. If a question is open, the message answers it but never grants a
    /// permission. A message with a goal switches to plan mode.
    Said {
        /// The text of the message.
        words: String,
        /// The message's purpose.
        purpose: Purpose,
    },
    /// The person asked for changes to a proposal. This is never an approval, and it switches to
    /// plan mode.
    Feedback {
        /// The revision that the person looked at.
        revision: String,
        /// The changes that the person asks for.
        words: String,
    },
    /// The person used the mode control, or a run ended.
    SetMode {
        /// The new mode.
        to: Mode,
        /// Who changed it.
        by: ModeSetBy,
    },
    /// The person approved a revision at the gate. This switches to exec mode but starts no turn.
    Approved {
        /// The full hash of the approved revision.
        revision: String,
    },
    /// The person's message was passed on to a run of the plan. This switches to exec mode and
    /// closes an open turn.
    Worked {
        /// The run's id.
        run: String,
        /// The text of the message.
        words: String,
        /// The revision that the run carries out, if this message approved it.
        approved: Option<String>,
    },
    /// Answers [`Effect::ReadPlan`].
    PlanRead {
        /// What was found at the plan's path.
        found: PlanFound,
        /// The text of the revision that the effect asked for, if available.
        known_text: Option<String>,
    },
    /// Answers [`Effect::StartModel`].
    ReplyArrived(Reply),
    /// Answers [`Effect::StartModel`] if there was no reply after all retries.
    ModelFailed {
        /// The reason, and how to fix it.
        reason: String,
    },
    /// Answers [`Effect::CallTool`].
    CallDone {
        /// The call's id.
        id: String,
        /// The outcome of the call.
        outcome: Outcome,
    },
    /// Answers [`Effect::EditPlan`].
    PlanEdited {
        /// The call's id.
        id: String,
        /// The result of the edit.
        edited: EditedPlan,
    },
    /// Answers [`Effect::CheckPlan`].
    PlanChecked {
        /// The call's id.
        id: String,
        /// What was found at the plan's path.
        found: PlanFound,
        /// The plan's adequacy; absent if there is no plan to judge.
        standing: Option<Standing>,
        /// The text of the revision that the effect asked for, if available.
        before: Option<String>,
    },
    /// The person answered the open question.
    Answered {
        /// The id of the call that asked.
        call: String,
        /// The person's answer.
        answer: Answer,
    },
    /// The plan was changed outside the session during a turn. Between turns, this event isn't
    /// needed, because the next turn notices the change.
    PlanChanged {
        /// The change, as returned by [`notice::edited`](crate::session::notice::edited).
        change: PlanChange,
    },
    /// Answers [`Effect::Compact`].
    Compacted {
        /// The summary; if it is absent, a summary is made without a model.
        summary: Option<String>,
        /// The token usage of the summary request.
        usage: Usage,
    },
    /// The person cancelled the turn.
    Cancel,
    /// The person stopped the turn while it was waiting for a reply.
    ReplyStopped {
        /// The usage that the server had reported by then.
        usage: Usage,
    },
    /// Continue a turn that another process left unfinished.
    Resume,
}

/// The result of [`Effect::EditPlan`].
#[derive(Debug, Clone, PartialEq)]
pub enum EditedPlan {
    /// The file was written.
    Done(Box<WrittenPlan>),
    /// Nothing was written.
    Refused {
        /// The message to the model ([`PlanEditError`](crate::session::plan_edit::PlanEditError)).
        message: String,
    },
}

/// An edited plan.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenPlan {
    /// The text before the edit.
    pub made_from: String,
    /// The revision before the edit; absent if there was no file.
    pub made_from_revision: Option<String>,
    /// The text after the edit.
    pub text: String,
    /// The revision after the edit.
    pub revision: String,
    /// The plan's adequacy after the edit.
    pub standing: Standing,
    /// The text of the revision that the effect asked for, if available.
    pub known_text: Option<String>,
    /// Data only for the screen: the diff.
    pub screen: Option<Value>,
}

/// An action to carry out, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Store these rows durably before the next effect is carried out. Needs no answer.
    Store(Vec<Entry>),
    /// Read the plan file, and look up the text of a revision.
    ReadPlan {
        /// The last revision that the model knows about.
        known: Option<String>,
    },
    /// Send a request to the model.
    StartModel(Request),
    /// Carry out a workspace call.
    CallTool {
        /// The call's id.
        id: String,
        /// The call to carry out.
        call: ToolCall,
        /// The gate's permit for the call, which says where it may write.
        permit: Permit,
    },
    /// Edit the current text of the plan file with
    /// [`plan_edit::apply`](crate::session::plan_edit::apply).
    EditPlan {
        /// The call's id.
        id: String,
        /// Where to edit.
        target: PlanTarget,
        /// The text to insert, or to replace the old text with.
        new_text: String,
        /// The last revision that the model knows about.
        known: Option<String>,
        /// The gate's permit for the edit.
        permit: Permit,
    },
    /// Read and judge the plan, which the model wants to propose.
    CheckPlan {
        /// The call's id.
        id: String,
        /// The revision that the model started from when it changed the plan after the last
        /// proposal, if there was one.
        before: Option<String>,
    },
    /// Ask the person. The turn continues with [`Event::Answered`], which may arrive in another
    /// process.
    Ask(Question),
    /// Show a proposal. Needs no answer.
    Show(Card),
    /// Show a message that isn't stored to the person. Needs no answer.
    Notice {
        /// The message, in one sentence.
        message: String,
    },
    /// Stop the tool or request in progress. A tool's answer is still expected.
    Interrupt,
    /// Let a model summarize the conversation, or answer without a summary.
    Compact(Request),
    /// The turn is over and nothing is in progress.
    EndTurn {
        /// Why the turn ended.
        ending: Ending,
    },
}
