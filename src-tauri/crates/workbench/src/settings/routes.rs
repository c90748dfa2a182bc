//! The settings of the decision layer: the default orders of planners and plugins.
//!
//! User settings only, because the order determines what planning costs.

use planning::decision::{Kind, Plugins};
use serde_json::{Value, json};

use super::format::{self, Format};
use super::value_parsers::shown;

fn id(value: &Value, kind: Kind) -> Result<String, String> {
    let known = names(kind);
    let found = known.iter().find(|id| value.as_str() == Some(id));
    found.cloned().ok_or_else(|| {
        let known = known.join(", ");
        format!("must be one of {known}, not {}", shown(value))
    })
}

/// Parses an order: distinct plugins of one kind. Plugins that aren't listed are tried only if
/// pinned.
fn ids(value: &Value, kind: Kind) -> Result<Vec<String>, String> {
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
            return Err(format!("lists {id} twice"));
        }
        order.push(id);
    }
    Ok(order)
}

fn names(kind: Kind) -> Vec<String> {
    let plugins = Plugins::built_in();
    plugins.of(kind).map(|plugin| plugin.id.clone()).collect()
}

/// The format of a setting that names a planner.
pub(super) fn planner() -> Format<String> {
    let known = names(Kind::Planner).into_iter().map(Some);
    let schema = json!({ "enum": known.chain([None]).collect::<Vec<_>>() });
    format::single(schema, |value| id(value, Kind::Planner))
}

/// The format of a setting that orders plugins of one kind.
pub(super) fn order(kind: Kind) -> Format<Vec<String>> {
    let schema = json!({
        "type": ["array", "null"],
        "items": { "enum": names(kind) },
        "minItems": 1,
        "uniqueItems": true,
    });
    format::single(schema, move |value| ids(value, kind))
}
