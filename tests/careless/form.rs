//! Chooses a reply that a schema allows: the one with the intended effect if possible, otherwise
//! any valid one.

use serde_json::{Value, json};

/// A tool call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) arguments: Value,
}

impl Call {
    pub(crate) fn new(name: &str, arguments: Value) -> Self {
        let name = name.to_owned();
        Self { name, arguments }
    }

    /// The call as JSON, as a model writes it in text.
    pub(crate) fn json(&self) -> Value {
        json!({"name": self.name, "arguments": self.arguments})
    }
}

/// The branches of a schema; each allows an object with `name` and `arguments`.
pub(crate) fn branches(schema: &Value) -> Vec<&Value> {
    match schema["anyOf"].as_array() {
        Some(all) => all.iter().collect(),
        None => vec![schema],
    }
}

fn name_of(branch: &Value) -> &str {
    branch["properties"]["name"]["const"]
        .as_str()
        .unwrap_or_default()
}

fn arguments_of(branch: &Value) -> &Value {
    &branch["properties"]["arguments"]["properties"]
}

/// The values that a schema allows, if it lists them.
fn listed(schema: &Value) -> Option<Vec<Value>> {
    if let Some(one) = schema.get("const") {
        return Some(vec![one.clone()]);
    }
    schema["enum"].as_array().cloned()
}

fn is_short(schema: &Value, text: &str) -> bool {
    let most = schema["maxLength"].as_u64().unwrap_or(u64::MAX);
    !text.is_empty() && u64::try_from(text.chars().count()).unwrap_or(u64::MAX) <= most
}

/// Byte positions where a value occurs as a whole word.
fn places(text: &str, value: &str) -> Vec<usize> {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    let begins = value.chars().next().is_some_and(is_inside);
    let ends = value.chars().next_back().is_some_and(is_inside);
    let all = text.match_indices(value).filter(|(at, _)| {
        let before = text[..*at].chars().next_back().is_some_and(is_inside);
        let after = text[at + value.len()..]
            .chars()
            .next()
            .is_some_and(is_inside);
        !(begins && before || ends && after)
    });
    all.map(|(at, _)| at).collect()
}

fn replaced(text: &str, old: &str, new: &str) -> String {
    let (mut out, mut from) = (String::new(), 0);
    for at in places(text, old) {
        if at >= from {
            out.push_str(&text[from..at]);
            out.push_str(new);
            from = at + old.len();
        }
    }
    out + &text[from..]
}

fn inserted(text: &str, after: usize, new: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let after = after.min(lines.len());
    lines.splice(after..after, new.trim_end_matches('\n').lines());
    lines.join("\n")
}

/// The call that this schema allows and that turns `base` into `wanted`. If there is none, one of
/// the calls that come closest.
pub(crate) fn change(schema: &Value, base: &str, wanted: &str, pick: u64) -> Value {
    let all = branches(schema).into_iter();
    let mut all: Vec<(Call, String)> = all
        .flat_map(|branch| changes(branch, base, wanted))
        .collect();
    let far = |text: &str| distance(text, wanted);
    let Some(least) = all.iter().map(|(_, text)| far(text)).min() else {
        return json!({});
    };
    // Keeps the calls whose result is closest to the intended one.
    all.retain(|(_, text)| far(text) == least);
    let count = u64::try_from(all.len()).unwrap_or(1).max(1);
    let at = usize::try_from(pick % count).unwrap_or_default();
    all[if least == 0 { 0 } else { at }].0.json()
}

/// The number of lines that occur in only one of the texts, plus 1 if the texts differ.
fn distance(one: &str, other: &str) -> usize {
    let alone = |of: &str, other: &str| {
        let mut left: Vec<&str> = other.lines().map(str::trim_end).collect();
        let mut count = 0;
        for line in of.lines().map(str::trim_end) {
            match left.iter().position(|known| *known == line) {
                Some(at) => drop(left.swap_remove(at)),
                None => count += 1,
            }
        }
        count
    };
    let is_same = one.trim_end() == other.trim_end();
    usize::from(!is_same) + alone(one, other) + alone(other, one)
}

