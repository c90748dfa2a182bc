//! What a model at one endpoint can be trusted with.
//!
//! Three sources, each better than the one before: a [`guess`] by the model's name, a [`probe`] of a
//! few short calls, and [`Counters`] of what it does in earnest. All are plain values that the
//! caller keeps, under the key that [`cache_key`] makes; the user may overrule each field.
//!
//! Everything but [`probe`] is pure.

mod counters;
mod guess;
mod probe;
mod score;
mod settings;

use serde::{Deserialize, Serialize};

pub use counters::{Counters, Downgrade, Fault};
pub use guess::guess;
pub use probe::probe;
pub use score::{Honour, NativeTools, ProbeResult, Trial, score};
pub use settings::{Overrule, Source, Sourced};

use crate::{ReasoningEffort, Verbosity};

/// How often something succeeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reliability {
    /// Expect it to fail.
    Low,
    /// Expect it to fail now and then.
    Medium,
    /// Expect it to succeed.
    High,
}

impl Reliability {
    /// One step worse.
    #[must_use]
    pub fn lower(self) -> Self {
        match self {
            Self::High => Self::Medium,
            Self::Medium | Self::Low => Self::Low,
        }
    }

    /// The seed's thresholds for a share of successes.
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

/// How a plan is best asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// The whole plan at once.
    Upfront,
    /// An outline at once, then one task at a time.
    Hybrid,
    /// The next one to three tasks at a time.
    Iterative,
}

/// How the model calls tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChannel {
    /// In the protocol's own form.
    Native,
    /// As JSON in its text; tools are described in the prompt.
    JsonText,
}

/// How the model writes a change of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditForm {
    /// The text to find and the text to put there.
    Replace,
    /// The whole file.
    WholeFile,
}

/// In which forms a weak model that is held to a schema is asked for a change of a small file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeForms {
    /// In all of them.
    #[default]
    All,
    /// Without those in which it chooses among what the step's words and the file hold.
    NoChoices,
    /// Without the one in which it writes the whole file as a block of text.
    NoBlocks,
    /// In the one that leaves it most free.
    Free,
    /// In none: it calls tools.
    Off,
}

/// What one model at one endpoint can do. The first seven names are the seed's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Profile {
    /// The tokens that a request and its answer may have together.
    pub context_window: u64,
    /// How often a call of a tool is well formed.
    pub tool_calling_reliability: Reliability,
    /// How often JSON in its text is.
    pub json_reliability: Reliability,
    /// How to ask it for a plan.
    pub recommended_strategy: Strategy,
    /// The most tasks to ask for at once.
    pub max_tasks_per_plan: u32,
    /// Whether it needs short prompts with one thing to do.
    pub needs_simplified_prompts: bool,
    /// Whether the server holds it to a JSON schema.
    pub supports_structured_output: bool,
    /// The most tokens of one answer, reasoning included.
    pub max_output_tokens: u32,
    /// Whether it thinks before it answers, which costs part of the answer's tokens.
    pub reasons: bool,
    /// How long it should think, where it can be told.
    pub reasoning: Option<ReasoningEffort>,
    /// How much it should say, where it can be told.
    pub verbosity: Option<Verbosity>,
    /// How it calls tools.
    pub tool_channel: ToolChannel,
    /// Whether it may be left to call several tools at once.
    pub parallel_calls: bool,
    /// Whether the server holds it to calling a tool when told to.
    pub honours_tool_choice: bool,
    /// How it writes changes.
    pub edit_form: EditForm,
    /// In which forms it is asked for a change of a small file, where it is weak and held to a schema.
    #[serde(default)]
    pub change_forms: ChangeForms,
    /// Tokens of an answer in a second, where measured.
    pub tokens_per_second: Option<f64>,
}

/// The room for reasoning beside an answer of the wanted size, in the answer's limit.
const REASONING_ROOM: u32 = 4_096;

impl Profile {
    /// The limit to set on an answer that is to hold `target` tokens: room for reasoning is added,
    /// and neither the model's own limit nor half of the window is passed.
    #[must_use]
    pub fn output_limit(&self, target: u32) -> u32 {
        let thinks = self.reasons && self.reasoning != Some(ReasoningEffort::None);
        let wanted = target.saturating_add(if thinks { REASONING_ROOM } else { 0 });
        let half = u32::try_from(self.context_window / 2).unwrap_or(u32::MAX);
        wanted.min(self.max_output_tokens).min(half).max(1)
    }

    /// Whether an answer of `target` tokens to a prompt of `prompt` tokens has room; `Err` is the
    /// window that it would need, to be said before anything is asked.
    ///
    /// # Errors
    /// The least window, in tokens, rounded up to a usual size.
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

/// Under what a probe's result and the counters are kept: the same model behind another server, or
/// with another template, is another one.
#[must_use]
pub fn cache_key(base_url: &str, model: &str, template: &str) -> String {
    let base = base_url.trim_end_matches('/').to_ascii_lowercase();
    // Blanks cannot stand in an address, so the parts cannot run into each other.
    format!("{base} {} {model} {template}", model.len())
}

#[cfg(test)]
mod tests;
