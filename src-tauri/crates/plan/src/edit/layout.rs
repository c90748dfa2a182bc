//! How a file lays its items out: bullets, indentation, blank lines.

use super::Splice;
use crate::lines;
use crate::model::{Field, Mark, Plan, Span, Task};

/// What stands in front of an item's words on its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prefix {
    /// Indentation and quote marks; other bullets on the line as blanks.
    pub(super) indent: String,
    /// `-`, `*`, `+`, or a number with its mark.
    pub(super) bullet: String,
    /// What follows the bullet.
    pub(super) blanks: String,
}

impl Prefix {
    /// Reads what stands before `words`.
    pub(super) fn before(text: &str, words: usize) -> Self {
        let line = &text[lines::line_start(text, words)..words];
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        let marked = line.trim_end_matches([' ', '\t']);
        let bullet = marked.rfind([' ', '\t', '>']).map_or(0, |at| at + 1);
        Self {
            indent: blanked(&marked[..bullet]),
            bullet: marked[bullet..].to_owned(),
            blanks: line[marked.len()..].to_owned(),
        }
    }

    /// That of a task's box.
    pub(super) fn of(text: &str, task: &Task) -> Self {
        if task.mark != Mark::Box {
            // What stands under a heading begins at the left edge.
            return Self {
                indent: String::new(),
                bullet: "-".to_owned(),
                blanks: " ".to_owned(),
            };
        }
        Self::before(text, task.box_span.start.saturating_sub(1))
    }

    /// Up to the words.
    pub(super) fn whole(&self) -> String {
        format!("{}{}{}", self.indent, self.bullet, self.blanks)
    }

    /// What stands in front of further lines of the item.
    pub(super) fn content(&self) -> String {
        blanked(&self.whole())
    }

    /// Whether the item is numbered.
    pub(super) fn is_numbered(&self) -> bool {
        self.bullet.starts_with(|c: char| c.is_ascii_digit())
    }

    /// The prefix of the item after this one.
    pub(super) fn next(&self) -> Self {
        let digits = self.bullet.trim_end_matches(['.', ')']);
        let mark = &self.bullet[digits.len()..];
        let bullet = match digits.parse::<u32>().ok().and_then(|n| n.checked_add(1)) {
            Some(next) if self.is_numbered() => format!("{next}{mark}"),
            _ => self.bullet.clone(),
        };
        Self {
            bullet,
            ..self.clone()
        }
    }
}

/// Everything but tabs and quote marks as blanks.
fn blanked(text: &str) -> String {
    text.chars()
        .map(|c| if matches!(c, '\t' | '>') { c } else { ' ' })
        .collect()
}

/// A blank line where lines begin with `indent`: quote marks stay.
pub(super) fn blank_line(indent: &str) -> &str {
    if indent.contains('>') {
        indent.trim_end()
    } else {
        ""
    }
}

/// Whether a line without words stands between two places.
pub(super) fn has_blank_line(text: &str, from: usize, to: usize) -> bool {
    text.get(from..to).is_some_and(|between| {
        let lines: Vec<&str> = lines::split(between).collect();
        let inner = lines.get(1..lines.len().saturating_sub(1)).unwrap_or(&[]);
        inner
            .iter()
            .any(|line| line.trim_matches([' ', '\t', '>']).is_empty())
    })
}

/// Takes whole lines away: each span is one or more lines, from the start of the first on. Where
/// the file then ends without a line end although it has one now, that stays so the other way
/// round: the line end before goes.
pub(super) fn without_lines(text: &str, spans: impl IntoIterator<Item = Span>) -> Vec<Splice> {
    let mut spans: Vec<Span> = spans.into_iter().collect();
    spans.sort_by_key(|span| span.start);
    let mut ranges: Vec<Span> = Vec::new();
    for span in spans {
        let end = lines::after_line_end(text, lines::line_end(text, span.end));
        match ranges.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(end),
            _ => ranges.push(span.start..end),
        }
    }
    if let Some(last) = ranges.last_mut()
        && last.end == text.len()
        && !text.ends_with(['\n', '\r'])
    {
        let before = &text[..last.start];
        let trimmed = before
            .strip_suffix("\r\n")
            .or_else(|| before.strip_suffix(['\n', '\r']));
        last.start = trimmed.unwrap_or(before).len();
    }
    let away = |range| Splice {
        range,
        text: String::new(),
    };
    ranges.into_iter().map(away).collect()
}

