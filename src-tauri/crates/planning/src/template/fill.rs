//! Fills in a template: repeats and drops steps and lines, escapes values, renumbers steps.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::render::{Record, Step, Values, names, substitute};

/// The context that a value is escaped for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Prose,
    Call,
    CommandCall,
    Command,
}

struct Scope<'a> {
    values: &'a Values,
    record: Option<&'a Record>,
}

impl<'a> Scope<'a> {
    fn get(&self, name: &str) -> &'a [String] {
        self.record
            .and_then(|record| record.values.get(name))
            .or_else(|| self.values.lists.get(name))
            .map_or(&[], Vec::as_slice)
    }
}

/// Fills in prose; drops lines that use a name without a value.
pub(crate) fn prose(text: &str, values: &Values) -> String {
    let scope = Scope {
        values,
        record: None,
    };
    let lines: Vec<String> = text
        .lines()
        .flat_map(|line| free_line(line, &scope))
        .collect();
    lines.join("\n")
}

/// Fills in the steps: repeats, drops and renumbers them.
pub(crate) fn steps(template: &[Step], values: &Values) -> Vec<Step> {
    let mut written: Vec<(String, Step)> = Vec::new();
    let mut heirs: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut gone: BTreeSet<&str> = BTreeSet::new();
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for step in template {
        let repeated = names(&step.title)
            .into_iter()
            .find_map(|name| values.records.get(&name).map(|records| (name, records)));
        let scopes: Vec<(Option<&str>, Scope<'_>)> = match &repeated {
            Some((name, records)) => records
                .iter()
                .map(|record| {
                    (
                        Some(name.as_str()),
                        Scope {
                            values,
                            record: Some(record),
                        },
                    )
                })
                .collect(),
            None => vec![(
                None,
                Scope {
                    values,
                    record: None,
                },
            )],
        };
        let mut ids = Vec::new();
        for (name, scope) in scopes {
            let Some(title) = title(&step.title, name, &scope) else {
                continue;
            };
            let letter = step.id.chars().next().unwrap_or('T');
            let count = counts.entry(letter).or_default();
            *count += 1;
            let id = format!("{letter}{count}");
            let lines = step
                .lines
                .iter()
                .flat_map(|line| step_line(line, &scope))
                .collect();
            ids.push(id.clone());
            written.push((step.id.clone(), Step { id, title, lines }));
        }
        if ids.is_empty() {
            gone.insert(&step.id);
            // Dependents of a dropped step inherit its dependencies.
            ids = references(step, "depends")
                .iter()
                .flat_map(|id| heirs.get(id.as_str()).cloned().unwrap_or_default())
                .collect();
        }
        heirs.insert(&step.id, ids);
    }
    let mut waits: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    written
        .into_iter()
        .map(|(_, mut step)| {
            let wanted = thinned(&references(&step, "depends"), &heirs, &gone, &waits);
            step.lines = step
                .lines
                .iter()
                .filter_map(|line| rewired(line, &heirs, &wanted))
                .collect();
            let mut reach: BTreeSet<String> = wanted.iter().cloned().collect();
            for id in &wanted {
                reach.extend(waits.get(id).into_iter().flatten().cloned());
            }
            waits.insert(step.id.clone(), reach);
            step
        })
        .collect()
}

/// The new ids that a step depends on. Dependencies inherited from a dropped step are left out if
/// another dependency already implies them; those written in the template are kept.
fn thinned(
    wanted: &[String],
    heirs: &BTreeMap<&str, Vec<String>>,
    gone: &BTreeSet<&str>,
    waits: &BTreeMap<String, BTreeSet<String>>,
) -> Vec<String> {
    let (inherited, own): (Vec<&String>, Vec<&String>) =
        wanted.iter().partition(|id| gone.contains(id.as_str()));
    let heirs_of = |id: &String| heirs.get(id.as_str()).cloned().unwrap_or_default();
    let mut ids: Vec<String> = Vec::new();
    for id in own.into_iter().flat_map(heirs_of) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    for id in inherited.into_iter().flat_map(heirs_of) {
        let implied = |other: &String| waits.get(other).is_some_and(|reach| reach.contains(&id));
        if !ids.contains(&id) && !ids.iter().any(implied) {
            ids.push(id);
        }
    }
    ids
}

fn references(step: &Step, wanted: &str) -> Vec<String> {
    step.lines
        .iter()
        .filter_map(|line| field(line))
        .filter(|(key, _)| key == wanted)
        .flat_map(|(_, value)| {
            value
                .split(',')
                .map(|id| id.trim().to_owned())
                .collect::<Vec<_>>()
        })
        .collect()
}

/// A line with the new ids in `depends:` and `option:`; `None` for a `depends:` without any ids
/// left.
fn rewired(line: &str, heirs: &BTreeMap<&str, Vec<String>>, wanted: &[String]) -> Option<String> {
    let Some((key, value)) = field(line) else {
        return Some(line.to_owned());
    };
    let renamed = |list: &str| {
        let mut ids: Vec<String> = Vec::new();
        for id in list.split(',').map(str::trim) {
            for heir in heirs.get(id).map_or(&[][..], Vec::as_slice) {
                if !ids.contains(heir) {
                    ids.push(heir.clone());
                }
            }
        }
        ids.join(", ")
    };
    let indent = &line[..line.len() - line.trim_start().len()];
    match key.as_str() {
        "depends" => {
            (!wanted.is_empty()).then(|| format!("{indent}- depends: {}", wanted.join(", ")))
        }
        "option" => {
            let Some((label, effect)) = value.rsplit_once("->") else {
                return Some(line.to_owned());
            };
            let (verb, list) = match effect.trim().split_once(' ') {
                Some(("skip", list)) => ("skip ", list),
                _ => ("", effect.trim()),
            };
            let ids = renamed(list);
            Some(if ids.is_empty() {
                line.to_owned()
            } else {
                format!("{indent}- option: {} -> {verb}{ids}", label.trim())
            })
        }
        _ => Some(line.to_owned()),
    }
}

