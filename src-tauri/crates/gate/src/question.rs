//! What a run asks a person.

use serde::{Deserialize, Serialize};

use crate::destructive::Danger;

crate::named! {
    /// The kinds of question.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum QuestionKind {
        /// A step that a person carries out: done?
        Person = "person",
        /// A review checkpoint.
        Checkpoint = "checkpoint",
        /// A decision.
        Decision = "decision",
        /// May this step start?
        Approval = "approval",
        /// The quality gate blocks the step; a reason lets it through.
        Gate = "gate",
        /// May this tool run?
        Permission = "permission",
        /// It would destroy something that no answered checkpoint names: a checkpoint by rule.
        Destructive = "destructive",
        /// The process ended inside a side effect; what happened is not known.
        Unknown = "unknown",
        /// The step failed: again, without it, or stop?
        Failure = "failure",
        /// The step ended and nothing shows that it is done: is it?
        Unverified = "unverified",
        /// A step it depends on was skipped by a person.
        SkippedDependency = "skipped_dependency",
        /// The model that carries the step out asks something.
        Question = "question",
        /// What the file shows of steps is not what is on record: do they count as done?
        Claims = "claims",
        /// The plan's structure is no longer what was approved: continue with the approved plan?
        Changed = "changed",
    }
}

impl QuestionKind {
    /// Whether it is about the plan as a whole; its key among the answers is then its name.
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

/// One question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The task it is about; the key of its answer.
    pub task: String,
    /// What kind of answer is needed.
    pub question: QuestionKind,
    /// One or two sentences.
    pub message: String,
    /// What can be answered; empty where words are wanted.
    pub options: Vec<String>,
    /// For a permission and for a checkpoint by rule: the tool and the match that an answer would name.
    #[serde(default)]
    pub permission: Option<PermissionRequest>,
    /// The fingerprint of the step when this was asked, where it is known.
    #[serde(default)]
    pub fingerprint: Option<String>,
}

/// What a permission question would allow.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PermissionRequest {
    /// The tool's name.
    pub tool: String,
    /// What it would do: the whole command line, or the path.
    pub subject: String,
    /// What it would destroy; a yes is for exactly that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub danger: Option<Danger>,
}

impl PermissionRequest {
    /// The same without what it would destroy.
    pub fn plain(&self) -> Self {
        Self {
            danger: None,
            ..self.clone()
        }
    }

    /// The match that covers exactly this request: `exact …`.
    pub fn exact(&self) -> String {
        format!("exact {}", self.subject)
    }
}

/// The labels of fixed answers.
pub mod label {
    /// Start the step.
    pub const RUN: &str = "Run";
    /// Leave the step out.
    pub const SKIP: &str = "Skip";
    /// End the run here.
    pub const STOP: &str = "Stop";
    /// Try the failed step again.
    pub const RETRY: &str = "Retry";
    /// Go on.
    pub const CONTINUE: &str = "Continue";
    /// A person's step is done.
    pub const DONE: &str = "Done";
    /// The person's word for a step that nothing verified.
    pub const MARK_AS_DONE: &str = "Mark as done";
    /// Allow it this time.
    pub const ONCE: &str = "once";
    /// Allow it for the rest of the run.
    pub const THIS_RUN: &str = "run";
    /// Refuse it.
    pub const NO: &str = "no";
    /// What the file shows counts, by the person's signature.
    pub const COUNT: &str = "Count as done";
    /// What the file shows does not count.
    pub const CARRY_OUT: &str = "Carry out";
    /// Steps that an earlier run carried out are carried out again.
    pub const CARRY_OUT_AGAIN: &str = "Repeat";
    /// The run goes on with what was approved.
    pub const KEEP: &str = "Continue with the approved plan";
    /// Find out what happened.
    pub const CHECK: &str = "check";
    /// Do it again whatever happened.
    pub const REPEAT: &str = "repeat";
    /// Leave it out whatever happened.
    pub const SKIP_UNKNOWN: &str = "skip";
}
