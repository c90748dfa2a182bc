//! Finds changes outside of tasks.

use std::collections::{BTreeMap, HashMap};

use super::{PartDiff, words};
use crate::align::{Alignment, Interner, runs};
use crate::lines::{self, after_line_end, line_end, line_start};
use crate::model::{FrontMatter, Plan, Requirement, Span};

/// The prose before the first heading, without the title.
const INTRODUCTION: &str = "introduction";

/// The changed parts: front matter, title, prose, requirements, answers.
pub(super) fn outside(before: (&str, &Plan), after: (&str, &Plan)) -> Vec<PartDiff> {
    let mut parts = Vec::new();
    let mut part = |name: &str, old: &str, new: &str| {
        if !old.split_whitespace().eq(new.split_whitespace()) {
            parts.push(PartDiff {
                name: name.to_owned(),
                words: words(old, new),
            });
        }
    };
    let title = |plan: &Plan| {
        let title = plan.title.as_ref();
        title.map_or(String::new(), |title| title.text.clone())
    };
    part("title", &title(before.1), &title(after.1));
    let (old, new) = (keys(&before.1.front), keys(&after.1.front));
    for (name, value) in &new {
        part(name, old.get(name).map_or("", |old| old), value);
    }
    for (name, value) in &old {
        if !new.contains_key(name) {
            part(name, value, "");
        }
    }
    let (old, new) = (sections(before.0, before.1), sections(after.0, after.1));
    let mut known: HashMap<(&str, usize), &str> = HashMap::new();
    for (name, text) in numbered(&old) {
        known.insert(name, text);
    }
    for (name, text) in numbered(&new) {
        part(name.0, known.remove(&name).unwrap_or_default(), text);
    }
    for (name, text) in numbered(&old) {
        if known.contains_key(&name) {
            part(name.0, text, "");
        }
    }
    for (name, old, new) in requirements(before, after) {
        part(&name, &old, &new);
    }
    let answers = |(text, plan): (&str, &Plan)| -> Vec<(String, String)> {
        let records = plan.decisions.iter();
        records
            .map(|record| {
                let line = text[record.span.clone()].trim().to_owned();
                (format!("answer to {}", record.task), line)
            })
            .collect()
    };
    let (old, new) = (answers(before), answers(after));
    let mut known: HashMap<(&str, usize), &str> = numbered(&old).into_iter().collect();
    for (name, text) in numbered(&new) {
        part(name.0, known.remove(&name).unwrap_or_default(), text);
    }
    for (name, text) in numbered(&old) {
        if known.contains_key(&name) {
            part(name.0, text, "");
        }
    }
    parts
}

/// Names with an occurrence count, so that repeated names stay distinct.
fn numbered(list: &[(String, String)]) -> Vec<((&str, usize), &str)> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    list.iter()
        .map(|(name, text)| {
            let count = counts.entry(name).or_default();
            *count += 1;
            ((name.as_str(), *count), text.as_str())
        })
        .collect()
}

fn keys(front: &FrontMatter) -> BTreeMap<String, String> {
    let mut keys = BTreeMap::new();
    let mut key = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            keys.insert(name.to_owned(), value);
        }
    };
    let list = |values: &[String]| (!values.is_empty()).then(|| values.join("\n"));
    key(
        "planwright",
        front.version.map(|version| version.to_string()),
    );
    key("id", front.id.clone());
    key("goal", front.goal.clone());
    key("base", front.base.clone());
    key("strategy", front.strategy.clone());
    key("mute", list(&front.mute));
    key("matches", list(&front.matches));
    key("params", list(&front.params));
    key("checks", list(&front.checks));
    for (name, value) in &front.other {
        key(name, Some(value.clone()));
    }
    keys
}

