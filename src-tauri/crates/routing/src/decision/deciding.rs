//! One request's decision: which planners, and under each the order of detectors, KB plugins and solvers.
//!
//! What a person said goes first: a pin collapses its stage, effort shifts the rest. Then what is there:
//! without a model, plugins that need one are not candidates. Then the formula of [`super::ranking`],
//! with what was learned.

use std::collections::BTreeMap;

use serde::Serialize;
use thiserror::Error;

use super::learning::{Figures, Statistics};
use super::plugin::{Depth, FallbackRole, Kind, Plugin, Plugins};
use super::ranking::{Ranked, rank, rank_planners};
use super::signals::Signals;
use crate::intake::Intake;

/// The one choice that a person has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// As the goal and what was learned say.
    #[default]
    Auto,
    /// The cheapest first, the heavy ones not at all.
    Quick,
    /// The thorough ones first.
    Thorough,
}

impl Effort {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Quick, Self::Thorough];

    /// The name on screen, in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Quick => "quick",
            Self::Thorough => "thorough",
        }
    }

    /// The one of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effort| effort.as_str() == name)
    }
}

/// The default orders, as the settings give them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orders {
    /// The planner that is asked first.
    pub planner: String,
    /// Those that are asked after it, in order.
    pub planners: Vec<String>,
    /// Detectors.
    pub detectors: Vec<String>,
    /// KB plugins.
    pub kbs: Vec<String>,
    /// Goal solvers.
    pub solvers: Vec<String>,
}

impl Default for Orders {
    fn default() -> Self {
        let list = |ids: [&str; 3]| ids.map(str::to_owned).to_vec();
        Self {
            planner: "planner-default".to_owned(),
            planners: vec!["planner-default".to_owned(), "planner-depth".to_owned()],
            detectors: list(["sd-symbolic", "sd-llm-fast", "sd-llm-deep"]),
            kbs: list(["kb-fast", "kb-balanced", "kb-thinkingdb"]),
            solvers: list(["gs-symbolic", "gs-llm-fast", "gs-llm-deep"]),
        }
    }
}

impl Orders {
    /// The order of one stage.
    pub fn of(&self, kind: Kind) -> &[String] {
        match kind {
            Kind::Detector => &self.detectors,
            Kind::Kb => &self.kbs,
            Kind::Solver => &self.solvers,
            Kind::Planner => &self.planners,
        }
    }
}

/// What is to be decided.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The goal, read by rules.
    pub intake: &'a Intake,
    /// What the person chose.
    pub effort: Effort,
    /// Plugins that the person named, at most one of each kind.
    pub pins: &'a [String],
    /// The model; `None` where none is configured, or none is to be asked.
    pub model: Option<&'a str>,
    /// The default orders.
    pub orders: &'a Orders,
    /// The plugins that are known.
    pub plugins: &'a Plugins,
    /// What was learned.
    pub statistics: &'a Statistics,
}

/// Why nothing was decided: what was pinned cannot be.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DecisionError {
    /// No plugin of that id.
    #[error("there is no plugin {pin}; the plugins are {known}")]
    Unknown {
        /// What was named.
        pin: String,
        /// All ids.
        known: String,
    },
    /// Two of one kind.
    #[error("{one} and {other} are both a {kind}; pin one of them")]
    Both {
        /// The first.
        one: String,
        /// The second.
        other: String,
        /// Their kind.
        kind: &'static str,
    },
    /// It needs a model.
    #[error(
        "{0} is pinned and needs a model, and none is configured; set PLANWRIGHT_BASE_URL and PLANWRIGHT_MODEL, or pin another plugin"
    )]
    NoModel(String),
}

/// The order of one stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stage {
    /// Which.
    pub kind: Kind,
    /// Those to be tried, in order.
    pub candidates: Vec<Ranked>,
    /// Whether the one candidate was pinned by a person.
    pub is_pinned: bool,
    /// Why the order is not that of the scores alone: one sentence each.
    pub notes: Vec<String>,
}

/// What one planner would have tried.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannerPlan {
    /// The planner, with its score.
    pub planner: Ranked,
    /// Detectors, KB plugins, solvers.
    pub stages: Vec<Stage>,
}

/// What the first choice is expected to take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Expectation {
    /// Milliseconds.
    pub ms: u64,
    /// Requests to a model.
    pub calls: u32,
    /// Tokens; 0 where nothing is known of them.
    pub tokens: u64,
    /// Plans of this route that were approved, of those that were judged.
    pub accepted: u32,
    /// Plans of this route that were judged.
    pub judged: u32,
    /// Whether outcomes say so; otherwise the plugins say it of themselves.
    pub is_learned: bool,
}