/// Calls that a branch allows, each with the text it produces.
fn changes(branch: &Value, base: &str, wanted: &str) -> Vec<(Call, String)> {
    let (name, arguments) = (name_of(branch), arguments_of(branch));
    let path = listed(&arguments["path"]).and_then(|all| all.first().cloned());
    let path = path.unwrap_or_default();
    let call = |more: &[(&str, Value)]| {
        let mut arguments = json!({"path": path});
        for (name, value) in more {
            arguments[*name] = value.clone();
        }
        Call::new(name, arguments)
    };
    let texts = |schema: &Value, free: &[String]| -> Vec<String> {
        match listed(schema) {
            Some(all) => all
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            None => free
                .iter()
                .filter(|text| is_short(schema, text))
                .cloned()
                .collect(),
        }
    };
    let mut out = Vec::new();
    match name {
        "write_file" => {
            let free = [wanted.to_owned(), clipped(wanted, &arguments["content"])];
            for content in texts(&arguments["content"], &free) {
                out.push((call(&[("content", json!(content))]), content));
            }
        }
        "insert" => {
            let lines = listed(&arguments["after_line"]).unwrap_or_default();
            for line in lines.iter().filter_map(Value::as_u64) {
                let after = usize::try_from(line).unwrap_or_default();
                let free = added(base, wanted, after)
                    .unwrap_or_else(|| changed_lines(base, wanted).join("\n"));
                let free = [free];
                for new in texts(&arguments["new_text"], &free) {
                    let text = inserted(base, after, &new);
                    let call = call(&[("after_line", json!(line)), ("new_text", json!(new))]);
                    out.push((call, text));
                }
            }
        }
        "edit_file" => {
            for old in texts(&arguments["old_text"], &[]) {
                let free =
                    [middle(base, wanted, &old).unwrap_or_else(|| likest(base, wanted, &old))];
                for new in texts(&arguments["new_text"], &free) {
                    let text = replaced(base, &old, &new);
                    let call = call(&[("old_text", json!(old)), ("new_text", json!(new))]);
                    out.push((call, text));
                }
            }
        }
        _ => {}
    }
    out
}

fn clipped(text: &str, schema: &Value) -> String {
    let most = usize::try_from(schema["maxLength"].as_u64().unwrap_or(4_000)).unwrap_or(4_000);
    text.chars().take(most).collect()
}

/// The non-blank lines of `wanted` that `base` lacks.
fn changed_lines<'a>(base: &str, wanted: &'a str) -> Vec<&'a str> {
    let is_new = |line: &&str| !line.trim().is_empty() && !base.lines().any(|known| known == *line);
    wanted.lines().filter(is_new).collect()
}

/// The changed line most similar to `old`. If several lines changed, this is the best that a
/// replacement of one line can do.
fn likest(base: &str, wanted: &str, old: &str) -> String {
    let alike = |line: &&str| {
        line.chars()
            .zip(old.chars())
            .take_while(|(a, b)| a == b)
            .count()
    };
    let lines = changed_lines(base, wanted).into_iter();
    lines.max_by_key(alike).unwrap_or(old).to_owned()
}

/// The lines added after this one, if that is the only difference between the texts.
fn added(base: &str, wanted: &str, after: usize) -> Option<String> {
    let (base, wanted): (Vec<&str>, Vec<&str>) = (base.lines().collect(), wanted.lines().collect());
    let count = wanted
        .len()
        .checked_sub(base.len())
        .filter(|count| *count > 0)?;
    let is_so =
        base.get(..after)? == wanted.get(..after)? && base[after..] == wanted[after + count..];
    is_so.then(|| wanted[after..after + count].join("\n"))
}

/// The text by which `old` was replaced, if that is the only difference between the texts.
fn middle(base: &str, wanted: &str, old: &str) -> Option<String> {
    let all = places(base, old);
    let first = *all.first()?;
    if all.len() == 1 {
        let (head, tail) = (&base[..first], &base[first + old.len()..]);
        let rest = wanted.strip_prefix(head)?;
        return rest.strip_suffix(tail).map(str::to_owned);
    }
    // Every occurrence gets the same replacement, which ends where the text after the first
    // occurrence begins.
    let rest = wanted.strip_prefix(&base[..first])?;
    let tail = &base[first + old.len()..];
    let stop: String = tail.chars().take(2).collect();
    let new = &rest[..rest.find(stop.as_str())?];
    Some(new.to_owned())
}

/// Fits a call to the schema: returns it unchanged if the schema allows its name and arguments,
/// otherwise a call for the same file, otherwise the report.
pub(crate) fn fitted(schema: &Value, call: &Call) -> Value {
    let all = branches(schema);
    let fits = |branch: &&&Value| {
        let given = call.arguments.as_object();
        let mut given = given.into_iter().flatten();
        name_of(branch) == call.name
            && given.all(|(name, value)| {
                let schema = &arguments_of(branch)[name.as_str()];
                !schema.is_null() && listed(schema).is_none_or(|all| all.contains(value))
            })
    };
    if all.iter().any(|branch| fits(&branch)) {
        return call.json();
    }
    let report = all
        .iter()
        .find(|branch| name_of(branch) == "report_progress");
    let branch = report.or_else(|| all.first());
    let Some(branch) = branch else {
        return json!({});
    };
    let required = branch["properties"]["arguments"]["required"].as_array();
    let mut arguments = json!({});
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        let schema = &arguments_of(branch)[name];
        arguments[name] = match (listed(schema), schema["type"].as_str()) {
            (Some(all), _) => all.first().cloned().unwrap_or_default(),
            (None, Some("boolean")) => json!(true),
            (None, Some("integer")) => json!(1),
            (None, Some("array")) => json!([]),
            _ => json!("done"),
        };
    }
    json!({"name": name_of(branch), "arguments": arguments})
}
