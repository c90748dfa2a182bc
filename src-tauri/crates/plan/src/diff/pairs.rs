//! Matches the tasks of two versions.

use std::collections::HashMap;

use super::words::tokens;
use crate::align::{Alignment, Interner, runs};
use crate::model::{IdOrigin, Plan, Task};

/// Minimum similarity of two titles to count as a rewording.
const MIN_SIMILARITY: f64 = 0.5;

/// Maximum number of pairs in a gap for which the best matching is computed exactly.
const MAX_PAIRS: usize = 10_000;

/// Number of candidates compared with each task if a gap has more pairs.
const WINDOW: usize = 16;

/// The tasks of two versions, matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pairs {
    /// For each task of the later version, its index in the earlier one.
    pub(crate) before: Vec<Option<usize>>,
    /// For each task of the earlier version, its index in the later one.
    pub(crate) after: Vec<Option<usize>>,
}

impl Pairs {
    pub(crate) fn of(before: &Plan, after: &Plan) -> Self {
        let mut pairs = Self {
            before: vec![None; after.tasks.len()],
            after: vec![None; before.tasks.len()],
        };
        pairs.by_id(before, after);
        pairs.by_content(before, after);
        pairs
    }

    fn join(&mut self, before: usize, after: usize) {
        self.before[after] = Some(before);
        self.after[before] = Some(after);
    }

    /// Matches tasks with the same written id: the first with the first, the second
    /// with the second.
    fn by_id(&mut self, before: &Plan, after: &Plan) {
        let mut known: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, task) in before.tasks.iter().enumerate().rev() {
            if task.id_origin == IdOrigin::Written {
                known.entry(task.id.as_str()).or_default().push(index);
            }
        }
        for (index, task) in after.tasks.iter().enumerate() {
            if task.id_origin == IdOrigin::Written
                && let Some(old) = known.get_mut(task.id.as_str()).and_then(Vec::pop)
            {
                self.join(old, index);
            }
        }
    }

    fn by_content(&mut self, before: &Plan, after: &Plan) {
        let open = |paired: &[Option<usize>]| -> Vec<usize> {
            (0..paired.len())
                .filter(|index| paired[*index].is_none())
                .collect()
        };
        let (old, new) = (open(&self.after), open(&self.before));
        if old.is_empty() || new.is_empty() {
            return;
        }
        let mut titles = Interner::new();
        let old_titles = titles.all(old.iter().map(|at| before.tasks[*at].title.as_str()));
        let new_titles = titles.all(new.iter().map(|at| after.tasks[*at].title.as_str()));
        let (mut old_from, mut new_from) = (0, 0);
        let mut gaps = Vec::new();
        for run in runs(&old_titles, &new_titles, Alignment::Unique) {
            gaps.push((old_from..run.before, new_from..run.after));
            for step in 0..run.length {
                let (from, to) = (old[run.before + step], new[run.after + step]);
                if can_match(&before.tasks[from], &after.tasks[to]) {
                    self.join(from, to);
                }
            }
            (old_from, new_from) = (run.before + run.length, run.after + run.length);
        }
        gaps.push((old_from..old.len(), new_from..new.len()));
        // Tasks whose title occurs elsewhere have moved.
        let mut left: HashMap<u32, Vec<usize>> = HashMap::new();
        for (place, index) in old.iter().enumerate().rev() {
            if self.after[*index].is_none() && !before.tasks[*index].title.is_empty() {
                left.entry(old_titles[place]).or_default().push(*index);
            }
        }
        for (place, index) in new.iter().enumerate() {
            if self.before[*index].is_none()
                && let Some(found) = left.get_mut(&new_titles[place])
                && let Some(old) = found.last().copied()
                && can_match(&before.tasks[old], &after.tasks[*index])
            {
                found.pop();
                self.join(old, *index);
            }
        }
        for (old_range, new_range) in gaps {
            let from: Vec<usize> = old[old_range]
                .iter()
                .copied()
                .filter(|index| self.after[*index].is_none())
                .collect();
            let to: Vec<usize> = new[new_range]
                .iter()
                .copied()
                .filter(|index| self.before[*index].is_none())
                .collect();
            for (old, new) in best_matching(before, after, &from, &to) {
                self.join(old, new);
            }
        }
    }
}