/// An item's lines, and the blank lines behind it where there are some before it too, so that one
/// gap is left of two; those before it where the file ends with the item.
pub(super) fn item_with_gap(text: &str, span: &Span) -> Span {
    let is_blank = |line: &str| line.trim_matches([' ', '\t', '>']).is_empty();
    let line_above = |at: usize| {
        let above = &text[..at];
        let above = above
            .strip_suffix("\r\n")
            .or_else(|| above.strip_suffix(['\n', '\r']))?;
        let start = lines::line_start(text, above.len());
        is_blank(&above[start..]).then_some(start)
    };
    let Span { mut start, .. } = *span;
    let mut end = lines::line_end(text, span.end);
    let is_first = text[..start].trim_start_matches('\u{feff}').is_empty();
    if !is_first && line_above(start).is_none() {
        return start..end;
    }
    loop {
        let next = lines::after_line_end(text, end);
        let next_end = lines::line_end(text, next);
        if next == end || next == text.len() || !is_blank(&text[next..next_end]) {
            break;
        }
        end = next_end;
    }
    if lines::after_line_end(text, end) == text.len() {
        while let Some(above) = line_above(start) {
            start = above;
        }
    }
    start..end
}

/// What may stand in front of a new key, bullet included: like the task's other keys, else under
/// the first letter behind its bullet, else by the usual steps.
pub(super) fn prefixes(text: &str, task: &Task) -> Vec<String> {
    let mut prefixes = Vec::with_capacity(4);
    for field in &task.fields {
        let line = &text[field.span.start..field.value_span.start];
        let indent = line.len() - line.trim_start_matches([' ', '\t', '>']).len();
        let is_whole_line =
            text[..field.span.start].is_empty() || text[..field.span.start].ends_with(['\n', '\r']);
        if is_whole_line && is_owner(text, field) && line[indent..].starts_with(['-', '*', '+']) {
            prefixes.push(format!("{} ", &line[..=indent]));
            break;
        }
    }
    let prefix = Prefix::of(text, task);
    let line = &text[lines::line_start(text, task.box_span.start)..task.box_span.start];
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let indent = &line[..line.len() - line.trim_start_matches([' ', '\t', '>']).len()];
    prefixes.push(format!("{}- ", prefix.content()));
    prefixes.push(format!("{indent}  - "));
    prefixes.push(format!("{indent}    - "));
    prefixes.dedup();
    prefixes
}

/// Whether a field is written `key: value`, and is no item of a list under a key.
pub(super) fn is_owner(text: &str, field: &Field) -> bool {
    text[field.span.start..field.value_span.start]
        .trim_end()
        .ends_with(':')
}

/// The ends of the lines behind which a new key may stand, the best first.
pub(super) fn key_places(text: &str, plan: &Plan, task: &Task) -> Vec<usize> {
    let title_end = lines::line_end(text, task.title_span.start);
    let children = task
        .children
        .first()
        .map(|child| plan.tasks[*child].span.start);
    let before_children = children.unwrap_or(task.span.end);
    let last_key = task
        .fields
        .iter()
        .map(|field| lines::line_end(text, field.span.end))
        .filter(|end| *end <= before_children)
        .max();
    let before = lines::line_end(text, lines::trim_back(text, title_end, before_children));
    let mut places = Vec::with_capacity(4);
    places.extend(last_key);
    places.extend([before, lines::line_end(text, task.span.end), title_end]);
    places.dedup();
    places
}
