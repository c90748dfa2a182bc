//! Normalizes the words of a text so that they can be compared: "exported" becomes "export", and
//! `CsvWriter` becomes "csv" and "writer".
//!
//! Endings of English, German, French and Spanish are removed. Chinese, Japanese and Korean text,
//! which has no spaces between words, is split into the longest words that [`crate::rarity`] knows.
//! Words that most passages contain ("the", "und", "的") are left out.

mod search;
mod stem;

use stem::stem;

use crate::rarity::{self, hash};
use rustc_hash::FxHashSet;

pub(crate) use crate::rarity::Term;
pub(crate) use search::Search;

/// Words with fewer bits are left out, because two of three passages contain them.
const MIN_BITS: f64 = 0.6;
/// Words with fewer bits count as common, because one of sixteen passages contains them.
const COMMON_BITS: f64 = 4.0;

/// How informative a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A common word: "add", "show", "user".
    Common,
    /// An ordinary word.
    Plain,
    /// A name, a number, a path or a flag.
    Name,
}

/// A filter that quickly rejects words by their first three letters when searching.
pub(crate) struct Filter {
    /// One flag for each combination of three letters.
    beginnings: Vec<bool>,
}

impl Filter {
    /// The filter for the words of these texts, and the terms of those words.
    fn of<'t>(texts: impl Iterator<Item = &'t str>) -> (Self, Vec<Term>) {
        let mut filter = Self {
            beginnings: vec![false; 32 * 32 * 32],
        };
        let mut wanted = Vec::new();
        for text in texts {
            of(text, None, &mut |term, _, word| {
                filter.add(&lowered(word));
                wanted.push(term);
            });
        }
        (filter, wanted)
    }

    fn add(&mut self, word: &str) {
        if let Some(at) = beginning(word.as_bytes()) {
            self.beginnings[at] = true;
        }
    }

    fn passes(&self, word: &str) -> bool {
        beginning(word.as_bytes()).is_none_or(|at| self.beginnings[at])
    }
}

/// Index of the first three letters; `None` if they are not all ASCII letters.
fn beginning(word: &[u8]) -> Option<usize> {
    let [first, second, third, ..] = word else {
        return None;
    };
    let letter = |byte: &u8| byte.is_ascii_lowercase().then_some(usize::from(byte & 31));
    Some((letter(first)? << 10) | (letter(second)? << 5) | letter(third)?)
}

fn lowered(word: &str) -> String {
    word.chars()
        .flat_map(char::to_lowercase)
        .map(plain)
        .collect()
}

/// The terms of all words in some texts.
pub(crate) fn words_of<'t>(texts: impl Iterator<Item = &'t str>) -> FxHashSet<Term> {
    let mut words = FxHashSet::default();
    for text in texts {
        of(text, None, &mut |term, _, _| {
            words.insert(term);
        });
    }
    words
}

/// Calls `take` with each informative word of a text: its term, its kind, and the word as written.
/// Words that the filter rejects may be skipped.
pub(crate) fn of(text: &str, filter: Option<&Filter>, take: &mut impl FnMut(Term, Kind, &str)) {
    spaced(text, filter, &mut |term, is_name, word| {
        weighed(term, is_name, word, take)
    });
    unspaced(text, take);
}

/// Calls `take` with the term of each word, informative or not, and the word as written. Ignores
/// scripts without spaces. The tables of [`crate::rarity`] are made with this function.
pub fn stems(text: &str, take: &mut impl FnMut(Term, &str)) {
    spaced(text, None, &mut |term, _, word| take(term, word));
}

/// Calls `take` with the term of each space-separated word, whether it is a name, and the word as
/// written.
fn spaced(text: &str, filter: Option<&Filter>, take: &mut impl FnMut(Term, bool, &str)) {
    let mut in_code = false;
    let mut start: Option<usize> = None;
    let mut begins_sentence = true;
    let mut before = ' ';
    let mut flush = |from: usize, to: usize, in_code: bool, begins: bool, before: char| {
        word(&text[from..to], in_code, begins, before, filter, take);
    };
    for (at, c) in text.char_indices() {
        let is_part = if c.is_ascii() {
            c.is_ascii_alphanumeric() || (c == '\'' && start.is_some())
        } else {
            (c.is_alphanumeric() && !is_pairwise(c)) || (c == '’' && start.is_some())
        };
        if is_part {
            start.get_or_insert(at);
            continue;
        }
        let follows_word = start.is_some();
        if let Some(from) = start.take() {
            // The first part of a `snake_case` name counts as a name, like the other parts.
            flush(from, at, in_code || c == '_', begins_sentence, before);
            begins_sentence = false;
        }
        match c {
            '`' => in_code = !in_code,
            '\n' => in_code = false,
            _ => {}
        }
        begins_sentence |= matches!(c, '.' | '\n' | '?' | '!' | ':');
        // "well-known" is prose, but "--known" is not.
        before = if c == '-' && follows_word { ' ' } else { c };
    }
    if let Some(from) = start {
        flush(from, text.len(), in_code, begins_sentence, before);
    }
}

