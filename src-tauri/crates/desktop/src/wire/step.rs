//! One step of a run in full: what its model was given of the workspace, what it did, how what failed
//! went on; and the receipt of all steps.

use agent::run::Way;
use serde::Serialize;
use specta::Type;

use super::RunStep;

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
    pub ways: Vec<Way>,
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

/// What was chosen for a step, in the order in which it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct StepContext {
    /// `minimal`, `relevant` or `full`.
    pub strategy: String,
    /// The most tokens that it could take.
    pub budget: u32,
    /// The tokens that it took.
    pub used: u32,
    /// What was chosen.
    pub items: Vec<ContextItem>,
    /// How many things were at hand and are not in it, not even in part.
    pub left_out: u32,
}

/// One thing that was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ContextItem {
    /// `summary`, `note`, `file`, `missing` or `fact`.
    pub kind: String,
    /// What it is, in a few words: "T2", "src/cli.py, lines 12–40".
    pub title: String,
    /// Why, as a sentence.
    pub reason: String,
    /// Its tokens.
    pub tokens: u32,
    /// As it was sent; bounded.
    pub text: String,
}

/// The receipt of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct ReceiptView {
    /// The run.
    pub run: String,
    /// The plan's title.
    pub title: String,
    /// The plan's key.
    pub plan: String,
    /// The approved revision.
    pub revision: String,
    /// How often it asked.
    pub policy: String,
    /// The sandbox in force.
    pub sandbox: String,
    /// How many steps could be under way at once.
    pub parallel: u8,
    /// See [`RunView::state`](super::RunView::state).
    pub state: String,
    /// First and last entry.
    pub started_at_ms: i64,
    /// See `started_at_ms`.
    pub ended_at_ms: i64,
    /// Time at work, milliseconds.
    pub work_ms: u64,
    /// Model turns.
    pub turns: u32,
    /// Tokens sent to models.
    pub tokens_in: u64,
    /// Tokens received.
    pub tokens_out: u64,
    /// What a person has to know of the run as a whole, one sentence each.
    pub notes: Vec<String>,
    /// The steps.
    pub steps: Vec<RunStep>,
    /// The whole receipt as Markdown, to copy.
    pub markdown: String,
}
