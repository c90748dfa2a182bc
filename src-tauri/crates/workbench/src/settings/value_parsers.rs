//! Parses single values of a settings file; an error says what the value must be.
//!
//! Pure. Messages follow the key, so they start with `must`. Quoted file content is truncated and
//! its control characters escaped, since messages end up on a terminal.

use std::fmt::Display;
use std::ops::RangeInclusive;

use gate::policy::Policy;
use plan::CommandLine;
use serde_json::Value;
use tools::sandbox::Wanted;

use super::SettingProblem;

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

pub(super) fn number_in(value: &Value, range: &RangeInclusive<f64>) -> Result<f64, String> {
    let number = value.as_f64().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let (min, max) = (range.start(), range.end());
        format!("must be a number from {min} to {max}, not {}", shown(value))
    })
}

/// Parses an integer in a range. All ranges used here are exactly representable as floats.
pub(super) fn whole_in<T>(value: &Value, range: &RangeInclusive<T>) -> Result<T, String>
where
    T: Copy + Display + Into<u64> + TryFrom<u64>,
{
    let (min, max): (u64, u64) = ((*range.start()).into(), (*range.end()).into());
    let whole = value.as_f64().filter(|number| number.fract() == 0.0);
    whole
        .filter(|number| (min as f64..=max as f64).contains(number))
        .and_then(|number| T::try_from(number as u64).ok())
        .ok_or_else(|| {
            format!(
                "must be a whole number from {min} to {max}, not {}",
                shown(value)
            )
        })
}

/// Parses a workspace folder, and normalizes it: without `.` and repeated slashes.
pub(super) fn folder(value: &Value) -> Result<String, String> {
    const WHAT: &str = "must be a folder in the workspace, as a relative path such as plans";
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
        return Err(format!("{WHAT}; {} is outside the workspace", shown(value)));
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
    const WHAT: &str = "must be a command line, such as cargo test";
    let text = line(value, WHAT)?;
    CommandLine::parse(text)
        .map(|_| text.to_owned())
        .ok_or_else(|| format!("{WHAT}, not {}", shown(value)))
}

/// Parses a toolchain folder, which may be outside the workspace.
pub(super) fn toolchain(value: &Value) -> Result<String, String> {
    const WHAT: &str = "must be the full path of a folder, such as ~/tools/venv";
    let text = line(value, WHAT)?;
    if text.starts_with('/') || text.starts_with("~/") {
        Ok(text.to_owned())
    } else {
        Err(format!("{WHAT}, not {}", shown(value)))
    }
}

/// Parses a pattern in `.gitignore` syntax.
pub(super) fn pattern(value: &Value) -> Result<String, String> {
    line(value, "must be a file name pattern, such as *.pem").map(str::to_owned)
}

pub(super) fn note(value: &Value) -> Result<String, String> {
    let text = value
        .as_str()
        .map(str::trim)
        .filter(|text| !text.is_empty());
    let text = text.ok_or_else(|| format!("must be text, not {}", shown(value)))?;
    if text
        .chars()
        .any(|c| c.is_control() && !matches!(c, '\n' | '\t'))
    {
        return Err("can't contain control characters".to_owned());
    }
    if text.chars().count() > MAX_NOTE_LEN {
        return Err(format!(
            "can have at most {MAX_NOTE_LEN} characters; put the rest in a file and name the file here"
        ));
    }
    Ok(text.to_owned())
}

pub(super) fn text(value: &Value) -> Result<String, String> {
    value
        .as_str()
        .map(str::to_owned)
        .ok_or_else(|| format!("must be text, not {}", shown(value)))
}

/// The entries of a list; anything else is reported.
pub(super) fn entries<'a>(
    key: &str,
    value: &'a Value,
    problems: &mut Vec<SettingProblem>,
) -> Option<&'a Vec<Value>> {
    let entries = value.as_array();
    if entries.is_none() {
        let message = format!("must be a list […], not {}", shown(value));
        problems.push(SettingProblem::new(key, message));
    }
    entries
}

/// The valid entries of a list; each invalid one is reported.
pub(super) fn list<T>(
    key: &str,
    value: &Value,
    problems: &mut Vec<SettingProblem>,
    read: impl Fn(&Value) -> Result<T, String>,
) -> Option<Vec<T>> {
    let mut good = Vec::new();
    for (place, entry) in entries(key, value, problems)?.iter().enumerate() {
        match read(entry) {
            Ok(entry) => good.push(entry),
            Err(message) => problems.push(SettingProblem::new(format!("{key}[{place}]"), message)),
        }
    }
    Some(good)
}

/// The problem to report for an unknown key, with the key that was probably meant.
pub(super) fn unknown_key(inside: &str, name: &str, known: &[&str]) -> SettingProblem {
    let key = match inside {
        "" => sanitized(name),
        inside => format!("{inside}.{}", sanitized(name)),
    };
    let message = match closest(name, known) {
        Some(name) => format!("unknown setting; did you mean “{name}”?"),
        None => format!("unknown setting; the settings are {}", known.join(", ")),
    };
    SettingProblem::new(key, message)
}

pub(super) fn one_of<T: Copy>(value: &Value, known: &[(&str, T)]) -> Result<T, String> {
    if let Some((_, found)) = known.iter().find(|(name, _)| value.as_str() == Some(name)) {
        return Ok(*found);
    }
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let hint = value.as_str().and_then(|name| closest(name, &names));
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
        Value::String(text) => format!("“{}”", sanitized(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// Text from a file, truncated and without terminal control characters.
pub(super) fn sanitized(text: &str) -> String {
    const MAX_LEN: usize = 60;
    let end = text.char_indices().nth(MAX_LEN).map(|(end, _)| end);
    let sanitized = plan::visible_line(&text[..end.unwrap_or(text.len())]);
    sanitized + end.map_or("", |_| "…")
}

/// Longer names aren't compared with known ones; they can't be a typo.
const MAX_NAME_LEN: usize = 64;

/// The known name that `name` is probably a misspelling of; `None` if none is similar enough.
pub(super) fn closest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
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
