//! Finds the known revision that a text was most likely made from.
//!
//! Another editor may save a buffer that it loaded before the file changed. Its text lacks all
//! changes made since then; if it were treated as an edit of the newest revision, it would revert
//! them. So the text is compared with the known revisions. The distance to a revision is the number
//! of lines that only one of the two has. Ties are broken by a distance in words, which counts the
//! changed words within changed lines, and counts eight for each added or removed line. A distance
//! in words alone would not work: a line that both the text and a revision rewrote can be more
//! similar to that revision than to the original, which would outweigh changes missing elsewhere.
//!
//! **The rule.** A text is a stale save if
//! 1. it equals no known revision; a text that equals one is a deliberate return to it (undo, `git
//!    checkout`);
//! 2. an older revision is clearly nearer than the newest: the text lacks at least seven eighths of
//!    the changes between the two, in lines or in words. With `d` the distance to the older one,
//!    `n` that to the newest and `b` that between the two, `n = d + b` if all changes are missing,
//!    `d = n + b` if none are, and seven eighths are missing at `n - d = b * 3 / 4`;
//! 3. it reverts something specific: a line added since the older revision is missing, or a removed
//!    one is back.
//!
//! An edit of the newest revision that undoes its last change and changes something else can't be
//! distinguished from a stale save. It is treated as one, since merging loses nothing.
//!
//! If several revisions are at the same distance, the newest revision of all is chosen if it is one
//! of them, else the oldest of them: the text and the revisions have then rewritten the same line,
//! which shows up as a conflict with the older base, while with a newer base the text would
//! silently win. Of revisions with the same content, the newest is chosen. Line endings are
//! ignored.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::align::{Alignment, Interner, Run, runs};
use crate::diff::tokens;
use crate::lines::{after_line_end, line_end};

/// The cost of an added or removed line, and half the maximum cost of a changed one.
const LINE_COST: usize = 8;

/// Maximum number of revisions with the same line distance that are compared word by word.
const MAX_COMPARED: usize = 32;

/// Maximum number of words compared in one changed range; in larger ranges, whole lines are
/// compared.
const MAX_WORDS: usize = 20_000;

/// The revision nearest to a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// The index of the revision among the candidates; 0 is the newest.
    pub index: usize,
    /// The distance from the text to the revision, in words; 0 if they are equal.
    pub distance: usize,
    /// The distance from the text to the newest revision, in words.
    pub of_latest: usize,
    /// The distance from this revision to the newest, in words.
    between: usize,
    lines: Distances,
    reverts: bool,
}

/// The distances between a text, a revision and the newest revision, all in the same unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Distances {
    distance: usize,
    of_latest: usize,
    between: usize,
}

impl Distances {
    /// Whether the text lacks the changes between the revision and the newest.
    fn lacks_changes(self) -> bool {
        let nearer_by = self.of_latest.saturating_sub(self.distance);
        nearer_by > 0 && 4 * nearer_by >= 3 * self.between
    }
}

impl Nearest {
    /// Whether the text was made from this older revision and must be merged from there; see the
    /// module's rule.
    pub fn is_stale(&self) -> bool {
        let is_older = self.distance > 0 && self.index > 0;
        let words = Distances {
            distance: self.distance,
            of_latest: self.of_latest,
            between: self.between,
        };
        let lacks = words.lacks_changes() || self.lines.lacks_changes();
        is_older && lacks && self.reverts
    }
}

/// The candidate nearest to `text`; `None` if there are none. Candidates are ordered newest first.
pub fn nearest<S: AsRef<str>>(
    text: &str,
    candidates: impl IntoIterator<Item = S>,
) -> Option<Nearest> {
    let own = Profile::of(text);
    let mut known: Vec<(S, Profile)> = Vec::new();
    for candidate in candidates {
        let profile = Profile::of(candidate.as_ref());
        known.push((candidate, profile));
    }
    let latest = known.first()?;
    let apart: Vec<usize> = known
        .iter()
        .map(|(_, profile)| own.line_distance(profile))
        .collect();
    let fewest = *apart.iter().min()?;
    let mut as_near = (0..known.len()).filter(|at| apart[*at] == fewest);
    let of_latest = own.distance(&latest.1, text, latest.0.as_ref());
    let words = |at: usize| match at {
        0 => of_latest,
        _ => own.distance(&known[at].1, text, known[at].0.as_ref()),
    };
    let is_other = |a: usize, b: usize| known[a].0.as_ref() != known[b].0.as_ref();
    let mut index = as_near.next()?;
    let mut distance = words(index);
    for at in as_near.take(MAX_COMPARED) {
        let found = words(at);
        let is_tie = found == distance && index > 0;
        if found < distance || (is_tie && is_other(at, index)) {
            (distance, index) = (found, at);
        }
    }
    let (found, profile) = &known[index];
    Some(Nearest {
        index,
        distance,
        of_latest,
        between: profile.distance(&latest.1, found.as_ref(), latest.0.as_ref()),
        lines: Distances {
            distance: fewest,
            of_latest: apart[0],
            between: profile.line_distance(&latest.1),
        },
        reverts: own.reverts(profile, &latest.1),
    })
}

