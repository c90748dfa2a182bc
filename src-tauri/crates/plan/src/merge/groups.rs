//! Groups changes that depend on each other, and resolves each group.

use super::changes::{Change, changes, interact, owner};
use super::insertions::{self, Insertion};
use super::parts;
use super::version::{Version, indent, is_blank, is_item};
use crate::align::Interner;
use crate::model::Span;

/// A piece of the merged text.
#[derive(Debug)]
pub(super) enum Piece<'t> {
    /// Lines without a conflict.
    Clean(Vec<&'t str>),
    /// A line that combines both sides' changes.
    Combined(String),
    /// Conflicting lines.
    Conflict {
        base: Vec<&'t str>,
        ours: Vec<&'t str>,
        theirs: Vec<&'t str>,
        /// The index of the first of these lines in ours.
        ours_at: usize,
    },
}

/// One side's changes relative to the base.
#[derive(Debug)]
struct Side<'s, 't> {
    version: &'s Version<'t>,
    changes: Vec<Change>,
}

/// Merges the two sides line by line.
pub(super) fn pieces<'t>(
    base: &Version<'t>,
    ours: &Version<'t>,
    theirs: &Version<'t>,
) -> Vec<Piece<'t>> {
    let mut numbers = Interner::new();
    let [base_lines, our_lines, their_lines] =
        [base, ours, theirs].map(|version| numbers.all(version.lines.iter().copied()));
    let side = |version, lines: &[u32]| Side {
        version,
        changes: changes(base, version, (&base_lines, lines)),
    };
    let (ours, theirs) = (side(ours, &our_lines), side(theirs, &their_lines));
    let mut pieces = Vec::new();
    let (mut o, mut t, mut at) = (0, 0, 0);
    while o < ours.changes.len() || t < theirs.changes.len() {
        let group = Group::next(base, &ours, &theirs, &mut o, &mut t);
        pieces.push(Piece::Clean(base.lines[at..group.base.start].to_vec()));
        at = group.base.end;
        pieces.extend(group.resolved(base, &ours, &theirs));
    }
    pieces.push(Piece::Clean(base.lines[at..].to_vec()));
    pieces
}

/// Changes of both sides that depend on each other.
#[derive(Debug)]
struct Group {
    base: Span,
    /// The indexes of our changes.
    ours: Span,
    theirs: Span,
}

impl Group {
    /// Takes the next group of interdependent changes from both lists.
    fn next(
        base: &Version<'_>,
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
                    others.iter().any(|against| {
                        interact(base, (change, side.version), (against, other.version))
                    })
                };
            // A change inside the group's range always belongs to the group.
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

    fn resolved<'t>(
        &self,
        base: &Version<'t>,
        ours: &Side<'_, 't>,
        theirs: &Side<'_, 't>,
    ) -> Vec<Piece<'t>> {
        if let Some((rest, tail)) = self.without_tail(base, ours, theirs) {
            let mut pieces = rest.resolved(base, ours, theirs);
            pieces.push(Piece::Clean(tail));
            return pieces;
        }
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
                let ours = Insertion::of(ours.version, our.side.clone());
                let theirs = Insertion::of(theirs.version, their.side.clone());
                if let Some(lines) = insertions::both(&ours, &theirs) {
                    return vec![Piece::Clean(lines)];
                }
            }
            if our.is_line && their.is_line {
                let (was, is, other) = (our.base.start, our.side.start, their.side.start);
                let made = parts::line((base, was), (ours.version, is), (theirs.version, other));
                if let Some(line) = made {
                    return vec![Piece::Combined(line)];
                }
            }
        }
        let ours_at = our.first().map_or(0, |change| {
            (change.side.start + self.base.start).saturating_sub(change.base.start)
        });
        vec![Piece::Conflict {
            base: base.lines[self.base.clone()].to_vec(),
            ours: mine,
            theirs: other,
            ours_at,
        }]
    }

    /// Splits off items that were inserted after the group's lines. `None` if there are none, or if
    /// they belong to the lines above.
    fn without_tail<'t>(
        &self,
        base: &Version<'t>,
        ours: &Side<'_, 't>,
        theirs: &Side<'_, 't>,
    ) -> Option<(Self, Vec<&'t str>)> {
        if self.ours.len() + self.theirs.len() <= 2 || self.base.is_empty() {
            return None;
        }
        let end = self.base.end;
        let tail = |side: &Side<'_, 't>, which: &Span| -> Option<(Span, usize)> {
            let last = side.changes[which.clone()].last()?;
            let lines = &side.version.lines[last.side.clone()];
            let first = lines.iter().find(|line| !is_blank(line))?;
            let is_tail = last.is_insertion() && last.base.start == end && is_item(first);
            let column = indent(first);
            let is_own = column == 0
                || owner(base, end, column).is_some_and(|owner| !self.base.contains(&owner));
            (is_tail && is_own).then(|| (last.side.clone(), column))
        };
        let is_there = |side: &Side<'_, 't>, which: &Span| {
            let last = side.changes[which.clone()].last();
            last.is_some_and(|last| last.is_insertion() && last.base.start == end)
        };
        let (mine, other) = (tail(ours, &self.ours), tail(theirs, &self.theirs));
        // Items of the other side may come first only if they are indented more than these.
        let deeper = |side: &Side<'_, 't>, which: &Span, column: usize| {
            let Some(last) = side.changes[which.clone()]
                .last()
                .filter(|_| is_there(side, which))
            else {
                return true;
            };
            let lines = side.version.lines[last.side.clone()].iter();
            lines
                .filter(|line| !is_blank(line))
                .all(|line| indent(line) > column)
        };
        let without = |ours: usize, theirs: usize| Self {
            base: self.base.clone(),
            ours: self.ours.start..self.ours.end - ours,
            theirs: self.theirs.start..self.theirs.end - theirs,
        };
        match (mine, other) {
            (Some((mine, at)), Some((other, also_at))) if at == also_at => {
                let mine = Insertion::of(ours.version, mine);
                let other = Insertion::of(theirs.version, other);
                Some((without(1, 1), insertions::both(&mine, &other)?))
            }
            (Some((mine, column)), _) if deeper(theirs, &self.theirs, column) => {
                Some((without(1, 0), ours.version.lines[mine].to_vec()))
            }
            (_, Some((other, column))) if deeper(ours, &self.ours, column) => {
                Some((without(0, 1), theirs.version.lines[other].to_vec()))
            }
            _ => None,
        }
    }

    /// The lines of a side that replace the group's base lines.
    fn side<'t>(&self, base: &Version<'t>, side: &Side<'_, 't>, which: Span) -> Vec<&'t str> {
        let mut lines = Vec::new();
        let mut at = self.base.start;
        for change in &side.changes[which] {
            lines.extend_from_slice(&base.lines[at..change.base.start]);
            lines.extend_from_slice(&side.version.lines[change.side.clone()]);
            at = change.base.end;
        }
        lines.extend_from_slice(&base.lines[at..self.base.end]);
        lines
    }
}
