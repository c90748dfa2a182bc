//! Measures how many words of a requirement the steps of a plan contain. Rare words count more than
//! common ones, and a word that occurs in several requirements counts less for each of them. Long
//! steps contain many words by chance, so each of their words counts slightly less.
//!
//! Measured on requirements of real plans that a reader judged (`cargo xtask eval --adequacy
//! --corpus`): nine of ten covered requirements are recognized, and 97 of 100 requirements of other
//! plans are rejected. The missed ones use synonyms; word vectors did not improve this.

use crate::rarity;
use crate::terms::Term;
use rustc_hash::FxHashMap;

/// Bits subtracted from the weight of every word, because even unrelated passages share that much.
const SHARED: f64 = 0.7;
/// Typical length of a one-line step, in bytes.
const LINE_LEN: f64 = 150.0;
/// How much weight each word loses, in square roots of bits, when a step's length doubles.
const LENGTH_PRICE: f64 = 0.1;
/// How much weight each word loses, in bits, when a step's length doubles. After `PAGE` doublings
/// it loses twice as much, because a page contains most words by chance.
const BIT_PRICE: f64 = 0.5;
const PAGE: f64 = 3.0;
/// Weight of the best step's share; the share of all steps together has the remaining weight.
const BEST: f64 = 0.8;
/// Like [`BEST`], but for shares measured in bits.
const BEST_BITS: f64 = 0.6;
/// A requirement with less weight than this, in square roots of bits, has no words worth searching
/// for.
const MIN_WEIGHT: f64 = 1.5;

/// The words of a requirement and their weights. A weight is the square root of the word's bits,
/// because two rare words are stronger evidence than one even rarer word.
pub(super) struct Weighed {
    words: Vec<Word>,
    total: f64,
    bits: f64,
}

struct Word {
    term: Term,
    bits: f64,
    weight: f64,
}

impl Weighed {
    /// Weighs the distinct words of a requirement, each given with the number of requirements that
    /// contain it.
    pub(super) fn of(words: impl Iterator<Item = (Term, usize)>) -> Self {
        let words: Vec<Word> = words
            .map(|(term, texts)| {
                let bits = (rarity::bits(term) - SHARED).max(0.0);
                let weight = bits.sqrt() / texts as f64;
                Word { term, bits, weight }
            })
            .collect();
        let total = words.iter().map(|word| word.weight).sum();
        let bits = words.iter().map(|word| word.bits).sum();
        Self { words, total, bits }
    }

    /// Whether the requirement is informative enough to search for.
    pub(super) fn can_be_found(&self) -> bool {
        let alone = self.words.iter().map(|word| word.bits.sqrt());
        alone.sum::<f64>() >= MIN_WEIGHT
    }

    /// Total bits of all words.
    pub(super) fn bits(&self) -> f64 {
        self.bits
    }

    /// Number of words.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = Term> {
        self.words.iter().map(|word| word.term)
    }
}

/// The words of one step.
#[derive(Clone)]
pub(crate) struct Words {
    /// Index of the step's task in the plan.
    pub(crate) index: usize,
    /// The searched words that the step contains, sorted and without duplicates.
    pub(super) found: Vec<Term>,
    /// Length of the step's title and body, in bytes.
    pub(super) length: usize,
    /// Whether the step has a `covers:` line for a listed requirement.
    pub(super) says_covers: bool,
}

/// The extent to which the steps cover a requirement.
pub(super) struct TargetMatch {
    /// The tasks that contain words of the requirement, each with its share of them, 0 to 1; the
    /// highest first.
    pub(super) tasks: Vec<(usize, f64)>,
    /// The share of the words that all tasks together contain, weighted toward the best task; 0 to
    /// 1.
    pub(super) share: f64,
    /// The share of the requirement's bits that all tasks together contain, with less credit for
    /// long steps; 0 to 1.
    pub(super) bits: f64,
}

/// The tasks that contain each word.
pub(crate) struct Overlap {
    tasks: FxHashMap<Term, Vec<usize>>,
    /// The length discount of each task.
    prices: Vec<f64>,
    /// The length discount of all tasks together.
    price: f64,
}

impl Overlap {
    pub(super) fn of<'w>(targets: impl Iterator<Item = &'w Weighed>, words: &[Words]) -> Self {
        let mut tasks: FxHashMap<Term, Vec<usize>> = targets
            .flat_map(Weighed::terms)
            .map(|term| (term, Vec::new()))
            .collect();
        for (at, words) in words.iter().enumerate() {
            for term in &words.found {
                if let Some(list) = tasks.get_mut(term) {
                    list.push(at);
                }
            }
        }
        // Steps repeat each other's words, so their combined length is reduced.
        let together: f64 = words.iter().map(|words| words.length as f64).sum();
        Self {
            tasks,
            prices: words
                .iter()
                .map(|words| price(words.length as f64))
                .collect(),
            price: price(together.powf(0.8)),
        }
    }

    /// Whether any task contains the word.
    pub(super) fn is_said(&self, term: Term) -> bool {
        self.tasks.get(&term).is_some_and(|tasks| !tasks.is_empty())
    }

    /// The extent to which the tasks cover a requirement.
    pub(super) fn said(&self, target: &Weighed) -> TargetMatch {
        // A word that hundreds of tasks contain is uninformative and slow to count.
        const MAX_TASKS: usize = 400;
        let total = target.total.max(f64::MIN_POSITIVE);
        let bits = target.bits.max(f64::MIN_POSITIVE);
        let mut shares: FxHashMap<usize, (f64, f64)> = FxHashMap::default();
        let (mut all, mut all_bits) = (0.0, 0.0);
        for word in &target.words {
            let tasks = self.tasks.get(&word.term).map_or(&[][..], Vec::as_slice);
            if !tasks.is_empty() {
                all += (word.weight - LENGTH_PRICE * self.price).max(0.0) / total;
                all_bits += (word.bits - bit_price(self.price)).max(0.0) / bits;
            }
            if tasks.len() > MAX_TASKS && target.len() > 1 {
                continue;
            }
            for task in tasks {
                let (share, said) = shares.entry(*task).or_default();
                *share += (word.weight - LENGTH_PRICE * self.prices[*task]).max(0.0) / total;
                *said += (word.bits - bit_price(self.prices[*task])).max(0.0) / bits;
            }
        }
        let best_bits = shares.values().map(|(_, said)| *said).fold(0.0, f64::max);
        let mut tasks: Vec<(usize, f64)> = shares
            .into_iter()
            .map(|(task, (share, _))| (task, share))
            .collect();
        tasks.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        let best = tasks.first().map_or(0.0, |(_, share)| *share);
        TargetMatch {
            share: BEST * best + (1.0 - BEST) * all,
            bits: BEST_BITS * best_bits + (1.0 - BEST_BITS) * all_bits,
            tasks,
        }
    }
}

/// The length discount of a step: the base-2 logarithm of its length relative to one line.
fn price(length: f64) -> f64 {
    (length / LINE_LEN).max(1.0).log2()
}

/// The discount on each word, in bits.
fn bit_price(price: f64) -> f64 {
    BIT_PRICE * (price + (price - PAGE).max(0.0))
}
