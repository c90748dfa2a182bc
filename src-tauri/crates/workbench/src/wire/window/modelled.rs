//! What a model does for a step of a run: its requests, its words as they come, its report, and how
//! what failed went on.

use serde::Serialize;
use specta::Type;

/// A model's work on one step, in all its attempts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct StepModel {
    /// Replies so far.
    pub turns: u32,
    /// Tokens sent.
    pub tokens_in: u64,
    /// Those of them that the server had at hand.
    pub tokens_cached: u64,
    /// Tokens received.
    pub tokens_out: u64,
    /// How long it was waited for, milliseconds.
    pub elapsed_ms: u64,
    /// What it reported last.
    pub report: Option<StepReport>,
    /// What failed on the way and how it went on, in order.
    pub recoveries: Vec<StepRecovery>,
    /// The request under way.
    pub now: Option<ModelNow>,
    /// Ways to go on that a person can choose right now; empty when the step is over.
    pub ways: Vec<RecoveryWay>,
}

/// What a model reported of its step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct StepReport {
    /// One sentence.
    pub summary: String,
    /// Whether it claims that the step is done.
    pub done: bool,
    /// Facts that it found.
    pub learned: Vec<String>,
    /// What it decided.
    pub decided: Vec<String>,
    /// What it would do next.
    pub next_hint: Option<String>,
    /// Whether the model gave none and this was made from what it did.
    pub is_inferred: bool,
}

/// What failed, and how it went on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct StepRecovery {
    /// What failed: `server too_large format loop not_found check gave_up cap refused stopped`.
    pub failure: String,
    /// How it went on: `retry_same retry_simplified decompose_further try_alternative
    /// skip_and_continue ask_user abort`.
    pub strategy: String,
    /// Who chose: `code`, `model` or `person`.
    pub by: String,
    /// What went wrong, in one sentence.
    pub reason: String,
    /// Words for the next attempt.
    pub words: Option<String>,
}

/// A way to go on with a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct RecoveryWay {
    /// Its name: see [`StepRecovery::strategy`].
    pub strategy: String,
    /// Why it cannot be chosen now; absent where it can.
    pub closed: Option<String>,
}

/// The request under way.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct ModelNow {
    /// Counts the requests of this process from 1.
    pub number: u32,
    /// Counts the attempts of this request from 1.
    pub attempt: u32,
    /// The end of what it thinks.
    pub thinking: String,
    /// The end of what it says.
    pub text: String,
}
