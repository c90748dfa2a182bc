//! Makes the decision for one request: the planners to try, and for each the order of detectors, KB
//! plugins and solvers.
//!
//! The user's choices come first: a pin reduces its stage to one plugin, and the chosen effort
//! reorders the other stages. Next comes availability: without a model, plugins that need one are
//! excluded. Last comes the formula of [`super::ranking`], with the learned statistics.

use std::collections::BTreeMap;

use super::plugin::{Depth, FallbackRole, Kind, Plugin};
use super::ranking::{Ranked, rank, rank_planners};
use super::request::{Decision, DecisionError, Effort, Expectation, PlannerPlan, Request, Stage};
use super::signals::Signals;
use super::statistics::Figures;

/// Makes the decision, which is always the same for the same request. Fails if a pin is invalid.
pub fn decide(request: &Request<'_>) -> Result<Decision, DecisionError> {
    let pins = pins(request)?;
    let mut signals = Signals::of(request.intake);
    match request.effort {
        Effort::Auto => {}
        Effort::Quick => {
            signals.wants_speed = Some("you chose Quick".to_owned());
            signals.wants_depth = None;
        }
        Effort::Thorough => {
            signals.wants_depth = Some("you chose Thorough".to_owned());
            signals.wants_speed = None;
        }
    }
    let mut reasons = Vec::new();
    for (kind, pin) in &pins {
        reasons.push(format!(
            "{pin} is pinned, so no other {} is tried",
            kind.as_str()
        ));
    }
    match (&signals.wants_depth, &signals.wants_speed) {
        (Some(why), _) => reasons.push(format!("thorough plugins first: {why}")),
        (None, Some(why)) => reasons.push(format!("cheap plugins first: {why}")),
        (None, None) => {}
    }
    if request.model.is_none() {
        reasons.push("no model is configured, so the plan uses templates and rules".to_owned());
    }
    let selection = Selection {
        request,
        signals: &signals,
        pins: &pins,
    };
    let planners: Vec<PlannerPlan> = selection
        .planners(&mut reasons)
        .into_iter()
        .map(|planner| PlannerPlan {
            stages: Kind::STAGES
                .map(|kind| selection.stage(kind, &planner.plugin))
                .to_vec(),
            planner,
        })
        .collect();
    let expected = selection.expected(&planners);
    Ok(Decision {
        effort: request.effort,
        planners,
        reasons,
        expected,
        signals,
    })
}

fn pins(request: &Request<'_>) -> Result<BTreeMap<Kind, String>, DecisionError> {
    let mut pins: BTreeMap<Kind, String> = BTreeMap::new();
    for pin in request.pins {
        let Some(plugin) = request.plugins.get(pin) else {
            return Err(DecisionError::Unknown {
                pin: pin.clone(),
                known: request.plugins.ids().collect::<Vec<_>>().join(", "),
            });
        };
        if plugin.needs_model && request.model.is_none() {
            return Err(DecisionError::NoModel(pin.clone()));
        }
        match pins.insert(plugin.kind, pin.clone()) {
            Some(one) if one != *pin => {
                return Err(DecisionError::Both {
                    one,
                    other: pin.clone(),
                    kind: plugin.kind.as_str(),
                });
            }
            _ => {}
        }
    }
    Ok(pins)
}

struct Selection<'a> {
    request: &'a Request<'a>,
    signals: &'a Signals,
    pins: &'a BTreeMap<Kind, String>,
}

