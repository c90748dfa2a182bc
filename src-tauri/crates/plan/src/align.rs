//! Which lines, words or tasks of two lists are the same ones, in order.
//!
//! The work is bounded for any input: lists that have little in common, or the same few things over
//! and over, are aligned less well, not slower.

use std::collections::HashMap;
use std::hash::Hash;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A run of things that both lists have: where it begins in each, and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) before: usize,
    pub(crate) after: usize,
    pub(crate) length: usize,
}

/// Small numbers for things: the same one for what is equal.
#[derive(Debug)]
pub(crate) struct Numbers<K> {
    known: HashMap<K, u32>,
}

impl<K: Hash + Eq> Numbers<K> {
    pub(crate) fn new() -> Self {
        Self {
            known: HashMap::new(),
        }
    }

    /// The number of a thing; a new one for a new thing.
    pub(crate) fn of(&mut self, thing: K) -> u32 {
        let next = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        *self.known.entry(thing).or_insert(next)
    }

    /// The numbers of a list.
    pub(crate) fn all(&mut self, things: impl IntoIterator<Item = K>) -> Vec<u32> {
        things.into_iter().map(|thing| self.of(thing)).collect()
    }
}

/// How the things between the common beginning and the common end are aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Care {
    /// What occurs once on both sides comes first: for lines, of which many repeat.
    Unique,
    /// The shortest way from one to the other: for words.
    Shortest,
}

/// The runs that both lists share, in the order of both, none next to another in both lists.
pub(crate) fn runs<T: Eq + Hash + Ord>(before: &[T], after: &[T], care: Care) -> Vec<Run> {
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
        let algorithm = match care {
            Care::Unique => Algorithm::Patience,
            Care::Shortest => Algorithm::Myers,
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

/// Which of the numbers belong to a longest sequence that only grows: the most that can stay where
/// they are, so that the others are the fewest that must have moved.
pub(crate) fn in_order(numbers: &[usize]) -> Vec<bool> {
    // `tails[n]`: where the sequence of n + 1 numbers with the smallest end has its end.
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
