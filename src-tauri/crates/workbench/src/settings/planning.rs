//! The settings of planning while a run goes on: names, and how they are merged.

use agent::micro_planning::{Caps, Strategy};

use super::layer::keys;
use super::merge::Merging;

/// When the steps of a plan are thought of that does not say so itself; by default as the model's profile says,
/// where the plan lacks steps.
pub(crate) const STRATEGIES: [(&str, Option<Strategy>); 4] = [
    ("auto", None),
    ("upfront", Some(Strategy::Upfront)),
    ("iterative", Some(Strategy::Iterative)),
    ("hybrid", Some(Strategy::Hybrid)),
];

/// How plans grow while they run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Planning {
    /// For plans that do not say it; see [`STRATEGIES`].
    pub(crate) strategy: Option<Strategy>,
    /// How much of what is known a model is given for a step.
    pub context: agent::context::Strategy,
    /// Steps asked for at once; absent: as the model's profile says.
    pub look_ahead: Option<u8>,
    /// When a run ends that does not end by itself.
    pub caps: Caps,
}

impl Planning {
    /// Whether the model's profile says when steps are thought of.
    pub fn is_by_profile(&self) -> bool {
        self.strategy.is_none()
    }

    /// The strategy of a plan that says none, with a model of whose profile `recommended` is known.
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
        // A plan that grows is approved for less than all of its steps: no workspace says so.
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