/// The key and value in a step's line, if it has the form `- key: value`.
fn field(line: &str) -> Option<(String, String)> {
    let item = line.trim_start().strip_prefix("- ")?;
    let (key, value) = item.split_once(':')?;
    let plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    plain.then(|| (key.to_owned(), value.trim().to_owned()))
}

fn title(text: &str, repeated: Option<&str>, scope: &Scope<'_>) -> Option<String> {
    let labelled = |name: &str| scope.record.filter(|_| repeated == Some(name));
    if names(text)
        .iter()
        .any(|name| labelled(name).is_none() && scope.get(name).is_empty())
    {
        return None;
    }
    Some(substitute(text, |name| {
        labelled(name).map_or_else(
            || one_line(&scope.get(name).join(", ")),
            |record| one_line(&record.label),
        )
    }))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn step_line(line: &str, scope: &Scope<'_>) -> Vec<String> {
    let wanted = names(line);
    let Some((key, value)) = field(line) else {
        return free_line(line, scope);
    };
    if wanted.is_empty() {
        return vec![line.to_owned()];
    }
    if matches!(key.as_str(), "files" | "depends" | "covers" | "tools") {
        return joined(line, &key, &value, scope).into_iter().collect();
    }
    if wanted.iter().any(|name| scope.get(name).is_empty()) {
        return Vec::new();
    }
    let bare = value.trim_matches('`');
    let place = match key.as_str() {
        "call" if bare.starts_with("{{") && bare.ends_with("}}") => Place::Prose,
        "call" if bare.starts_with("run_command") => Place::CommandCall,
        "call" => Place::Call,
        "verify" => Place::Command,
        _ => Place::Prose,
    };
    // Repeat the line for the first name with several values.
    let several = wanted
        .iter()
        .find(|name| scope.get(name).len() > 1)
        .or(wanted.first());
    let Some(several) = several else {
        return Vec::new();
    };
    scope
        .get(several)
        .iter()
        .map(|value| {
            substitute(line, |name| {
                let value = if name == several {
                    value.clone()
                } else {
                    scope.get(name).join(", ")
                };
                written(name, &value, place)
            })
        })
        .collect()
}

/// A list field with each item filled in, without duplicates and items without a value.
fn joined(line: &str, key: &str, value: &str, scope: &Scope<'_>) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in value.split(',').map(str::trim) {
        match names(part).first() {
            None => parts.push(part.to_owned()),
            Some(name) => parts.extend(
                scope
                    .get(name)
                    .iter()
                    .map(|value| substitute(part, |_| value.clone())),
            ),
        }
    }
    let mut seen = BTreeSet::new();
    parts.retain(|part| seen.insert(part.clone()));
    let indent = &line[..line.len() - line.trim_start().len()];
    (!parts.is_empty()).then(|| format!("{indent}- {key}: {}", parts.join(", ")))
}

/// Fills in a line of prose. If the line consists of just one name, there is one line for each of
/// its values; if a name has no value, there is no line.
fn free_line(line: &str, scope: &Scope<'_>) -> Vec<String> {
    let wanted = names(line);
    if wanted.is_empty() {
        return vec![line.to_owned()];
    }
    if wanted.iter().any(|name| scope.get(name).is_empty()) {
        return Vec::new();
    }
    let trimmed = line.trim();
    if let [name] = wanted.as_slice()
        && (trimmed == format!("{{{{{name}}}}}") || trimmed == format!("- {{{{{name}}}}}"))
    {
        return scope
            .get(name)
            .iter()
            .flat_map(|value| value.split('\n'))
            .map(|value| substitute(line, |_| value.to_owned()).trim_end().to_owned())
            .collect();
    }
    vec![substitute(line, |name| {
        one_line(&scope.get(name).join(", "))
    })]
}

fn written(name: &str, value: &str, place: Place) -> String {
    // Commands that the project itself defines need no quoting.
    let is_command = name == "test";
    match place {
        Place::Prose => value.to_owned(),
        Place::Call => json(value),
        Place::CommandCall if is_command => json(value),
        Place::CommandCall => json(&quoted(value)),
        Place::Command if is_command => value.to_owned(),
        Place::Command => quoted(value),
    }
}

/// A value escaped for a JSON string; backticks are escaped because they would end the call's code
/// span.
fn json(value: &str) -> String {
    let text = Value::String(value.to_owned())
        .to_string()
        .replace('`', "\\u0060");
    text[1..text.len() - 1].to_owned()
}

/// A value quoted as one word of a command line.
fn quoted(value: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !value.is_empty() && value.chars().all(plain) {
        value.to_owned()
    } else {
        format!("'{}'", value.replace('\'', "'\\''"))
    }
}
