//! Handles unusual shapes of a planner's answer: a map with numbers as keys, a list in place of one
//! text, and tool names in nested lists or as flags. Adds nothing that isn't in the answer.

use serde_json::{Map, Value};

/// Maximum depth at which tool names are searched for.
const DEEP: usize = 3;

/// Whether a text is data rather than a sentence, so that it is a fault if it is unreadable.
pub(super) fn is_data(text: &str) -> bool {
    let text = text.trim_start_matches('`').trim_start();
    let text = text.strip_prefix("json").unwrap_or(text).trim_start();
    let inner = text.strip_prefix('[').map(str::trim_start);
    text.starts_with('{') || inner.is_some_and(|inner| inner.starts_with(['{', '[', '"', '\'']))
}

/// The values of a map with numbered keys such as `1`, `step_2` or `T3`, in numeric order; the
/// error returns any other map.
pub(super) fn numbered(map: Map<String, Value>) -> Result<Vec<Value>, Map<String, Value>> {
    let is_item = |value: &Value| value.is_object() || value.is_string();
    let numbers: Option<Vec<u32>> = map.keys().map(|key| number(key)).collect();
    match numbers {
        Some(numbers) if !numbers.is_empty() && map.values().all(is_item) => {
            let values = map.into_iter().map(|(_, value)| value);
            let mut items: Vec<(u32, Value)> = numbers.into_iter().zip(values).collect();
            items.sort_by_key(|(number, _)| *number);
            Ok(items.into_iter().map(|(_, value)| value).collect())
        }
        _ => Err(map),
    }
}

fn number(key: &str) -> Option<u32> {
    let key = key.trim().to_lowercase();
    let digits = ["step", "task", "t", "s"]
        .iter()
        .find_map(|word| key.strip_prefix(word))
        .unwrap_or(&key);
    digits.trim_start_matches(['_', '-', ' ']).parse().ok()
}

/// One map for each text in `what`, with its part of `why` and `tools`: the item at the same index
/// if the counts match, otherwise the whole value.
pub(super) fn spread(map: &Map<String, Value>) -> Option<Vec<Value>> {
    let whats = map.get("what")?.as_array()?;
    let is_text = |what: &Value| what.as_str().is_some_and(|text| !text.trim().is_empty());
    if whats.iter().all(Value::is_object) {
        return Some(whats.clone());
    }
    if !whats.iter().all(is_text) {
        return None;
    }
    let part = |value: &Value, at: usize| match value.as_array() {
        Some(all) if all.len() == whats.len() => all.get(at).cloned(),
        _ => Some(value.clone()),
    };
    let one = |(at, what): (usize, &Value)| {
        let mut one = Map::new();
        one.insert("what".to_owned(), what.clone());
        for (key, value) in map.iter().filter(|(key, _)| *key != "what") {
            // A flat list of tools applies to every step; a nested list has one list per step.
            let is_whole = key == "tools" && !holds_lists(value);
            let value = match is_whole {
                true => Some(value.clone()),
                false => part(value, at),
            };
            one.insert(key.clone(), value.unwrap_or_default());
        }
        Value::Object(one)
    };
    Some(whats.iter().enumerate().map(one).collect())
}

fn holds_lists(value: &Value) -> bool {
    let items = value.as_array().into_iter().flatten();
    items.into_iter().any(Value::is_array)
}

/// Collects tool names from lists, nested lists, objects with a name, and flags.
pub(super) fn names(value: &Value, out: &mut Vec<String>, depth: usize) {
    if depth > DEEP {
        return;
    }
    match value {
        Value::String(name) => out.push(name.clone()),
        Value::Array(items) => items.iter().for_each(|item| names(item, out, depth + 1)),
        Value::Object(map) => {
            let named = ["name", "tool", "function"]
                .iter()
                .find_map(|key| map.get(*key));
            match named {
                Some(named) => names(named, out, depth + 1),
                None => out.extend(map.iter().filter_map(|(name, flag)| {
                    let is_off = matches!(flag, Value::Bool(false) | Value::Null) || *flag == 0;
                    (!is_off).then(|| name.clone())
                })),
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
