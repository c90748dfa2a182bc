//! Plans that keep their steps in the front matter, as Cursor and CodeBuddy do:
//!
//! ```yaml
//! todos:
//!   - id: parser
//!     content: Read the flag
//!     status: pending
//!     dependencies:
//!       - other
//! ```
//!
//! Parsed as block or flow YAML, using the positions of its events: ticking replaces the value of
//! `status:` in place. A list is ignored if any item lacks `content:` or `status:`. For a value
//! that isn't valid YAML, such as a bare `Fix: the flag`, the rest of its line is used.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::inline::single_line;
use crate::lines::{self, Lines};
use crate::model::{FrontMatter, IdOrigin, Mark, Span, Task, TaskId};

/// The `status:` of a done step.
pub(crate) const DONE: &str = "completed";
/// [`DONE`] as inserted after a colon without a value.
pub(crate) const DONE_AFTER_COLON: &str = " completed";
/// The `status:` of an open step.
pub(crate) const OPEN: &str = "pending";
/// Values of `status:` that mean done in files written by other programs.
const DONE_VALUES: [&str; 6] = [DONE, "complete", "done", "finished", "closed", "resolved"];
/// Values that mean skipped.
const SKIPPED_VALUES: [&str; 5] = ["cancelled", "canceled", "skipped", "abandoned", "wontfix"];

/// One item of the list.
#[derive(Debug, Default)]
struct Item {
    span: Span,
    id: Option<Value>,
    content: Option<Value>,
    status: Option<Value>,
    depends: Vec<String>,
}

/// A value on one line, and its span in the text, without quotes.
#[derive(Debug)]
struct Value {
    words: String,
    place: Span,
}

/// The steps in the front matter of a text; empty if it has no such list.
pub(crate) fn read(text: &str, front: &FrontMatter, lines: &Lines) -> Vec<Task> {
    let span = front.span.clone().unwrap_or_default();
    let block = &text[span.clone()];
    if !block.contains("todos") {
        return Vec::new();
    }
    let found =
        items(text, &span, block).or_else(|| items(text, &span, &without_punctuation(block)));
    let items = found.unwrap_or_default();
    let mut times: HashMap<&str, usize> = HashMap::new();
    for id in items.iter().filter_map(|item| item.id.as_ref()) {
        *times.entry(&id.words).or_default() += 1;
    }
    let tasks = items.iter().enumerate().map(|(place, item)| {
        let (content, status) = (item.content.as_ref()?, item.status.as_ref()?);
        let is_name = |id: &&Value| is_id(&id.words) && times[&*id.words] == 1;
        let id = item.id.as_ref().filter(is_name);
        let name = id.map_or_else(|| format!("#{}", place + 1), |id| id.words.clone());
        let word = status.words.to_lowercase();
        let done = DONE_VALUES.contains(&&*word);
        let depends = item.depends.iter().cloned().map(TaskId);
        Some(Task {
            id_origin: match id {
                Some(_) => IdOrigin::Written,
                None => IdOrigin::Positional,
            },
            id_span: id.map(|id| id.place.clone()),
            title: content.words.clone(),
            mark: Mark::Status,
            marker: if done { 'x' } else { ' ' },
            box_span: status.place.clone(),
            done,
            skipped: SKIPPED_VALUES
                .contains(&&*word)
                .then(|| format!("{word} in the file")),
            depends: (!item.depends.is_empty()).then(|| depends.collect()),
            ..Task::open(
                TaskId(name),
                text,
                content.place.clone(),
                lines.number(item.span.start),
                item.span.clone(),
            )
        })
    });
    tasks.collect::<Option<_>>().unwrap_or_default()
}

/// Whether a string can be the id of a step.
fn is_id(id: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !id.is_empty() && id.chars().all(is_part)
}

/// An open list or mapping.
struct Open {
    is_map: bool,
    /// The key whose value comes next, and where the key ends.
    key: Option<(String, usize)>,
}

