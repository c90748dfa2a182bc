//! The text of a template in parts, and the values that fill it.

use std::collections::BTreeMap;

/// One thing that a step can be repeated for, such as one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// How a title names it.
    pub label: String,
    /// Its values by name; its own name among them.
    pub values: BTreeMap<String, Vec<String>>,
}

/// What fills a template.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values {
    /// Values by name; an empty list is the same as no value.
    pub lists: BTreeMap<String, Vec<String>>,
    /// What steps are repeated for, by the name in their title.
    pub records: BTreeMap<String, Vec<Record>>,
}

impl Values {
    /// Sets a name to one value; a blank one is no value.
    pub fn one(&mut self, name: &str, value: &str) {
        let values = if value.trim().is_empty() { Vec::new() } else { vec![value.to_owned()] };
        self.lists.insert(name.to_owned(), values);
    }

    /// Sets a name to several values.
    pub fn many(&mut self, name: &str, values: Vec<String>) {
        self.lists.insert(name.to_owned(), values);
    }
}

/// A step of a template, or of the plan that is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    /// Its id; empty when none is written.
    pub(crate) id: String,
    /// Its title.
    pub(crate) title: String,
    /// The lines below the title, as they stand.
    pub(crate) lines: Vec<String>,
}

/// The names in a text, in order, each once.
pub(super) fn names(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find("{{") {
        rest = &rest[open + 2..];
        let Some(close) = rest.find("}}") else { break };
        let name = rest[..close].trim();
        if !name.is_empty() && !found.iter().any(|known| known == name) {
            found.push(name.to_owned());
        }
        rest = &rest[close + 2..];
    }
    found
}

/// A text with every name replaced in one pass, so that no value is read as a name again.
fn substitute(text: &str, value: impl Fn(&str) -> String) -> String {
    let mut written = String::new();
    let mut rest = text;
    while let Some(open) = rest.find("{{") {
        let Some(close) = rest[open..].find("}}") else { break };
        written.push_str(&rest[..open]);
        written.push_str(&value(rest[open + 2..open + close].trim()));
        rest = &rest[open + close + 2..];
    }
    written.push_str(rest);
    written
}

/// Splits a template's body into prose and steps. Headings that the planner writes itself (the
/// title, `## Requirements` with its items, `## Tasks`) are left out of the prose.
pub(super) fn split(body: &str) -> (String, Vec<Step>) {
    let mut prose = String::new();
    let mut steps: Vec<Step> = Vec::new();
    let mut in_requirements = false;
    for line in body.lines() {
        if let Some((id, title)) = box_line(line) {
            steps.push(Step { id, title, lines: Vec::new() });
            continue;
        }
        if let Some(heading) = line.strip_prefix('#') {
            let name = heading.trim_start_matches('#').trim().to_lowercase();
            in_requirements = name == "requirements";
            let own = !heading.starts_with('#') || matches!(name.as_str(), "requirements" | "tasks");
            if own || !steps.is_empty() {
                continue;
            }
        }
        match steps.last_mut() {
            Some(step) => step.lines.push(line.to_owned()),
            None if in_requirements => {}
            None => {
                prose.push_str(line);
                prose.push('\n');
            }
        }
    }
    for step in &mut steps {
        while step.lines.last().is_some_and(|line| line.trim().is_empty()) {
            step.lines.pop();
        }
    }
    (prose.trim().to_owned(), steps)
}

/// The id and title of a line that opens a step: `- [ ] **T1** Title`.
fn box_line(line: &str) -> Option<(String, String)> {
    let rest = line.strip_prefix("- [ ] ").or_else(|| line.strip_prefix("* [ ] "))?;
    let bold = rest.strip_prefix("**").and_then(|rest| rest.split_once("**"));
    Some(match bold {
        Some((id, title)) if !id.contains(' ') => (id.to_owned(), title.trim().to_owned()),
        _ => (String::new(), rest.trim().to_owned()),
    })
}

/// Filling in.
pub(crate) mod fill {
    use std::collections::BTreeMap;

    use serde_json::Value;

    use super::{Record, Step, Values, names, substitute};

    /// How a value is written where it stands.
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

    /// Fills prose: a line that names something without a value goes.
    pub(crate) fn prose(text: &str, values: &Values) -> String {
        let scope = Scope { values, record: None };
        let lines: Vec<String> = text.lines().flat_map(|line| free_line(line, &scope)).collect();
        lines.join("\n")
    }

