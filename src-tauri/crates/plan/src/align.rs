//! Aligns two lists of lines, words or tasks.
//!
//! Running time is bounded for any input: lists with little in common, or with many repeated items,
//! get a coarser alignment instead of a slower one.

use std::collections::HashMap;
use std::hash::Hash;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A maximal block of items that both lists share: its start in each list, and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) before: usize,
    pub(crate) after: usize,
    pub(crate) length: usize,
}

/// Interns items as small numbers, so that equal items compare as equal integers.
#[derive(Debug)]
pub(crate) struct Interner<K> {
    known: HashMap<K, u32>,
}

impl<K: Hash + Eq> Interner<K> {
    pub(crate) fn new() -> Self {
        Self {
            known: HashMap::new(),
        }
    }

    /// The number of an item; new items get the next free number.
    pub(crate) fn of(&mut self, thing: K) -> u32 {
        let next = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        *self.known.entry(thing).or_insert(next)
    }

    /// The numbers of a list of items.
    pub(crate) fn all(&mut self, things: impl IntoIterator<Item = K>) -> Vec<u32> {
        things.into_iter().map(|thing| self.of(thing)).collect()
    }
}

/// How to align the items between the common prefix and the common suffix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alignment {
    /// Aligns items that are unique on both sides first; for lines, many of which repeat.
    Unique,
    /// Finds the shortest edit script; for words.
    Shortest,
}

/// The runs that both lists share, in order. Adjacent runs are merged.
pub(crate) fn runs<T: Eq + Hash + Ord>(
    before: &[T],
    after: &[T],
    alignment: Alignment,
) -> Vec<Run> {
    let same = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (old, new) = (&before[same..], &after[same..]);
    let ends = old.iter().rev().zip(new.iter().rev());
    let same_end = ends.take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - same_end], &new[..new.len() - same_end]);
    let mut runs = Vec::new();
    let mut push = |run: Run| {
        if run.length == 0 {
            return;
        }
        match runs.last_mut() {
            Some(Run {
                before,
                after,
                length,
            }) if *before + *length == run.before && *after + *length == run.after => {
                *length += run.length;
            }
            _ => runs.push(run),
        }
    };
    push(Run {
        before: 0,
        after: 0,
        length: same,
    });
    if !old.is_empty() && !new.is_empty() {
        let algorithm = match alignment {
            Alignment::Unique => Algorithm::Patience,
            Alignment::Shortest => Algorithm::Myers,
        };
        for op in capture_diff_slices(algorithm, old, new) {
            if let DiffOp::Equal {
                old_index,
                new_index,
                len,
            } = op
            {
                push(Run {
                    before: same + old_index,
                    after: same + new_index,
                    length: len,
                });
            }
        }
    }
    push(Run {
        before: before.len() - same_end,
        after: after.len() - same_end,
        length: same_end,
    });
    runs
}

/// Marks a longest increasing subsequence: the largest set of items that can stay in place, so that
/// the fewest count as moved.
pub(crate) fn in_order(numbers: &[usize]) -> Vec<bool> {
    // `tails[n]`: the index of the smallest number that ends an increasing subsequence of length
    // n + 1.
    let mut tails: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (at, number) in numbers.iter().enumerate() {
        let length = tails.partition_point(|tail| numbers[*tail] < *number);
        previous.push(length.checked_sub(1).map(|shorter| tails[shorter]));
        match tails.get_mut(length) {
            Some(tail) => *tail = at,
            None => tails.push(at),
        }
    }
    let mut stays = vec![false; numbers.len()];
    let mut at = tails.last().copied();
    while let Some(index) = at {
        stays[index] = true;
        at = previous[index];
    }
    stays
}