impl Selection<'_> {
    fn act(&self) -> &'static str {
        self.signals.act.as_str()
    }

    fn model(&self) -> &str {
        self.request.model.unwrap_or_default()
    }

    fn figures(&self, plugin: &str) -> Option<Figures> {
        let statistics = self.request.statistics;
        statistics.figures(self.act(), self.model(), plugin)
    }

    fn cost(&self, plugin: &str) -> f64 {
        let plugin = self.request.plugins.get(plugin);
        plugin.map_or(0.0, |plugin| plugin.hints.relative_cost)
    }

    /// The known planners, in order.
    fn planners(&self, reasons: &mut Vec<String>) -> Vec<Ranked> {
        let orders = self.request.orders;
        let mut order: Vec<String> = Vec::new();
        let pinned = self.pins.get(&Kind::Planner);
        let registered = self.request.plugins.of(Kind::Planner);
        let known: Vec<String> = registered.map(|plugin| plugin.id.clone()).collect();
        let wished = match pinned {
            Some(pin) => vec![pin.clone()],
            None => [&orders.planner]
                .into_iter()
                .chain(&orders.planners)
                .cloned()
                .collect(),
        };
        for id in wished {
            if known.contains(&id) && !order.contains(&id) {
                order.push(id);
            }
        }
        if order.is_empty() {
            order = known;
        }
        let mut ranked = rank_planners(&order, &|id| self.figures(id));
        if pinned.is_some() {
            return ranked;
        }
        // With a pinned solver, another planner could only run it again or replace it.
        let is_pinned = self.pins.contains_key(&Kind::Solver);
        // If the goal asks for depth, the thorough planner comes first.
        if let Some(why) = &self.signals.wants_depth
            && let Some(at) = ranked
                .iter()
                .position(|one| self.is_heavy_first(&one.plugin))
            && at > 0
        {
            let deep = ranked.remove(at);
            reasons.push(format!("{} goes first: {why}", deep.plugin));
            ranked.insert(0, deep);
        }
        if self.request.effort == Effort::Quick {
            ranked.retain(|one| !self.is_heavy_first(&one.plugin));
        }
        if ranked.is_empty() {
            ranked = rank_planners(&order, &|id| self.figures(id));
        }
        if self.signals.wants_depth.is_none() && self.signals.wants_speed.is_none() {
            reasons.extend(self.try_planner_again(&mut ranked, &order));
        }
        if is_pinned {
            ranked.truncate(1);
        }
        ranked
    }

    /// Whether a planner starts with the expensive plugins.
    fn is_heavy_first(&self, planner: &str) -> bool {
        let planner = self.request.plugins.get(planner);
        planner.is_some_and(|planner| planner.hints.preferred_depth == Depth::Deep)
    }

    /// The order of one stage under one planner.
    fn stage(&self, kind: Kind, planner: &str) -> Stage {
        let request = self.request;
        let configured = request.orders.of(kind);
        let mut order: Vec<String> = configured.to_vec();
        let is_heavy = self.is_heavy_first(planner) || self.signals.wants_depth.is_some();
        if is_heavy {
            let cost = |id: &String| self.cost(id);
            order.sort_by(|one, other| cost(other).total_cmp(&cost(one)));
        }
        if let Some(pin) = self.pins.get(&kind) {
            let pinned: Vec<&Plugin> = request.plugins.get(pin).into_iter().collect();
            return Stage {
                kind,
                candidates: rank(&pinned, &order, self.signals, &|id| self.figures(id)),
                is_pinned: true,
                notes: Vec::new(),
            };
        }
        let has_model = request.model.is_some();
        let candidates: Vec<&Plugin> = request
            .plugins
            .of(kind)
            .filter(|plugin| configured.contains(&plugin.id))
            .filter(|plugin| has_model || !plugin.needs_model)
            .filter(|plugin| {
                let is_heavy = plugin.hints.fallback_role == FallbackRole::HeavyRecovery;
                request.effort != Effort::Quick || !is_heavy
            })
            .collect();
        let mut candidates = rank(&candidates, &order, self.signals, &|id| self.figures(id));
        let mut notes = Vec::new();
        if is_heavy {
            self.heavy_first(&mut candidates, &mut notes);
        } else if self.signals.wants_speed.is_none() {
            self.try_again(&mut candidates, &order, &mut notes);
        }
        Stage {
            kind,
            candidates,
            is_pinned: false,
            notes,
        }
    }

    /// Puts the expensive plugins first, whatever their scores.
    fn heavy_first(&self, candidates: &mut [Ranked], notes: &mut Vec<String>) {
        let is_heavy = |one: &Ranked| {
            let plugin = self.request.plugins.get(&one.plugin);
            plugin.is_some_and(|plugin| plugin.hints.fallback_role == FallbackRole::HeavyRecovery)
        };
        if candidates.first().is_some_and(is_heavy) || !candidates.iter().any(is_heavy) {
            return;
        }
        candidates.sort_by_key(|one| !is_heavy(one));
        notes.push("thorough plugins first, regardless of score".to_owned());
    }

    /// If the statistics put a more expensive plugin before a cheaper one, retries the cheaper one
    /// occasionally, and keeps using it as long as it succeeds.
    fn try_again(&self, candidates: &mut [Ranked], order: &[String], notes: &mut Vec<String>) {
        let Some(first) = candidates.first() else {
            return;
        };
        let of_first = self.cost(&first.plugin);
        let is_behind = |id: &&String| {
            self.cost(id) < of_first && candidates.iter().any(|one| one.plugin == **id)
        };
        let behind: Vec<&String> = order.iter().filter(is_behind).collect();
        let statistics = self.request.statistics;
        let explores = statistics.explores(self.act(), self.model());
        if let Some((again, why)) = self.again(&behind, explores) {
            to_front(candidates, &again);
            notes.push(why);
        }
    }

    /// Like [`Self::try_again`], for planners that come before the currently first one in the
    /// configured order. Retries them in different requests than plugins, so that a planner is
    /// judged by its own first choices.
    fn try_planner_again(&self, ranked: &mut [Ranked], order: &[String]) -> Option<String> {
        let first = ranked.first()?.plugin.clone();
        let behind: Vec<&String> = order.iter().take_while(|id| **id != first).collect();
        let statistics = self.request.statistics;
        let explores = statistics.explores_planners(self.act(), self.model());
        let (again, why) = self.again(&behind, explores)?;
        to_front(ranked, &again);
        Some(why)
    }

    /// Which demoted plugin to retry, and why: in an exploring request, the one that hasn't been
    /// tried for the longest time; otherwise one whose last retry succeeded.
    fn again(&self, behind: &[&String], explores: bool) -> Option<(String, String)> {
        let known: Vec<(&String, Figures)> = behind
            .iter()
            .filter_map(|id| Some((*id, self.figures(id).filter(Figures::counts)?)))
            .collect();
        if explores {
            let (id, _) = known.iter().min_by_key(|(_, figures)| figures.last())?;
            let every = super::statistics::EXPLORE_EVERY;
            let why = format!("retrying {id}: every {every}th request retries a demoted plugin");
            return Some(((*id).clone(), why));
        }
        let statistics = self.request.statistics;
        let (id, _) = known
            .iter()
            .find(|(id, _)| statistics.is_on_probation(self.act(), self.model(), id))?;
        let why = format!("keeping {id} first: its last retry succeeded");
        Some(((*id).clone(), why))
    }

    fn expected(&self, planners: &[PlannerPlan]) -> Expectation {
        let mut expected = Expectation::default();
        let stages = planners.first().map(|plan| plan.stages.as_slice());
        for stage in stages.unwrap_or_default() {
            let first = stage.candidates.first();
            let Some(plugin) = first.and_then(|one| self.request.plugins.get(&one.plugin)) else {
                continue;
            };
            match self.figures(&plugin.id).filter(Figures::counts) {
                Some(figures) => {
                    // The casts can't overflow: an average is never greater than the largest of the
                    // values that it was computed from.
                    expected.ms += figures.latency_ms_ewma.round() as u64;
                    expected.calls += figures.calls_ewma.round() as u32;
                    expected.tokens += figures.tokens_ewma.round() as u64;
                    if plugin.kind == Kind::Solver {
                        expected.is_learned = true;
                        expected.accepted = figures.accepted;
                        expected.judged = figures.judged;
                    }
                }
                None => {
                    expected.ms += u64::from(plugin.hints.expected_latency_ms);
                    expected.calls += plugin.hints.expected_llm_calls;
                }
            }
        }
        expected
    }
}

/// Moves the plugin with this id to the front.
fn to_front(ranked: &mut [Ranked], id: &str) {
    if let Some(at) = ranked.iter().position(|one| one.plugin == id) {
        ranked[..=at].rotate_right(1);
    }
}

#[cfg(test)]
mod tests;
