//! The layout of list items in a file: bullets, indentation, blank lines.

use super::Splice;
use crate::lines;
use crate::model::{Field, Mark, Plan, Span, Task};

/// Everything before an item's text on its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prefix {
    /// Indentation and quote marks. Any other bullets on the line are replaced by spaces.
    pub(super) indent: String,
    /// The bullet: `-`, `*`, `+`, or a number with its punctuation.
    pub(super) bullet: String,
    /// The whitespace after the bullet.
    pub(super) blanks: String,
}

impl Prefix {
    /// Parses the part of the line before the offset `words`.
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

    /// The prefix before a task's box.
    pub(super) fn of(text: &str, task: &Task) -> Self {
        if task.mark != Mark::Box {
            // Content under a heading starts in the first column.
            return Self {
                indent: String::new(),
                bullet: "-".to_owned(),
                blanks: " ".to_owned(),
            };
        }
        Self::before(text, task.box_span.start.saturating_sub(1))
    }

    /// The whole prefix as text.
    pub(super) fn whole(&self) -> String {
        format!("{}{}{}", self.indent, self.bullet, self.blanks)
    }

    /// The prefix of the item's continuation lines.
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

/// Replaces everything except tabs and quote marks with spaces.
fn blanked(text: &str) -> String {
    text.chars()
        .map(|c| if matches!(c, '\t' | '>') { c } else { ' ' })
        .collect()
}

/// The blank line to insert between lines that begin with `indent`: empty, or just the quote marks.
pub(super) fn blank_line(indent: &str) -> &str {
    if indent.contains('>') {
        indent.trim_end()
    } else {
        ""
    }
}

/// Whether there is a blank line between two offsets.
pub(super) fn has_blank_line(text: &str, from: usize, to: usize) -> bool {
    text.get(from..to).is_some_and(|between| {
        let lines: Vec<&str> = lines::split(between).collect();
        let inner = lines.get(1..lines.len().saturating_sub(1)).unwrap_or(&[]);
        inner
            .iter()
            .any(|line| line.trim_matches([' ', '\t', '>']).is_empty())
    })
}

/// Removes whole lines: each span starts at the start of a line and covers one or more lines. If
/// the file has no final line ending, removing its last line also removes the line ending before
/// it.
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

/// An item's lines with adjacent blank lines, so that removing them doesn't leave a double gap: the
/// blank lines after the item if there are also some before it, or those before it at the end of
/// the file.
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

/// The possible prefixes of a new key, including the bullet: like the task's other keys, else
/// aligned with the task's text, else with common indentations.
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

/// Whether a field is written as `key: value` rather than as a list item under a key.
pub(super) fn is_owner(text: &str, field: &Field) -> bool {
    text[field.span.start..field.value_span.start]
        .trim_end()
        .ends_with(':')
}

/// The line ends after which a new key can be inserted, best first.
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
