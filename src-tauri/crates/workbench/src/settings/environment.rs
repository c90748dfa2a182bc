//! Settings that environment variables override; they count as the user's.
//!
//! Reads no environment itself; the caller passes it in.

use std::ffi::OsString;

use serde_json::Value;

use super::SettingProblem;
use super::layer::Layer;
use super::value_parsers;

const ENFORCE: &str = "PLANWRIGHT_PLAN_ADEQUACY_ENFORCE";
const SANDBOX: &str = "PLANWRIGHT_SANDBOX";

/// Applies the environment to the user's layer. An empty variable counts as unset; an invalid one
/// is reported, and the file's value stays.
pub(super) fn apply(
    mut user: Layer,
    env: impl Fn(&str) -> Option<OsString>,
) -> (Layer, Vec<SettingProblem>) {
    let mut problems = Vec::new();
    let variable = |name: &str| {
        let text = env(name)?.to_string_lossy().trim().to_ascii_lowercase();
        (!text.is_empty()).then_some(text)
    };
    if let Some(text) = variable(ENFORCE) {
        match text.as_str() {
            "1" | "true" | "on" | "yes" => user.plan_adequacy_enforce = Some(true),
            "0" | "false" | "off" | "no" => user.plan_adequacy_enforce = Some(false),
            _ => {
                let message = format!("must be 1 or 0, not “{}”", value_parsers::sanitized(&text));
                problems.push(SettingProblem::new(ENFORCE, message));
            }
        }
    }
    if let Some(text) = variable(SANDBOX) {
        match value_parsers::one_of(&Value::String(text), &value_parsers::SANDBOXES) {
            Ok(sandbox) => user.sandbox = Some(sandbox),
            Err(message) => problems.push(SettingProblem::new(SANDBOX, message)),
        }
    }
    (user, problems)
}
