//! Planning with a model, without the model: what it is asked, how its answer is read, and how a
//! plan is made of that.
//!
//! [`goal`] is `sd-llm-fast` and `sd-llm-deep`: a goal read by a model. [`prompt`] asks for a plan
//! (`gs-llm-fast`), [`critique`] for what a plan lacks and for one round of an expansion
//! (`gs-llm-deep`). [`steps_of_tasks`] and [`steps_of_markdown`] read an answer as [`DraftStep`]s, and
//! [`assemble`] writes the plan file from them.
//!
//! **Architecture invariants.** A model's text is never a plan: it is read into a few plain fields,
//! and code writes the file from them, each value tried on the text before it is kept. So no answer
//! can tick a box, answer a decision, write front matter, or stand outside of its own step. A path
//! that is not in the workspace is kept only for a step that makes it; a command becomes a check
//! only where the workspace is known to be checked by such a command. What is not taken is named.
//! Text of the workspace stands between tags that it cannot close.

mod assemble;
pub mod critique;
mod fence;
pub mod goal;
mod markdown;
pub mod prompt;
mod step;
mod surroundings;
mod vetting;
pub(crate) mod words;

pub use assemble::{Assembled, Material, assemble};
pub use markdown::steps_of_markdown;
pub use step::{DraftKind, DraftStep, steps_of_tasks};
pub(crate) use surroundings::holds_secrets;
pub use surroundings::{Surroundings, surroundings};
pub use vetting::vetted;

/// Bytes that are counted as one token: rather too many tokens than too few.
const BYTES_OF_A_TOKEN: usize = 3;

/// An upper estimate of a text's tokens.
pub fn tokens(text: &str) -> u64 {
    text.len().div_ceil(BYTES_OF_A_TOKEN) as u64
}
