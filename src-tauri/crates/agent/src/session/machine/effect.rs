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
    /// Its path in the workspace.
    pub path: String,
    /// Its revision.
    pub revision: String,
    /// Its text.
    pub text: String,
}

/// The result of reading the plan file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanFound {
    /// The file is known not to exist.
    Missing,
    /// The file was read.
    There(PlanNow),
    /// The file can't be read, which is different from missing.
    Unreadable {
        /// The reason, and how to fix it.
        reason: String,
    },
}

/// A plan's adequacy in short.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// The badge.
    pub badge: String,
    /// The score, 0 to 100.
    pub score: u32,
    /// Whether the plan isn't fit to be carried out: an outline, or thin.
    pub is_weak: bool,
    /// The most severe findings, as task and code, without text from the plan: `T3 vague_step`.
    pub findings: Vec<String>,
}

impl Standing {
    /// Condenses a report, with the most severe findings that the person didn't mute.
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
            // 0 to 100, so it fits.
            score: (report.score.clamp(0.0, 1.0) * 100.0).round() as u32,
            is_weak: report.badge.is_weak(),
            findings,
        }
    }
}

/// The outcome of a tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// Whether it succeeded.
    pub ok: bool,
    /// The text for the model; the machine limits its length.
    pub content: String,
    /// Data only for the screen.
    pub screen: Option<Value>,
    /// If the call showed the plan file, its revision and whether `content` contains the whole
    /// text.
    pub plan: Option<(String, bool)>,
}

/// An event from outside the machine.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The person sent a message. If a question is open, the message answers it, but never grants a
    /// permission. A goal switches to plan mode.
    Said {
        /// The text.
        words: String,
        /// The message's purpose.
        purpose: Purpose,
    },
    /// The person asked for changes to a proposal. Never an approval; switches to plan mode.
    Feedback {
        /// The revision they looked at.
        revision: String,
        /// The requested changes.
        words: String,
    },
    /// The mode control was used, or a run ended.
    SetMode {
        /// The mode.
        to: Mode,
        /// Who changed it.
        by: ModeSetBy,
    },
    /// The person approved a revision through the gate; switches to exec mode. Starts no turn.
    Approved {
        /// The full revision.
        revision: String,
    },
    /// The person's message went to a run of the plan. Switches to exec mode and closes an open
    /// turn.
    Worked {
        /// The run.
        run: String,
        /// The text.
        words: String,
        /// The revision that the run carries out, if this message approved it.
        approved: Option<String>,
    },
    /// Answers [`Effect::ReadPlan`].
    PlanRead {
        /// The plan that was found.
        found: PlanFound,
        /// The text of the revision that the effect named, if available.
        known_text: Option<String>,
    },
    /// Answers [`Effect::StartModel`].
    ReplyArrived(Reply),
    /// Answers [`Effect::StartModel`]: there was no reply after all retries.
    ModelFailed {
        /// The reason, and how to fix it.
        reason: String,
    },
    /// Answers [`Effect::CallTool`].
    CallDone {
        /// The call's id.
        id: String,
        /// The outcome.
        outcome: Outcome,
    },
    /// Answers [`Effect::EditPlan`].
    PlanEdited {
        /// The call's id.
        id: String,
        /// The result.
        edited: EditedPlan,
    },
    /// Answers [`Effect::CheckPlan`].
    PlanChecked {
        /// The call's id.
        id: String,
        /// The plan that was found.
        found: PlanFound,
        /// Its adequacy; absent if there is nothing to judge.
        standing: Option<Standing>,
        /// The text of the revision that the effect named, if available.
        before: Option<String>,
    },
    /// The person answered the open question.
    Answered {
        /// The id of the call that asked.
        call: String,
        /// The answer.
        answer: Answer,
    },
    /// The plan was changed from outside during a turn. Between turns this event isn't needed: the
    /// next turn notices the change.
    PlanChanged {
        /// The change, made by [`notice::edited`](crate::session::notice::edited).
        change: PlanChange,
    },
    /// Answers [`Effect::Compact`].
    Compacted {
        /// The summary; without it, one is made without a model.
        summary: Option<String>,
        /// The token usage of the summary request.
        usage: Usage,
    },
    /// The person cancelled the turn.
    Cancel,
    /// The person stopped the turn while waiting for a reply.
    ReplyStopped {
        /// The usage that the server reported up to then.
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
    /// Its revision.
    pub revision: String,
    /// Its adequacy after the edit.
    pub standing: Standing,
    /// The text of the revision that the effect named, if available.
    pub known_text: Option<String>,
    /// Data only for the screen: the diff.
    pub screen: Option<Value>,
}

/// An action to carry out, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Store these rows durably before the next effect. Needs no answer.
    Store(Vec<Entry>),
    /// Read the plan file, and look up the text of a revision.
    ReadPlan {
        /// The revision that the model knows.
        known: Option<String>,
    },
    /// Send a request to the model.
    StartModel(Request),
    /// Carry out a workspace call.
    CallTool {
        /// The call's id.
        id: String,
        /// The call.
        call: ToolCall,
        /// The gate's permit for the call, which says what it may write.
        permit: Permit,
    },
    /// Edit the plan file with [`plan_edit::apply`](crate::session::plan_edit::apply) on its
    /// current text.
    EditPlan {
        /// The call's id.
        id: String,
        /// Where to edit.
        target: PlanTarget,
        /// The replacement text.
        new_text: String,
        /// The revision that the model knows.
        known: Option<String>,
        /// The gate's permit for the edit.
        permit: Permit,
    },
    /// Read and judge the plan, for a proposal.
    CheckPlan {
        /// The call's id.
        id: String,
        /// The revision that the model's edits since the last proposal start from, if there was
        /// one.
        before: Option<String>,
    },
    /// Ask the person. The turn continues with [`Event::Answered`], in this process or another.
    Ask(Question),
    /// Show a proposal. Needs no answer.
    Show(Card),
    /// Show the person a message that isn't stored. Needs no answer.
    Notice {
        /// The message, in one sentence.
        message: String,
    },
    /// Stop the current tool or request. A tool's answer is still expected.
    Interrupt,
    /// Have a model summarize the conversation, or answer without a summary.
    Compact(Request),
    /// The turn is over and nothing is in progress.
    EndTurn {
        /// Why.
        ending: Ending,
    },
}