/// The items under `todos:` of the block at `span`; `None` if it isn't valid YAML or isn't a list
/// of items. `yaml` is the block, or a substitute with the same offsets.
fn items(text: &str, span: &Span, yaml: &str) -> Option<Vec<Item>> {
    // Event positions count characters.
    let offsets: Vec<usize> = yaml.char_indices().map(|(at, _)| span.start + at).collect();
    let offset = |at: usize| offsets.get(at).copied().unwrap_or(span.end);
    let mut items: Vec<Item> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    for event in Parser::new_from_str(yaml) {
        let (event, at) = event.ok()?;
        let place = offset(at.start.index())..offset(at.end.index());
        let place = place.start..place.start + text[place].trim_end().len();
        let depth = open.len();
        let is_inside = |name: &str, depth: usize| {
            let key = open.get(depth).and_then(|open| open.key.as_ref());
            key.is_some_and(|(key, _)| key == name)
        };
        let is_todos = is_inside("todos", 0);
        let is_depends = is_todos && is_inside("dependencies", 2);
        // The position of an implicit end is that of the next token.
        if depth > 2
            && is_todos
            && !place.is_empty()
            && let Some(item) = items.last_mut()
        {
            item.span.end = item.span.end.max(place.end);
        }
        match event {
            Event::Scalar(value, style, ..) => {
                let here = open.last_mut()?;
                if here.is_map && here.key.is_none() {
                    here.key = Some((value.into_owned(), place.end));
                    continue;
                }
                let key = if here.is_map { here.key.take() } else { None };
                match (is_todos, depth, items.last_mut(), key) {
                    (true, 2, ..) => return None,
                    (true, 3, Some(item), Some((key, end))) => {
                        let value = Value::of(text, &value, style, place);
                        item.take(text, &key, end, value);
                    }
                    (true, 4, Some(item), None) if is_depends => {
                        item.depends.push(single_line(&value));
                    }
                    _ => {}
                }
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                let is_map = matches!(event, Event::MappingStart(..));
                if is_todos && is_map != (depth == 2) && depth < 3 {
                    return None;
                }
                if is_todos && depth == 2 {
                    // In flow style, several items may share a line.
                    let start = match place.is_empty() {
                        true => lines::line_start(text, place.start),
                        false => place.start,
                    };
                    items.push(Item {
                        span: start..place.end,
                        ..Item::default()
                    });
                }
                open.push(Open { is_map, key: None });
            }
            Event::SequenceEnd | Event::MappingEnd | Event::Alias(_) => {
                if !matches!(event, Event::Alias(_)) {
                    open.pop();
                }
                if let Some(around) = open.last_mut() {
                    around.key = None;
                }
            }
            Event::DocumentEnd => break,
            _ => {}
        }
    }
    Some(items)
}

impl Value {
    /// Parses a scalar at `place`, which includes its quotes and perhaps text after them.
    fn of(text: &str, value: &str, style: ScalarStyle, mut place: Span) -> Self {
        let written = &text[place.clone()];
        let is_plain = style == ScalarStyle::Plain;
        if let (false, Some(quote @ ('"' | '\''))) = (is_plain, written.chars().next()) {
            let inner = &written[1..];
            let length = match inner.starts_with(value) {
                true => value.len(),
                false => inner.rfind(quote).unwrap_or(inner.len()),
            };
            place = match length {
                0 => place.start..(place.start + 2).min(place.end),
                _ => place.start + 1..place.start + 1 + length,
            };
        } else if value.is_empty() {
            // The position of an empty value is that of the next token.
            place.end = place.start;
        }
        let is_line = is_plain && !written.contains(['\n', '\r']);
        let words = if is_line && !value.is_empty() {
            written
        } else {
            value
        };
        Self {
            words: single_line(words),
            place,
        }
    }
}

impl Item {
    /// Stores the value of a key that ends at `end`.
    fn take(&mut self, text: &str, key: &str, end: usize, mut value: Value) {
        let is_empty = value.words.is_empty();
        match key {
            "id" => self.id = Some(value),
            "content" if !is_empty => self.content = Some(value),
            "status" => {
                if value.place.is_empty() {
                    // Ticking inserts after the colon.
                    let behind = text[end..].trim_start_matches([' ', '\t']);
                    let colon = text.len() - behind.len();
                    value.place = colon + 1..colon + 1;
                    if !behind.starts_with(':') {
                        return;
                    }
                }
                self.span.end = self.span.end.max(value.place.end);
                self.status = Some(value);
            }
            _ => {}
        }
    }
}

/// Replaces the punctuation in bare values, so that they parse as plain YAML. All offsets
/// stay the same.
fn without_punctuation(block: &str) -> String {
    let mut out = String::with_capacity(block.len());
    for line in block.split_inclusive(['\n', '\r']) {
        let start = line.find(": ").map_or(line.len(), |at| at + 1);
        let end = line[start..].find(" #").map_or(line.len(), |at| start + at);
        let value = line[start..end].trim();
        let closes =
            |(open, close): &(char, char)| value.starts_with(*open) && value.ends_with(*close);
        let is_closed = [('"', '"'), ('\'', '\''), ('[', ']'), ('{', '}')]
            .iter()
            .any(closes);
        out.push_str(&line[..start]);
        out.extend(line[start..end].chars().map(|c| {
            match c.is_ascii_punctuation() && !is_closed {
                true => '_',
                false => c,
            }
        }));
        out.push_str(&line[end..]);
    }
    out
}
