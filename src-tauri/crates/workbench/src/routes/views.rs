//! How a plan was made and the statistics of plugins, as windows and terminals show them.

use planning::decision::{Kind, Plugins};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::outcomes::route_json;
use crate::Workbench;
use crate::error::Result;
use crate::wire::RouteStep;
use crate::wire::route_views::{
    PlanRoute, RouteCandidate, RouteFigures, RouteInsights, RouteStage,
};

impl Workbench {
    /// How a plan was made; `None` if Planwright didn't make it for a goal.
    pub fn plan_route(&self, key: &str) -> Result<Option<PlanRoute>> {
        let Some(kept) = self.store.routes().of_plan(key)? else {
            return Ok(None);
        };
        let route = Value::Object(route_json(&kept.route).into_iter().collect());
        Ok(Some(PlanRoute {
            revision: kept.revision,
            at_ms: kept.at_ms,
            ..shown(route)
        }))
    }

    /// Statistics of each plugin, by kind of request and model.
    pub fn route_insights(&self) -> Result<RouteInsights> {
        let (statistics, _) = self.route_statistics()?;
        let plugins = Plugins::with_agent();
        let rows = statistics.all().map(|(key, figures)| {
            let kind = plugins.get(&key.plugin).map(|plugin| plugin.kind);
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
                counts: figures.counts(),
            }
        });
        Ok(RouteInsights {
            rows: rows.collect(),
        })
    }

    /// Deletes statistics of one kind of request and model, or all of them. Returns the number of
    /// requests deleted.
    pub fn forget_routes(&self, of: Option<(&str, &str)>) -> Result<u32> {
        Ok(self.store.routes().forget(of)?)
    }
}

/// Converts a stored route for display.
fn shown(mut route: Value) -> PlanRoute {
    let [tokens, attempts, knowledge, decision] =
        ["tokens", "attempts", "knowledge", "decision"].map(|part| route[part].take());
    // Older routes don't store the reason.
    if route["weak"] == true && route["weakness"].is_null() {
        route["weakness"] = json!("it is thin, or covers fewer than half of the requirements");
    }
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    let steps: Vec<RouteStep> = list(&attempts).map(read).collect();
    PlanRoute {
        tokens: number(&tokens["input"]).saturating_add(number(&tokens["output"])),
        ms: steps.iter().map(|step| step.ms).sum(),
        steps,
        stages: list(&decision["planners"]).flat_map(stages).collect(),
        knowledge: list(&knowledge).map(read).collect(),
        ..read(&route)
    }
}

/// Reads one part of a stored route; missing or malformed parts give the default.
fn read<T: Default + Serialize + DeserializeOwned>(kept: &Value) -> T {
    let mut all = json!(T::default());
    if let Some(known) = all.as_object_mut() {
        for (key, value) in known {
            let kept = kept.get(key.as_str()).filter(|kept| !kept.is_null());
            *value = kept.cloned().unwrap_or_else(|| value.take());
        }
    }
    serde_json::from_value(all).unwrap_or_default()
}

fn stages(planner: &Value) -> Vec<RouteStage> {
    let name = text(&planner["planner"]["plugin"]);
    let plugins = Plugins::with_agent();
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
        terms: list(&value["terms"]).map(read).collect(),
        plugin,
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
