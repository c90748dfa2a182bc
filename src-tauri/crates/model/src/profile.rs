//! The profile of a model at one endpoint: what it can do reliably.
//!
//! There are three sources, each overriding the previous one: a [`guess`] from the model's name, a
//! [`probe`] of a few short calls, and [`Counters`] of faults in actual use. All are plain values
//! that the caller stores under a [`cache_key`]; the user can override each field.
//!
//! Everything except [`probe`] is pure.

mod counters;
mod guess;
mod probe;
mod score;
mod settings;

use serde::{Deserialize, Serialize};

pub use counters::{Counters, Downgrade, Fault};
pub use guess::guess;
pub use probe::probe;
pub use score::{NativeTools, OptionSupport, ProbeResult, Trial, score};
pub use settings::{Overrides, Source, Sourced};

use crate::{ReasoningEffort, Verbosity};

/// How often something succeeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reliability {
    /// Usually fails.
    Low,
    /// Sometimes fails.
    Medium,
    /// Usually succeeds.
    High,
}

impl Reliability {
    /// The next lower level.
    #[must_use]
    pub fn lower(self) -> Self {
        match self {
            Self::High => Self::Medium,
            Self::Medium | Self::Low => Self::Low,
        }
    }

    /// Converts a success rate to a level.
    #[must_use]
    pub fn of_share(share: f64) -> Self {
        if share > 0.8 {
            Self::High
        } else if share > 0.5 {
            Self::Medium
        } else {
            Self::Low
        }
    }
}

/// The best way to ask for a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// The whole plan in one request.
    Upfront,
    /// An outline first, then one task at a time.
    Hybrid,
    /// The next one to three tasks at a time.
    Iterative,
}

/// How the model calls tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChannel {
    /// With the protocol's native calls.
    Native,
    /// As JSON in its text, with the tools described in the prompt.
    JsonText,
}

/// How the model writes a change to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditForm {
    /// The text to find and its replacement.
    Replace,
    /// The whole file.
    WholeFile,
}

/// The output forms offered to a weak model with enforced schemas for changing a small file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeForms {
    /// All of them.
    #[default]
    All,
    /// All except choosing among texts from the step and the file.
    NoChoices,
    /// All except writing the whole file as a block of text.
    NoBlocks,
    /// Only the least constrained one.
    Free,
    /// None; the model calls tools instead.
    Off,
}

/// The capabilities of one model at one endpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Profile {
    /// Maximum tokens of a request and its answer together.
    pub context_window: u64,
    /// How often its tool calls are well formed.
    pub tool_calling_reliability: Reliability,
    /// How often JSON in its text is well formed.
    pub json_reliability: Reliability,
    /// The best way to ask it for a plan.
    pub recommended_strategy: Strategy,
    /// Maximum tasks to ask for in one request.
    pub max_tasks_per_plan: u32,
    /// Whether it needs short prompts with a single instruction.
    pub needs_simplified_prompts: bool,
    /// Whether the server enforces JSON schemas.
    pub supports_structured_output: bool,
    /// Maximum tokens of an answer, including reasoning.
    pub max_output_tokens: u32,
    /// Whether it reasons before answering, which uses part of the answer's tokens.
    pub reasons: bool,
    /// The reasoning effort to request, if the server supports it.
    pub reasoning: Option<ReasoningEffort>,
    /// The verbosity to request, if the server supports it.
    pub verbosity: Option<Verbosity>,
    /// How it calls tools.
    pub tool_channel: ToolChannel,
    /// Whether it may make several tool calls at once.
    pub parallel_calls: bool,
    /// Whether the server enforces a required tool call.
    pub honours_tool_choice: bool,
    /// How it writes changes.
    pub edit_form: EditForm,
    /// The output forms for changing a small file, if it is weak and schemas are enforced.
    #[serde(default)]
    pub change_forms: ChangeForms,
    /// Tokens generated per second, if measured.
    pub tokens_per_second: Option<f64>,
}

/// Tokens added to an answer's limit for reasoning.
const REASONING_ROOM: u32 = 4_096;

impl Profile {
    /// The token limit for an answer of `target` tokens: adds room for reasoning, capped by the
    /// model's own limit and half the context window.
    #[must_use]
    pub fn output_limit(&self, target: u32) -> u32 {
        let thinks = self.reasons && self.reasoning != Some(ReasoningEffort::None);
        let wanted = target.saturating_add(if thinks { REASONING_ROOM } else { 0 });
        let half = u32::try_from(self.context_window / 2).unwrap_or(u32::MAX);
        wanted.min(self.max_output_tokens).min(half).max(1)
    }

    /// Checks that a prompt of `prompt` tokens leaves room for an answer of `target` tokens, so
    /// that a window that is too small can be reported before sending anything.
    ///
    /// # Errors
    /// The window that would be needed, in tokens, rounded up to a common size.
    pub fn fits(&self, prompt: u64, target: u32) -> Result<(), u64> {
        let needed = prompt.saturating_add(u64::from(target));
        if needed <= self.context_window {
            return Ok(());
        }
        Err(needed
            .checked_next_power_of_two()
            .unwrap_or(u64::MAX)
            .max(4_096))
    }
}

/// The key for storing probe results and counters. The same model on another server or with another
/// template has a different key.
#[must_use]
pub fn cache_key(base_url: &str, model: &str, template: &str) -> String {
    let base = base_url.trim_end_matches('/').to_ascii_lowercase();
    // Addresses can't contain spaces, so the parts stay separate.
    format!("{base} {} {model} {template}", model.len())
}

#[cfg(test)]
mod tests;
