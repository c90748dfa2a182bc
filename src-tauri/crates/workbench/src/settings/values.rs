//! Parses single values of a settings file; an error says what the value must be.
//!
//! Pure. Messages follow the key, so they start with `must`. Quoted file content is truncated and
//! its control characters escaped, since messages end up on a terminal. An endpoint's values aren't
//! quoted.

use std::fmt::Display;
use std::ops::RangeInclusive;

use gate::permissions::{Match, Rule, Verdict};
use gate::policy::Policy;
use model::{Endpoint, EndpointError};
use plan::{CommandLine, ToolName};
use serde_json::{Map, Value};
use tools::sandbox::Wanted;

use super::SettingProblem;
use super::layer::{ENDPOINT_KEYS, PlacedRule, RULE_KEYS};

pub(super) const POLICIES: [(&str, Policy); 3] = [
    ("each", Policy::Each),
    ("risky", Policy::Risky),
    ("all", Policy::All),
];

pub(super) const SANDBOXES: [(&str, Wanted); 4] = [
    ("auto", Wanted::Auto),
    ("bubblewrap", Wanted::Bubblewrap),
    ("landlock", Wanted::Landlock),
    ("none", Wanted::None),
];

/// A table of all values of a setting with their names.
pub(super) fn named<T: Copy, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
) -> [(&'static str, T); N] {
    all.map(|value| (name(value), value))
}

/// The length limit of a note, in characters.
const MAX_NOTE_LEN: usize = 4_000;

pub(super) fn switch(value: &Value) -> Result<bool, String> {
    value
        .as_bool()
        .ok_or_else(|| format!("must be true or false, not {}", shown(value)))
}

pub(super) fn risk(value: &Value) -> Result<f64, String> {
    value
        .as_f64()
        .filter(|risk| (0.05..=0.95).contains(risk))
        .ok_or_else(|| format!("must be a number from 0.05 to 0.95, not {}", shown(value)))
}

/// An integer in a range. All ranges used here are exactly representable as floats.
pub(super) fn whole_in<T>(value: &Value, range: &RangeInclusive<T>) -> Result<T, String>
where
    T: Copy + Display + Into<u64> + TryFrom<u64>,
{
    let (least, most): (u64, u64) = ((*range.start()).into(), (*range.end()).into());
    let whole = value.as_f64().filter(|number| number.fract() == 0.0);
    whole
        .filter(|number| (least as f64..=most as f64).contains(number))
        .and_then(|number| T::try_from(number as u64).ok())
        .ok_or_else(|| {
            format!(
                "must be a whole number from {least} to {most}, not {}",
                shown(value)
            )
        })
}

/// The name of a value in a table.
pub(super) fn name_of<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    let found = table.iter().find(|(_, other)| other == value);
    found.map_or("auto", |(name, _)| name)
}

/// A workspace folder, normalized without `.` and repeated slashes.
pub(super) fn folder(value: &Value) -> Result<String, String> {
    const WHAT: &str = "must name a folder inside the workspace, relative to it, such as plans";
    let text = line(value, WHAT)?;
    let drive = text.as_bytes().get(1) == Some(&b':');
    if text.starts_with(['/', '~']) || text.contains('\\') || drive {
        return Err(format!("{WHAT}, not {}", shown(value)));
    }
    let parts: Vec<&str> = text
        .split('/')
        .filter(|part| !matches!(*part, "" | "."))
        .collect();
    if parts.contains(&"..") {
        return Err(format!("{WHAT}; {} would leave it", shown(value)));
    }
    if parts.iter().any(|part| part.eq_ignore_ascii_case(".git")) {
        return Err(format!("{WHAT}; {} belongs to Git", shown(value)));
    }
    if parts.is_empty() {
        return Err(format!("{WHAT}, not {}", shown(value)));
    }
    Ok(parts.join("/"))
}

pub(super) fn command(value: &Value) -> Result<String, String> {
    const WHAT: &str = "must be one command line, such as cargo test";
    let text = line(value, WHAT)?;
    CommandLine::parse(text)
        .map(|_| text.to_owned())
        .ok_or_else(|| format!("{WHAT}, not {}", shown(value)))
}

/// A toolchain folder, which may be outside the workspace.
pub(super) fn toolchain(value: &Value) -> Result<String, String> {
    const WHAT: &str = "must be the whole path of a folder, such as ~/tools/venv";
    let text = line(value, WHAT)?;
    if text.starts_with('/') || text.starts_with("~/") {
        Ok(text.to_owned())
    } else {
        Err(format!("{WHAT}, not {}", shown(value)))
    }
}