/// What is to be tried for one request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decision {
    /// What the person chose.
    pub effort: Effort,
    /// What the goal asks for.
    pub signals: Signals,
    /// The planners, in order; never empty.
    pub planners: Vec<PlannerPlan>,
    /// Why it is so, one sentence each, the weightiest first.
    pub reasons: Vec<String>,
    /// What the first choice is expected to take.
    pub expected: Expectation,
}

/// Decides. The same request gives the same decision.
///
/// # Errors
/// [`DecisionError`] for pins that cannot be.
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
            "{pin} is pinned: no other {} is tried",
            kind.as_str()
        ));
    }
    match (&signals.wants_depth, &signals.wants_speed) {
        (Some(why), _) => reasons.push(format!("thorough ones first: {why}")),
        (None, Some(why)) => reasons.push(format!("cheap ones first: {why}")),
        (None, None) => {}
    }
    if request.model.is_none() {
        reasons
            .push("no model is configured: the plan is written by templates and rules".to_owned());
    }
    let deciding = Deciding {
        request,
        signals: &signals,
        pins: &pins,
    };
    let planners: Vec<PlannerPlan> = deciding
        .planners(&mut reasons)
        .into_iter()
        .map(|planner| PlannerPlan {
            stages: Kind::STAGES
                .map(|kind| deciding.stage(kind, &planner.plugin))
                .to_vec(),
            planner,
        })
        .collect();
    let expected = deciding.expected(&planners);
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

struct Deciding<'a> {
    request: &'a Request<'a>,
    signals: &'a Signals,
    pins: &'a BTreeMap<Kind, String>,
}

impl Deciding<'_> {
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

    /// The planners in order, those that are known.
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
        // Another planner would try what was pinned once more, or something else in its place.
        let is_pinned = self.pins.contains_key(&Kind::Solver);
        // The one that goes deep first where depth is asked for.
        if let Some(why) = &self.signals.wants_depth
            && let Some(at) = ranked
                .iter()
                .position(|one| self.is_heavy_first(&one.plugin))
            && at > 0
        {
            let deep = ranked.remove(at);
            reasons.push(format!("{} plans first: {why}", deep.plugin));
            ranked.insert(0, deep);
        }
        if self.request.effort == Effort::Quick {
            ranked.retain(|one| !self.is_heavy_first(&one.plugin));
        }
        if ranked.is_empty() {
            ranked = rank_planners(&order, &|id| self.figures(id));
        }
        if is_pinned {
            ranked.truncate(1);
        }
        ranked
    }

    /// Whether a planner begins with the heavy ones.
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
            order.reverse();
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
            // What is built in and was taken out of the settings' order is not wanted.
            .filter(|plugin| configured.contains(&plugin.id) || !Plugins::is_built_in(&plugin.id))
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

    /// Where depth is asked for, no figure puts a cheap try before a heavy one.
    fn heavy_first(&self, candidates: &mut [Ranked], notes: &mut Vec<String>) {
        let is_heavy = |one: &Ranked| {
            let plugin = self.request.plugins.get(&one.plugin);
            plugin.is_some_and(|plugin| plugin.hints.fallback_role == FallbackRole::HeavyRecovery)
        };
        if candidates.first().is_some_and(is_heavy) || !candidates.iter().any(is_heavy) {
            return;
        }
        candidates.sort_by_key(|one| !is_heavy(one));
        notes.push("heavy ones first, whatever the scores".to_owned());
    }

    /// What was learned put a dearer one before a cheaper: now and then the cheaper is tried again, and
    /// as long as it does well.
    fn try_again(&self, candidates: &mut Vec<Ranked>, order: &[String], notes: &mut Vec<String>) {
        let Some(first) = candidates.first() else {
            return;
        };
        let cost = |id: &str| {
            let plugin = self.request.plugins.get(id);
            plugin.map_or(0.0, |plugin| plugin.hints.relative_cost)
        };
        let of_first = cost(&first.plugin);
        let statistics = self.request.statistics;
        let (act, model) = (self.act(), self.model());
        // In the order of the list: the first that was put behind.
        let behind = order.iter().find(|id| {
            let is_tried = self.figures(id).is_some_and(|figures| figures.counts());
            is_tried && cost(id) < of_first && candidates.iter().any(|one| one.plugin == **id)
        });
        let Some(behind) = behind else { return };
        let why = if statistics.explores(act, model) {
            format!(
                "{behind} is tried again: every {}th request tries what is cheaper and was put behind",
                super::learning::EXPLORE_EVERY
            )
        } else if statistics.is_on_probation(act, model, behind) {
            format!("{behind} is tried on: it did well when it was tried again")
        } else {
            return;
        };
        if let Some(at) = candidates.iter().position(|one| one.plugin == *behind) {
            let again = candidates.remove(at);
            candidates.insert(0, again);
            notes.push(why);
        }
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
                    // Both are bounded by what they were made of.
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

#[cfg(test)]
mod tests;
