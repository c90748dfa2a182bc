//! Parses a template's text; defines the values that it is filled with.

use std::collections::BTreeMap;

/// An item that a step can be repeated for, such as a file, with its values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// How titles name the item.
    pub label: String,
    /// Its values by name, including that of the name it is repeated for.
    pub values: BTreeMap<String, Vec<String>>,
}

/// The values that fill a template.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values {
    /// Values by name; an empty list means no value.
    pub lists: BTreeMap<String, Vec<String>>,
    /// The records for which steps are repeated, by the name that titles use.
    pub records: BTreeMap<String, Vec<Record>>,
}

impl Values {
    /// Sets a name to one value; a blank text means no value.
    pub fn one(&mut self, name: &str, value: &str) {
        let values = if value.trim().is_empty() {
            Vec::new()
        } else {
            vec![value.to_owned()]
        };
        self.lists.insert(name.to_owned(), values);
    }

    /// Sets a name to several values.
    pub fn many(&mut self, name: &str, values: Vec<String>) {
        self.lists.insert(name.to_owned(), values);
    }
}

/// A step of a template or of the plan being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    /// Its id; empty if there is none.
    pub(crate) id: String,
    /// The title, without box and id.
    pub(crate) title: String,
    /// The lines below the title, verbatim.
    pub(crate) lines: Vec<String>,
}

/// The distinct names in a text, in order.
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

/// Replaces all names in a text in one pass, so that names within values are not replaced.
pub(super) fn substitute(text: &str, value: impl Fn(&str) -> String) -> String {
    let mut written = String::new();
    let mut rest = text;
    while let Some(open) = rest.find("{{") {
        let Some(close) = rest[open..].find("}}") else {
            break;
        };
        written.push_str(&rest[..open]);
        written.push_str(&value(rest[open + 2..open + close].trim()));
        rest = &rest[open + close + 2..];
    }
    written.push_str(rest);
    written
}

/// Splits a template's body into prose and steps. Headings that the planner writes itself (the
/// title, `## Requirements` with its items, `## Tasks`) are left out.
pub(super) fn split(body: &str) -> (String, Vec<Step>) {
    let mut prose = String::new();
    let mut steps: Vec<Step> = Vec::new();
    let mut in_requirements = false;
    for line in body.lines() {
        if let Some((id, title)) = box_line(line) {
            steps.push(Step {
                id,
                title,
                lines: Vec::new(),
            });
            continue;
        }
        if let Some(heading) = line.strip_prefix('#') {
            let name = heading.trim_start_matches('#').trim().to_lowercase();
            in_requirements = name == "requirements";
            let own =
                !heading.starts_with('#') || matches!(name.as_str(), "requirements" | "tasks");
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

/// The id and title in the first line of a step: `- [ ] **T1** Title`.
fn box_line(line: &str) -> Option<(String, String)> {
    let rest = line
        .strip_prefix("- [ ] ")
        .or_else(|| line.strip_prefix("* [ ] "))?;
    let bold = rest
        .strip_prefix("**")
        .and_then(|rest| rest.split_once("**"));
    Some(match bold {
        Some((id, title)) if !id.contains(' ') => (id.to_owned(), title.trim().to_owned()),
        _ => (String::new(), rest.trim().to_owned()),
    })
}
