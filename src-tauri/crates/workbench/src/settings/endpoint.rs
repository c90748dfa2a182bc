//! The model endpoint in a settings file. Messages never repeat its values, since one may be a key
//! by mistake.

use model::{Endpoint, EndpointError};
use serde_json::{Value, json};

use super::SettingProblem;
use super::format::{self, Format};
use super::value_parsers::unknown_key;

/// The keys of an endpoint.
pub(super) const KEYS: [&str; 3] = ["base_url", "model", "key_variable"];

pub(super) fn format() -> Format<Endpoint> {
    let schema = json!({
        "type": ["object", "null"],
        "required": ["base_url", "model"],
        "additionalProperties": false,
        "properties": {
            "base_url": {
                "description": "For example http://localhost:11434/v1, without a user name or a key.",
                "type": "string",
                "pattern": "^https?://[^?#\\s]+$",
            },
            "model": { "description": "The model's name on that server.", "type": "string" },
            "key_variable": {
                "description": "The environment variable that holds the key, never the key itself.",
                "type": ["string", "null"],
                "pattern": "^[A-Z0-9_]+$",
            },
        },
    });
    format::custom(schema, endpoint)
}

fn endpoint(key: &str, value: &Value, problems: &mut Vec<SettingProblem>) -> Option<Endpoint> {
    const IGNORED: &str = "the endpoint is ignored";
    let Some(object) = value.as_object() else {
        let message = format!("must be an object with \"base_url\" and \"model\"; {IGNORED}");
        problems.push(SettingProblem::new(key, message));
        return None;
    };
    for unknown in object.keys().filter(|name| !KEYS.contains(&name.as_str())) {
        let mut problem = unknown_key(key, unknown, &KEYS);
        if unknown.to_ascii_lowercase().contains("key") {
            problem.message = "don't put keys in settings; put the key in an environment variable \
                               and set key_variable to its name"
                .to_owned();
        }
        problems.push(problem);
    }
    let part = |name: &str| match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(SettingProblem::new(
            format!("{key}.{name}"),
            format!("must be text; {IGNORED}"),
        )),
    };
    let checked = || -> Result<Endpoint, SettingProblem> {
        let endpoint = Endpoint {
            base_url: part("base_url")?.unwrap_or_default(),
            model: part("model")?.unwrap_or_default(),
            key_variable: part("key_variable")?,
        };
        let message = match endpoint.validate() {
            Ok(())
                if endpoint
                    .base_url
                    .contains(|c: char| c == '?' || c == '#' || c.is_whitespace()) =>
            {
                "base_url can't contain spaces, “?” or “#”".to_owned()
            }
            Ok(()) => return Ok(endpoint),
            Err(EndpointError::Scheme(_)) => {
                "base_url must start with http:// or https://".to_owned()
            }
            Err(other) => other.to_string(),
        };
        Err(SettingProblem::new(key, format!("{message}; {IGNORED}")))
    };
    checked().map_err(|problem| problems.push(problem)).ok()
}
