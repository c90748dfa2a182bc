//! Tests of the settings: each mistake is reported, the rest applies, and a workspace only
//! tightens.

mod law;
mod loading;
mod merging;
mod reading;
mod schema;

use serde_json::{Value, json};

use super::layer::Layer;
use super::merge::merge;
use super::read::{Owner, layer};
use super::*;

/// The layer of a valid JSON value.
fn good(owner: Owner, value: &Value) -> Layer {
    let (layer, complaints) = layer(&value.to_string(), owner);
    assert_eq!(complaints, [], "{value}");
    layer
}

/// Formats each problem as `key: message`.
fn lines(complaints: &[SettingProblem]) -> Vec<String> {
    complaints
        .iter()
        .map(|complaint| format!("{}: {}", complaint.key, complaint.message))
        .collect()
}

/// The merged settings, and the problems with ignored values.
fn merged(user: &Value, workspace: &Value) -> (Settings, Vec<String>) {
    let (settings, ignored) = merge(&good(Owner::User, user), &good(Owner::Workspace, workspace));
    (settings, lines(&ignored))
}