/// Whether the character belongs to a script without spaces between words.
fn is_pairwise(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ac00}'..='\u{d7af}')
}

/// Calls `take` with the words of a text without spaces: from left to right, the longest known word
/// or, failing that, a single character.
fn unspaced(text: &str, take: &mut impl FnMut(Term, Kind, &str)) {
    const MAX_CHARS: usize = 5;
    if text.is_ascii() {
        return;
    }
    // Hiragana mostly form endings and particles, which are not distinctive.
    let counts = |c: char| is_pairwise(c) && !matches!(c, '\u{3040}'..='\u{309f}');
    for run in text.split(|c| !counts(c)) {
        let mut rest = run;
        while !rest.is_empty() {
            let ends = rest.char_indices().skip(1).map(|(at, _)| at);
            let mut ends: Vec<usize> = ends.chain([rest.len()]).take(MAX_CHARS).collect();
            let first = ends.remove(0);
            let known = ends
                .into_iter()
                .rev()
                .find(|end| rarity::is_known(hash(&rest.as_bytes()[..*end])));
            let (word, left) = rest.split_at(known.unwrap_or(first));
            weighed(hash(word.as_bytes()), false, word, take);
            rest = left;
        }
    }
}

fn lower_start(word: &str) -> [u8; 3] {
    let mut start = [0; 3];
    for (to, from) in start.iter_mut().zip(word.bytes()) {
        *to = from.to_ascii_lowercase();
    }
    start
}

/// Processes one word as written and splits code names into their parts.
fn word(
    word: &str,
    in_code: bool,
    begins: bool,
    before: char,
    filter: Option<&Filter>,
    take: &mut impl FnMut(Term, bool, &str),
) {
    let word = word
        .split(['\'', '’'])
        .find(|part| part.chars().count() > 2)
        .unwrap_or(word);
    if filter.is_some_and(|filter| {
        word.is_ascii() && beginning(&lower_start(word)).is_some_and(|at| !filter.beginnings[at])
    }) && !word[1..].bytes().any(|byte| byte.is_ascii_uppercase())
    {
        return;
    }
    let mut humps = 0;
    let mut last = ' ';
    for c in word.chars() {
        humps += usize::from(c.is_uppercase() && last.is_lowercase());
        last = c;
    }
    if humps == 0 {
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        let is_capital = word.chars().next().is_some_and(char::is_uppercase);
        let is_shout =
            is_capital && word.chars().count() > 1 && !word.chars().any(char::is_lowercase);
        let is_name =
            in_code || is_shout || matches!(before, '/' | '_' | '.' | '-') && !begins || is_number;
        single(
            word,
            is_name,
            is_capital && !begins,
            is_number,
            filter,
            take,
        );
        return;
    }
    let mut from = 0;
    let mut last = ' ';
    for (at, c) in word.char_indices() {
        if c.is_uppercase() && last.is_lowercase() {
            single(&word[from..at], true, false, false, filter, take);
            from = at;
        }
        last = c;
    }
    single(&word[from..], true, false, false, filter, take);
}

/// Passes the word on if it is informative.
fn weighed(term: Term, is_name: bool, word: &str, take: &mut impl FnMut(Term, Kind, &str)) {
    let bits = rarity::bits(term);
    if is_name {
        take(term, Kind::Name, word);
    } else if bits >= MIN_BITS {
        let kind = if bits < COMMON_BITS {
            Kind::Common
        } else {
            Kind::Plain
        };
        take(term, kind, word);
    }
}

fn single(
    word: &str,
    is_name: bool,
    is_capital: bool,
    is_number: bool,
    filter: Option<&Filter>,
    take: &mut impl FnMut(Term, bool, &str),
) {
    let mut buffer = [0_u8; 48];
    let mut owned = String::new();
    let lower: &str = if word.is_ascii() && word.len() <= buffer.len() {
        let bytes = &mut buffer[..word.len()];
        bytes.copy_from_slice(word.as_bytes());
        bytes.make_ascii_lowercase();
        std::str::from_utf8(bytes).unwrap_or(word)
    } else {
        owned.extend(word.chars().flat_map(char::to_lowercase).map(plain));
        &owned
    };
    if filter.is_some_and(|filter| !filter.passes(lower)) {
        return;
    }
    let length = lower.chars().count();
    if length < 2 && !is_number {
        return;
    }
    let term = hash(stem(lower).as_bytes());
    // German capitalizes all nouns, so only unlisted ones count as names.
    let is_name = is_name || is_number || is_capital && !rarity::is_known(term);
    take(term, is_name, word);
}

/// The letter without diacritics, so that "Löschen" equals "loschen".
fn plain(c: char) -> char {
    match c {
        'ä' | 'à' | 'á' | 'â' | 'ã' => 'a',
        'ö' | 'ó' | 'ô' | 'ò' | 'õ' => 'o',
        'ü' | 'ú' | 'ù' | 'û' => 'u',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'î' | 'ï' => 'i',
        'ç' => 'c',
        'ñ' => 'n',
        other => other,
    }
}

#[cfg(test)]
mod tests;
