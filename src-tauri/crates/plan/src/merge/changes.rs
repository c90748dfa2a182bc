//! What one side changed, and whether it can be done independently of a change of the other.

use super::sheet::{Sheet, indent, is_blank, is_item};
use crate::align::{Care, Numbers, runs};
use crate::diff::Pairs;
use crate::model::Span;

/// Lines of the base that a side replaced by lines of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) base: Span,
    pub(super) side: Span,
    /// One line that is about the same thing in both.
    pub(super) is_line: bool,
}

impl Change {
    pub(super) fn is_insertion(&self) -> bool {
        self.base.is_empty()
    }

    pub(super) fn is_deletion(&self) -> bool {
        self.side.is_empty()
    }

    fn grows(&self) -> bool {
        self.side.len() > self.base.len()
    }
}

/// What a side changed, in order, as small as what the lines are about allows.
pub(super) fn changes(
    base: &Sheet<'_>,
    side: &Sheet<'_>,
    (base_lines, side_lines): (&[u32], &[u32]),
) -> Vec<Change> {
    let shared = runs(base_lines, side_lines, Care::Unique);
    let mut gaps = Vec::new();
    let (mut base_at, mut side_at) = (0, 0);
    let end = (base_lines.len(), side_lines.len(), 0);
    let stays = shared.iter().map(|run| (run.before, run.after, run.length));
    for (before, after, length) in stays.chain([end]) {
        if before > base_at || after > side_at {
            gaps.push((base_at..before, side_at..after));
        }
        (base_at, side_at) = (before + length, after + length);
    }
    if gaps.is_empty() {
        return Vec::new();
    }
    let pairs = Pairs::of(base.plan, side.plan);
    let mut changes = Vec::new();
    for (from, to) in gaps {
        let (mut from_at, mut to_at) = (from.start, to.start);
        let mut numbers = Numbers::new();
        let was = numbers.all(from.clone().map(|line| base.about(line, None)));
        let is = numbers.all(to.clone().map(|line| side.about(line, Some(&pairs))));
        for run in runs(&was, &is, Care::Shortest) {
            for step in 0..run.length {
                let (line, new) = (from.start + run.before + step, to.start + run.after + step);
                push(&mut changes, base, side, from_at..line, to_at..new);
                if base_lines[line] != side_lines[new] {
                    changes.push(Change {
                        base: line..line + 1,
                        side: new..new + 1,
                        is_line: true,
                    });
                }
                (from_at, to_at) = (line + 1, new + 1);
            }
        }
        push(&mut changes, base, side, from_at..from.end, to_at..to.end);
    }
    changes
}

/// Lines that have nothing to do with each other.
fn push(changes: &mut Vec<Change>, base: &Sheet<'_>, side: &Sheet<'_>, from: Span, to: Span) {
    if from.is_empty() && to.is_empty() {
        return;
    }
    let free = |base: Span, side: Span| Change {
        base,
        side,
        is_line: false,
    };
    let begins_item = |sheet: &Sheet<'_>, lines: &Span| {
        let mut lines = sheet.lines[lines.clone()].iter();
        lines
            .find(|line| !is_blank(line))
            .is_some_and(|line| is_item(line))
    };
    // An item that went and another that came are two changes.
    let are_two = begins_item(base, &from) && begins_item(side, &to);
    if !are_two && !to.is_empty() {
        changes.push(free(from, to));
        return;
    }
    // What went is taken task by task, so that one task of several can be disputed.
    let mut start = from.start;
    for border in base.borders(&from) {
        if border > start {
            changes.push(free(start..border, to.start..to.start));
            start = border;
        }
    }
    if from.end > start {
        changes.push(free(start..from.end, to.start..to.start));
    }
    if !to.is_empty() {
        changes.push(free(from.end..from.end, to));
    }
}

/// Whether two changes cannot be made independently of each other.
pub(super) fn meet(
    base: &Sheet<'_>,
    (a, a_sheet): (&Change, &Sheet<'_>),
    (b, b_sheet): (&Change, &Sheet<'_>),
) -> bool {
    if a.base.start < b.base.end && b.base.start < a.base.end {
        return true;
    }
    if a.base.start > b.base.end || b.base.start > a.base.end {
        return false;
    }
    match (a.is_insertion(), b.is_insertion()) {
        (true, true) => true,
        (true, false) => disturbs(base, (a, a_sheet), b),
        (false, true) => disturbs(base, (b, b_sheet), a),
        (false, false) => (a.grows() && !a.is_line) || (b.grows() && !b.is_line),
    }
}

/// Whether new lines have to do with the change right above or below them.
fn disturbs(base: &Sheet<'_>, (new, sheet): (&Change, &Sheet<'_>), other: &Change) -> bool {
    if other.is_line {
        return false;
    }
    let lines = &sheet.lines[new.side.clone()];
    let Some(first) = lines.iter().find(|line| !is_blank(line)) else {
        return !other.is_deletion();
    };
    if !other.is_deletion() || !is_item(first) {
        return true;
    }
    if new.base.start <= other.base.start {
        return false;
    }
    // Below lines that went: the new ones may belong to one of them.
    let column = indent(first);
    if column == 0 {
        return false;
    }
    owner(base, new.base.start, column).is_none_or(|owner| other.base.contains(&owner))
}

/// The line of the base that what is put in at a place belongs to, by its indentation.
pub(super) fn owner(base: &Sheet<'_>, at: usize, column: usize) -> Option<usize> {
    (0..at).rev().find(|line| {
        let line = base.lines[*line];
        !is_blank(line) && indent(line) < column
    })
}
