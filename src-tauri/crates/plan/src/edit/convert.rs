//! Converts a plan from another dialect to the native format.
//!
//! The file gets `planwright: 1`, every task gets a bold id, and native keys replace the dialect's
//! own notation: `depends:` for markers, phases and dependencies in prose, `covers:` for
//! requirements and stories, `- note: optional` for optional tasks. Prose, headings and the marks
//! in boxes stay. Native ids stay; the others (`T012a`, positional ids, the second task with the
//! same id) get the next free id, and references to them are updated.
//!
//! The conversion preserves what every task waits for, directly or indirectly.

mod new_ids;

use super::goal::yaml;
use super::layout::{key_places, prefixes};
use super::{EditError, Splice, apply};
use crate::dialect::detail;
use crate::graph::ExplicitDependencies;
use crate::inline::references;
use crate::lines;
use crate::model::{Field, Mark, Plan, Span, Task};
use crate::parse::parse;
use new_ids::NewIds;

/// Converts a plan to the native format. `id` is the plan's id if the file has none yet. No change
/// for a file that already has `planwright:`. Fails with [`EditError::NotAList`] if a task isn't a
/// list item with a box; [`EditError::Misparsed`] if the result would not be parsed as the same
/// tasks, or if the plan has too many dependencies to write out.
pub fn to_native(text: &str, plan: &Plan, id: &str) -> Result<Vec<Splice>, EditError> {
    if plan.front.version.is_some() {
        return Ok(Vec::new());
    }
    if plan.tasks.iter().any(|task| task.mark != Mark::Box) {
        return Err(EditError::NotAList);
    }
    let refused = |advice| EditError::Misparsed {
        what: "plan".to_owned(),
        advice,
    };
    let explicit = ExplicitDependencies::of(plan).ok_or(refused(
        "split it into several plans, because its steps have too many dependencies to list",
    ))?;
    let names = NewIds::of(plan, explicit);
    let mut fixed = vec![front_matter(text, plan, id)];
    for (at, task) in plan.tasks.iter().enumerate() {
        head(text, task, names.id(at), &mut fixed);
        details(text, task, &names, &mut fixed);
    }
    fixed.extend(names.records(text));
    // If the best position for new keys would be parsed differently, the next one is tried.
    for place in 0..MAX_POSITIONS {
        let mut splices = fixed.clone();
        for (at, task) in plan.tasks.iter().enumerate() {
            let new = new_keys(task, at, &names);
            splices.extend(keys_at(text, plan, task, &new, place));
        }
        let after = apply(text, &splices)?.text;
        if is_same(plan, &parse(&after).0, &names) {
            return Ok(splices);
        }
    }
    Err(refused(
        "look for unclosed code blocks and comments, and for prose that isn't indented",
    ))
}

/// The number of positions tried for new keys.
const MAX_POSITIONS: usize = 4;

/// The front matter that makes the file native.
fn front_matter(text: &str, plan: &Plan, id: &str) -> Splice {
    let ending = plan.line_ending;
    let mut keys = format!("planwright: 1{ending}");
    if plan.front.id.is_none() {
        keys.push_str(&format!("id: {}{ending}", yaml(id)));
    }
    let title = plan.title.as_ref().filter(|_| plan.front.goal.is_none());
    if let Some(title) = title {
        keys.push_str(&format!("goal: {}{ending}", yaml(&title.text)));
    }
    let (at, text) = match &plan.front.span {
        Some(block) => {
            let at = lines::after_line_end(text, lines::line_end(text, block.start));
            (at, keys)
        }
        None => {
            let at = match text.starts_with('\u{feff}') {
                true => '\u{feff}'.len_utf8(),
                false => 0,
            };
            (at, format!("---{ending}{keys}---{ending}"))
        }
    };
    Splice {
        range: at..at,
        text,
    }
}

/// Writes the id in bold before the title, removes the dialect's markers, and normalizes the box.
fn head(text: &str, task: &Task, id: &str, splices: &mut Vec<Splice>) {
    let mark = &task.box_span;
    let open = text[..mark.start]
        .rfind('[')
        .map_or(mark.start, |at| at + 1);
    let close = text[mark.end..]
        .find(']')
        .map_or(mark.end, |at| mark.end + at);
    if mark.is_empty() || (open..close) != *mark {
        let kept = if mark.is_empty() {
            " "
        } else {
            &text[mark.clone()]
        };
        splices.push(Splice {
            range: open..close,
            text: kept.to_owned(),
        });
    }
    let blank = if task.title.is_empty() { "" } else { " " };
    let new = format!(" **{id}**{blank}");
    let range = close + 1..task.title_span.start;
    if text[range.clone()] != new {
        splices.push(Splice { range, text: new });
    }
    // Remove a trailing `(P)`, or the closing emphasis of a bold title.
    let line_end = lines::line_end(text, task.title_span.end);
    let end = text[..line_end].trim_end().len();
    if end > task.title_span.end {
        splices.push(Splice {
            range: task.title_span.end..end,
            text: String::new(),
        });
    }
}

