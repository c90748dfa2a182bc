//! Which part of a text is read alone as it is read in its place.
//!
//! A line that begins with the bullet of a task, with nothing before it, closes every block that is
//! open: no code, quote or comment above reaches into it, as long as it is read as a task at all. So
//! the lines from one such task up to another one are read alone as they are read in their place.
//! Three things reach further, and where one of them is about, only the whole text can tell:
//!
//! - A definition of a link (`[a]: b`) counts everywhere: [`has_definition`].
//! - A heading says what the lists below it mean; a part ends before one, and who reads a part looks
//!   whether one came into it.
//! - The dialect is found out from the whole text: [`keeps_dialect`].
//!
//! A part is found on the text before a change. What it is changed to is read with [`HEADING`] in front
//! and [`Next`] behind it; whether that still stands there as what it is says whether the part reaches
//! beyond its end. Nothing here is believed before the part as it was has been read so too, and said
//! what the plan says.

use crate::dialect;
use crate::lines;
use crate::model::{Plan, Span, Task};

/// Lists under this heading are looked at closely, so that an item that would come into a section
/// of the plan is seen.
pub(crate) const HEADING: &str = "## Requirements\n";

/// Parts larger than this, and than half of the text, are not worth it.
const LARGE: usize = 1 << 16;

/// What ends a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Task,
    Heading,
    /// The end of the text.
    End,
}

/// The line behind a part.
#[derive(Debug)]
pub(crate) struct Next {
    pub(crate) span: Span,
    pub(crate) kind: Kind,
}

/// Some tasks at the left edge with everything under them.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) span: Span,
    /// The tasks in it, by index.
    pub(crate) tasks: Span,
    pub(crate) next: Next,
}

impl Part {
    /// The smallest part that holds a task and all that is changed, which begins behind the opening
    /// bracket of the part's first task. `None` where there is none, or it is not worth it.
    pub(crate) fn around(text: &str, plan: &Plan, changed: &Span, index: usize) -> Option<Self> {
        let is_edge = |at: &usize| begins_anew(text, &plan.tasks[*at]);
        let first = (0..=index).rev().find(is_edge)?;
        if plan.tasks[first].box_span.start > changed.start {
            return None;
        }
        let next = (index + 1..plan.tasks.len())
            .find(|at| plan.tasks[*at].span.start >= changed.end && is_edge(at));
        let start = plan.tasks[first].span.start;
        let (end, next_task, kind) = match next {
            Some(next) => (plan.tasks[next].span.start, next, Kind::Task),
            None => {
                let last = plan.tasks.last()?.span.end.max(changed.end);
                let (end, kind) = heading_behind(text, last);
                (end, plan.tasks.len(), kind)
            }
        };
        let size = end - start;
        let is_large = size > LARGE && size > text.len() / 2;
        (!is_large).then(|| Self {
            span: start..end,
            tasks: first..next_task,
            next: Next {
                span: end..lines::line_end(text, end),
                kind,
            },
        })
    }
}

/// Whether a task stands at the top level with its bullet at the left edge: what stands above it ends
/// there.
pub(crate) fn begins_anew(text: &str, task: &Task) -> bool {
    let start = task.span.start;
    let bytes = text.as_bytes();
    let is_line = start == 0 || matches!(bytes[start - 1], b'\n' | b'\r');
    let has_bullet = bytes
        .get(start)
        .is_some_and(|byte| matches!(byte, b'-' | b'*' | b'+' | b'0'..=b'9'));
    task.parent.is_none() && is_line && has_bullet
}

/// The first line behind a place that looks like a heading, else the end of the text.
fn heading_behind(text: &str, from: usize) -> (usize, Kind) {
    let mut at = lines::line_end(text, from);
    loop {
        let next = lines::after_line_end(text, at);
        if next == at {
            return (text.len(), Kind::End);
        }
        if text[next..].starts_with('#') {
            return (next, Kind::Heading);
        }
        at = lines::line_end(text, next);
    }
}

/// Whether a text that the plan's was changed to is in the same dialect. What stands above the
/// plan's first task must be as it was.
pub(crate) fn keeps_dialect(plan: &Plan, after: &str) -> bool {
    plan.front.version.is_some()
        || dialect::detect(after, plan.preamble.start, false).0.dialect == plan.dialect
}

/// Whether anything in a text could define a link: words in square brackets with a colon behind
/// them, at the start of their line.
pub(crate) fn has_definition(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut open = None;
    for at in memchr::memchr2_iter(b'[', b']', bytes) {
        if bytes[at] == b'[' {
            open = Some(at);
            continue;
        }
        let (Some(start), Some(b':')) = (open, bytes.get(at + 1)) else {
            continue;
        };
        let before = &bytes[..start];
        if before.last() == Some(&b'\\') {
            return true;
        }
        let line = before
            .iter()
            .rev()
            .take_while(|byte| !matches!(byte, b'\n' | b'\r'));
        let is_mark = |byte: &u8| byte.is_ascii_digit() || b" \t>-*+.)".contains(byte);
        if line.copied().all(|byte| is_mark(&byte)) {
            return true;
        }
        open = None;
    }
    false
}
