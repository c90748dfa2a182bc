//! The settings of planning during a run.

use agent::micro_planning::Strategy;
use agent::run_limits::RunLimits;

/// When steps are planned, unless the plan says so itself. By default, this depends on the model's
/// profile if the plan has no steps.
///
/// An approval can't list the steps that a growing plan will add, so a workspace may not enable
/// growth.
pub(crate) const STRATEGIES: [(&str, Option<Strategy>); 4] = [
    ("auto", None),
    ("upfront", Some(Strategy::Upfront)),
    ("iterative", Some(Strategy::Iterative)),
    ("hybrid", Some(Strategy::Hybrid)),
];

/// How plans grow during a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Planning {
    /// The strategy of plans that don't set one; see [`STRATEGIES`].
    pub(crate) strategy: Option<Strategy>,
    /// How much context a model gets for a step.
    pub context: agent::context::Strategy,
    /// Steps requested at once; `None` uses the model's profile.
    pub look_ahead: Option<u8>,
    /// The limits of a run that adds steps.
    pub caps: RunLimits,
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