    /// Fills the steps: repeats, drops, numbers anew.
    pub(crate) fn steps(template: &[Step], values: &Values) -> Vec<Step> {
        let mut written: Vec<(String, Step)> = Vec::new();
        let mut heirs: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut counts: BTreeMap<char, usize> = BTreeMap::new();
        for step in template {
            let repeated = names(&step.title)
                .into_iter()
                .find_map(|name| values.records.get(&name).map(|records| (name, records)));
            let scopes: Vec<(Option<&str>, Scope<'_>)> = match &repeated {
                Some((name, records)) => records
                    .iter()
                    .map(|record| (Some(name.as_str()), Scope { values, record: Some(record) }))
                    .collect(),
                None => vec![(None, Scope { values, record: None })],
            };
            let mut ids = Vec::new();
            for (name, scope) in scopes {
                let Some(title) = title(&step.title, name, &scope) else { continue };
                let letter = step.id.chars().next().unwrap_or('T');
                let count = counts.entry(letter).or_default();
                *count += 1;
                let id = format!("{letter}{count}");
                let lines = step.lines.iter().flat_map(|line| step_line(line, &scope)).collect();
                ids.push(id.clone());
                written.push((step.id.clone(), Step { id, title, lines }));
            }
            if ids.is_empty() {
                // What waited for this step waits for what this step would have waited for.
                ids = references(step, "depends")
                    .iter()
                    .flat_map(|id| heirs.get(id.as_str()).cloned().unwrap_or_default())
                    .collect();
            }
            heirs.insert(&step.id, ids);
        }
        written
            .into_iter()
            .map(|(_, mut step)| {
                step.lines = step.lines.iter().filter_map(|line| rewired(line, &heirs)).collect();
                step
            })
            .collect()
    }

    fn references(step: &Step, wanted: &str) -> Vec<String> {
        step.lines
            .iter()
            .filter_map(|line| field(line))
            .filter(|(key, _)| key == wanted)
            .flat_map(|(_, value)| value.split(',').map(|id| id.trim().to_owned()).collect::<Vec<_>>())
            .collect()
    }

    /// A line with the new ids in `depends:` and `option:`; `None` when nothing is left to depend on.
    fn rewired(line: &str, heirs: &BTreeMap<&str, Vec<String>>) -> Option<String> {
        let Some((key, value)) = field(line) else { return Some(line.to_owned()) };
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
                let ids = renamed(&value);
                (!ids.is_empty()).then(|| format!("{indent}- depends: {ids}"))
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

    /// The key and value of a `- key: value` line of a step.
    fn field(line: &str) -> Option<(String, String)> {
        let item = line.trim_start().strip_prefix("- ")?;
        let (key, value) = item.split_once(':')?;
        let plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        plain.then(|| (key.to_owned(), value.trim().to_owned()))
    }

    fn title(text: &str, repeated: Option<&str>, scope: &Scope<'_>) -> Option<String> {
        let labelled = |name: &str| scope.record.filter(|_| repeated == Some(name));
        if names(text).iter().any(|name| labelled(name).is_none() && scope.get(name).is_empty()) {
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
        let Some((key, value)) = field(line) else { return free_line(line, scope) };
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
        // The line is repeated for the first name with several values.
        let several = wanted.iter().find(|name| scope.get(name).len() > 1).or(wanted.first());
        let Some(several) = several else { return Vec::new() };
        scope
            .get(several)
            .iter()
            .map(|value| {
                substitute(line, |name| {
                    let value =
                        if name == several { value.clone() } else { scope.get(name).join(", ") };
                    written(name, &value, place)
                })
            })
            .collect()
    }

    /// A list field: each of its parts filled, those without a value left out, no value twice.
    fn joined(line: &str, key: &str, value: &str, scope: &Scope<'_>) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        for part in value.split(',').map(str::trim) {
            match names(part).first() {
                None => parts.push(part.to_owned()),
                Some(name) => parts.extend(
                    scope.get(name).iter().map(|value| substitute(part, |_| value.clone())),
                ),
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        parts.retain(|part| seen.insert(part.clone()));
        let indent = &line[..line.len() - line.trim_start().len()];
        (!parts.is_empty()).then(|| format!("{indent}- {key}: {}", parts.join(", ")))
    }

    /// A line of prose: alone on its line a name becomes as many lines as it has values.
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
        vec![substitute(line, |name| one_line(&scope.get(name).join(", ")))]
    }

    fn written(name: &str, value: &str, place: Place) -> String {
        // The project's own commands are commands already.
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

    /// A value inside a JSON string; a back-tick would end the code span that a call stands in.
    fn json(value: &str) -> String {
        let text = Value::String(value.to_owned()).to_string().replace('`', "\\u0060");
        text[1..text.len() - 1].to_owned()
    }

    /// A value as one word of a command line.
    fn quoted(value: &str) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
        if !value.is_empty() && value.chars().all(plain) {
            value.to_owned()
        } else {
            format!("'{}'", value.replace('\'', "'\\''"))
        }
    }
}
