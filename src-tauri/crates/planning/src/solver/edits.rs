//! Writes exact edits: `edit_file` calls that make replacements in a file with known content.
//!
//! Each call's `old_text` occurs exactly once in the file when the call runs, after the calls
//! before it. Bytes around a replacement are copied from the file, so indentation and line endings
//! don't change.

use std::ops::Range;

use plan::{ToolCall, ToolName};
use serde_json::{Map, Value};

/// Maximum length of a line that is quoted as a whole, in bytes; longer lines are quoted only in
/// part.
const LONG_LINE: usize = 240;

/// The calls, in plan syntax, that make the replacements in `text` in order. `None` if an
/// occurrence can't be quoted uniquely or ranges overlap.
pub(super) fn exact(
    path: &str,
    text: &str,
    replacements: &[(Range<usize>, String)],
) -> Option<Vec<String>> {
    let mut current = text.to_owned();
    // How far the edits so far have shifted later positions.
    let mut moved: isize = 0;
    let mut last_end = 0;
    let mut calls = Vec::new();
    let mut index = 0;
    while index < replacements.len() {
        let first = shifted(&replacements[index].0, moved)?;
        let line = line_of(&current, first.start);
        // Combine all replacements on the same line into one call.
        let mut group = vec![(first.clone(), replacements[index].1.clone())];
        while let Some((range, new)) = replacements.get(index + group.len()) {
            let range = shifted(range, moved)?;
            if range.start >= line.end || line.len() > LONG_LINE {
                break;
            }
            group.push((range, new.clone()));
        }
        let span = first.start..group.last()?.0.end;
        if first.start < last_end {
            return None;
        }
        let window = unique_window(&current, &span)?;
        let old = current[window.clone()].to_owned();
        let mut new = old.clone();
        for (range, replacement) in group.iter().rev() {
            new.replace_range(
                range.start - window.start..range.end - window.start,
                replacement,
            );
        }
        let grown = isize::try_from(new.len()).ok()? - isize::try_from(old.len()).ok()?;
        current.replace_range(window, &new);
        moved += grown;
        last_end = usize::try_from(isize::try_from(span.end).ok()? + grown).ok()?;
        index += group.len();
        calls.push(call(path, old, new)?);
    }
    Some(calls)
}

fn shifted(range: &Range<usize>, by: isize) -> Option<Range<usize>> {
    Some(range.start.checked_add_signed(by)?..range.end.checked_add_signed(by)?)
}

fn call(path: &str, old: String, new: String) -> Option<String> {
    let mut arguments = Map::new();
    arguments.insert("path".to_owned(), Value::String(path.to_owned()));
    arguments.insert("old_text".to_owned(), Value::String(old));
    arguments.insert("new_text".to_owned(), Value::String(new));
    let line = ToolCall::new(ToolName::EditFile, arguments).ok()?.to_line();
    // A backtick would end the code span that contains the call.
    Some(line.replace('`', "\\u0060"))
}

/// The range of the line at a position, without its line ending.
fn line_of(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..]
        .find('\n')
        .map_or(text.len(), |newline| at + newline);
    start..end
}

/// A small range around `span` whose text is unique in the file: the line without indentation, or
/// part of the line if it is long; if that isn't unique, extended by whole lines.
fn unique_window(text: &str, span: &Range<usize>) -> Option<Range<usize>> {
    let line = line_of(text, span.start).start..line_of(text, span.end).end;
    let trimmed = {
        let body = &text[line.clone()];
        let start = line.start + (body.len() - body.trim_start().len());
        start..line.start + body.trim_end().len()
    };
    if trimmed.len() <= LONG_LINE {
        if occurs_once(text, &trimmed) {
            return Some(trimmed);
        }
    } else {
        for reach in [24, 60, 120, 240] {
            let window = floor(text, span.start.saturating_sub(reach)).max(line.start)
                ..ceil(text, (span.end + reach).min(line.end));
            if occurs_once(text, &window) {
                return Some(window);
            }
        }
    }
    let mut window = line;
    let mut upwards = true;
    loop {
        if occurs_once(text, &window) {
            return Some(window);
        }
        let before = window.clone();
        if upwards && window.start > 0 {
            window.start = line_of(text, window.start - 1).start;
        } else if window.end < text.len() {
            window.end = line_of(text, window.end + 1).end;
        } else if window.start > 0 {
            window.start = line_of(text, window.start - 1).start;
        }
        upwards = !upwards;
        if window == before && window == (0..text.len()) {
            return None;
        }
    }
}

fn occurs_once(text: &str, window: &Range<usize>) -> bool {
    let wanted = &text[window.clone()];
    if wanted.is_empty() {
        return false;
    }
    let Some(first) = text.find(wanted) else {
        return false;
    };
    let mut next = first + 1;
    while !text.is_char_boundary(next) {
        next += 1;
    }
    first == window.start && !text[next..].contains(wanted)
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceil(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}
