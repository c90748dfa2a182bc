//! Searches many texts for the words of a few others. Works like [`super::of`], but finds only
//! these wanted words.
//!
//! Ten thousand steps use mostly the same words, so each word is processed once and cached by its
//! letters. Non-ASCII words, long words and `camelCase` names are not cached.

use super::stem::stem;
use super::{Filter, MIN_BITS, Term, beginning, hash, of};
use crate::rarity;
use rustc_hash::FxHashSet;

/// The wanted words, and a cache of the words processed so far.
pub(crate) struct Search {
    filter: Filter,
    wanted: FxHashSet<Term>,
    /// One flag for each possible value of the low bits of a term; set if a wanted word has that
    /// value.
    last_bits: Vec<bool>,
    /// Cached lowercase words, indexed by hash. A new word replaces an old one in the same place.
    seen: Vec<CachedWord>,
}

/// A cached word, encoded as a number, and its term if the word is wanted.
#[derive(Clone, Copy, Default)]
struct CachedWord {
    letters: u128,
    term: Option<Term>,
}

/// Maximum length of a word whose letters fit into the number.
const MAX_LETTERS: usize = 16;
const CACHE_SIZE: usize = 1 << 10;
const LAST_BITS: u64 = (1 << 12) - 1;

impl Search {
    /// A search for the words of these texts.
    pub(crate) fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let (filter, terms) = Filter::of(texts);
        let mut last_bits = vec![false; LAST_BITS as usize + 1];
        for term in &terms {
            last_bits[(term & LAST_BITS) as usize] = true;
        }
        Self {
            filter,
            wanted: terms.into_iter().collect(),
            last_bits,
            seen: vec![CachedWord::default(); CACHE_SIZE],
        }
    }

    fn wants(&self, term: Term) -> bool {
        self.last_bits[(term & LAST_BITS) as usize] && self.wanted.contains(&term)
    }

    /// Appends the wanted words that a text contains, in order and with repetitions.
    pub(crate) fn take(&mut self, text: &str, found: &mut Vec<Term>) {
        if !text.is_ascii() {
            self.take_slowly(text, found);
            return;
        }
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if !bytes[at].is_ascii_alphanumeric() {
                at += 1;
                continue;
            }
            let from = at;
            let mut letters: u128 = 0;
            let mut has_digit = false;
            let mut is_odd = false;
            let mut was_lower = false;
            while let Some(byte) = bytes.get(at) {
                let byte = *byte;
                if byte.is_ascii_lowercase() {
                    was_lower = true;
                } else if byte.is_ascii_uppercase() {
                    is_odd |= was_lower;
                    was_lower = false;
                } else if byte.is_ascii_digit() {
                    has_digit = true;
                    was_lower = false;
                } else if byte == b'\'' {
                    is_odd = true;
                } else {
                    break;
                }
                letters = (letters << 8) | u128::from(byte.to_ascii_lowercase());
                at += 1;
            }
            if is_odd || at - from > MAX_LETTERS {
                // A word on its own is processed as it would be within a text, except for its
                // weight.
                self.take_slowly(&text[from..at], found);
            } else if has_digit {
                found.extend(self.number(letters, at - from));
            } else {
                found.extend(self.word(letters, at - from));
            }
        }
    }

    fn take_slowly(&self, text: &str, found: &mut Vec<Term>) {
        of(text, Some(&self.filter), &mut |term, _, _| {
            if self.wants(term) {
                found.push(term);
            }
        });
    }

    /// The term of a word with a digit, which has no ending to remove; `None` if the word isn't
    /// wanted.
    fn number(&self, letters: u128, length: usize) -> Option<Term> {
        let bytes = letters.to_be_bytes();
        let word = &bytes[MAX_LETTERS - length..];
        if length < 2 && !word[0].is_ascii_digit() {
            return None;
        }
        let term = hash(word);
        self.wants(term).then_some(term)
    }

    /// The term of a word that consists only of letters; `None` if the word isn't wanted.
    fn word(&mut self, letters: u128, length: usize) -> Option<Term> {
        let bytes = letters.to_be_bytes();
        let word = &bytes[MAX_LETTERS - length..];
        if length < 2 || beginning(word).is_some_and(|at| !self.filter.beginnings[at]) {
            return None;
        }
        // Mixes the last letters into the first ones.
        let mixed = (letters as u64 ^ (letters >> 64) as u64).wrapping_mul(0x517c_c1b7_2722_0a95);
        let place = (mixed >> (u64::BITS - CACHE_SIZE.ilog2())) as usize;
        let seen = self.seen[place];
        if seen.letters == letters {
            return seen.term;
        }
        let term = std::str::from_utf8(word)
            .ok()
            .map(|word| hash(stem(word).as_bytes()))
            .filter(|term| self.wants(*term) && rarity::bits(*term) >= MIN_BITS);
        self.seen[place] = CachedWord { letters, term };
        term
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_finds_the_same_words_as_full_parsing() {
        let wanted =
            "Export the rows of `CsvWriter` as r12 pictures, don't forget 7 Größen and 数据";
        let mut search = Search::of([wanted].into_iter());
        let mut looked_for = Vec::new();
        of(wanted, None, &mut |term, _, _| looked_for.push(term));
        for text in [
            wanted,
            "EXPORTING an image: row 7 of R12.py, csvWriter and writers",
            "Don't export what doesn't matter; 'rows' and export's rows'",
            "the incomprehensibilities of exporting CounterrevolutionariesCsv",
            "größe der Daten, 数据库",
            "x y 7 _export_ rows-2 2rows rows2",
            "",
        ] {
            let (mut found, mut expected) = (Vec::new(), Vec::new());
            // Search twice, because the cached result must be the same.
            search.take(text, &mut found);
            found.clear();
            search.take(text, &mut found);
            of(text, None, &mut |term, _, _| {
                if looked_for.contains(&term) {
                    expected.push(term);
                }
            });
            assert_eq!(found, expected, "{text}");
        }
    }
}
