//! Finds the words of a step that only restate a part of the goal or a listed requirement.

use crate::plan_context::PlanContext;
use crate::rarity;
use crate::terms::{self, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// A part counts as quoted if a step contains at least this share of its bits.
const QUOTED: f64 = 0.75;
/// Words that occur in more parts than this are ignored.
const MAX_PARTS: usize = 50;

/// The parts of the goal and the requirements.
pub(super) struct GoalParts {
    /// Information content of each part, in bits.
    bits: Vec<f64>,
    /// The parts that contain each word.
    parts: FxHashMap<Term, Vec<usize>>,
}

impl GoalParts {
    pub(super) fn of(context: &PlanContext<'_>) -> Self {
        let mut asked = Self {
            bits: Vec::new(),
            parts: FxHashMap::default(),
        };
        let listed = context.listed().iter().map(|one| one.text.as_str());
        let of_goal = context
            .asked
            .requirements
            .iter()
            .map(|part| part.text.as_str());
        for (at, text) in listed.chain(of_goal).enumerate() {
            let mut words: Vec<Term> = Vec::new();
            terms::of(text, None, &mut |term, _, _| words.push(term));
            words.sort_unstable();
            words.dedup();
            asked
                .bits
                .push(words.iter().map(|term| rarity::bits(*term)).sum());
            for term in words {
                asked.parts.entry(term).or_default().push(at);
            }
        }
        asked.parts.retain(|_, parts| parts.len() <= MAX_PARTS);
        asked
    }

    /// The words with which a step restates a part that it quotes.
    pub(super) fn restated(&self, words: impl Iterator<Item = Term> + Clone) -> FxHashSet<Term> {
        let quoted = self.quoted(words.clone());
        if quoted.is_empty() {
            return FxHashSet::default();
        }
        let repeats = |term: &Term| {
            let parts = self.parts.get(term);
            parts.is_some_and(|parts| parts.iter().any(|part| quoted.contains(part)))
        };
        words.filter(repeats).collect()
    }

    /// The parts that are quoted by these words.
    pub(super) fn quoted(&self, words: impl Iterator<Item = Term>) -> FxHashSet<usize> {
        let mut said: FxHashMap<usize, f64> = FxHashMap::default();
        for term in words {
            for part in self.parts.get(&term).into_iter().flatten() {
                *said.entry(*part).or_default() += rarity::bits(term);
            }
        }
        let is_quoted = |(part, bits): (usize, f64)| {
            let is_quoted = bits >= QUOTED * self.bits[part];
            is_quoted.then_some(part)
        };
        said.into_iter().filter_map(is_quoted).collect()
    }
}
