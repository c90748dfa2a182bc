//! Bullets and boxes, read by hand.
//!
//! The Markdown parser says where a list item is; what stands in its box it knows only for blank
//! and `x`, and not even that at the end of a file. So the first line of every item is read here.

use std::ops::Range;

/// What stands at the start of a list item. Offsets count from the start of the text given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Head {
    /// A task.
    Task(TaskBox),
    /// Something that looks like a box and is none, with what to write instead.
    Odd {
        /// Where it stands.
        at: usize,
        /// What to do.
        advice: &'static str,
    },
    /// Anything else; its words begin here.
    Text(usize),
}

/// A box that makes an item a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaskBox {
    /// What stands in it.
    pub(crate) marker: char,
    /// Its place, without the brackets.
    pub(crate) span: Range<usize>,
    /// Where the words after it begin.
    pub(crate) rest: usize,
    /// What other programs would not read as a task here, and what to write.
    pub(crate) odd: Option<&'static str>,
}

/// The length of the bullet that `line` begins with.
fn bullet_length(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    if matches!(bytes.first(), Some(b'-' | b'*' | b'+')) {
        return Some(1);
    }
    let digits = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    (digits > 0 && matches!(bytes.get(digits), Some(b'.' | b')'))).then_some(digits + 1)
}

/// Reads an item's first line from its bullet on. `None` when no bullet stands there.
pub(crate) fn head(line: &str) -> Option<Head> {
    let bullet = bullet_length(line)?;
    let words = line[bullet..].trim_start_matches([' ', '\t']);
    let at = line.len() - words.len();
    Some(match words.strip_prefix('[') {
        Some(inner) => box_head(line, at, inner),
        None => Head::Text(at),
    })
}

fn box_head(line: &str, at: usize, inner: &str) -> Head {
    let content = content_length(inner);
    let after = &inner[content..];
    let Some(after) = after.strip_prefix(']') else {
        return match three_in_a_box(inner) {
            true => Head::Odd {
                at,
                advice: "write `[x]` or `[ ]` without more in the box",
            },
            false => Head::Text(at),
        };
    };
    // `[ ]*` marks an optional task in some programs.
    let rest = after
        .strip_prefix('*')
        .filter(|rest| blank(rest))
        .unwrap_or(after);
    if !blank(rest) {
        let is_link = rest.starts_with(['(', '[', ':']);
        let is_box = matches!(&inner[..content], "" | " " | "x" | "X");
        return match is_box && !is_link {
            true => Head::Odd {
                at,
                advice: "leave a blank after the box",
            },
            false => Head::Text(at),
        };
    }
    let words = rest.trim_start_matches([' ', '\t']);
    let span = at + 1..at + 1 + content;
    let empty = (content == 0).then_some("only `[ ]` is a box in most programs; put a blank in it");
    Head::Task(TaskBox {
        marker: inner[..content].chars().next().unwrap_or(' '),
        span,
        rest: line.len() - words.len(),
        odd: empty,
    })
}

/// One character, with the selectors that only choose its looks.
fn content_length(inner: &str) -> usize {
    let mut chars = inner.char_indices();
    match chars.next() {
        None | Some((_, ']' | '[' | '\\')) => 0,
        Some(_) => chars
            .find(|(_, c)| !matches!(c, '\u{fe0e}' | '\u{fe0f}'))
            .map_or(inner.len(), |(at, _)| at),
    }
}

/// `[ x ]` and `[x ]`: meant as boxes, and read as text by every program.
fn three_in_a_box(inner: &str) -> bool {
    inner.find(']').is_some_and(|end| {
        let rest = &inner[end + 1..];
        end <= 4 && blank(rest) && matches!(inner[..end].trim(), "" | "x" | "X")
    })
}

fn blank(text: &str) -> bool {
    text.is_empty() || text.starts_with([' ', '\t'])
}
