//! Which known revision a text was most likely made from.
//!
//! Another editor may save a buffer that it loaded before the file changed. Its text lacks all that
//! came in between; taken for an edit of the newest revision it would take that back. So the text is
//! held against the revisions that are known. Its distance to one is counted in lines that only one of
//! both has, and between equals in words: those that changed within lines that changed, and eight for
//! every line that only came or only went. Words alone do not do: a line that text and revision have
//! both rewritten can look more alike than what it was, and would outweigh what is missing elsewhere.
//!
//! **The rule.** A text is a stale save when
//! 1. it equals no known revision: a text that does is a return to it (undo, `git checkout`);
//! 2. a revision older than the newest is nearer, and clearly so: what lies between that revision
//!    and the newest is missing in the text for seven eighths or more, in lines or in words. With `d`
//!    the distance to the older one, `n` that to the newest and `b` that between the two, `n = d + b`
//!    when all of it is missing, `d = n + b` when none is, and seven eighths are missing at
//!    `n - d = b * 3 / 4`;
//! 3. it takes something back by name: a line that came after the older revision is not in it, or
//!    one that went is in it again.
//!
//! An edit of the newest revision that undoes all of the newest change, and does more besides, cannot
//! be told from a stale save. It is taken for one, for merging it loses nothing.
//!
//! Of revisions at the same distance the newest of all is chosen if it is among them, else the
//! oldest: text and revisions have then rewritten the same line, and from the older one that is
//! shown as a conflict, while from the newer one the text would win unseen. Of the same content the
//! newest is chosen. Lines are compared without their ends.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::align::{Care, Numbers, Run, runs};
use crate::diff::tokens;
use crate::lines::{after_line_end, line_end};

/// What a line costs that came or went as a whole, and the most that a changed line can cost twice
/// of.
const LINE: usize = 8;

/// The revisions that are compared word by word, of those with equally many lines in common.
const COMPARED: usize = 32;

/// Words of one changed place that are compared; beyond, whole lines are counted.
const MAX_WORDS: usize = 20_000;

/// The revision nearest to a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// Its place among the candidates; 0 is the newest.
    pub index: usize,
    /// How far the text is from it, in words; 0 when it is the same.
    pub distance: usize,
    /// How far the text is from the newest, in words.
    pub of_latest: usize,
    /// How far the revision is from the newest, in words.
    between: usize,
    lines: Triangle,
    takes_back: bool,
}

/// How far a text, a revision and the newest one are from each other, by one measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Triangle {
    distance: usize,
    of_latest: usize,
    between: usize,
}

impl Triangle {
    /// Whether what lies between the revision and the newest is missing in the text.
    fn lacks_what_came(self) -> bool {
        let nearer_by = self.of_latest.saturating_sub(self.distance);
        nearer_by > 0 && 4 * nearer_by >= 3 * self.between
    }
}

impl Nearest {
    /// Whether the text was made from this older revision and must be merged from there; see the
    /// rule of this module.
    pub fn is_stale(&self) -> bool {
        let is_older = self.distance > 0 && self.index > 0;
        let words = Triangle {
            distance: self.distance,
            of_latest: self.of_latest,
            between: self.between,
        };
        let lacks = words.lacks_what_came() || self.lines.lacks_what_came();
        is_older && lacks && self.takes_back
    }
}

/// The candidate, newest first, that `text` is nearest to; `None` without any.
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
        .map(|(_, profile)| own.lines_apart(profile))
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
    for at in as_near.take(COMPARED) {
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
        lines: Triangle {
            distance: fewest,
            of_latest: apart[0],
            between: profile.lines_apart(&latest.1),
        },
        takes_back: own.takes_back(profile, &latest.1),
    })
}

/// The lines of a text, as numbers.
#[derive(Debug)]
struct Profile {
    lines: Vec<u64>,
    /// Where each begins; one more for the end of the text.
    starts: Vec<usize>,
    /// How often each occurs.
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

    /// How many lines only one of both has, whatever their order.
    fn lines_apart(&self, other: &Self) -> usize {
        let common: usize = self
            .counts
            .iter()
            .map(|(line, count)| other.count(*line).min(*count))
            .sum();
        self.lines.len() + other.lines.len() - 2 * common
    }

    /// Whether a line that came after `older` is missing here, or one that went is here.
    fn takes_back(&self, older: &Self, latest: &Self) -> bool {
        let came = latest
            .counts
            .iter()
            .any(|(line, count)| *count > older.count(*line) && self.count(*line) < *count);
        let went = older
            .counts
            .iter()
            .any(|(line, count)| *count > latest.count(*line) && self.count(*line) >= *count);
        // Lines that only changed places are neither.
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
        let shared = runs(&self.lines, &other.lines, Care::Unique);
        let (mut own_at, mut other_at, mut distance) = (0, 0, 0);
        for run in shared.into_iter().chain([end]) {
            let mine = &self.starts[own_at..=run.before];
            let theirs = &other.starts[other_at..=run.after];
            distance += apart((own_text, mine), (other_text, theirs));
            (own_at, other_at) = (run.before + run.length, run.after + run.length);
        }
        distance
    }
}

/// How far the lines of one changed place are from each other. Lines are given by where they begin,
/// and where the one behind them does.
fn apart((own_text, mine): (&str, &[usize]), (other_text, other): (&str, &[usize])) -> usize {
    let whole = LINE * (mine.len() + other.len() - 2);
    let (&[from, .., to], &[other_from, .., other_to]) = (mine, other) else {
        return whole;
    };
    let mine = tokens(&own_text[from..to]);
    let other = tokens(&other_text[other_from..other_to]);
    if mine.len() + other.len() > MAX_WORDS {
        return whole;
    }
    let mut numbers = Numbers::new();
    let mine = numbers.all(mine);
    let other = numbers.all(other);
    let shared: usize = runs(&mine, &other, Care::Shortest)
        .iter()
        .map(|run| run.length)
        .sum();
    whole.min(mine.len() + other.len() - 2 * shared)
}
