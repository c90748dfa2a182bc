//! Finds the part of a text that can be reparsed on its own.
//!
//! A line that starts with a task's bullet in the first column closes every open block: no code
//! block, quote or comment above it extends past it, as long as it parses as a task at all. So the
//! lines from one such task up to another parse the same alone as in context. Three things have
//! effects beyond such a fragment; where one is involved, the whole text has to be parsed:
//!
//! - A link reference definition (`[a]: b`) applies everywhere: [`has_definition`].
//! - A heading sets the meaning of the lists below it. A fragment ends before one, and the caller
//!   checks that none was inserted into it.
//! - The dialect is detected from the whole text: [`keeps_dialect`].
//!
//! A fragment is located in the text before a change. Its new content is parsed after
//! [`PROBE_HEADING`] and before [`Terminator`]; if the terminator then parses differently, the
//! change has effects beyond the fragment. The result is used only if the old content, parsed the
//! same way, matches the plan.

use crate::dialect;
use crate::lines;
use crate::model::{Plan, Span, Task};

/// Prepended to a fragment. Under this heading the parser recognizes every section heading, so that
/// an item which would end up in one of the plan's sections is noticed.
pub(crate) const PROBE_HEADING: &str = "## Requirements\n";

/// A fragment that is larger than this, and larger than half of the text, is not reparsed
/// separately.
const LARGE: usize = 1 << 16;

/// What ends a fragment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Boundary {
    Task,
    Heading,
    /// The end of the text.
    End,
}

/// The line after a fragment, which must still be parsed the same way.
#[derive(Debug)]
pub(crate) struct Terminator {
    pub(crate) span: Span,
    pub(crate) kind: Boundary,
}

/// Consecutive top-level tasks with everything nested under them.
#[derive(Debug)]
pub(crate) struct Fragment {
    pub(crate) span: Span,
    /// The indexes of its tasks in the plan.
    pub(crate) tasks: Span,
    pub(crate) terminator: Terminator,
}

impl Fragment {
    /// The smallest fragment that contains a task and the whole change. The change must start after
    /// the opening bracket of the fragment's first task. `None` if there is no such fragment, or if
    /// it is too large to be worth reparsing separately.
    pub(crate) fn around(text: &str, plan: &Plan, changed: &Span, index: usize) -> Option<Self> {
        let is_edge = |at: &usize| closes_all_blocks(text, &plan.tasks[*at]);
        let first = (0..=index).rev().find(is_edge)?;
        if plan.tasks[first].box_span.start > changed.start {
            return None;
        }
        let next = (index + 1..plan.tasks.len())
            .find(|at| plan.tasks[*at].span.start >= changed.end && is_edge(at));
        let start = plan.tasks[first].span.start;
        let (end, next_task, kind) = match next {
            Some(next) => (plan.tasks[next].span.start, next, Boundary::Task),
            None => {
                let last = plan.tasks.last()?.span.end.max(changed.end);
                let (end, kind) = heading_after(text, last);
                (end, plan.tasks.len(), kind)
            }
        };
        let size = end - start;
        let is_large = size > LARGE && size > text.len() / 2;
        (!is_large).then(|| Self {
            span: start..end,
            tasks: first..next_task,
            terminator: Terminator {
                span: end..lines::line_end(text, end),
                kind,
            },
        })
    }
}

/// Whether a task is at the top level with its bullet in the first column, so that it closes every
/// block above it.
pub(crate) fn closes_all_blocks(text: &str, task: &Task) -> bool {
    let start = task.span.start;
    let bytes = text.as_bytes();
    let is_line = start == 0 || matches!(bytes[start - 1], b'\n' | b'\r');
    let has_bullet = bytes
        .get(start)
        .is_some_and(|byte| matches!(byte, b'-' | b'*' | b'+' | b'0'..=b'9'));
    task.parent.is_none() && is_line && has_bullet
}

/// The first line after `from` that looks like a heading, else the end of the text.
fn heading_after(text: &str, from: usize) -> (usize, Boundary) {
    let mut at = lines::line_end(text, from);
    loop {
        let next = lines::after_line_end(text, at);
        if next == at {
            return (text.len(), Boundary::End);
        }
        if text[next..].starts_with('#') {
            return (next, Boundary::Heading);
        }
        at = lines::line_end(text, next);
    }
}

/// Whether a changed text still has the plan's dialect. The part before the plan's first task must
/// be unchanged.
pub(crate) fn keeps_dialect(plan: &Plan, after: &str) -> bool {
    plan.front.version.is_some()
        || dialect::detect(after, plan.preamble.start, false).0.dialect == plan.dialect
}

/// Whether a text may contain a link reference definition: brackets followed by a colon at the
/// start of a line.
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
