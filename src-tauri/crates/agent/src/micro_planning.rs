//! Planning during a run: after each completed step, a model is asked for the next few steps.
//!
//! The model answers in a short form, `{what, why, tools}`. Code fills in the rest of the step: id,
//! title, prose, files, covered requirements, `origin: run`. Steps are added to the plan file as
//! splices of its current text, so that a person's edits in the meantime are kept.
//!
//! Submodules: `turn` chooses the next action of a run, `prompt` builds the request, `answer`
//! validates the answer, `new_step` turns it into steps and `insertion` into splices, `split`
//! splits a step, `claim` checks that the goal is reached.
//!
//! **Invariants.** No step is added that is already in the plan, needs a tool that isn't offered,
//! or names a path outside the workspace. A model's statement that the goal is reached is a
//! [`Claim`]; only checks turn it into [`Verdict::Reached`]. A step names only files that exist or
//! that the approved goal names. The size of a request doesn't depend on the number of steps in the
//! plan.
//!
//! Sends no requests, writes no files and carries out no steps itself.

mod answer;
mod choice;
mod claim;
mod gist;
mod insertion;
mod new_step;
mod prompt;
mod split;
mod turn;

use serde::{Deserialize, Serialize};

pub use answer::{AnswerContext, NextSteps, fallback, read_next, read_split};
pub use choice::{HandOverChoice, HostChoice, RunChoice};
pub use claim::{Checked, Claim, Verdict};
pub use insertion::{Added, as_edit, splices};
pub use new_step::{NewStep, closing_step, has_grown, lacks_steps};
pub use prompt::{Messages, NextStepInput, next_step_messages, split_messages};
pub use split::{
    MAX_CALLS, MAX_SPLITS, SplitReason, decompose_further, parts_by_rule, split_depth, split_reason,
};
pub use turn::{Turn, turn};

plan::named! {
    /// When the steps of a plan are created.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
    pub enum Strategy {
        /// All steps are planned before the run.
        #[default]
        Upfront = "upfront",
        /// The next one to three steps are planned after each completed step.
        Iterative = "iterative",
        /// An outline is planned before the run; each of its steps is split when it comes up.
        Hybrid = "hybrid",
    }
}

impl Strategy {
    /// Parses the strategy named in a plan, ignoring case.
    pub fn read(name: &str) -> Option<Self> {
        Self::from_name(&name.trim().to_ascii_lowercase())
    }
}

/// The maximum number of steps to request at once.
pub const MAX_LOOK_AHEAD: u8 = 3;

/// How many steps to request from a model at once: the person's choice, otherwise
/// `max_tasks_per_plan` in the model's profile. A model that needs simple prompts is asked for
/// fewer.
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
