//! Planning while a run goes on: the next step or two are asked for after each one that was carried out.
//!
//! A model answers in a small form, `{what, why, tools}`; everything else of a step is filled in by
//! code: id, title, prose, files, what it covers, `origin: run`. Steps become lines of the plan file
//! by splices on the text that the file has then, so that what a person wrote meanwhile stands.
//!
//! Submodules: `turn` says what a run does next, `prompt` what a model is asked, `reading` what its
//! answer amounts to, `filling` makes steps of it and `adding` splices, `splitting` takes one step apart,
//! `caps` says when to stop, `claim` what becomes of "the goal is reached".
//!
//! **Invariants.** No step is added that the plan has already, that needs a tool which is not offered,
//! or that names a path outside of the workspace. That a goal is reached is a [`Claim`]; it becomes
//! [`Verdict::Reached`] by checks alone. A file is named by a step only if it is there. The size of a
//! request does not depend on how many steps the plan has.
//!
//! Never asks a model, never writes a file, never carries a step out.

mod adding;
mod caps;
mod choice;
mod claim;
mod filling;
mod gist;
mod prompt;
mod reading;
mod splitting;
mod turn;

use serde::{Deserialize, Serialize};

pub use adding::{Added, as_edit, splices};
pub use caps::{Cap, Caps, Reached, Spent};
pub use choice::{HandOverChoice, RunChoice};
pub use claim::{Checked, Claim, Verdict};
pub use filling::{NewStep, closing_step, has_grown, lacks_steps};
pub use prompt::{Asking, Messages, next_step_messages, split_messages};
pub use reading::{Around, NextSteps, fallback, read_next, read_split};
pub use splitting::{
    Long, MAX_CALLS, MAX_SPLITS, by_rule, decompose_further, is_long, split_depth,
};
pub use turn::{Turn, turn};

gate::named! {
    /// When the steps of a plan are thought of.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
    pub enum Strategy {
        /// All of them before the run.
        #[default]
        Upfront = "upfront",
        /// The next one to three, after each one that was carried out.
        Iterative = "iterative",
        /// An outline before the run; each of its steps is taken apart when its turn comes.
        Hybrid = "hybrid",
    }
}

impl Strategy {
    /// The strategy that a plan names, whatever the case.
    pub fn read(name: &str) -> Option<Self> {
        Self::from_name(&name.trim().to_ascii_lowercase())
    }
}

/// How many steps are asked for at once, at most.
pub const MAX_LOOK_AHEAD: u8 = 3;

/// How many steps a model is asked for at once: what the person wants, else what the model's profile
/// allows, `max_tasks_per_plan`. One that needs simple prompts is asked for one.
pub fn look_ahead(wanted: Option<u8>, max_tasks_per_plan: u32, needs_simple: bool) -> u8 {
    let by_profile = match (needs_simple, max_tasks_per_plan) {
        (true, 0..=2) | (false, 0..=1) => 1,
        (true, _) | (false, 2..=5) => 2,
        (false, _) => MAX_LOOK_AHEAD,
    };
    wanted.unwrap_or(by_profile).clamp(1, MAX_LOOK_AHEAD)
}

#[cfg(test)]
mod tests;
