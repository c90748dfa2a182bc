//! Bullets and checkboxes, parsed by hand.
//!
//! The Markdown parser locates list items but recognizes only blank and `x` boxes, and not even
//! those at the end of a file. So the first line of every item is parsed here.

use std::ops::Range;

/// The start of a list item. Offsets are relative to the text passed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ItemHead {
    /// A task.
    Task(TaskBox),
    /// Something that resembles a checkbox but isn't one.
    Odd {
        /// Where it starts.
        at: usize,
        /// How to fix it.
        advice: &'static str,
    },
    /// Anything else; its text starts here.
    Text(usize),
}

/// A checkbox that makes an item a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaskBox {
    /// The character in the box.
    pub(crate) marker: char,
    /// The offset of its opening bracket.
    pub(crate) open: usize,
    /// The range that ticking replaces: the mark, or the space in the middle. Empty for `[]`.
    pub(crate) span: Range<usize>,
    /// Where the text after it starts.
    pub(crate) rest: usize,
    /// Whether it is followed by a star: `[ ]*`, an optional task.
    pub(crate) optional: bool,
    /// Why other programs would not read this as a task, and what to write instead.
    pub(crate) odd: Option<&'static str>,
}

/// Variants of boxes to accept, besides `[c]` followed by a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BoxRules {
    /// Whether `[x]text` is a task too.
    pub(crate) glued: bool,
    /// Whether `[ x ]` is accepted without being reported as odd.
    pub(crate) wide: bool,
}

/// Checkboxes as GitHub reads them. Wide ones are accepted and reported.
pub(crate) const STRICT: BoxRules = BoxRules {
    glued: false,
    wide: false,
};

/// The length of the bullet at the start of `line`.
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

/// Parses an item's first line, starting at its bullet. `None` if there is no bullet.
pub(crate) fn head(line: &str, rules: BoxRules) -> Option<ItemHead> {
    let bullet = bullet_length(line)?;
    let words = line[bullet..].trim_start_matches([' ', '\t']);
    let at = line.len() - words.len();
    Some(match words.strip_prefix('[') {
        Some(inner) => box_head(line, at, inner, rules),
        None => ItemHead::Text(at),
    })
}

fn box_head(line: &str, at: usize, inner: &str, rules: BoxRules) -> ItemHead {
    let Some(content) = content(inner) else {
        return ItemHead::Text(at);
    };
    let is_plain = matches!(inner[content.mark.clone()].trim(), "" | "x" | "X");
    let after = &inner[content.close + 1..];
    let is_glued = |rest: &str| rules.glued && is_plain && !rest.starts_with(LINK);
    // After a star without a space, only a digit rules out emphasis.
    let starred = after.strip_prefix('*').filter(|rest| {
        blank(rest) || is_glued(rest) && rest.starts_with(|c: char| c.is_ascii_digit())
    });
    let (rest, optional) = (starred.unwrap_or(after), starred.is_some());
    if !blank(rest) && !is_glued(rest) {
        return match is_plain && !rest.starts_with(LINK) {
            true => ItemHead::Odd {
                at,
                advice: "add a space after the box",
            },
            false => ItemHead::Text(at),
        };
    }
    let words = rest.trim_start_matches([' ', '\t']);
    let odd = match content.close {
        0 => Some("most programs only read `[ ]` as a box; put a space in it"),
        _ if content.wide && !rules.wide => {
            Some("most programs don't read this as a box; use one character between the brackets")
        }
        _ => None,
    };
    ItemHead::Task(TaskBox {
        marker: inner[content.mark.clone()].chars().next().unwrap_or(' '),
        open: at,
        span: at + 1 + content.mark.start..at + 1 + content.mark.end,
        rest: line.len() - words.len(),
        optional,
        odd,
    })
}

/// Brackets directly followed by one of these are a link.
const LINK: [char; 3] = ['(', '[', ':'];

/// The content of the brackets.
struct Content {
    /// The mark: one character with its variation selectors, or one space.
    mark: Range<usize>,
    /// The offset of the closing bracket.
    close: usize,
    /// Whether there are spaces around the mark, or several spaces and no mark.
    wide: bool,
}

/// The maximum number of bytes between the brackets.
const MAX_BOX_LEN: usize = 16;

/// Parses what follows an opening bracket; `None` if it is not a checkbox.
fn content(inner: &str) -> Option<Content> {
    let close = inner
        .bytes()
        .take(MAX_BOX_LEN)
        .position(|byte| byte == b']' || byte == b'[' || byte == b'\\')
        .filter(|at| inner.as_bytes()[*at] == b']')?;
    let text = &inner[..close];
    let trimmed = text.trim_matches([' ', '\t']);
    if trimmed.is_empty() {
        // Ticking replaces the space in the middle.
        let middle = text.len() / 2;
        return Some(Content {
            mark: middle..(middle + 1).min(close),
            close,
            wide: text.len() > 1,
        });
    }
    let start = text.len() - text.trim_start_matches([' ', '\t']).len();
    let mut chars = trimmed.chars();
    chars.next();
    let one = chars.all(|c| matches!(c, '\u{fe0e}' | '\u{fe0f}'));
    let wide = trimmed.len() < text.len();
    // A word padded with spaces is not a mark, unless it is `x`.
    let is_mark = one
        && (!wide || matches!(trimmed, "x" | "X") || !trimmed.starts_with(char::is_alphanumeric));
    is_mark.then(|| Content {
        mark: start..start + trimmed.len(),
        close,
        wide,
    })
}

fn blank(text: &str) -> bool {
    text.is_empty() || text.starts_with([' ', '\t'])
}
