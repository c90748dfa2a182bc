//! Recovering calls from models' replies: collected cases, variations of every form and fault,
//! limits on the work, and arbitrary text.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and say what it measured"
)]

mod call_intent;
mod cases;
mod choices;
mod fuzz;
mod limits;
mod tasks;
mod text_calls;

use repair::{Effect, Finish, NativeCall, Recovered, Reply, Tool, Tools, Want, recover};
use serde_json::{Value, json};

/// The tools of the cases, parsed from their short notation.
pub fn tools() -> Tools {
    let table: Value = serde_json::from_str(include_str!("cases/tools.json")).unwrap();
    Tools::new(table.as_array().unwrap().iter().map(|tool| {
        let mut properties = serde_json::Map::new();
        let mut required = Vec::new();
        for (name, kind) in tool["params"].as_object().unwrap() {
            let kind = kind.as_str().unwrap();
            if kind.ends_with('!') {
                required.push(name.clone());
            }
            let kind = kind.trim_end_matches('!');
            let schema = match kind.strip_prefix("array<") {
                Some(items) => {
                    json!({"type": "array", "items": {"type": items.trim_end_matches('>')}})
                }
                None => json!({"type": kind}),
            };
            properties.insert(name.clone(), schema);
        }
        let name = tool["name"].as_str().unwrap();
        let effect = match name {
            "delete_file" => Effect::Destroys,
            "edit_file" | "write_file" | "run_command" => Effect::Changes,
            _ => Effect::Reads,
        };
        let schema = json!({"type": "object", "properties": properties, "required": required});
        Tool::new(name, effect, &schema).unwrap()
    }))
}

/// The result for a text in which a call is optional.
pub fn of_text(text: &str, finish: Finish) -> Recovered {
    let reply = Reply {
        finish,
        ..Reply::of_text(text)
    };
    recover(&reply, &tools(), Want::Either)
}

/// The result for one native call.
pub fn of_native(name: &str, arguments: &str, finish: Finish) -> Recovered {
    let reply = Reply {
        calls: vec![NativeCall {
            id: Some("c1".to_owned()),
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        }],
        finish,
        ..Reply::of_text("")
    };
    recover(&reply, &tools(), Want::Either)
}

/// The recovered calls as JSON, for comparison.
pub fn calls(recovered: &Recovered) -> Value {
    recovered
        .calls
        .iter()
        .map(|call| json!({"name": call.name, "arguments": call.arguments}))
        .collect()
}

/// The names of all repairs that were made.
pub fn repairs(recovered: &Recovered) -> Vec<&'static str> {
    recovered
        .calls
        .iter()
        .flat_map(|call| &call.repairs)
        .chain(&recovered.repairs)
        .map(|repair| repair.kind.as_str())
        .collect()
}
