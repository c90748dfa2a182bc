//! Plans drafted by a model: the prompts, the parsing of answers, and the plan file made from them.
//! The requests themselves are sent by `workbench`.
//!
//! [`goal`] implements `sd-llm-fast` and `sd-llm-deep`, which read a goal with a model. [`prompt`]
//! asks for a plan (`gs-llm-fast`), with the workspace described by [`surroundings()`];
//! [`critique`] asks about gaps in a plan, and for one round of expansion (`gs-llm-deep`).
//! [`steps_of_tasks`] and [`steps_of_markdown`] parse an answer into [`DraftStep`]s. [`assemble()`]
//! writes the plan file from them: `validation` checks each path and command against the workspace,
//! and `sanitize` reduces each text to one harmless line.
//!
//! **Architecture invariants.** A model's text never becomes the plan directly: it is parsed into
//! plain fields, and code writes the file from them, validating each value before keeping it. So no
//! answer can tick a box, answer a decision, write front matter, or escape its own step. A path
//! that is not in the workspace is kept only for a step that creates it; a command becomes a check
//! only if it is known to check this workspace. Everything rejected is reported. Workspace text is
//! fenced by tags that it cannot close.

mod assemble;
pub mod critique;
mod fence;
pub mod goal;
mod markdown;
pub mod prompt;
pub(crate) mod sanitize;
mod step;
mod surroundings;
mod validation;

pub use assemble::{Assembled, Material, assemble};
pub use markdown::steps_of_markdown;
pub use step::{DraftKind, DraftStep, steps_of_tasks};
pub(crate) use surroundings::holds_secrets;
pub use surroundings::{Surroundings, surroundings};
pub use validation::validate_tasks;

/// Bytes per token for estimates. It is deliberately low, so that the number of tokens is
/// overestimated.
const BYTES_PER_TOKEN: usize = 3;

/// An upper estimate of the number of tokens in a text.
pub fn tokens(text: &str) -> u64 {
    text.len().div_ceil(BYTES_PER_TOKEN) as u64
}
