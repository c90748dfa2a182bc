//! The JSON schema of a call written as text in a reply. It has one branch for each tool, with the
//! tool's required arguments, length limits where they do no harm, and, for calls that change a
//! file, the paths of the step's files.
//!
//! The schema is flat and contains no `$ref` and no patterns, so that every server that accepts
//! schemas can compile it to a grammar.

use plan::ToolName;
use serde_json::{Map, Value, json};

use crate::model_tool::ModelTool;

/// Maximum number of characters of a path, a pattern or a sentence.
const SHORT: usize = 300;
const ITEMS: usize = 8;
/// Maximum number of files offered as an enum. If there are more, the model writes the path.
const FILES: usize = 40;
/// Arguments with text for a file, whose length is limited only by the length of the reply.
const TEXTS: [&str; 3] = ["content", "old_text", "new_text"];

/// The schema for choosing one of this many letters and giving a short reason.
pub fn of_letters(letters: usize) -> Value {
    let letters: Vec<char> = ('A'..='Z').take(letters).collect();
    json!({
        "type": "object",
        "properties": {
            "choice": {"enum": letters},
            "why": {"type": "string", "maxLength": SHORT},
        },
        "required": ["choice"],
        "additionalProperties": false,
    })
}

/// The schema of one call to one of these tools, in a step that names these files.
pub(super) fn of_calls(tools: &[ModelTool], files: &[String]) -> Value {
    let mut branches: Vec<Value> = tools.iter().map(|tool| of_call(*tool, files)).collect();
    match branches.len() {
        1 => branches.remove(0),
        _ => json!({ "anyOf": branches }),
    }
}

fn of_call(tool: ModelTool, files: &[String]) -> Value {
    let parameters = tool.parameters();
    let empty = Map::new();
    let given = parameters["properties"].as_object().unwrap_or(&empty);
    let changes = [
        ToolName::EditFile,
        ToolName::WriteFile,
        ToolName::DeleteFile,
    ];
    let is_change = changes.map(ModelTool::Workspace).contains(&tool);
    let properties = given.iter().map(|(name, schema)| {
        let schema = match name.as_str() {
            // Changing any other file would require permission.
            "path" if is_change && (1..=FILES).contains(&files.len()) => json!({ "enum": files }),
            name if TEXTS.contains(&name) => schema.clone(),
            _ => bounded(schema),
        };
        (name.clone(), schema)
    });
    let properties: Map<String, Value> = properties.collect();
    let required = parameters.get("required").cloned().unwrap_or(json!([]));
    json!({
        "type": "object",
        "properties": {
            "name": {"const": tool.as_str()},
            "arguments": {
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            },
        },
        "required": ["name", "arguments"],
        "additionalProperties": false,
    })
}

fn bounded(schema: &Value) -> Value {
    let mut bounded = schema.clone();
    match schema["type"].as_str() {
        Some("string") => bounded["maxLength"] = json!(SHORT),
        Some("array") => {
            bounded["maxItems"] = json!(ITEMS);
            bounded["items"]["maxLength"] = json!(SHORT);
        }
        _ => {}
    }
    bounded
}