/// Whether two tasks can match. With different written ids, everything else has to be equal.
fn can_match(before: &Task, after: &Task) -> bool {
    before.id_origin == IdOrigin::Positional
        || after.id_origin == IdOrigin::Positional
        || (before.body == after.body && same_fields(before, after) && !before.title.is_empty())
}

pub(super) fn same_fields(before: &Task, after: &Task) -> bool {
    before.fields.len() == after.fields.len()
        && before
            .fields
            .iter()
            .zip(&after.fields)
            .all(|(old, new)| old.key == new.key && old.value == new.value)
}

/// The order-preserving matching with the highest total similarity.
fn best_matching(before: &Plan, after: &Plan, from: &[usize], to: &[usize]) -> Vec<(usize, usize)> {
    if from.is_empty() || to.is_empty() {
        return Vec::new();
    }
    let bags = |plan: &Plan, tasks: &[usize]| -> Vec<Bag> {
        let of = |index: &usize| Bag::of(&plan.tasks[*index]);
        tasks.iter().map(of).collect()
    };
    let (old, new) = (bags(before, from), bags(after, to));
    let similarity = |i: usize, j: usize| {
        let (a, b) = (&before.tasks[from[i]], &after.tasks[to[j]]);
        let both_written = a.id_origin == IdOrigin::Written && b.id_origin == IdOrigin::Written;
        let similarity = if both_written {
            0.0
        } else {
            old[i].similarity(&new[j])
        };
        if similarity >= MIN_SIMILARITY {
            similarity
        } else {
            0.0
        }
    };
    let mut found = Vec::new();
    if from.len().saturating_mul(to.len()) > MAX_PAIRS {
        let mut next = 0;
        for (i, old) in from.iter().enumerate() {
            let window = next..to.len().min(next + WINDOW);
            let best = window
                .map(|j| (j, similarity(i, j)))
                .reduce(|best, other| if other.1 > best.1 { other } else { best });
            if let Some((j, score)) = best
                && score > 0.0
            {
                found.push((*old, to[j]));
                next = j + 1;
            }
        }
        return found;
    }
    // `best[i][j]`: the best total similarity of tasks from i and j on.
    let width = to.len() + 1;
    let mut best = vec![0.0_f64; (from.len() + 1) * width];
    let mut scores = vec![0.0_f64; from.len() * to.len()];
    for i in (0..from.len()).rev() {
        for j in (0..to.len()).rev() {
            let score = similarity(i, j);
            scores[i * to.len() + j] = score;
            let skip = best[(i + 1) * width + j].max(best[i * width + j + 1]);
            let pair = score + best[(i + 1) * width + j + 1];
            best[i * width + j] = if score > 0.0 { skip.max(pair) } else { skip };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < from.len() && j < to.len() {
        let score = scores[i * to.len() + j];
        let here = best[i * width + j];
        if score > 0.0 && here <= score + best[(i + 1) * width + j + 1] {
            found.push((from[i], to[j]));
            (i, j) = (i + 1, j + 1);
        } else if here <= best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

/// The words of a title, and the content under it.
#[derive(Debug)]
struct Bag {
    words: Vec<String>,
    under: Option<String>,
}

impl Bag {
    fn of(task: &Task) -> Self {
        let mut words: Vec<String> = tokens(&task.title)
            .into_iter()
            .filter(|token| token.chars().any(char::is_alphanumeric))
            .map(str::to_lowercase)
            .collect();
        words.sort_unstable();
        let fields = task.fields.iter();
        let mut under: Vec<&str> = fields.map(|field| field.value.as_str()).collect();
        under.push(&task.body);
        let under = under.join("\n");
        Self {
            words,
            under: (!under.trim().is_empty()).then_some(under),
        }
    }

    /// Similarity from 0 (nothing in common) to 1.
    fn similarity(&self, other: &Self) -> f64 {
        let (mut i, mut j, mut common) = (0, 0, 0_u32);
        while i < self.words.len() && j < other.words.len() {
            match self.words[i].cmp(&other.words[j]) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    common += 1;
                    (i, j) = (i + 1, j + 1);
                }
            }
        }
        let all = u32::try_from(self.words.len() + other.words.len()).unwrap_or(u32::MAX);
        let words = if all == 0 {
            0.0
        } else {
            f64::from(2 * common) / f64::from(all)
        };
        // The same content under another title is a rewording.
        let stayed = self.under.is_some() && self.under == other.under;
        words.max(if stayed { MIN_SIMILARITY } else { 0.0 })
    }
}
