//! The plugins that each effort would try first for a goal, and their expected cost. Plans nothing
//! and sends no requests.

use planning::decision::{Decision, Effort, Kind, Plugins, Request, decide};

use crate::Workbench;
use crate::error::Result;
use crate::new_plan::PlanRequest;
use crate::wire::route_views::EffortForecast;

impl Workbench {
    /// The expected cost of each effort for a goal. Fails as [`Workbench::make_plan`] does, as far
    /// as that is known in advance.
    pub fn forecast(&self, request: &PlanRequest) -> Result<Vec<EffortForecast>> {
        let site = self.site(request)?;
        let named = self.configured_model(None).unwrap_or_default();
        let model = named.map(|named| named.endpoint.model);
        let (statistics, _) = self.route_statistics()?;
        let plugins = Plugins::built_in();
        let pins = request.all_pins();
        let mut all = Vec::new();
        for effort in Effort::ALL {
            let decision = decide(&Request {
                intake: &site.intake,
                effort,
                pins: &pins,
                model: model.as_deref(),
                orders: &site.settings.routes,
                plugins: &plugins,
                statistics: &statistics,
            });
            // An invalid pin is reported when the plan is made.
            all.extend(decision.ok().map(|decision| forecast(effort, &decision)));
        }
        Ok(all)
    }
}

fn forecast(effort: Effort, decision: &Decision) -> EffortForecast {
    let first = decision.planners.first();
    let stages = first.map(|plan| plan.stages.as_slice()).unwrap_or_default();
    let route = stages.iter().filter_map(|stage| {
        let first = stage.candidates.first()?;
        Some(first.plugin.clone())
    });
    let next = stages
        .iter()
        .find(|stage| stage.kind == Kind::Solver)
        .and_then(|stage| stage.candidates.get(1))
        .map(|one| one.plugin.clone());
    let expected = decision.expected;
    EffortForecast {
        effort: effort.as_str().to_owned(),
        route: route.collect(),
        next,
        ms: expected.ms,
        requests: expected.calls,
        tokens: expected.tokens,
        accepted: expected.accepted,
        judged: expected.judged,
        is_learned: expected.is_learned,
    }
}
