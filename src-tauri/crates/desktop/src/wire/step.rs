//! One step of a run in detail: the context its model was sent, the model's work, and how it
//! recovered from failures. Also the receipt of a run.

use agent::run::RecoveryOption;
use serde::Serialize;
use specta::Type;

use super::RunStep;

/// A model's work on one step, over all attempts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct StepModel {
    /// Number of replies so far.
    pub turns: u32,
    /// Tokens sent.
    pub tokens_in: u64,
    /// Tokens sent that the server had cached.
    pub tokens_cached: u64,
    /// Tokens received.
    pub tokens_out: u64,
    /// Time spent waiting for the model, milliseconds.
    pub elapsed_ms: u64,
    /// Its latest report.
    pub report: Option<StepReport>,
    /// Failures and how each was handled, in order.
    pub recoveries: Vec<StepRecovery>,
    /// The current request, if any.
    pub now: Option<ModelNow>,
    /// The recovery strategies that the user can choose now; empty if the step is over.
    pub ways: Vec<RecoveryOption>,
}

/// A model's report on its step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct StepReport {
    /// The summary, in one sentence.
    pub summary: String,
    /// Whether it claims the step is done.
    pub done: bool,
    /// Facts it found.
    pub learned: Vec<String>,
    /// Decisions it made.
    pub decided: Vec<String>,
    /// The next actions it suggests.
    pub next_hint: Option<String>,
    /// Whether the report was inferred from the model's actions because it gave none.
    pub is_inferred: bool,
}

/// A failure and how it was handled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct StepRecovery {
    /// What failed: `server`, `too_large`, `format`, `loop`, `not_found`, `check`, `gave_up`,
    /// `cap`, `refused` or `stopped`.
    pub failure: String,
    /// How it was handled: `retry_same`, `retry_simplified`, `decompose_further`,
    /// `try_alternative`, `skip_and_continue`, `ask_user` or `abort`.
    pub strategy: String,
    /// Who chose: `code`, `model` or `person`.
    pub by: String,
    /// What went wrong, in one sentence.
    pub reason: String,
    /// Instructions for the next attempt.
    pub words: Option<String>,
}

/// The request in progress.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct ModelNow {
    /// The request's number, counted from 1 in this process.
    pub number: u32,
    /// The attempt's number, counted from 1 for each request.
    pub attempt: u32,
    /// The latest part of its thinking.
    pub thinking: String,
    /// The latest part of its reply.
    pub text: String,
}

/// The context selected for a step, in the order in which it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct StepContext {
    /// The context strategy: `minimal`, `relevant` or `full`.
    pub strategy: String,
    /// The token budget.
    pub budget: u32,
    /// Tokens used.
    pub used: u32,
    /// The selected items.
    pub items: Vec<ContextItem>,
    /// Number of available items that were omitted entirely.
    pub left_out: u32,
}

/// One selected item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ContextItem {
    /// `summary`, `note`, `file`, `missing` or `fact`.
    pub kind: String,
    /// A short name: "T2", "src/cli.py, lines 12–40".
    pub title: String,
    /// Why it was selected, in one sentence.
    pub reason: String,
    /// Number of tokens.
    pub tokens: u32,
    /// The text as sent; bounded.
    pub text: String,
}

/// The receipt of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct ReceiptView {
    /// The run's id.
    pub run: String,
    /// The plan's title.
    pub title: String,
    /// The plan's key.
    pub plan: String,
    /// The approved revision.
    pub revision: String,
    /// The approval policy: `each`, `risky` or `all`.
    pub policy: String,
    /// Name of the sandbox in force.
    pub sandbox: String,
    /// Maximum number of parallel steps.
    pub parallel: u8,
    /// See [`RunView::state`](super::RunView::state).
    pub state: String,
    /// Time of the first journal entry.
    pub started_at_ms: i64,
    /// Time of the last journal entry.
    pub ended_at_ms: i64,
    /// Active time, milliseconds.
    pub work_ms: u64,
    /// Number of model replies.
    pub turns: u32,
    /// Tokens sent to models.
    pub tokens_in: u64,
    /// Tokens received from models.
    pub tokens_out: u64,
    /// Remarks on the run as a whole, one sentence each.
    pub notes: Vec<String>,
    /// The steps.
    pub steps: Vec<RunStep>,
    /// The whole receipt as Markdown, for copying.
    pub markdown: String,
}