/// The lines of a text, each represented by a hash.
#[derive(Debug)]
struct Profile {
    lines: Vec<u64>,
    /// Where each line starts, and the end of the text.
    starts: Vec<usize>,
    /// How often each line occurs.
    counts: HashMap<u64, usize>,
}

impl Profile {
    fn of(text: &str) -> Self {
        let number = |line: &str| {
            let mut hasher = DefaultHasher::new();
            line.hash(&mut hasher);
            hasher.finish()
        };
        let (mut lines, mut starts) = (Vec::new(), vec![0]);
        let mut at = 0;
        while at < text.len() {
            let end = line_end(text, at);
            lines.push(number(&text[at..end]));
            at = after_line_end(text, end);
            starts.push(at);
        }
        let mut counts = HashMap::with_capacity(lines.len());
        for line in &lines {
            *counts.entry(*line).or_insert(0) += 1;
        }
        Self {
            lines,
            starts,
            counts,
        }
    }

    fn count(&self, line: u64) -> usize {
        self.counts.get(&line).copied().unwrap_or(0)
    }

    /// The number of lines that only one of the two has, ignoring order.
    fn line_distance(&self, other: &Self) -> usize {
        let common: usize = self
            .counts
            .iter()
            .map(|(line, count)| other.count(*line).min(*count))
            .sum();
        self.lines.len() + other.lines.len() - 2 * common
    }

    /// Whether a line added since `older` is missing here, or a removed one is back. Also true if
    /// `older` and `latest` have the same lines in another order.
    fn reverts(&self, older: &Self, latest: &Self) -> bool {
        let came = latest
            .counts
            .iter()
            .any(|(line, count)| *count > older.count(*line) && self.count(*line) < *count);
        let went = older
            .counts
            .iter()
            .any(|(line, count)| *count > latest.count(*line) && self.count(*line) >= *count);
        // Lines that were only reordered count as neither.
        let is_reordered = older.counts == latest.counts;
        came || went || is_reordered
    }

    fn distance(&self, other: &Self, own_text: &str, other_text: &str) -> usize {
        if own_text == other_text {
            return 0;
        }
        let end = Run {
            before: self.lines.len(),
            after: other.lines.len(),
            length: 0,
        };
        let shared = runs(&self.lines, &other.lines, Alignment::Unique);
        let (mut own_at, mut other_at, mut distance) = (0, 0, 0);
        for run in shared.into_iter().chain([end]) {
            let mine = &self.starts[own_at..=run.before];
            let theirs = &other.starts[other_at..=run.after];
            distance += range_distance((own_text, mine), (other_text, theirs));
            (own_at, other_at) = (run.before + run.length, run.after + run.length);
        }
        distance
    }
}

/// The distance between the lines of one changed range. Lines are given by their start offsets,
/// plus the start of the line after them.
fn range_distance(
    (own_text, mine): (&str, &[usize]),
    (other_text, other): (&str, &[usize]),
) -> usize {
    let whole = LINE_COST * (mine.len() + other.len() - 2);
    let (&[from, .., to], &[other_from, .., other_to]) = (mine, other) else {
        return whole;
    };
    let mine = tokens(&own_text[from..to]);
    let other = tokens(&other_text[other_from..other_to]);
    if mine.len() + other.len() > MAX_WORDS {
        return whole;
    }
    let mut numbers = Interner::new();
    let mine = numbers.all(mine);
    let other = numbers.all(other);
    let shared: usize = runs(&mine, &other, Alignment::Shortest)
        .iter()
        .map(|run| run.length)
        .sum();
    whole.min(mine.len() + other.len() - 2 * shared)
}
