//! The shipped schema is up to date.

use std::collections::BTreeSet;

use serde_json::Map;
use similar::TextDiff;

use super::*;

const UPDATE: &str = "UPDATE_SCHEMA=1 cargo test -p planwright-workbench the_shipped_schema_is_what_the_settings_say";

fn generated() -> String {
    let schema_key = json!({"description": "The URL of this schema.", "type": ["string", "null"]});
    let settings = descriptors().into_iter();
    let settings = settings.map(|setting| (setting.key.to_owned(), setting.schema));
    let properties = [("$schema".to_owned(), schema_key)]
        .into_iter()
        .chain(settings);
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Planwright settings",
        "description": "Planwright settings: the user's `settings.json`, or a workspace's \
                        `.planwright/settings.json`. Keys that a workspace may not set are \
                        reported and ignored there.",
        "type": "object",
        "properties": properties.collect::<Map<_, _>>(),
        "additionalProperties": false,
    });
    format!("{}\n", serde_json::to_string_pretty(&schema).unwrap())
}

#[test]
fn the_shipped_schema_is_what_the_settings_say() {
    let schema = generated();
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/settings.schema.json");
        std::fs::write(path, schema).unwrap();
        return;
    }
    let diff = TextDiff::from_lines(SETTINGS_SCHEMA, &schema);
    let diff = diff
        .unified_diff()
        .header("settings.schema.json", "settings")
        .to_string();
    assert!(
        diff.is_empty(),
        "settings.schema.json is out of date; update it with\n  {UPDATE}\n{diff}"
    );
}

#[test]
fn the_schema_has_the_keys_that_are_read() {
    let schema: Value = serde_json::from_str(&generated()).unwrap();
    let keys = |value: &Value| -> BTreeSet<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    let known = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(keys(&schema["properties"]), known(&layer::KEYS));
    let rule = &schema["properties"]["permissions"]["items"]["properties"];
    assert_eq!(keys(rule), known(&rules::KEYS));
    let endpoint = &schema["properties"]["endpoint"]["properties"];
    assert_eq!(keys(endpoint), known(&endpoint::KEYS));
    assert_eq!(schema["additionalProperties"], json!(false));
    for (key, property) in schema["properties"].as_object().unwrap() {
        assert!(
            property["description"].is_string(),
            "{key} has no description"
        );
    }
}

#[test]
fn every_default_is_a_valid_value() {
    for setting in descriptors() {
        if let Some(default) = setting.schema.get("default") {
            good(Owner::User, &json!({ setting.key: default }));
        }
    }
}
