//! Changes one key in the text of the user's settings file. Writes nothing.
//!
//! The other keys keep their values and their order. A file that isn't valid JSON is never
//! overwritten, since that could destroy the user's work.

use serde_json::{Map, Value};

use super::read::{self, Owner};

/// The file's text with `key` set to a JSON value, or removed. The error says what is wrong with
/// the value or the file.
pub fn with(text: Option<&str>, key: &str, value: Option<Value>) -> Result<String, String> {
    let mut entries = match text.map(|text| text.strip_prefix('\u{feff}').unwrap_or(text)) {
        None => Map::new(),
        Some(text) if text.trim().is_empty() => Map::new(),
        Some(text) => match serde_json::from_str(text) {
            Ok(Value::Object(entries)) => entries,
            Ok(_) => return Err("not a JSON object; fix the file first".to_owned()),
            Err(error) => return Err(format!("invalid JSON ({error}); fix the file first")),
        },
    };
    match value {
        None => {
            entries.shift_remove(key);
        }
        Some(value) => {
            let alone = Value::Object([(key.to_owned(), value.clone())].into_iter().collect());
            let (_, problems) = read::layer(&alone.to_string(), Owner::User);
            if let Some(problem) = problems.first() {
                return Err(format!("{}: {}", problem.key, problem.message));
            }
            entries.insert(key.to_owned(), value);
        }
    }
    let mut text =
        serde_json::to_string_pretty(&Value::Object(entries)).map_err(|error| error.to_string())?;
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::with;

    #[test]
    fn one_key_changes_and_the_others_stay_in_their_order() {
        let before = r#"{"sandbox": "auto", "future": [1], "policy": "each"}"#;
        let after = with(Some(before), "sandbox", Some(json!("none"))).expect("a good value");
        assert_eq!(
            after,
            "{\n  \"sandbox\": \"none\",\n  \"future\": [\n    1\n  ],\n  \"policy\": \"each\"\n}\n"
        );
        let gone = with(Some(&after), "sandbox", None).expect("a key that is there");
        assert!(!gone.contains("sandbox") && gone.contains("future"));
    }

    #[test]
    fn a_bad_value_and_a_broken_file_are_refused() {
        let bad = with(None, "policy", Some(json!("never"))).expect_err("no such policy");
        assert!(bad.starts_with("policy: must be"), "{bad}");
        assert!(with(Some("{"), "policy", Some(json!("each"))).is_err());
        assert!(with(Some("[]"), "policy", Some(json!("each"))).is_err());
    }
}
