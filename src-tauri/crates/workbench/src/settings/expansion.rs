//! Merges the settings for expanding thin plans.
//!
//! Defaults and limits come from [`adequacy::expansion`]. A workspace can ask for stricter checks
//! and a smaller budget, but never for the opposite.

use adequacy::PlanDepth;
use adequacy::expansion::{LoopMode, Settings};

use super::layer::keys;
use super::merge::Merging;

pub(super) fn merge(merging: &mut Merging<'_>) -> Settings {
    let default = Settings::default();
    // Here, 0 means no limit.
    let limit = |tokens: u64| if tokens == 0 { u64::MAX } else { tokens };
    let (own, wish) = merging.both(&keys::refine_budget_tokens);
    let own = own.unwrap_or(default.refine_budget_tokens);
    let mut refine_budget_tokens = wish.unwrap_or(own);
    if limit(refine_budget_tokens) > limit(own) {
        let why = "is more than yours allow; a workspace can only lower it";
        merging.ignore(
            "refine_budget_tokens",
            format!("{refine_budget_tokens} {why}"),
        );
        refine_budget_tokens = own;
    }
    Settings {
        loop_mode: merging.no_less(&keys::loop_mode, &LoopMode::ALL, default.loop_mode),
        max_refine_rounds: merging.at_most(&keys::max_refine_rounds, default.max_refine_rounds),
        refine_budget_tokens,
        gap_risk_threshold: merging.at_most(&keys::gap_risk_threshold, default.gap_risk_threshold),
        auto_expand_thin_plan: merging
            .only_on(&keys::auto_expand_thin_plan, default.auto_expand_thin_plan),
        plan_depth: merging.no_less(&keys::plan_depth, &PlanDepth::ALL, default.plan_depth),
        max_tasks: merging.at_most(&keys::max_tasks, default.max_tasks),
    }
}
