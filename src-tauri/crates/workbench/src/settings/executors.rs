//! Commands that steps can be handed over to, such as another agent.
//!
//! User settings only, because these settings give a command network access and environment
//! variables.

use plan::{CommandLine, shell_word};
use serde::Serialize;
use serde_json::{Value, json};

use super::format::{self, Format};
use super::value_parsers::{shown, switch, text, whole_in};

/// The default time limit, in seconds.
const TIMEOUT_S: u64 = 1_800;
/// The maximum time limit, in seconds.
const MAX_SECONDS: u64 = 24 * 60 * 60;
/// The keys of an executor.
const KEYS: [&str; 5] = ["name", "command", "network", "timeout_s", "env"];

/// A command that carries out steps. It reads the step's brief from standard input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Executor {
    /// The command's name.
    pub name: String,
    /// The program and its arguments.
    pub(crate) command: Vec<String>,
    /// Whether it has network access.
    pub network: bool,
    /// The time limit, in seconds.
    pub timeout_s: u64,
    /// The environment variables passed to it, including keys.
    pub env: Vec<String>,
}

impl Executor {
    /// The command as one line, as displayed and run.
    pub fn line(&self) -> String {
        let words = self.command.iter().map(|word| shell_word(word));
        words.collect::<Vec<_>>().join(" ")
    }
}

fn executor(value: &Value) -> Result<Executor, String> {
    let Some(object) = value.as_object() else {
        return Err(format!(
            "must be an object with \"name\" and \"command\", not {}",
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
    let name = set("name").ok_or("must have a name")?;
    let name = text(name).map_err(|why| within("name", why))?;
    let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || !name.chars().all(is_name) {
        return Err("name can only contain letters, digits, - and _".to_owned());
    }
    let texts = |key: &str| -> Result<Vec<String>, String> {
        let Some(list) = set(key) else {
            return Ok(Vec::new());
        };
        let list = list
            .as_array()
            .ok_or_else(|| format!("{key} must be a list of strings, not {}", shown(list)))?;
        let texts = list.iter().map(text);
        texts
            .collect::<Result<_, _>>()
            .map_err(|why| within(key, why))
    };
    let executor = Executor {
        name,
        command: texts("command")?,
        network: set("network").map_or(Ok(false), switch)?,
        timeout_s: set("timeout_s")
            .map_or(Ok(TIMEOUT_S), |value| whole_in(value, &(1..=MAX_SECONDS)))?,
        env: texts("env")?,
    };
    if executor.command.first().is_none_or(String::is_empty) {
        return Err("must have a command: a list of a program and its arguments".to_owned());
    }
    // The displayed command must be the one that is run.
    match CommandLine::parse(&executor.line()) {
        Some(CommandLine::Argv(words)) if words == executor.command => Ok(executor),
        _ => Err("command can't be written as one line; put it in a script".to_owned()),
    }
}

pub(super) fn format() -> Format<Vec<Executor>> {
    let schema = json!({
        "type": ["array", "null"],
        "items": {
            "type": "object",
            "required": ["name", "command"],
            "additionalProperties": false,
            "properties": {
                "name": {"type": "string", "pattern": "^[\\w-]+$"},
                "command": {
                    "description": "The program and its arguments. The program reads the step's brief from standard input.",
                    "type": "array", "items": {"type": "string"}, "minItems": 1,
                },
                "network": {"description": "Whether it has network access.", "type": "boolean", "default": false},
                "timeout_s": {"type": "integer", "minimum": 1, "maximum": MAX_SECONDS, "default": TIMEOUT_S},
                "env": {
                    "description": "Environment variables to pass on, such as the one with its API key.",
                    "type": "array", "items": {"type": "string"},
                },
            },
        },
    });
    format::list(schema, executor)
}