/// A pattern in `.gitignore` syntax.
pub(super) fn pattern(value: &Value) -> Result<String, String> {
    line(value, "must be a pattern of file names, such as *.pem").map(str::to_owned)
}

pub(super) fn note(value: &Value) -> Result<String, String> {
    let text = value
        .as_str()
        .map(str::trim)
        .filter(|text| !text.is_empty());
    let text = text.ok_or_else(|| format!("must be a text, not {}", shown(value)))?;
    if text
        .chars()
        .any(|c| c.is_control() && !matches!(c, '\n' | '\t'))
    {
        return Err("must be text without control characters".to_owned());
    }
    if text.chars().count() > MAX_NOTE_LEN {
        return Err(format!(
            "must be at most {MAX_NOTE_LEN} characters; put the rest into a file and name the file here"
        ));
    }
    Ok(text.to_owned())
}

pub(super) fn text(value: &Value) -> Result<String, String> {
    value
        .as_str()
        .map(str::to_owned)
        .ok_or_else(|| format!("must be a text, not {}", shown(value)))
}

/// The entries of a list; anything else is reported.
fn entries<'a>(
    key: &str,
    value: &'a Value,
    complaints: &mut Vec<SettingProblem>,
) -> Option<&'a Vec<Value>> {
    let entries = value.as_array();
    if entries.is_none() {
        let message = format!("must be a list […], not {}", shown(value));
        complaints.push(SettingProblem::new(key, message));
    }
    entries
}

/// The valid entries of a list; each invalid one is reported.
pub(super) fn list<T>(
    key: &str,
    value: &Value,
    complaints: &mut Vec<SettingProblem>,
    read: impl Fn(&Value) -> Result<T, String>,
) -> Option<Vec<T>> {
    let mut good = Vec::new();
    for (place, entry) in entries(key, value, complaints)?.iter().enumerate() {
        match read(entry) {
            Ok(entry) => good.push(entry),
            Err(message) => {
                complaints.push(SettingProblem::new(format!("{key}[{place}]"), message))
            }
        }
    }
    Some(good)
}

/// The valid rules of a list; every mistake in the others is reported.
pub(super) fn rules(
    key: &str,
    value: &Value,
    complaints: &mut Vec<SettingProblem>,
) -> Option<Vec<PlacedRule>> {
    let mut good = Vec::new();
    for (place, entry) in entries(key, value, complaints)?.iter().enumerate() {
        let key = format!("{key}[{place}]");
        let Some(object) = entry.as_object() else {
            let form = "{\"tool\", \"match\", \"answer\"}";
            let message = format!("must be a rule {form}, not {}", shown(entry));
            complaints.push(SettingProblem::new(key, message));
            continue;
        };
        let rule = rule(&key, object, complaints);
        good.extend(rule.map(|rule| PlacedRule { place, rule }));
    }
    Some(good)
}

fn rule(
    key: &str,
    object: &Map<String, Value>,
    complaints: &mut Vec<SettingProblem>,
) -> Option<Rule> {
    for unknown in object
        .keys()
        .filter(|name| !RULE_KEYS.contains(&name.as_str()))
    {
        complaints.push(unknown_key(key, unknown, &RULE_KEYS));
    }
    let mut part = |name: &str| {
        if !object.contains_key(name) {
            let message = format!("must have \"{name}\"; the rule does not apply");
            complaints.push(SettingProblem::new(key, message));
        }
        object.get(name)
    };
    let (tool, matches, answer) = (part("tool"), part("match"), part("answer"));
    let mut complain = |name: &str, message: String| {
        let message = format!("{message}; the rule does not apply");
        complaints.push(SettingProblem::new(format!("{key}.{name}"), message));
    };
    // All three fields are checked before returning, so that every mistake is reported at once.
    let tools = named(ToolName::ALL, ToolName::as_str);
    let answers = named(Verdict::ALL, Verdict::as_str);
    let tool = tool.map(|value| one_of(value, &tools).map_err(|why| complain("tool", why)));
    let matches = matches.map(|value| matcher(value).map_err(|why| complain("match", why)));
    let answer = answer.map(|value| one_of(value, &answers).map_err(|why| complain("answer", why)));
    Some(Rule {
        tool: tool?.ok()?.as_str().to_owned(),
        matches: matches?.ok()?,
        verdict: answer?.ok()?,
    })
}

