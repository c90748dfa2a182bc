//! Computes one side's changes, and whether they are independent of the other side's.

use super::version::{Version, indent, is_blank, is_item};
use crate::align::{Alignment, Interner, runs};
use crate::diff::Pairs;
use crate::model::Span;

/// A change: lines of the base, and the lines of a side that replace them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) base: Span,
    pub(super) side: Span,
    /// Whether `base` and `side` are each a single line, and both lines have the same subject.
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

/// A side's changes, in order, split into parts as small as the lines' subjects permit.
pub(super) fn changes(
    base: &Version<'_>,
    side: &Version<'_>,
    (base_lines, side_lines): (&[u32], &[u32]),
) -> Vec<Change> {
    let shared = runs(base_lines, side_lines, Alignment::Unique);
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
        let mut numbers = Interner::new();
        let was = numbers.all(from.clone().map(|line| base.subject(line, None)));
        let is = numbers.all(to.clone().map(|line| side.subject(line, Some(&pairs))));
        for run in runs(&was, &is, Alignment::Shortest) {
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

/// Adds changes for lines without a counterpart: `from` in the base, `to` in the side.
fn push(changes: &mut Vec<Change>, base: &Version<'_>, side: &Version<'_>, from: Span, to: Span) {
    if from.is_empty() && to.is_empty() {
        return;
    }
    let free = |base: Span, side: Span| Change {
        base,
        side,
        is_line: false,
    };
    let begins_item = |version: &Version<'_>, lines: &Span| {
        let mut lines = version.lines[lines.clone()].iter();
        lines
            .find(|line| !is_blank(line))
            .is_some_and(|line| is_item(line))
    };
    // Removing an item and adding another are separate changes.
    let are_two = begins_item(base, &from) && begins_item(side, &to);
    if !are_two && !to.is_empty() {
        changes.push(free(from, to));
        return;
    }
    // Removals are split by task, so that each task can have its own conflict.
    let mut start = from.start;
    for border in base.split_points(&from) {
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

/// Whether changes of the two sides depend on each other.
pub(super) fn interact(
    base: &Version<'_>,
    (a, a_sheet): (&Change, &Version<'_>),
    (b, b_sheet): (&Change, &Version<'_>),
) -> bool {
    if a.base.start < b.base.end && b.base.start < a.base.end {
        return true;
    }
    if a.base.start > b.base.end || b.base.start > a.base.end {
        return false;
    }
    match (a.is_insertion(), b.is_insertion()) {
        (true, true) => true,
        (true, false) => depends_on(base, (a, a_sheet), b),
        (false, true) => depends_on(base, (b, b_sheet), a),
        (false, false) => (a.grows() && !a.is_line) || (b.grows() && !b.is_line),
    }
}

/// Whether inserted lines depend on the change directly above or below them.
fn depends_on(base: &Version<'_>, (new, version): (&Change, &Version<'_>), other: &Change) -> bool {
    if other.is_line {
        return false;
    }
    let lines = &version.lines[new.side.clone()];
    let Some(first) = lines.iter().find(|line| !is_blank(line)) else {
        return !other.is_deletion();
    };
    if !other.is_deletion() || !is_item(first) {
        return true;
    }
    if new.base.start <= other.base.start {
        return false;
    }
    // New lines below removed ones may belong to one of them.
    let column = indent(first);
    if column == 0 {
        return false;
    }
    owner(base, new.base.start, column).is_none_or(|owner| other.base.contains(&owner))
}

/// The base line that lines inserted at `at` belong to, judging by their indentation.
pub(super) fn owner(base: &Version<'_>, at: usize, column: usize) -> Option<usize> {
    (0..at).rev().find(|line| {
        let line = base.lines[*line];
        !is_blank(line) && indent(line) < column
    })
}
