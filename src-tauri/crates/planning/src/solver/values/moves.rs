//! Determines the template values for moved files: copy and delete calls if the text is known, and
//! edits to references.

use std::collections::BTreeMap;

use plan::{ToolCall, ToolName};
use serde_json::{Map, Value};

use super::listing::{counted, listing};
use super::{Filled, MAX_STEPS, in_words, record, tests_of};
use crate::context::{Context, Occurrence};
use crate::intake::Intake;
use crate::solver::{edits, moves};
use crate::text::Shape;

/// Maximum length of a file that a step rewrites, in bytes; a person moves longer files.
const MAX_TEXT: usize = 24 << 10;

pub(super) fn fill(intake: &Intake, context: &Context, filled: &mut Filled) {
    let mut unsure: BTreeMap<String, Vec<Occurrence>> = BTreeMap::new();
    let (mut steps, mut by_hand) = (Vec::new(), Vec::new());
    let (mut patterns, mut gone): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut touched: Vec<String> = Vec::new();
    let mut now = context.clone();
    for one in &intake.moves {
        let to = moves::target(one, context);
        let named = moves::references(one, &now);
        // Code imports files without their extension, and tables of contents in reStructuredText
        // list them without it.
        let is_listed = one.from.ends_with(".rst");
        if is_listed {
            filled.assumptions.push(format!(
                "a table of contents may list `{}` without its extension; check the search results, since no step changes it",
                one.from
            ));
        }
        let name = match crate::text::is_code(&one.from) || is_listed {
            true => crate::text::stem(&one.from),
            false => one.from.rsplit('/').next().unwrap_or(&one.from),
        };
        gone.push(one.from.clone());
        if patterns.len() < MAX_STEPS {
            patterns.push(format!(r"\b{}\b", regex::escape(name)));
        }
        touched.push(to.clone());
        let label = format!("`{}` to `{to}`", one.from);
        let mut written = vec![to.clone(), one.from.clone()];
        let mut calls = moved(&one.from, &to, &now);
        for (path, places) in named.exact {
            let exact = now
                .texts
                .get(&path)
                .and_then(|text| edits::exact(&path, text, &places));
            match (&mut calls, exact) {
                (Some(calls), Some(exact)) => {
                    calls.splice(1..1, exact);
                    written.push(path);
                }
                _ => {
                    let text = now.texts.get(&path).map_or("", String::as_str);
                    let found = places.iter().map(|(place, _)| at(&path, text, place.start));
                    unsure.entry(path.clone()).or_default().extend(found);
                }
            }
        }
        let some = named
            .unsure
            .into_iter()
            .filter(|(_, lines)| !lines.is_empty());
        for (path, lines) in some {
            unsure.entry(path).or_default().extend(lines);
        }
        if let Some(package) = moves::missing_package(&one.from, &to, &now) {
            filled.assumptions.push(format!(
                "`{package}` doesn't exist; without it, the folder isn't a regular package"
            ));
        }
        if moves::is_found_by_folder(&one.from) {
            filled.assumptions.push(format!(
                "code may import `{}` by its folder's name, which a search can't detect",
                one.from
            ));
        }
        match calls {
            Some(calls) => {
                let others = written.len() - 2;
                let label = match others {
                    0 => label,
                    _ => format!("{label} and update its path in {}", in_words(&written[2..])),
                };
                touched.extend(written[2..].iter().cloned());
                now = crate::solver::simulate::after_calls(&calls, &now);
                let mut record = record("file", &label, written);
                record.values.insert("edits".to_owned(), calls);
                steps.push(record);
            }
            None => {
                filled.assumptions.push(format!(
                    "`{}` is too long for a step, not plain text, or executable; move it with `git mv`",
                    one.from
                ));
                let mut record = record("folder", &label, vec![one.from.clone()]);
                record
                    .values
                    .insert("files".to_owned(), vec![one.from.clone()]);
                by_hand.push(record);
            }
        }
    }
    tests_of(&touched, context, filled);
    let records = unsure.iter().map(|(path, lines)| {
        let lines: Vec<&Occurrence> = lines.iter().collect();
        let mut record = record("unsure", &format!("`{path}`"), vec![path.clone()]);
        record
            .values
            .insert("places".to_owned(), vec![counted(lines.len())]);
        record
            .values
            .insert("lines".to_owned(), vec![listing(&lines, false)]);
        record
    });
    let unsure: Vec<_> = records.collect();
    let values = &mut filled.values;
    values.records.insert("file".to_owned(), steps);
    values.records.insert("folder".to_owned(), by_hand);
    values.records.insert("unsure".to_owned(), unsure);
    values.one("places", &in_words(&gone));
    values.many("patterns", patterns);
    filled
        .reasons
        .push("files: those named in the goal and those that refer to them".to_owned());
}

/// A position in a text as an occurrence, with the text of its line.
pub(super) fn at(path: &str, text: &str, offset: usize) -> Occurrence {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let end = text[offset..]
        .find('\n')
        .map_or(text.len(), |at| offset + at);
    let line = text[..offset].matches('\n').count() + 1;
    Occurrence {
        path: path.to_owned(),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        offset,
        text: text[start..end].trim().to_owned(),
        shape: Shape::OtherName,
    }
}

/// The calls that create the file in its new place and delete it in the old one; `None` if its text
/// is unknown or too long, or if it would lose its executable bit.
fn moved(from: &str, to: &str, context: &Context) -> Option<Vec<String>> {
    let text = context.texts.get(from)?;
    if text.len() > MAX_TEXT || text.starts_with("#!") || text.is_empty() {
        return None;
    }
    let line = |tool: ToolName, pairs: &[(&str, &str)]| {
        let arguments: Map<String, Value> = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), Value::String((*value).to_owned())))
            .collect();
        let line = ToolCall::new(tool, arguments).ok()?.to_line();
        Some(line.replace('`', "\\u0060"))
    };
    Some(vec![
        line(ToolName::WriteFile, &[("path", to), ("content", text)])?,
        line(ToolName::DeleteFile, &[("path", from)])?,
    ])
}
