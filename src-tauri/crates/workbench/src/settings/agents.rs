//! The user's entries for other agents, which carry out steps or write plans over the Agent Client
//! Protocol.
//!
//! User settings only, because they name programs and give them network access and environment
//! variables. Agents that Planwright knows need no entry; one with the name of a known agent
//! changes only the keys that it sets.

use plan::{CommandLine, shell_word};
use serde::Serialize;
use serde_json::{Value, json};

use super::format::{self, Format};
use super::value_parsers::{shown, switch, text, whole_in};

/// The maximum value of `timeout_s`, in seconds.
const MAX_SECONDS: u64 = 24 * 60 * 60;
/// The keys of an entry.
const KEYS: [&str; 6] = ["name", "like", "command", "network", "timeout_s", "env"];

/// A user's entry for an agent. Keys that aren't set have the values of the known agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AgentEntry {
    /// The agent's name.
    pub name: String,
    /// The known agent that it behaves like, if its own name is different.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
    /// The program and its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Whether it has network access.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<bool>,
    /// The time limit of a step, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_s: Option<u64>,
    /// The environment variables passed to it, including keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env: Option<Vec<String>>,
}

fn entry(value: &Value) -> Result<AgentEntry, String> {
    let Some(object) = value.as_object() else {
        return Err(format!(
            "must be an object with \"name\", not {}",
            shown(value)
        ));
    };
    if let Some(unknown) = object.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(format!(
            "unknown key {}; the keys are {}",
            shown(&Value::from(unknown.as_str())),
            KEYS.join(", ")
        ));
    }
    let set = |key: &str| object.get(key).filter(|value| !value.is_null());
    let within = |key: &str, why: String| format!("{key} {why}");
    let word = |key: &str| {
        let word = set(key).map(text).transpose();
        word.map_err(|why| within(key, why))
    };
    let texts = |key: &str| -> Result<Option<Vec<String>>, String> {
        let Some(list) = set(key) else {
            return Ok(None);
        };
        let list = list
            .as_array()
            .ok_or_else(|| format!("{key} must be a list of strings, not {}", shown(list)))?;
        let texts = list.iter().map(text).collect::<Result<_, _>>();
        texts.map(Some).map_err(|why| within(key, why))
    };
    let name = word("name")?.ok_or("must have a name")?;
    let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || !name.chars().all(is_name) {
        return Err("name can only contain letters, digits, - and _".to_owned());
    }
    let network = set("network").map(switch).transpose();
    let timeout_s = set("timeout_s").map(|value| whole_in(value, &(1..=MAX_SECONDS)));
    let entry = AgentEntry {
        name,
        like: word("like")?,
        command: texts("command")?.unwrap_or_default(),
        network: network.map_err(|why| within("network", why))?,
        timeout_s: timeout_s
            .transpose()
            .map_err(|why| within("timeout_s", why))?,
        env: texts("env")?,
    };
    if entry.command.is_empty() {
        return Ok(entry);
    }
    // The displayed command must be the one that is run.
    let words = entry.command.iter().map(|word| shell_word(word));
    let line = words.collect::<Vec<_>>().join(" ");
    match CommandLine::parse(&line) {
        Some(CommandLine::Argv(words)) if words == entry.command => Ok(entry),
        _ => Err("command can't be written as one line; put it in a script".to_owned()),
    }
}

pub(super) fn format() -> Format<Vec<AgentEntry>> {
    let schema = json!({
        "type": ["array", "null"],
        "items": {
            "type": "object",
            "required": ["name"],
            "additionalProperties": false,
            "properties": {
                "name": {"type": "string", "pattern": "^[\\w-]+$"},
                "like": {
                    "description": "The known agent that it behaves like, if its name is different.",
                    "type": "string",
                },
                "command": {
                    "description": "The program and its arguments. It speaks the Agent Client Protocol on standard input and output.",
                    "type": "array", "items": {"type": "string"},
                },
                "network": {"description": "Whether it has network access.", "type": "boolean", "default": true},
                "timeout_s": {"type": "integer", "minimum": 1, "maximum": MAX_SECONDS, "default": 1800},
                "env": {
                    "description": "Environment variables to pass on, such as the one with its API key.",
                    "type": "array", "items": {"type": "string"},
                },
            },
        },
    });
    format::list(schema, entry)
}
