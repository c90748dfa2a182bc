//! The settings of the decision layer: the default orders of planners and plugins.
//!
//! User settings only, because the order determines what planning costs.

use planning::decision::{Kind, Orders, Plugins};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::layer::Layer;
use super::values::shown;

/// The ID of a plugin of this kind.
pub(super) fn id(value: &Value, kind: Kind) -> Result<String, String> {
    let plugins = Plugins::built_in();
    let known: Vec<&str> = plugins.of(kind).map(|plugin| plugin.id.as_str()).collect();
    match value.as_str().filter(|id| known.contains(id)) {
        Some(id) => Ok(id.to_owned()),
        None => Err(format!(
            "must be one of {}, not {}",
            known.join(", "),
            shown(value)
        )),
    }
}

/// An order: distinct plugins of one kind. Plugins that aren't listed are tried only if pinned.
pub(super) fn ids(value: &Value, kind: Kind) -> Result<Vec<String>, String> {
    let Some(entries) = value.as_array().filter(|entries| !entries.is_empty()) else {
        return Err(format!(
            "must be a list with at least one {}, not {}",
            kind.as_str(),
            shown(value)
        ));
    };
    let mut order: Vec<String> = Vec::new();
    for entry in entries {
        let id = id(entry, kind)?;
        if order.contains(&id) {
            return Err(format!("names {id} twice"));
        }
        order.push(id);
    }
    Ok(order)
}

/// The effective orders; those that the user doesn't set are the built-in ones.
pub(super) fn merge(user: &Layer) -> Orders {
    fn own<T: Clone>(set: &Option<T>, default: T) -> T {
        set.clone().unwrap_or(default)
    }
    let default = Orders::default();
    Orders {
        planner: own(&user.default_planner_plugin, default.planner),
        planners: own(&user.planner_fallback_order, default.planners),
        detectors: own(&user.default_seed_detector_plan, default.detectors),
        kbs: own(&user.default_kb_plan, default.kbs),
        solvers: own(&user.default_goal_solver_plan, default.solvers),
    }
}

fn names(kind: Kind) -> Vec<String> {
    let plugins = Plugins::built_in();
    plugins.of(kind).map(|plugin| plugin.id.clone()).collect()
}

pub(super) fn planner_schema(_: &mut SchemaGenerator) -> Schema {
    let mut known: Vec<Value> = names(Kind::Planner).into_iter().map(Value::from).collect();
    known.push(Value::Null);
    json_schema!({ "enum": known, "default": Orders::default().planner })
}

/// The schema of an order of plugins of this kind.
pub(super) fn order_schema(kind: Kind) -> impl FnMut(&mut Schema) {
    move |schema| {
        let said = json_schema!({
            "type": ["array", "null"],
            "items": { "enum": names(kind) },
            "minItems": 1,
            "uniqueItems": true,
            "default": Orders::default().of(kind),
        });
        let said = said.as_object().into_iter().flatten();
        said.for_each(|(key, value)| drop(schema.insert(key.clone(), value.clone())));
    }
}
