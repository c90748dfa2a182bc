//! A plan of another dialect in the native format.
//!
//! The file says `planwright: 1`, every task has a bold id, and what the dialect said in its own
//! way stands under native keys: `depends:` for marks, phases and dependencies in prose, `covers:`
//! for requirements and stories, `- note: optional` for tasks that may be left out. Prose and
//! headings stay as they are, and so do the marks in the boxes. Ids that are native already stay;
//! the others (`T012a`, those counted by place, and the second task of the same id) get the next free
//! one, and what named them follows.
//!
//! After it every task waits for what it waited for before, directly or not.

mod names;

use super::goal::yaml;
use super::layout::{key_places, prefixes};
use super::{EditError, Splice, apply};
use crate::dialect::detail;
use crate::graph::Spelled;
use crate::inline::references;
use crate::lines;
use crate::model::{Field, Mark, Plan, Span, Task};
use crate::parse::parse;
use names::Names;

/// Brings a plan into the native format. `id` is the plan's id, where the file has none yet.
/// Nothing for a file that says `planwright:` already.
///
/// # Errors
/// [`EditError::ReadsOtherwise`] where the result would not be read as the same tasks, and for plans
/// whose dependencies are too many to be written out.
pub fn to_native(text: &str, plan: &Plan, id: &str) -> Result<Vec<Splice>, EditError> {
    if plan.front.version.is_some() {
        return Ok(Vec::new());
    }
    if plan.tasks.iter().any(|task| task.mark != Mark::Box) {
        return Err(EditError::NoList);
    }
    let refused = |advice| EditError::ReadsOtherwise {
        what: "plan".to_owned(),
        advice,
    };
    let spelled = Spelled::of(plan).ok_or(refused(
        "its tasks wait for too many others to list them; split it into several plans",
    ))?;
    let names = Names::of(plan, spelled);
    let mut fixed = vec![front_matter(text, plan, id)];
    for (at, task) in plan.tasks.iter().enumerate() {
        head(text, task, names.id(at), &mut fixed);
        details(text, task, &names, &mut fixed);
    }
    fixed.extend(names.records(text));
    // Where the best place for new keys would be read as something else, the next one is tried.
    for place in 0..PLACES {
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
        "look for code blocks and comments that are not closed, and for prose that is not indented",
    ))
}

/// How many places are tried for new keys.
const PLACES: usize = 4;

/// The lines that make the file native.
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

/// The id in bold in front of the title, the dialect's marks away, and a plain box.
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
    // `(P)`, or the marks of a title in bold, behind the words.
    let line_end = lines::line_end(text, task.title_span.end);
    let end = text[..line_end].trim_end().len();
    if end > task.title_span.end {
        splices.push(Splice {
            range: task.title_span.end..end,
            text: String::new(),
        });
    }
}

/// `_Requirements: 1.1_` as `covers: 1.1`, and ids that have another name now.
fn details(text: &str, task: &Task, names: &Names<'_>, splices: &mut Vec<Splice>) {
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

fn says_numbers(value: &str) -> bool {
    value.contains(|c: char| c.is_ascii_digit())
}

/// Of requirements those that are references.
fn numbers(key: &str, value: &str) -> String {
    match key {
        "covers" => {
            let ids = references(value);
            let ids: Vec<String> = ids.into_iter().filter(|id| says_numbers(id)).collect();
            ids.join(", ")
        }
        _ if value.is_empty() => "none".to_owned(),
        _ => value.to_owned(),
    }
}

/// The place of a key that the dialect writes in its own way, marks of emphasis included.
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

/// Keys for what stood elsewhere than under a key.
fn new_keys(task: &Task, at: usize, names: &Names<'_>) -> Vec<String> {
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

/// The note that says what the star behind a box said.
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

/// Whether the converted plan holds the same tasks. The order among them was written out with
/// names only; that they are read as such is looked at.
fn is_same(before: &Plan, after: &Plan, names: &Names<'_>) -> bool {
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
