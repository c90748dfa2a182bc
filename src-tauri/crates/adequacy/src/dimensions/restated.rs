//! Which words of a step only repeat what is asked for: those of a part of the goal, or of a listed
//! requirement, that it quotes nearly whole.

use crate::maps::{QuickMap, QuickSet};
use crate::rarity;
use crate::reading::Reading;
use crate::terms::{self, Term};

/// The share of its bits from which on a part is quoted.
const QUOTED: f64 = 0.75;
/// A word that more of the parts have tells nothing of any.
const MAX_PARTS: usize = 50;

/// What is asked for, part by part.
pub(super) struct Asked {
    /// The bits of each part.
    bits: Vec<f64>,
    /// Which parts have a word.
    parts: QuickMap<Term, Vec<usize>>,
}

impl Asked {
    pub(super) fn of(reading: &Reading<'_>) -> Self {
        let mut asked = Self {
            bits: Vec::new(),
            parts: QuickMap::default(),
        };
        let listed = reading.listed().iter().map(|one| one.text.as_str());
        let of_goal = reading
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

    /// Those of a step's different words that repeat a part which the step quotes.
    pub(super) fn restated(&self, words: impl Iterator<Item = Term> + Clone) -> QuickSet<Term> {
        let quoted = self.quoted(words.clone());
        if quoted.is_empty() {
            return QuickSet::default();
        }
        let repeats = |term: &Term| {
            let parts = self.parts.get(term);
            parts.is_some_and(|parts| parts.iter().any(|part| quoted.contains(part)))
        };
        words.filter(repeats).collect()
    }

    /// The parts that different words quote.
    pub(super) fn quoted(&self, words: impl Iterator<Item = Term>) -> QuickSet<usize> {
        let mut said: QuickMap<usize, f64> = QuickMap::default();
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
