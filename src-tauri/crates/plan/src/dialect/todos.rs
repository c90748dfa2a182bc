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
//! Read line by line, since a tick replaces the word behind `status:` where it stands. A list in which an item
//! has no `content:` or no `status:` on a line of its own is none of these.

use crate::lines::{self, Lines};
use crate::model::{FrontMatter, IdOrigin, Mark, Span, Task, TaskId};

/// What stands behind `status:` of a step that is done.
pub(crate) const DONE: &str = "completed";
/// The same for one that is not.
pub(crate) const OPEN: &str = "pending";
/// The same for one that is left out.
const LEFT_OUT: &str = "cancelled";

/// One item; all places are those of the text.
#[derive(Debug, Default)]
struct Item {
    span: Span,
    id: Option<Span>,
    content: Option<Span>,
    status: Option<Span>,
    depends: Vec<Span>,
}

/// The steps that stand in the front matter of a text; none where it has no such list.
pub(crate) fn read(text: &str, front: &FrontMatter, lines: &Lines) -> Vec<Task> {
    let items = front.span.clone().map(|span| items(text, span));
    let items = items.unwrap_or_default();
    let mut tasks: Vec<Task> = Vec::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        let (Some(content), Some(status)) = (&item.content, &item.status) else {
            return Vec::new();
        };
        let is_free = |id: &&Span| {
            let same = |other: &Item| {
                other.id.as_ref().map(|span| &text[span.clone()]) == Some(&text[(*id).clone()])
            };
            items.iter().filter(|other| same(other)).count() == 1
        };
        let id = item
            .id
            .as_ref()
            .filter(|id| is_id(&text[(*id).clone()]))
            .filter(is_free);
        let name = id.map_or_else(
            || format!("#{}", place + 1),
            |id| text[id.clone()].to_owned(),
        );
        let word = &text[status.clone()];
        let depends = item
            .depends
            .iter()
            .map(|id| TaskId(text[id.clone()].to_owned()));
        let depends: Vec<TaskId> = depends.collect();
        tasks.push(Task {
            id_origin: match id {
                Some(_) => IdOrigin::Written,
                None => IdOrigin::Positional,
            },
            id_span: id.cloned(),
            mark: Mark::Status,
            marker: if word == DONE { 'x' } else { ' ' },
            box_span: status.clone(),
            done: word == DONE,
            skipped: (word == LEFT_OUT).then(|| "cancelled in the file".to_owned()),
            depends: (!depends.is_empty()).then_some(depends),
            ..Task::open(
                TaskId(name),
                text,
                content.clone(),
                lines.number(item.span.start),
                item.span.clone(),
            )
        });
    }
    tasks
}

/// Whether something can be the name of a step.
fn is_id(id: &str) -> bool {
    !id.is_empty()
        && id
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// The items under `todos:` of a block.
fn items(text: &str, block: Span) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut is_inside = false;
    // Columns of the dashes, and of the dashes under `dependencies:`.
    let mut dash = None;
    let mut is_depends = false;
    let mut at = block.start;
    while at < block.end {
        let end = lines::line_end(text, at).min(block.end);
        let line = &text[at..end];
        let words = line.trim_start_matches(' ');
        let column = line.len() - words.len();
        let start = at;
        at = lines::after_line_end(text, end);
        if at == end {
            at = block.end;
        }
        if words.trim().is_empty() || words.starts_with('#') {
            continue;
        }
        let is_item = words == "-" || words.starts_with("- ");
        if column == 0 && !is_item {
            is_inside = words.trim_end() == "todos:" && items.is_empty();
            continue;
        }
        if !is_inside {
            continue;
        }
        let is_new = is_item && column <= *dash.get_or_insert(column);
        if is_new {
            is_depends = false;
            items.push(Item {
                span: start..end,
                ..Item::default()
            });
        }
        let Some(item) = items.last_mut() else {
            continue;
        };
        item.span.end = start + line.trim_end().len();
        let rest = match is_item {
            true => words[1..].trim_start(),
            false => words,
        };
        let offset = start + line.len() - rest.len();
        if is_item && !is_new {
            if is_depends {
                item.depends.push(value(text, offset..end));
            }
            continue;
        }
        let Some((key, behind)) = rest.split_once(':') else {
            continue;
        };
        let place = value(text, end - behind.len()..end);
        is_depends = key == "dependencies";
        match key {
            "id" => item.id = Some(place),
            "content" if !place.is_empty() => item.content = Some(place),
            "status" if !place.is_empty() => item.status = Some(place),
            _ => {}
        }
    }
    items
}

/// Where a value stands without blanks and quotes.
fn value(text: &str, span: Span) -> Span {
    let words = text[span.clone()].trim();
    let start = span.start + (span.len() - text[span.clone()].trim_start().len());
    for quote in ['"', '\''] {
        if words.len() >= 2 && words.starts_with(quote) && words.ends_with(quote) {
            return start + 1..start + words.len() - 1;
        }
    }
    start..start + words.len()
}
