//! The shipped schema is up to date.

use std::collections::BTreeSet;

use similar::TextDiff;

use super::*;

const MEND: &str = "UPDATE_SCHEMA=1 cargo test -p planwright-workbench the_shipped_schema_is_what_the_settings_say";

fn generated() -> String {
    let schema = schemars::schema_for!(Layer);
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
        "settings.schema.json is out of date; mend it with\n  {MEND}\n{diff}"
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
    assert_eq!(
        keys(&schema["$defs"]["Rule"]["properties"]),
        known(&layer::RULE_KEYS)
    );
    let endpoint = &schema["properties"]["endpoint"]["properties"];
    assert_eq!(keys(endpoint), known(&layer::ENDPOINT_KEYS));
    assert_eq!(schema["additionalProperties"], json!(false));
    for (key, property) in schema["properties"].as_object().unwrap() {
        assert!(
            property["description"].is_string(),
            "{key} says nothing for people"
        );
    }
}

#[test]
fn the_schemas_defaults_are_those_in_force() {
    let schema: Value = serde_json::from_str(&generated()).unwrap();
    let settings = merged(&json!({}), &json!({})).0.to_json();
    for (key, property) in schema["properties"].as_object().unwrap() {
        if let Some(default) = property.get("default").filter(|default| !default.is_null()) {
            assert_eq!(&settings[key], default, "{key}");
        }
    }
}
