//! What a journal keeps of a model at work. Fields are only ever added, with a default.

use gate::recovery::RecoveryStrategy;
use serde::{Deserialize, Serialize};

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

impl RecoveryDecision {
    /// A decision made by a rule.
    pub(crate) fn by_rule(
        failure: FailureKind,
        strategy: RecoveryStrategy,
        reason: impl Into<String>,
    ) -> Self {
        Self {
            failure,
            strategy,
            reason: reason.into(),
            by: RecoveryBy::Code,
            words: None,
        }
    }
}
