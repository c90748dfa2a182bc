//! Tries a change of one task on the lines around it, without reading the whole text again.
//!
//! A line that begins with the bullet of a task, with nothing before it, closes every block that is
//! open: no code, quote or comment above reaches into it, as long as it is read as a task at all. So
//! the lines from one such task up to another one are read alone as they are read in their place.
//! Three things reach further, and where one of them is about, nothing is said here and the whole
//! text has to be read:
//!
//! - A definition of a link (`[a]: b`) counts everywhere.
//! - A heading says what the lists below it mean.
//! - The dialect is found out from the whole text.
//!
//! What is read here is checked against what the plan says already before it is believed.

use super::portrait::Face;
use super::{Splice, apply, blocks};
use crate::dialect;
use crate::lines;
use crate::model::{Plan, Span};
use crate::parse::parse_part;

/// Lists under this heading are looked at closely, so that an item that would come into a section
/// of the plan is seen.
const HEADING: &str = "## Requirements\n";

/// Parts larger than this, and than half of the text, are not worth it.
const LARGE: usize = 1 << 16;

/// Whether a changed text would say the same as now, in all but one task, which is to say what
/// `face` says. `None` where only the whole text can tell. `settle` brings what is said in any order
/// into one.
pub(super) fn reads(
    text: &str,
    plan: &Plan,
    splices: &[Splice],
    index: usize,
    face: &Face,
    settle: impl Fn(&mut Face),
) -> Option<bool> {
    // An id that comes or goes can be another task's.
    if face.id != Face::of(&plan.tasks[index]).id || has_definition(text) {
        return None;
    }
    let part = Part::around(text, plan, splices, index)?;
    let old = &text[part.span.clone()];
    let moved: Vec<Splice> = splices
        .iter()
        .map(|splice| Splice {
            range: splice.range.start - part.span.start..splice.range.end - part.span.start,
            text: splice.text.clone(),
        })
        .collect();
    let new = apply(old, &moved).ok()?.text;
    if has_definition(&new) || !keeps_dialect(text, plan, splices) {
        return None;
    }
    let sentinel = &text[part.next.span.clone()];
    let was = Read::of(old, sentinel, part.next.kind, plan)?;
    let known = plan.tasks[part.tasks.clone()].iter().map(|task| {
        let mut face = Face::of(task);
        face.parent = face.parent.map(|parent| parent - part.tasks.start);
        face
    });
    if !was.stands || !was.faces.iter().cloned().eq(known) {
        return None;
    }
    let is = Read::of(&new, sentinel, part.next.kind, plan)?;
    let mut faces = was.faces;
    let at = index - part.tasks.start;
    let meant = faces.get_mut(at)?;
    *meant = Face {
        parent: meant.parent,
        ..face.clone()
    };
    settle(meant);
    let mut found = is.faces;
    if let Some(found) = found.get_mut(at) {
        settle(found);
    }
    Some(is.stands && found == faces && is.page == was.page)
}

/// What ends a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Task,
    Heading,
    /// The end of the text.
    End,
}

/// The line behind a part.
#[derive(Debug)]
struct Next {
    span: Span,
    kind: Kind,
}

/// Some tasks at the left edge with everything under them.
#[derive(Debug)]
struct Part {
    span: Span,
    tasks: Span,
    next: Next,
}

impl Part {
    /// The smallest part that holds a task and all of the splices behind the box of its first task.
    fn around(text: &str, plan: &Plan, splices: &[Splice], index: usize) -> Option<Self> {
        let from = splices.iter().map(|splice| splice.range.start).min()?;
        let until = splices.iter().map(|splice| splice.range.end).max()?;
        let is_edge = |at: &usize| {
            let task = &plan.tasks[*at];
            let start = task.span.start;
            let bytes = text.as_bytes();
            let is_line = start == 0 || matches!(bytes[start - 1], b'\n' | b'\r');
            let has_bullet = bytes
                .get(start)
                .is_some_and(|byte| matches!(byte, b'-' | b'*' | b'+' | b'0'..=b'9'));
            task.parent.is_none() && is_line && has_bullet
        };
        let first = (0..=index).rev().find(is_edge)?;
        if plan.tasks[first].box_span.start > from {
            return None;
        }
        let next = (index + 1..plan.tasks.len())
            .find(|at| plan.tasks[*at].span.start >= until && is_edge(at));
        let start = plan.tasks[first].span.start;
        let (end, next_task, kind) = match next {
            Some(next) => (plan.tasks[next].span.start, next, Kind::Task),
            None => {
                let last = plan.tasks.last()?.span.end.max(until);
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

/// What a part is read as.
struct Read {
    faces: Vec<Face>,
    page: Vec<String>,
    /// Whether what stands behind the part is read as what it is.
    stands: bool,
}

impl Read {
    /// Reads a part and the line behind it. `None` where something in it has a meaning that the
    /// part alone does not tell.
    fn of(part: &str, sentinel: &str, kind: Kind, plan: &Plan) -> Option<Self> {
        let text = format!("{HEADING}{part}{sentinel}");
        let behind = HEADING.len() + part.len();
        let read = parse_part(&text, plan.dialect);
        if !read.requirements.is_empty() || !read.decisions.is_empty() {
            return None;
        }
        let mut faces: Vec<Face> = read.tasks.iter().map(Face::of).collect();
        let mut blocks = blocks::of(&text, &read);
        let stands = match kind {
            Kind::End => true,
            Kind::Task => {
                faces.pop();
                read.tasks
                    .last()
                    .is_some_and(|task| task.parent.is_none() && task.span.start == behind)
            }
            Kind::Heading => blocks
                .pop()
                .is_some_and(|last| last.heading.is_some() && last.span.start == behind),
        };
        let mut blocks = blocks.into_iter();
        blocks.next().filter(|first| first.heading.is_some())?;
        let mut page = Vec::new();
        for block in blocks {
            if block.heading.is_some() {
                return None;
            }
            page.push(text[block.span].to_owned());
        }
        Some(Self {
            faces,
            page,
            stands,
        })
    }
}

/// Whether the changed text is in the same dialect.
fn keeps_dialect(text: &str, plan: &Plan, splices: &[Splice]) -> bool {
    if plan.front.version.is_some() {
        return true;
    }
    let Ok(after) = apply(text, splices) else {
        return false;
    };
    dialect::detect(&after.text, plan.preamble.start, false).dialect == plan.dialect
}

/// Whether anything in a text could define a link: words in square brackets with a colon behind
/// them, at the start of their line.
fn has_definition(text: &str) -> bool {
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

#[cfg(test)]
mod tests;
