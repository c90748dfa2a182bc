//! The questions that a run asks a person.

use serde::{Deserialize, Serialize};

use crate::destructive::Danger;

plan::named! {
    /// The kinds of question.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum QuestionKind {
        /// A person carries out the step: is it done?
        Person = "person",
        /// A review checkpoint.
        Checkpoint = "checkpoint",
        /// A decision.
        Decision = "decision",
        /// May this step start?
        Approval = "approval",
        /// The quality gate blocks the step; a reason overrides it.
        Gate = "gate",
        /// May this tool run?
        Permission = "permission",
        /// An automatic checkpoint: the call would destroy something that no answered checkpoint
        /// names.
        Destructive = "destructive",
        /// The process ended during a side effect, so its outcome is unknown.
        Unknown = "unknown",
        /// The step failed: retry, skip or stop?
        Failure = "failure",
        /// The step ended unverified: is it done?
        Unverified = "unverified",
        /// A step it depends on was skipped by a person.
        SkippedDependency = "skipped_dependency",
        /// The model that carries out the step has a question.
        Question = "question",
        /// The file shows progress that was never recorded: should it be accepted as done?
        Claims = "claims",
        /// The plan's structure changed since approval: continue with the approved plan?
        Changed = "changed",
    }
}

impl QuestionKind {
    /// Whether it is about the whole plan. The key of its answer is then the kind's name.
    pub fn is_about_plan(self) -> bool {
        matches!(self, Self::Claims | Self::Changed)
    }

    /// Whether its answer allows or refuses one request.
    pub fn is_about_request(self) -> bool {
        matches!(self, Self::Permission | Self::Destructive)
    }

    /// Whether its answer can be a signature.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::Person | Self::Unverified)
    }
}

/// A question to a person about a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Id of the task it is about, which is also the key of its answer.
    pub task: String,
    /// The kind of question, which determines the kind of answer.
    pub question: QuestionKind,
    /// The question, in one or two sentences.
    pub message: String,
    /// The possible answers; empty for free text.
    pub options: Vec<String>,
    /// For a permission or an automatic checkpoint: the tool and the subject to match in the
    /// answer.
    #[serde(default)]
    pub permission: Option<PermissionRequest>,
    /// The fingerprint of the step when the question was asked, if known.
    #[serde(default)]
    pub fingerprint: Option<String>,
}

/// A request for permission to make a tool call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PermissionRequest {
    /// The tool's name.
    pub tool: String,
    /// The whole command line, or the path.
    pub subject: String,
    /// Its destructive effects; the person's agreement covers exactly these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub danger: Option<Danger>,
    /// For a call that an agent program makes itself, the hash of the whole call, so that a
    /// one-time permission covers only this content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

impl PermissionRequest {
    /// The tool and the subject alone.
    pub fn plain(&self) -> Self {
        Self {
            danger: None,
            content: None,
            ..self.clone()
        }
    }

    /// The match text that covers exactly this request: `exact …`.
    pub fn exact(&self) -> String {
        format!("exact {}", self.subject)
    }
}

/// Labels of the fixed answers.
pub mod label {
    /// Start the step.
    pub const RUN: &str = "Run";
    /// Skip the step.
    pub const SKIP: &str = "Skip";
    /// End the run here.
    pub const STOP: &str = "Stop";
    /// Try the failed step again.
    pub const RETRY: &str = "Retry";
    /// Continue the run.
    pub const CONTINUE: &str = "Continue";
    /// The person carried out the step.
    pub const DONE: &str = "Done";
    /// A person confirms a step that nothing verified.
    pub const MARK_AS_DONE: &str = "Mark as done";
    /// Allow it this time.
    pub const ONCE: &str = "once";
    /// Allow it for the rest of the run.
    pub const THIS_RUN: &str = "run";
    /// Refuse it.
    pub const NO: &str = "no";
    /// Accept the progress shown in the file, with the person's signature.
    pub const COUNT: &str = "Count as done";
    /// Don't accept the progress shown in the file.
    pub const CARRY_OUT: &str = "Carry out";
    /// Repeat steps that an earlier run carried out.
    pub const CARRY_OUT_AGAIN: &str = "Repeat";
    /// Continue with the approved plan.
    pub const KEEP: &str = "Continue with the approved plan";
    /// Find out what happened.
    pub const CHECK: &str = "check";
    /// Repeat it regardless of what happened.
    pub const REPEAT: &str = "repeat";
    /// Skip it regardless of what happened.
    pub const SKIP_UNKNOWN: &str = "skip";
}
