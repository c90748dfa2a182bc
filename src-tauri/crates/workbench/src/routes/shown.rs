//! How a plan came to be and what was learned, as windows and terminals show it.

use routing::decision::{Kind, Plugins};
use serde_json::Value;

use super::learned::route_json;
use crate::Workbench;
use crate::error::Result;
use crate::wire::RouteStep;
use crate::wire::window::{
    KnownThing, OfferedFile, PlanRoute, RouteCandidate, RouteFigures, RouteInsights,
    RouteKnowledge, RouteStage, RouteTerm,
};

impl Workbench {
    /// How a plan came to be that was made for a goal here; `None` for others.
    pub(crate) fn plan_route(&self, key: &str) -> Result<Option<PlanRoute>> {
        let Some(kept) = self.store.routes().of_plan(key)? else {
            return Ok(None);
        };
        let route = Value::Object(route_json(&kept.route).into_iter().collect());
        Ok(Some(PlanRoute {
            revision: kept.revision,
            at_ms: kept.at_ms,
            ..shown(&route)
        }))
    }

    /// What was learned of each plugin, by kind of request and model.
    pub(crate) fn route_insights(&self) -> Result<RouteInsights> {
        let (statistics, _) = self.route_statistics()?;
        let plugins = Plugins::built_in();
        let rows = statistics.all().map(|(key, figures)| {
            let kind = plugins.get(&key.plugin).map(|plugin| plugin.kind);
            let utility = match kind {
                Some(Kind::Planner) => figures.planner_utility(),
                _ => figures.utility(),
            };
            RouteFigures {
                kind: kind.map_or("", Kind::as_str).to_owned(),
                request: key.request,
                model: key.model,
                plugin: key.plugin,
                attempts: figures.attempts,
                successes: figures.successes,
                insufficiency: figures.insufficiency,
                failures: figures.failures,
                accepted: figures.accepted,
                judged: figures.judged,
                faults: figures.faults,
                success: figures.success_ewma,
                ms: figures.latency_ms_ewma,
                tokens: figures.tokens_ewma,
                utility,
                counts: figures.counts(),
            }
        });
        Ok(RouteInsights {
            rows: rows.collect(),
        })
    }

    /// Forgets what was learned: of one kind of request and model, or all. Answers of how many requests.
    pub(crate) fn forget_routes(&self, of: Option<(&str, &str)>) -> Result<u32> {
        Ok(self.store.routes().forget(of)?)
    }
}

/// A route as it is kept, for people.
pub(crate) fn shown(route: &Value) -> PlanRoute {
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    let tokens = &route["tokens"];
    PlanRoute {
        revision: String::new(),
        at_ms: 0,
        effort: text(&route["effort"]),
        planner: text(&route["planner"]),
        detector: text(&route["detector"]),
        kb: text(&route["kb"]),
        solver: text(&route["solver"]),
        model: route["model"].as_str().map(str::to_owned),
        requests: small(&route["requests"]),
        tokens: number(&tokens["input"]).saturating_add(number(&tokens["output"])),
        ms: list(&route["attempts"])
            .map(|step| number(&step["ms"]))
            .sum(),
        fallback: route["fallback"].as_str().map(str::to_owned),
        is_weak: route["weak"] == true,
        reasons: list(&route["reasons"]).map(text).collect(),
        steps: list(&route["attempts"]).map(step).collect(),
        stages: list(&route["decision"]["planners"])
            .flat_map(stages)
            .collect(),
        knowledge: list(&route["knowledge"]).map(knowledge).collect(),
    }
}

fn step(value: &Value) -> RouteStep {
    RouteStep {
        number: small(&value["number"]),
        planner: text(&value["planner"]),
        kind: text(&value["kind"]),
        plugin: text(&value["plugin"]),
        status: text(&value["status"]),
        why: text(&value["why"]),
        ms: value["ms"].as_u64().unwrap_or_default(),
        requests: small(&value["requests"]),
        tokens: value["tokens"].as_u64().unwrap_or_default(),
        faults: small(&value["faults"]),
    }
}

fn stages(planner: &Value) -> Vec<RouteStage> {
    let name = text(&planner["planner"]["plugin"]);
    let plugins = Plugins::built_in();
    let stages = list(&planner["stages"]).map(|stage| RouteStage {
        planner: name.clone(),
        kind: text(&stage["kind"]),
        is_pinned: stage["is_pinned"] == true,
        notes: list(&stage["notes"]).map(text).collect(),
        candidates: list(&stage["candidates"])
            .map(|one| candidate(one, &plugins))
            .collect(),
    });
    stages.collect()
}

fn candidate(value: &Value, plugins: &Plugins) -> RouteCandidate {
    let plugin = text(&value["plugin"]);
    let known = plugins.get(&plugin);
    RouteCandidate {
        description: known
            .map(|known| known.description.clone())
            .unwrap_or_default(),
        score: value["score"].as_f64().unwrap_or_default(),
        terms: list(&value["terms"])
            .map(|term| RouteTerm {
                name: text(&term["name"]),
                value: term["value"].as_f64().unwrap_or_default(),
                why: text(&term["why"]),
            })
            .collect(),
        plugin,
    }
}

fn knowledge(value: &Value) -> RouteKnowledge {
    RouteKnowledge {
        plugin: text(&value["plugin"]),
        files: small(&value["files"]),
        bytes: value["bytes"].as_u64().unwrap_or_default(),
        ms: value["ms"].as_u64().unwrap_or_default(),
        cut: list(&value["cut"]).map(text).collect(),
        is_sufficient: value["is_sufficient"] == true,
        why: text(&value["why"]),
        offered: list(&value["offered"])
            .map(|file| OfferedFile {
                path: text(&file["path"]),
                reason: text(&file["reason"]),
            })
            .collect(),
        known: list(&value["known"])
            .map(|thing| KnownThing {
                text: text(&thing["text"]),
                provenance: text(&thing["provenance"]),
            })
            .collect(),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn small(value: &Value) -> u32 {
    let number = value.as_u64().unwrap_or_default();
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
