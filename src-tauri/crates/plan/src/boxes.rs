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
    /// Where its opening bracket stands.
    pub(crate) open: usize,
    /// What a tick replaces: the mark, or the blank in the middle. Empty for `[]`.
    pub(crate) span: Range<usize>,
    /// Where the words after it begin.
    pub(crate) rest: usize,
    /// Whether a star stands behind it: `[ ]*`, a task that may be left out.
    pub(crate) optional: bool,
    /// What other programs would not read as a task here, and what to write.
    pub(crate) odd: Option<&'static str>,
}

/// Which boxes count beside `[c]` with a blank behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Boxes {
    /// `[x]words` is a task too.
    pub(crate) glued: bool,
    /// `[ x ]` is nothing odd.
    pub(crate) wide: bool,
}

/// Boxes as GitHub reads them; wide ones are read, and told.
pub(crate) const STRICT: Boxes = Boxes {
    glued: false,
    wide: false,
};

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
pub(crate) fn head(line: &str, rules: Boxes) -> Option<Head> {
    let bullet = bullet_length(line)?;
    let words = line[bullet..].trim_start_matches([' ', '\t']);
    let at = line.len() - words.len();
    Some(match words.strip_prefix('[') {
        Some(inner) => box_head(line, at, inner, rules),
        None => Head::Text(at),
    })
}

fn box_head(line: &str, at: usize, inner: &str, rules: Boxes) -> Head {
    let Some(content) = content(inner) else {
        return Head::Text(at);
    };
    let is_plain = matches!(inner[content.mark.clone()].trim(), "" | "x" | "X");
    let after = &inner[content.close + 1..];
    let is_glued = |rest: &str| rules.glued && is_plain && !rest.starts_with(LINK);
    // Behind a star without a blank only a number can be told from a word in emphasis.
    let starred = after.strip_prefix('*').filter(|rest| {
        blank(rest) || is_glued(rest) && rest.starts_with(|c: char| c.is_ascii_digit())
    });
    let (rest, optional) = (starred.unwrap_or(after), starred.is_some());
    if !blank(rest) && !is_glued(rest) {
        return match is_plain && !rest.starts_with(LINK) {
            true => Head::Odd {
                at,
                advice: "leave a blank after the box",
            },
            false => Head::Text(at),
        };
    }
    let words = rest.trim_start_matches([' ', '\t']);
    let odd = match content.close {
        0 => Some("only `[ ]` is a box in most programs; put a blank in it"),
        _ if content.wide && !rules.wide => {
            Some("most programs read no box here; leave one character between the brackets")
        }
        _ => None,
    };
    Head::Task(TaskBox {
        marker: inner[content.mark.clone()].chars().next().unwrap_or(' '),
        open: at,
        span: at + 1 + content.mark.start..at + 1 + content.mark.end,
        rest: line.len() - words.len(),
        optional,
        odd,
    })
}

/// What makes the words in brackets a link when it follows at once.
const LINK: [char; 3] = ['(', '[', ':'];

/// What stands between the brackets.
struct Content {
    /// The mark itself: one character with the selectors that only choose its looks, or one blank.
    mark: Range<usize>,
    /// Where the closing bracket stands.
    close: usize,
    /// Whether blanks stand beside the mark, or more than one without it.
    wide: bool,
}

/// The widest box that is looked for, in bytes between the brackets.
const WIDEST: usize = 16;

/// Reads what follows an opening bracket; `None` where that is no box.
fn content(inner: &str) -> Option<Content> {
    let close = inner
        .bytes()
        .take(WIDEST)
        .position(|byte| byte == b']' || byte == b'[' || byte == b'\\')
        .filter(|at| inner.as_bytes()[*at] == b']')?;
    let text = &inner[..close];
    let trimmed = text.trim_matches([' ', '\t']);
    if trimmed.is_empty() {
        // One blank in the middle is what a tick replaces.
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
    // Other words between blanks and brackets are no mark.
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