/// Rewrites `_Requirements: 1.1_` as `covers: 1.1`, and updates renamed ids.
fn details(text: &str, task: &Task, names: &NewIds<'_>, splices: &mut Vec<Splice>) {
    for field in &task.fields {
        let value = names.value(&field.key, &field.value);
        let splice = match own_words(text, field) {
            Some(range) => Splice {
                range,
                text: format!("{}: {}", field.key, numbers(&field.key, &value)),
            },
            None if value != field.value => Splice {
                range: field.value_span.clone(),
                text: value,
            },
            None => continue,
        };
        splices.push(splice);
    }
}

fn has_digit(value: &str) -> bool {
    value.contains(|c: char| c.is_ascii_digit())
}

/// The value as written after a native key; for `covers`, only the parts that are references.
fn numbers(key: &str, value: &str) -> String {
    match key {
        "covers" => {
            let ids = references(value);
            let ids: Vec<String> = ids.into_iter().filter(|id| has_digit(id)).collect();
            ids.join(", ")
        }
        _ if value.is_empty() => "none".to_owned(),
        _ => value.to_owned(),
    }
}

/// The span of a key in the dialect's own notation, including emphasis.
fn own_words(text: &str, field: &Field) -> Option<Span> {
    let line_end = lines::line_end(text, field.value_span.start);
    let before = &text[field.span.start..field.value_span.start];
    let indent = before.len() - before.trim_start_matches([' ', '\t', '>']).len();
    let bullet = before[indent..].find([' ', '\t'])?;
    let blanks = &before[indent + bullet..];
    let blanks = blanks.len() - blanks.trim_start_matches([' ', '\t']).len();
    let start = field.span.start + indent + bullet + blanks;
    let found = detail::read(&text[start..line_end])?;
    let is_native = text[start..].starts_with(field.key.as_ref());
    let is_it = !is_native && start + found.value.start == field.value_span.start;
    is_it.then(|| start..text[..line_end].trim_end().len())
}

/// Native keys for what the dialect expresses without keys.
fn new_keys(task: &Task, at: usize, names: &NewIds<'_>) -> Vec<String> {
    let mut keys = Vec::new();
    let says_depends = task.values("depends").next().is_some();
    if !says_depends && let Some(ids) = names.depends(at) {
        keys.push(match ids.is_empty() {
            true => "depends: none".to_owned(),
            false => format!("depends: {}", ids.join(", ")),
        });
    }
    let said: Vec<String> = task.values("covers").flat_map(references).collect();
    let others = task.covers.iter().filter(|id| !said.contains(id));
    let others: Vec<&str> = others.map(String::as_str).collect();
    if !others.is_empty() {
        keys.push(format!("covers: {}", others.join(", ")));
    }
    if task.optional && task.values("note").all(|note| note != OPTIONAL) {
        keys.push(format!("note: {OPTIONAL}"));
    }
    keys
}

/// The note that replaces the star after a box.
const OPTIONAL: &str = "optional";

fn keys_at(text: &str, plan: &Plan, task: &Task, keys: &[String], place: usize) -> Option<Splice> {
    if keys.is_empty() {
        return None;
    }
    let places = key_places(text, plan, task);
    let at = *places.get(place).or(places.last())?;
    let prefix = prefixes(text, task).into_iter().next()?;
    let ending = plan.line_ending;
    let lines = keys.iter().map(|key| format!("{ending}{prefix}{key}"));
    Some(Splice {
        range: at..at,
        text: lines.collect(),
    })
}

/// Whether the converted plan has the same tasks. Dependencies were written out as ids; this checks
/// that they parse as such.
fn is_same(before: &Plan, after: &Plan, names: &NewIds<'_>) -> bool {
    let covers = |task: &Task| {
        let mut covers = task.covers.clone();
        covers.sort();
        covers.dedup();
        covers
    };
    let same = |(at, (was, is)): (usize, (&Task, &Task))| {
        let says_depends = was.depends.is_some() || names.depends(at).is_some();
        is.id.as_str() == names.id(at)
            && was.title == is.title
            && was.marker == is.marker
            && was.parent == is.parent
            && was.body == is.body
            && was.kind == is.kind
            && was.files == is.files
            && was.verify == is.verify
            && covers(was) == covers(is)
            && says_depends == is.depends.is_some()
            && (!was.optional || is.values("note").any(|note| note == OPTIONAL))
            && !is.optional
    };
    after.front.version.is_some()
        && before.tasks.len() == after.tasks.len()
        && before.requirements.len() == after.requirements.len()
        && before.tasks.iter().zip(&after.tasks).enumerate().all(same)
}
