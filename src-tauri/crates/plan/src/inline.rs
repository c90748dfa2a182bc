//! Parses inline values: code spans, comma-separated lists, references.

use std::collections::HashMap;
use std::ops::Range;

/// The content of `text` if it is a single code span.
pub(crate) fn code_span(text: &str) -> Option<&str> {
    let (content, rest) = leading_code_span(text)?;
    rest.is_empty().then_some(content)
}

/// The code span at the start of `text`, and the text after it.
pub(crate) fn leading_code_span(text: &str) -> Option<(&str, &str)> {
    let ticks = run(text);
    if ticks == 0 {
        return None;
    }
    let mut at = ticks;
    loop {
        at += text[at..].find('`')?;
        let closing = run(&text[at..]);
        if closing == ticks {
            return Some((unpadded(&text[ticks..at]), &text[at + ticks..]));
        }
        at += closing;
    }
}

/// The text without backticks around it.
pub(crate) fn without_ticks(text: &str) -> &str {
    code_span(text).unwrap_or(text)
}

/// Writes the text as a code span that [`code_span`] can parse again.
pub(crate) fn as_code_span(text: &str) -> String {
    let mut longest = 0;
    let mut rest = text;
    while let Some(at) = rest.find('`') {
        let ticks = run(&rest[at..]);
        longest = longest.max(ticks);
        rest = &rest[at + ticks..];
    }
    let fence = "`".repeat(longest + 1);
    let at_edge = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let pad = if at_edge { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

fn run(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b'`').count()
}

/// The content of a code span without one space at each end, which CommonMark strips.
fn unpadded(content: &str) -> &str {
    match content
        .strip_prefix(' ')
        .and_then(|rest| rest.strip_suffix(' '))
    {
        Some(inner) if !inner.trim().is_empty() => inner,
        _ => content,
    }
}

/// The pieces between commas, trimmed; commas inside code spans do not split. An empty piece after
/// the last comma is dropped.
pub(crate) fn pieces(value: &str) -> Vec<&str> {
    if !value.contains(',') {
        return if value.is_empty() {
            Vec::new()
        } else {
            vec![value.trim()]
        };
    }
    let skips = spans(value);
    let bytes = value.as_bytes();
    let (mut pieces, mut start, mut at) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        if bytes[at] == b'`' {
            at = skips.get(&at).copied().unwrap_or(at + run(&value[at..]));
            continue;
        }
        if bytes[at] == b',' {
            pieces.push(value[start..at].trim());
            start = at + 1;
        }
        at += 1;
    }
    let last = value[start..].trim();
    if !last.is_empty() {
        pieces.push(last);
    }
    pieces
}

/// For each run of backticks that opens a code span, the end of that span. Computed in one backward
/// pass, so that unclosed runs don't make it quadratic.
fn spans(value: &str) -> HashMap<usize, usize> {
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(found) = value[at..].find('`') {
        let length = run(&value[at + found..]);
        runs.push((at + found, length));
        at += found + length;
    }
    let mut next: HashMap<usize, usize> = HashMap::new();
    let mut spans = HashMap::new();
    for (start, length) in runs.into_iter().rev() {
        if let Some(closing) = next.insert(length, start) {
            spans.insert(start, closing + length);
        }
    }
    spans
}

/// The workspace paths in a comma-separated list. Each may be in backticks with a remark after it.
pub(crate) fn paths(value: &str) -> Vec<String> {
    if is_nothing(value) {
        return Vec::new();
    }
    let mut paths = Vec::new();
    for piece in pieces(value) {
        let mut rest = piece;
        let mut found = false;
        while let Some(at) = rest.find('`') {
            // A name that merely contains backticks is not a code span.
            if !found && at > 0 {
                break;
            }
            let Some((content, after)) = leading_code_span(&rest[at..]) else {
                break;
            };
            paths.push(content.trim().to_owned());
            found = true;
            rest = after;
        }
        if !found {
            paths.push(piece.to_owned());
        }
    }
    paths
}

/// The ids in a list, separated by commas, spaces or the word "and"; remarks in parentheses are
/// ignored.
pub(crate) fn references(value: &str) -> Vec<String> {
    let spans = reference_spans(value).into_iter();
    spans.map(|span| value[span].to_owned()).collect()
}

/// The spans of the ids that [`references`] returns.
pub(crate) fn reference_spans(value: &str) -> Vec<Range<usize>> {
    if is_nothing(value) {
        return Vec::new();
    }
    // The offset of a part, which is always a slice of the value.
    let place = |part: &str| part.as_ptr() as usize - value.as_ptr() as usize;
    let mut spans = Vec::new();
    for piece in pieces(value) {
        let piece = without_ticks(piece);
        let piece = piece.split(" (").next().unwrap_or(piece);
        for word in piece.split_whitespace() {
            let word = word.trim_matches(|c| matches!(c, '`' | '*' | '[' | ']' | ';' | '.' | ','));
            if !word.is_empty() && word != "and" && word != "&" {
                let start = place(word);
                spans.push(start..start + word.len());
            }
        }
    }
    spans
}

/// Whether a value means nothing: `none`, a dash, or no text at all.
pub(crate) fn is_nothing(value: &str) -> bool {
    let value = without_ticks(value.trim()).trim();
    value.is_empty() || value == "-" || value == "–" || value.eq_ignore_ascii_case("none")
}

/// The text on one line: line breaks and other control characters become spaces, and surrounding
/// whitespace is removed.
pub(crate) fn single_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut breaks = false;
    for c in text.trim().chars() {
        let is_break = c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        if !is_break {
            line.push(c);
        } else if !breaks {
            line.push(' ');
        }
        breaks = is_break;
    }
    line.trim().to_owned()
}
