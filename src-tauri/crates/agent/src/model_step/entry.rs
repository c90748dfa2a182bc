//! Journal data about the work of a model. New fields need a default, and no field is ever removed.

use gate::recovery::RecoveryStrategy;
use serde::{Deserialize, Serialize};

/// A model's report on its step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// A summary in one sentence.
    pub summary: String,
    /// Whether the model claims that the step is done.
    pub done: bool,
    /// Facts that the model found.
    #[serde(default)]
    pub learned: Vec<String>,
    /// Decisions that the model made.
    #[serde(default)]
    pub decided: Vec<String>,
    /// The model's suggestion for the next step.
    #[serde(default)]
    pub next_hint: Option<String>,
}

plan::named! {
    /// Why a model failed at a step, in the categories that matter for recovery.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum FailureKind {
        /// The server did not answer or returned an error.
        Server = "server",
        /// A request exceeded the model's context window.
        TooLarge = "too_large",
        /// Several replies could not be used.
        Format = "format",
        /// The model repeated the same calls over and over.
        Loop = "loop",
        /// A file or text was missing.
        NotFound = "not_found",
        /// The step's check failed.
        Check = "check",
        /// The model reported that it can't do the step.
        GaveUp = "gave_up",
        /// A limit was reached.
        Cap = "cap",
        /// A person refused an action that the step needs.
        Refused = "refused",
        /// A person intervened.
        Stopped = "stopped",
    }
}

plan::named! {
    /// Who decided how a failed step continues.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum RecoveryBy {
        /// A rule.
        Code = "code",
        /// The model, by choosing a letter from a list.
        Model = "model",
        /// A person.
        Person = "person",
    }
}

/// How a failed step continues, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecoveryDecision {
    /// The kind of failure.
    pub failure: FailureKind,
    /// How the step continues.
    pub strategy: RecoveryStrategy,
    /// The reason in one sentence.
    pub reason: String,
    /// Who decided.
    pub by: RecoveryBy,
    /// A message for the next attempt that describes another approach, written by the model or the
    /// person.
    #[serde(default)]
    pub words: Option<String>,
}

impl RecoveryDecision {
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
