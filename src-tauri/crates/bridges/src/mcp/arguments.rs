//! Arguments of the tools. An unknown argument is rejected with a message that lists the known
//! ones.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use workbench::{Code, Error, Result};

/// The type for a tool without arguments.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfPlan {
    pub(super) plan: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfTask {
    pub(super) plan: String,
    pub(super) task: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Check {
    pub(super) plan: Option<String>,
    pub(super) text: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Propose {
    pub(super) title: Option<String>,
    pub(super) text: String,
    pub(super) session: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Edit {
    pub(super) plan: String,
    pub(super) revision: String,
    pub(super) old_text: Option<String>,
    pub(super) task: Option<String>,
    pub(super) new_text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Progress {
    pub(super) plan: String,
    pub(super) task: String,
    pub(super) note: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfRevision {
    pub(super) plan: String,
    pub(super) revision: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Decision {
    pub(super) review: String,
    #[serde(default)]
    pub(super) wait_seconds: u64,
}

/// Parses the arguments of a call.
///
/// # Errors
/// [`Code::Usage`] if an argument is unknown, missing or of the wrong type.
pub(super) fn parse<T: DeserializeOwned>(given: Option<Map<String, Value>>) -> Result<T> {
    let given = Value::Object(given.unwrap_or_default());
    serde_json::from_value(given)
        .map_err(|error| Error::new(Code::Usage, format!("invalid arguments: {error}")))
}
