//! Three versions of a text into one.
//!
//! For an edit that was made on an older revision: `base` is the revision the edit was made on,
//! `ours` is that revision with the edit, `theirs` is the file as it stands now. What only one side
//! changed is taken over; where both changed the same lines in different ways, that is a
//! [`Conflict`] with both sides, and nothing of either is lost.
//!
//! Lines are compared, with `\n`, `\r\n` and `\r` alike as their ends. Changes of lines that stand
//! side by side do not disturb each other, unless one of them brings new lines: then it could be
//! about what the other side took away.

use std::collections::HashMap;

use diffy::DiffOptions;

use crate::lines::{Lines, after_line_end, line_end};
use crate::model::Span;

/// The outcome of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The merged text; where there is a conflict it holds what `theirs` says.
    pub text: String,
    /// The places that both sides changed in different ways, in order.
    pub conflicts: Vec<Conflict>,
}

impl Merged {
    /// The text, when nothing has to be decided.
    pub fn clean(&self) -> Option<&str> {
        self.conflicts.is_empty().then_some(self.text.as_str())
    }
}

/// One place that both sides changed. All three are whole lines with their ends; empty where a side
/// has none there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// What stood there.
    pub base: String,
    /// What the edit makes of it.
    pub ours: String,
    /// What the file says now.
    pub theirs: String,
    /// The place of `theirs` in [`Merged::text`].
    pub place: Span,
}

/// Lines of `base` that a side replaced by lines of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Change {
    base: Span,
    side: Span,
}

impl Change {
    fn adds_lines(&self) -> bool {
        self.side.len() > self.base.len()
    }

    /// Whether the other side's change cannot be made independently of this one.
    fn meets(&self, other: &Self) -> bool {
        let (a, b) = (&self.base, &other.base);
        let overlap = a.start < b.end && b.start < a.end;
        let touch = a.start <= b.end && b.start <= a.end;
        overlap || (touch && (self.adds_lines() || other.adds_lines()))
    }
}

/// Merges the changes from `base` to `ours` and those from `base` to `theirs`.
pub fn merge(base: &str, ours: &str, theirs: &str) -> Merged {
    let [base, ours, theirs] = same_line_ends([base, ours, theirs]);
    let (base, ours, theirs) = (split(&base), split(&ours), split(&theirs));
    let numbers = numbered([&base, &ours, &theirs]);
    let (our_changes, their_changes) = (
        changes(&numbers[0], &numbers[1]),
        changes(&numbers[0], &numbers[2]),
    );
    let mut out = Merged {
        text: String::new(),
        conflicts: Vec::new(),
    };
    let (mut o, mut t, mut at) = (0, 0, 0);
    while o < our_changes.len() || t < their_changes.len() {
        let group = Group::next(&our_changes, &their_changes, &mut o, &mut t);
        out.push(&base[at..group.base.start]);
        at = group.base.end;
        let before = &base[group.base.clone()];
        let mine = group.side(&our_changes, group.ours.clone(), &base, &ours);
        let other = group.side(&their_changes, group.theirs.clone(), &base, &theirs);
        if mine == other || group.theirs.is_empty() {
            out.push(&mine);
        } else if group.ours.is_empty() {
            out.push(&other);
        } else {
            let start = out.text.len();
            out.push(&other);
            out.conflicts.push(Conflict {
                base: before.concat(),
                ours: mine.concat(),
                theirs: other.concat(),
                place: start..out.text.len(),
            });
        }
    }
    out.push(&base[at..]);
    out
}

impl Merged {
    fn push(&mut self, lines: &[&str]) {
        lines.iter().for_each(|line| self.text.push_str(line));
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
    fn next(ours: &[Change], theirs: &[Change], o: &mut usize, t: &mut usize) -> Self {
        let (first_o, first_t) = (*o, *t);
        let starts = |change: Option<&Change>| {
            change.map_or((usize::MAX, usize::MAX), |change| {
                (change.base.start, change.base.end)
            })
        };
        let mut base = if starts(ours.get(*o)) <= starts(theirs.get(*t)) {
            *o += 1;
            ours[first_o].base.clone()
        } else {
            *t += 1;
            theirs[first_t].base.clone()
        };
        loop {
            let meets =
                |change: &Change, others: &[Change]| others.iter().any(|other| change.meets(other));
            if theirs
                .get(*t)
                .is_some_and(|change| meets(change, &ours[first_o..*o]))
            {
                base.end = base.end.max(theirs[*t].base.end);
                base.start = base.start.min(theirs[*t].base.start);
                *t += 1;
            } else if ours
                .get(*o)
                .is_some_and(|change| meets(change, &theirs[first_t..*t]))
            {
                base.end = base.end.max(ours[*o].base.end);
                base.start = base.start.min(ours[*o].base.start);
                *o += 1;
            } else {
                break;
            }
        }
        Self {
            base,
            ours: first_o..*o,
            theirs: first_t..*t,
        }
    }

    /// The lines of a side in place of the group's lines of the base.
    fn side<'t>(
        &self,
        changes: &[Change],
        which: Span,
        base: &[&'t str],
        side: &[&'t str],
    ) -> Vec<&'t str> {
        let mut lines = Vec::new();
        let mut at = self.base.start;
        for change in &changes[which] {
            lines.extend_from_slice(&base[at..change.base.start]);
            lines.extend_from_slice(&side[change.side.clone()]);
            at = change.base.end;
        }
        lines.extend_from_slice(&base[at..self.base.end]);
        lines
    }
}

/// The lines with their ends.
fn split(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let next = after_line_end(text, line_end(text, at));
        lines.push(&text[at..next]);
        at = next;
    }
    lines
}

/// Where one side changed all line ends, the other two get them as well: what is left to compare
/// are the words.
fn same_line_ends(texts: [&str; 3]) -> [String; 3] {
    let [base, ours, theirs] = texts.map(|text| Lines::of(text).ending);
    let ending = if theirs == base { ours } else { theirs };
    if ours == theirs && theirs == base {
        return texts.map(str::to_owned);
    }
    texts.map(|text| {
        let own = Lines::of(text).ending;
        let ended = |line: &str| match line.strip_suffix(own) {
            Some(words) if !words.ends_with('\r') => format!("{words}{ending}"),
            _ => line.to_owned(),
        };
        match own == ending {
            true => text.to_owned(),
            false => split(text).into_iter().map(ended).collect(),
        }
    })
}

/// The same number for the same line, as text: one number to a line.
fn numbered(texts: [&[&str]; 3]) -> [String; 3] {
    use std::fmt::Write as _;
    let mut known: HashMap<String, usize> = HashMap::new();
    texts.map(|lines| {
        let mut numbers = String::new();
        for line in lines {
            let next = known.len();
            let number = *known.entry((*line).to_owned()).or_insert(next);
            // Writing to a string cannot fail.
            let _ = writeln!(numbers, "{number}");
        }
        numbers
    })
}

/// What a side changed, in order, as ranges of lines.
fn changes(base: &str, side: &str) -> Vec<Change> {
    let mut options = DiffOptions::new();
    options.set_context_len(0);
    let patch = options.create_patch(base, side);
    let range = |start: usize, length: usize| {
        // A range of no lines names the line before it.
        let start = if length == 0 { start } else { start - 1 };
        start..start + length
    };
    patch
        .hunks()
        .iter()
        .map(|hunk| Change {
            base: range(hunk.old_range().start(), hunk.old_range().len()),
            side: range(hunk.new_range().start(), hunk.new_range().len()),
        })
        .collect()
}
