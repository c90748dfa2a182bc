//! What a journal keeps of a model at work. Fields are only ever added, with a default.

use gate::recovery::RecoveryStrategy;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::model_tool::ModelTool;
use crate::repair::{FaultKind, Finish};
use crate::session::reply::Usage;

/// One reply, stored before anything of it is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepReply {
    /// What is left for people to read.
    pub text: String,
    /// Calls that can be made, in their order. Never of a reply that was cut.
    #[serde(default)]
    pub calls: Vec<StepCall>,
    /// What could not be made a call.
    #[serde(default)]
    pub faults: Vec<StepFault>,
    /// Why it ended.
    pub finish: Finish,
    /// What it cost.
    #[serde(default)]
    pub usage: Usage,
    /// How long it took, in milliseconds.
    #[serde(default)]
    pub elapsed_ms: u64,
}

impl StepReply {
    /// The reply with its report behind its other calls, which a report would end; of several reports the
    /// last counts. What was moved or left out is said with the report.
    #[must_use]
    pub fn with_report_last(mut self) -> Self {
        let is_first = self.calls.iter().position(StepCall::is_report);
        if is_first.is_none_or(|at| at + 1 == self.calls.len()) {
            return self;
        }
        let is_moved = !self.calls.last().is_some_and(StepCall::is_report);
        let (mut reports, others): (Vec<_>, Vec<_>) =
            self.calls.into_iter().partition(StepCall::is_report);
        self.calls = others;
        if let Some(mut report) = reports.pop() {
            if !reports.is_empty() {
                let several = "of several reports the last one counts";
                report.repairs.push(several.to_owned());
            }
            if is_moved {
                let moved = "the report was put behind the other calls";
                report.repairs.push(moved.to_owned());
            }
            self.calls.push(report);
        }
        self
    }
}

/// One call of a reply, read and repaired.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepCall {
    /// The tool, as it was named where there is none of that name.
    pub name: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
    /// What was repaired, one sentence each.
    #[serde(default)]
    pub repairs: Vec<String>,
}

impl StepCall {
    /// Whether it is the report.
    pub fn is_report(&self) -> bool {
        self.name == ModelTool::ReportProgress.as_str()
    }
}

/// One thing in a reply that could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepFault {
    /// What it was.
    pub kind: FaultKind,
    /// For the model: what was wrong and how to write it.
    pub message: String,
}

/// What a model reports of its step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// One sentence.
    pub summary: String,
    /// Whether it claims that the step is done.
    pub done: bool,
    /// Facts that it found.
    #[serde(default)]
    pub learned: Vec<String>,
    /// What it decided.
    #[serde(default)]
    pub decided: Vec<String>,
    /// What it would do next.
    #[serde(default)]
    pub next_hint: Option<String>,
}

gate::named! {
    /// Why a step that a model carries out failed, as far as that decides what to do.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum FailureKind {
        /// The server did not answer, or with an error of its own.
        Server = "server",
        /// A request was larger than the model's window.
        TooLarge = "too_large",
        /// Replies that could not be used, again and again.
        Format = "format",
        /// The same calls again and again.
        Loop = "loop",
        /// A file or text that is not there.
        NotFound = "not_found",
        /// The step's check does not pass.
        Check = "check",
        /// The model says that it cannot.
        GaveUp = "gave_up",
        /// A cap was reached.
        Cap = "cap",
        /// A person refused what it needs.
        Refused = "refused",
        /// A person stepped in.
        Stopped = "stopped",
    }
}

gate::named! {
    /// Who chose how a failed step goes on.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum RecoveryBy {
        /// A rule.
        Code = "code",
        /// The model, by one letter.
        Model = "model",
        /// A person.
        Person = "person",
    }
}

/// How a failed step goes on, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecoveryDecision {
    /// What failed.
    pub failure: FailureKind,
    /// How it goes on.
    pub strategy: RecoveryStrategy,
    /// One sentence.
    pub reason: String,
    /// Who chose.
    pub by: RecoveryBy,
    /// Words for the next attempt: another way, in the model's or the person's words.
    #[serde(default)]
    pub words: Option<String>,
}