/// All prose outside of tasks, requirements and answers, by section, with the headings.
fn sections(text: &str, plan: &Plan) -> Vec<(String, String)> {
    let mut holes: Vec<Span> = Vec::new();
    holes.extend(plan.front.span.clone());
    holes.extend(
        plan.title
            .as_ref()
            .map(|title| line_start(text, title.span.start)..line_end(text, title.span.end)),
    );
    holes.extend(plan.requirements.iter().map(|found| found.span.clone()));
    holes.extend(plan.decisions.iter().map(|found| found.span.clone()));
    let top = plan.tasks.iter().filter(|task| task.parent.is_none());
    holes.extend(top.map(|task| task.span.clone()));
    holes.sort_by_key(|hole| hole.start);
    let mut sections = vec![(INTRODUCTION.to_owned(), String::new())];
    let mut fence: Option<&str> = None;
    let mut at = 0;
    let mut holes = holes.into_iter().peekable();
    while at < text.len() {
        // Holes may nest; the outer one comes first.
        while holes.peek().is_some_and(|hole| hole.end <= at) {
            holes.next();
        }
        if let Some(hole) = holes.peek().filter(|hole| hole.start <= at) {
            at = hole.end;
            continue;
        }
        let end = line_end(text, at);
        let end = holes.peek().map_or(end, |hole| end.min(hole.start));
        let line = &text[at..end];
        at = after_line_end(text, end);
        let words = line.trim();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| words.starts_with(mark));
        match (fence, mark) {
            (None, Some(_)) => fence = mark,
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        if fence.is_none()
            && let Some(name) = heading(line)
        {
            sections.push((name.to_owned(), String::new()));
        }
        if let Some((_, section)) = sections.last_mut()
            && !(words.is_empty() && section.is_empty())
        {
            section.push_str(line.trim_end());
            section.push('\n');
        }
    }
    for (_, section) in &mut sections {
        section.truncate(section.trim_end().len());
    }
    sections
}

/// The text of an ATX heading; `None` for any other line.
fn heading(line: &str) -> Option<&str> {
    let words = line.trim();
    let after = words.trim_start_matches('#');
    let level = words.len() - after.len();
    let is_heading = (1..=6).contains(&level)
        && after.starts_with([' ', '\t'])
        && lines::column(&line[..line.len() - line.trim_start().len()]) < 4;
    is_heading.then(|| after.trim().trim_end_matches('#').trim_end())
}

/// The requirements with their ids, before and after. Matched by equal text first, then by id.
fn requirements(
    (old_text, old): (&str, &Plan),
    (new_text, new): (&str, &Plan),
) -> Vec<(String, String, String)> {
    let line = |text: &str, found: &Requirement| text[found.span.clone()].trim().to_owned();
    let mut numbers = Interner::new();
    let old_numbers = numbers.all(old.requirements.iter().map(|found| found.text.as_str()));
    let new_numbers = numbers.all(new.requirements.iter().map(|found| found.text.as_str()));
    let mut is_known = vec![false; old.requirements.len()];
    let mut pairs: Vec<Option<usize>> = vec![None; new.requirements.len()];
    for run in runs(&old_numbers, &new_numbers, Alignment::Unique) {
        for step in 0..run.length {
            is_known[run.before + step] = true;
            pairs[run.after + step] = Some(run.before + step);
        }
    }
    for (index, found) in new.requirements.iter().enumerate() {
        if pairs[index].is_none() {
            let same_id = (0..old.requirements.len())
                .find(|at| !is_known[*at] && old.requirements[*at].id == found.id);
            if let Some(at) = same_id {
                is_known[at] = true;
                pairs[index] = Some(at);
            }
        }
    }
    let mut list = Vec::new();
    for (index, found) in new.requirements.iter().enumerate() {
        let was = pairs[index].map(|at| line(old_text, &old.requirements[at]));
        let id = found.id.clone();
        list.push((id, was.unwrap_or_default(), line(new_text, found)));
    }
    for (index, found) in old.requirements.iter().enumerate() {
        if !is_known[index] {
            list.push((found.id.clone(), line(old_text, found), String::new()));
        }
    }
    list
}
