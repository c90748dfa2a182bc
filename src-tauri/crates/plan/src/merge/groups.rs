//! What each side changed, and which of it has to be looked at together.

use super::insertions::{self, Insertion};
use super::parts;
use super::sheet::{About, Sheet, indent, is_blank, is_item};
use crate::align::{Care, Numbers, runs};
use crate::diff::Pairs;
use crate::model::Span;

/// Lines of the base that a side replaced by lines of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Change {
    base: Span,
    side: Span,
    /// One line that is about the same thing in both.
    is_line: bool,
}

impl Change {
    fn is_insertion(&self) -> bool {
        self.base.is_empty()
    }

    fn is_deletion(&self) -> bool {
        self.side.is_empty()
    }

    fn grows(&self) -> bool {
        self.side.len() > self.base.len()
    }
}

/// A part of the result, in order.
#[derive(Debug)]
pub(super) enum Piece<'t> {
    /// Lines that need no decision.
    Clean(Vec<&'t str>),
    /// A line made of both sides' changes.
    Made(String),
    /// Lines that do.
    Both {
        base: Vec<&'t str>,
        ours: Vec<&'t str>,
        theirs: Vec<&'t str>,
        /// Where they begin in ours, as a line.
        ours_at: usize,
    },
}

/// One side against the base.
#[derive(Debug)]
struct Side<'s, 't> {
    sheet: &'s Sheet<'t>,
    changes: Vec<Change>,
}

/// Merges line by line.
pub(super) fn pieces<'t>(base: &Sheet<'t>, ours: &Sheet<'t>, theirs: &Sheet<'t>) -> Vec<Piece<'t>> {
    let mut numbers = Numbers::new();
    let [base_lines, our_lines, their_lines] =
        [base, ours, theirs].map(|sheet| numbers.all(sheet.lines.iter().copied()));
    let about_base = base.about(None);
    let side = |sheet, lines: &[u32]| Side {
        sheet,
        changes: changes(base, sheet, (&base_lines, lines), &about_base),
    };
    let (ours, theirs) = (side(ours, &our_lines), side(theirs, &their_lines));
    let mut pieces = Vec::new();
    let (mut o, mut t, mut at) = (0, 0, 0);
    while o < ours.changes.len() || t < theirs.changes.len() {
        let group = Group::next(base, &ours, &theirs, &mut o, &mut t);
        pieces.push(Piece::Clean(base.lines[at..group.base.start].to_vec()));
        at = group.base.end;
        pieces.extend(group.settled(base, &ours, &theirs));
    }
    pieces.push(Piece::Clean(base.lines[at..].to_vec()));
    pieces
}