fn matcher(value: &Value) -> Result<Match, String> {
    value
        .as_str()
        .and_then(Match::parse)
        .ok_or_else(|| format!("must be \"exact …\" or \"prefix …\", not {}", shown(value)))
}

/// Parses the endpoint; its values are never repeated in a message.
pub(super) fn endpoint(
    key: &str,
    value: &Value,
    complaints: &mut Vec<SettingProblem>,
) -> Option<Endpoint> {
    const WITHOUT: &str = "no endpoint is used";
    let Some(object) = value.as_object() else {
        let message = format!("must be {{\"base_url\", \"model\", \"key_variable\"}}; {WITHOUT}");
        complaints.push(SettingProblem::new(key, message));
        return None;
    };
    for unknown in object
        .keys()
        .filter(|name| !ENDPOINT_KEYS.contains(&name.as_str()))
    {
        let mut complaint = unknown_key(key, unknown, &ENDPOINT_KEYS);
        if unknown.to_ascii_lowercase().contains("key") {
            complaint.message = "keys do not stand in settings; put the key into an environment \
                                 variable and name that in key_variable"
                .to_owned();
        }
        complaints.push(complaint);
    }
    let part = |name: &str| match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(SettingProblem::new(
            format!("{key}.{name}"),
            format!("must be a text; {WITHOUT}"),
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
                "base_url must be an address without blanks, “?” and “#”".to_owned()
            }
            Ok(()) => return Ok(endpoint),
            Err(EndpointError::Scheme(_)) => {
                "base_url must begin with http:// or https://".to_owned()
            }
            Err(other) => other.to_string(),
        };
        Err(SettingProblem::new(key, format!("{message}; {WITHOUT}")))
    };
    checked()
        .map_err(|complaint| complaints.push(complaint))
        .ok()
}

/// The problem of an unknown key, with the key that was probably meant.
pub(super) fn unknown_key(inside: &str, name: &str, known: &[&str]) -> SettingProblem {
    let key = match inside {
        "" => tamed(name),
        inside => format!("{inside}.{}", tamed(name)),
    };
    let message = match meant(name, known) {
        Some(meant) => format!("is not a setting; did you mean “{meant}”?"),
        None => format!("is not a setting; the settings are {}", known.join(", ")),
    };
    SettingProblem::new(key, message)
}

pub(super) fn one_of<T: Copy>(value: &Value, known: &[(&str, T)]) -> Result<T, String> {
    if let Some((_, found)) = known.iter().find(|(name, _)| value.as_str() == Some(name)) {
        return Ok(*found);
    }
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let hint = value.as_str().and_then(|name| meant(name, &names));
    let hint = hint
        .map(|name| format!(" (did you mean “{name}”?)"))
        .unwrap_or_default();
    Err(format!(
        "must be one of {}, not {}{hint}",
        names.join(", "),
        shown(value)
    ))
}

fn line<'a>(value: &'a Value, what: &str) -> Result<&'a str, String> {
    let text = value
        .as_str()
        .map(str::trim)
        .filter(|text| !text.is_empty());
    text.filter(|text| !text.chars().any(|c| c.is_control() && c != '\t'))
        .ok_or_else(|| format!("{what}, not {}", shown(value)))
}

/// A value as quoted in a message.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => format!("“{}”", tamed(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// Text from a file, truncated and without terminal control characters.
pub(super) fn tamed(text: &str) -> String {
    const MOST: usize = 60;
    let end = text.char_indices().nth(MOST).map(|(end, _)| end);
    let tamed = plan::visible_line(&text[..end.unwrap_or(text.len())]);
    tamed + end.map_or("", |_| "…")
}

/// Longer names aren't compared with known ones; they can't be a typo.
const MAX_NAME_LEN: usize = 64;

/// The known name that this one is probably a typo of.
pub(super) fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    if name.len() > MAX_NAME_LEN {
        return None;
    }
    // Accept other spellings, such as `verifyCommands` and `verify-commands` for `verify_commands`.
    let plain = snake(name.trim());
    known
        .iter()
        .map(|known| (strsim::osa_distance(&plain, &snake(known)), *known))
        .filter(|(distance, known)| *distance <= 1 + known.len() / 5)
        .min()
        .map(|(_, known)| known)
}

fn snake(name: &str) -> String {
    let mut plain = String::new();
    for c in name.chars() {
        if c.is_uppercase() && plain.ends_with(char::is_lowercase) {
            plain.push('_');
        }
        plain.extend(
            c.to_lowercase()
                .map(|c| if matches!(c, '-' | ' ' | '.') { '_' } else { c }),
        );
    }
    plain
}
