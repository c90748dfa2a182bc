//! The settings of planning during a run, and how they are merged.

use agent::micro_planning::{Caps, Strategy};

use super::layer::keys;
use super::merge::Merging;

/// When steps are planned if the plan doesn't say so. The default depends on the model's profile if
/// the plan lacks steps.
pub(crate) const STRATEGIES: [(&str, Option<Strategy>); 4] = [
    ("auto", None),
    ("upfront", Some(Strategy::Upfront)),
    ("iterative", Some(Strategy::Iterative)),
    ("hybrid", Some(Strategy::Hybrid)),
];

/// How plans grow during a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Planning {
    /// For plans that don't set a strategy; see [`STRATEGIES`].
    pub(crate) strategy: Option<Strategy>,
    /// How much context a model gets for a step.
    pub context: agent::context::Strategy,
    /// Steps requested at once; `None` uses the model's profile.
    pub look_ahead: Option<u8>,
    /// The limits of a run that adds steps.
    pub caps: Caps,
}

impl Planning {
    /// Whether the model's profile determines the strategy.
    pub fn is_by_profile(&self) -> bool {
        self.strategy.is_none()
    }

    /// The strategy of a plan that sets none, given the profile's `recommended` one.
    pub fn usual(&self, recommended: model::profile::Strategy) -> Strategy {
        self.strategy.unwrap_or(match recommended {
            model::profile::Strategy::Upfront => Strategy::Upfront,
            model::profile::Strategy::Iterative => Strategy::Iterative,
            model::profile::Strategy::Hybrid => Strategy::Hybrid,
        })
    }
}

pub(super) fn merge(merging: &mut Merging<'_>) -> Planning {
    let default = Caps::default();
    let (user, workspace) = (merging.user, merging.workspace);
    Planning {
        // An approval can't list the steps that a growing plan will add, so a workspace may not
        // enable growth.
        strategy: user.planning_strategy.unwrap_or_default(),
        context: workspace
            .context_strategy
            .or(user.context_strategy)
            .unwrap_or_default(),
        look_ahead: workspace.look_ahead_tasks.or(user.look_ahead_tasks),
        caps: Caps {
            steps: merging.at_most(&keys::max_added_steps, default.steps),
            calls: merging.at_most(&keys::max_model_calls, default.calls),
            tokens: merging.at_most(&keys::max_run_tokens, default.tokens),
            seconds: merging.at_most(&keys::max_run_seconds, default.seconds),
        },
    }
}