/// What a side changed, in order, as small as what the lines are about allows.
fn changes(
    base: &Sheet<'_>,
    side: &Sheet<'_>,
    (base_lines, side_lines): (&[u32], &[u32]),
    about_base: &[About],
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
    let pairs = Pairs::of(&base.plan, &side.plan);
    let about_side = side.about(Some(&pairs));
    let mut changes = Vec::new();
    for (from, to) in gaps {
        let (mut from_at, mut to_at) = (from.start, to.start);
        let mut numbers = Numbers::new();
        let was = numbers.all(&about_base[from.clone()]);
        let is = numbers.all(&about_side[to.clone()]);
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

/// Changes of both sides that have to be looked at together.
#[derive(Debug)]
struct Group {
    base: Span,
    /// Which changes of ours.
    ours: Span,
    theirs: Span,
}

impl Group {
    /// Takes the next changes of both lists that meet each other.
    fn next(
        base: &Sheet<'_>,
        ours: &Side<'_, '_>,
        theirs: &Side<'_, '_>,
        o: &mut usize,
        t: &mut usize,
    ) -> Self {
        let (first_o, first_t) = (*o, *t);
        let starts = |change: Option<&Change>| {
            change.map_or((usize::MAX, usize::MAX), |change| {
                (change.base.start, change.base.end)
            })
        };
        let (our, their) = (&ours.changes, &theirs.changes);
        let mut hull = if starts(our.get(*o)) <= starts(their.get(*t)) {
            *o += 1;
            our[first_o].base.clone()
        } else {
            *t += 1;
            their[first_t].base.clone()
        };
        loop {
            let meets =
                |change: &Change, side: &Side<'_, '_>, others: &[Change], other: &Side<'_, '_>| {
                    others
                        .iter()
                        .any(|against| meet(base, (change, side.sheet), (against, other.sheet)))
                };
            // What stands inside the place is part of it, whatever it meets.
            let inside =
                |change: &Change| change.base.start < hull.end && hull.start < change.base.end;
            if let Some(change) = their.get(*t)
                && (inside(change) || meets(change, theirs, &our[first_o..*o], ours))
            {
                hull = hull.start.min(change.base.start)..hull.end.max(change.base.end);
                *t += 1;
            } else if let Some(change) = our.get(*o)
                && (inside(change) || meets(change, ours, &their[first_t..*t], theirs))
            {
                hull = hull.start.min(change.base.start)..hull.end.max(change.base.end);
                *o += 1;
            } else {
                break;
            }
        }
        Self {
            base: hull,
            ours: first_o..*o,
            theirs: first_t..*t,
        }
    }

    fn settled<'t>(
        &self,
        base: &Sheet<'t>,
        ours: &Side<'_, 't>,
        theirs: &Side<'_, 't>,
    ) -> Vec<Piece<'t>> {
        let mine = self.side(base, ours, self.ours.clone());
        let other = self.side(base, theirs, self.theirs.clone());
        if mine == other || self.theirs.is_empty() {
            return vec![Piece::Clean(mine)];
        }
        if self.ours.is_empty() {
            return vec![Piece::Clean(other)];
        }
        let (our, their) = (
            &ours.changes[self.ours.clone()],
            &theirs.changes[self.theirs.clone()],
        );
        let all = || our.iter().chain(their);
        if all().all(Change::is_deletion) {
            let goes = |line: &usize| all().any(|change| change.base.contains(line));
            let stays = self.base.clone().filter(|line| !goes(line));
            return vec![Piece::Clean(stays.map(|line| base.lines[line]).collect())];
        }
        if let ([our], [their]) = (our, their) {
            if our.is_insertion() && their.is_insertion() {
                let ours = Insertion::of(ours.sheet, our.side.clone());
                let theirs = Insertion::of(theirs.sheet, their.side.clone());
                if let Some(lines) = insertions::both(&ours, &theirs) {
                    return vec![Piece::Clean(lines)];
                }
            }
            if our.is_line && their.is_line {
                let (was, is, other) = (our.base.start, our.side.start, their.side.start);
                let made = parts::line((base, was), (ours.sheet, is), (theirs.sheet, other));
                if let Some(line) = made {
                    return vec![Piece::Made(line)];
                }
            }
        }
        let ours_at = our.first().map_or(0, |change| {
            (change.side.start + self.base.start).saturating_sub(change.base.start)
        });
        vec![Piece::Both {
            base: base.lines[self.base.clone()].to_vec(),
            ours: mine,
            theirs: other,
            ours_at,
        }]
    }

    /// The lines of a side in place of the group's lines of the base.
    fn side<'t>(&self, base: &Sheet<'t>, side: &Side<'_, 't>, which: Span) -> Vec<&'t str> {
        let mut lines = Vec::new();
        let mut at = self.base.start;
        for change in &side.changes[which] {
            lines.extend_from_slice(&base.lines[at..change.base.start]);
            lines.extend_from_slice(&side.sheet.lines[change.side.clone()]);
            at = change.base.end;
        }
        lines.extend_from_slice(&base.lines[at..self.base.end]);
        lines
    }
}

/// Whether two changes cannot be made independently of each other.
fn meet(
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
    let above = (0..new.base.start).rev();
    let mut owners = above.filter(|line| {
        let line = base.lines[*line];
        !is_blank(line) && indent(line) < column
    });
    owners
        .next()
        .is_none_or(|owner| other.base.contains(&owner))
}
