//! What goes in and out of a [`Machine`](super::Machine): events and effects, as data.

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

/// The plan as the file holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanNow {
    /// Its path in the workspace.
    pub path: String,
    /// Its revision.
    pub revision: String,
    /// Its text.
    pub text: String,
}

/// What was found where the plan stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanFound {
    /// No file. Only when it is known not to be there.
    Missing,
    /// A file.
    There(PlanNow),
    /// A file that cannot be read; not the same as none.
    Unreadable {
        /// Why, and what to do.
        reason: String,
    },
}

/// How adequate a plan is, in short.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// The word.
    pub badge: String,
    /// 0 to 100.
    pub score: u32,
    /// Whether it is not fit to be carried out: an outline, or thin.
    pub is_weak: bool,
    /// The gravest findings, each in a few words without words of the plan: `T3 vague_step`.
    pub findings: Vec<String>,
}

impl Standing {
    /// In short what a report says: the gravest findings that the person did not mute.
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

/// How a tool ended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// Whether it did what it should.
    pub ok: bool,
    /// What the model gets; cut to a bound by the machine.
    pub content: String,
    /// What only the screen gets.
    pub screen: Option<Value>,
    /// The call showed the plan file: the revision, and whether its whole text is in `content`.
    pub plan: Option<(String, bool)>,
}

/// What happened outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The person said something. While a question waits, it answers that question; never a
    /// permission. A goal switches to plan mode.
    Said {
        /// The words.
        words: String,
        /// What they are for.
        purpose: Purpose,
    },
    /// The person asks for changes to a proposal. Never an approval; switches to plan mode.
    Feedback {
        /// The revision they looked at.
        revision: String,
        /// What to change.
        words: String,
    },
    /// The mode control was used, or a run ended.
    SetMode {
        /// The mode.
        to: Mode,
        /// By whom.
        by: ModeSetBy,
    },
    /// The person approved a revision through the gate; switches to exec mode. It starts no turn.
    Approved {
        /// The revision, whole.
        revision: String,
    },
    /// The person's words went to a run of the plan, which exec mode is. Switches to exec mode; what was
    /// open is over.
    Worked {
        /// The run.
        run: String,
        /// The words.
        words: String,
        /// The revision that it carries out, where it was approved with these words.
        approved: Option<String>,
    },
    /// Answers [`Effect::ReadPlan`].
    PlanRead {
        /// What was found.
        found: PlanFound,
        /// The text of the revision that the effect named, where it is held.
        known_text: Option<String>,
    },
    /// Answers [`Effect::StartModel`].
    ReplyArrived(Reply),
    /// Answers [`Effect::StartModel`]: no reply, after all retries.
    ModelFailed {
        /// Why, and what to do.
        reason: String,
    },
    /// Answers [`Effect::CallTool`].
    CallDone {
        /// Which call.
        id: String,
        /// How it ended.
        outcome: Outcome,
    },
    /// Answers [`Effect::EditPlan`].
    PlanEdited {
        /// Which call.
        id: String,
        /// What came of it.
        edited: EditedPlan,
    },
    /// Answers [`Effect::CheckPlan`].
    PlanChecked {
        /// Which call.
        id: String,
        /// What was found.
        found: PlanFound,
        /// How adequate it is; absent where there is nothing to judge.
        standing: Option<Standing>,
        /// The text of the revision that the effect named, where it is held.
        before: Option<String>,
    },
    /// The person answered what is asked.
    Answered {
        /// The call that asked.
        call: String,
        /// What they answered.
        answer: Answer,
    },
    /// Somebody else changed the plan while a turn is under way. At any other time the next turn
    /// finds out by itself.
    PlanChanged {
        /// How ([`notice::edited`](crate::session::notice::edited)).
        change: PlanChange,
    },
    /// Answers [`Effect::Compact`].
    Compacted {
        /// The summary; without one a symbolic one is made.
        summary: Option<String>,
        /// What it cost.
        usage: Usage,
    },
    /// The person stops the turn.
    Cancel,
    /// The person stopped the turn while a reply was waited for.
    ReplyStopped {
        /// What the server had counted.
        usage: Usage,
    },
    /// A turn that a process left unfinished is to go on.
    Resume,
}

/// What came of [`Effect::EditPlan`].
#[derive(Debug, Clone, PartialEq)]
pub enum EditedPlan {
    /// The file was written.
    Done(Box<WrittenPlan>),
    /// Nothing was written.
    Refused {
        /// What goes back to the model ([`PlanEditError`](crate::session::plan_edit::PlanEditError)).
        message: String,
    },
}

/// A plan that was edited.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenPlan {
    /// The text that the edit was made on.
    pub made_from: String,
    /// Its revision; absent where there was no file.
    pub made_from_revision: Option<String>,
    /// The text now.
    pub text: String,
    /// Its revision.
    pub revision: String,
    /// How adequate it is now.
    pub standing: Standing,
    /// The text of the revision that the effect named, where it is held.
    pub known_text: Option<String>,
    /// What only the screen gets: the diff.
    pub screen: Option<Value>,
}

/// What is to be done, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Store these rows, durably, before the next effect. Needs no answer.
    Store(Vec<Entry>),
    /// Read the plan file, and look up the text of a revision.
    ReadPlan {
        /// The revision that the model knows.
        known: Option<String>,
    },
    /// Send a request.
    StartModel(Request),
    /// Carry out a call on the workspace.
    CallTool {
        /// Its id.
        id: String,
        /// The call.
        call: ToolCall,
        /// The gate's leave for it, which says what it may write.
        permit: Permit,
    },
    /// Change the plan file, by [`plan_edit::apply`](crate::session::plan_edit::apply) on what it
    /// holds then.
    EditPlan {
        /// The call's id.
        id: String,
        /// What is replaced.
        target: PlanTarget,
        /// What stands there instead.
        new_text: String,
        /// The revision that the model knows.
        known: Option<String>,
        /// The gate's leave for it.
        permit: Permit,
    },
    /// Read and judge the plan, for a proposal.
    CheckPlan {
        /// The call's id.
        id: String,
        /// The revision proposed last.
        before: Option<String>,
    },
    /// Ask the person. The turn goes on with [`Event::Answered`], in this process or another.
    Ask(Question),
    /// Show a proposal. Needs no answer.
    Show(Card),
    /// Tell the person something that no row shows. Needs no answer.
    Notice {
        /// One sentence.
        message: String,
    },
    /// Stop a tool or a request under way; its own answer is still awaited for a tool.
    Interrupt,
    /// Have the conversation summed up by a model, or answer without a summary.
    Compact(Request),
    /// The turn is over. Nothing is under way.
    EndTurn {
        /// Why.
        ending: Ending,
    },
}
