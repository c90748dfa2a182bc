//! The words of a text in a form in which they can be compared: "exported" is "export", `CsvWriter`
//! is "csv" and "writer", a picture is an image.
//!
//! Endings of English, German, French and Spanish are cut off. Words that say nothing ("the", "und")
//! are left out. Chinese, Japanese and Korean are compared by pairs of letters.

mod lists;
mod search;
mod stem;

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use lists::{COMMON, STOP, SYNONYMS};
use stem::stem;

pub(crate) use search::Search;

/// One word, as a number.
pub(crate) type Term = u64;

/// How much a word tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Fits many texts: "add", "show", "user".
    Common,
    /// A word like others.
    Plain,
    /// A name, a number, a path, a flag.
    Name,
}

/// Which words are worth a look: those that begin like a word that is looked for.
pub(crate) struct Filter {
    /// One bit for each beginning of three letters.
    beginnings: Vec<bool>,
}

impl Filter {
    /// For the words of some texts, and those that mean the same; with the words as numbers.
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
        for group in SYNONYMS {
            let means = |word: &str| wanted.contains(&meaning(stem(word)));
            if group.split(' ').next().is_some_and(means) {
                group.split(' ').for_each(|word| filter.add(word));
            }
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

/// The first three letters as a number; `None` where they are not all plain letters.
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

/// Calls `take` with each word of a text that says something, what it is, and how it is written.
/// Words that the filter does not let pass may be left out.
pub(crate) fn of(text: &str, filter: Option<&Filter>, take: &mut impl FnMut(Term, Kind, &str)) {
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
        if let Some(from) = start.take() {
            flush(from, at, in_code, begins_sentence, before);
            begins_sentence = false;
        }
        match c {
            '`' => in_code = !in_code,
            '\n' => in_code = false,
            _ => {}
        }
        begins_sentence |= matches!(c, '.' | '\n' | '?' | '!' | ':');
        before = c;
    }
    if let Some(from) = start {
        flush(from, text.len(), in_code, begins_sentence, before);
    }
    pairs(text, take);
}

/// Scripts that are compared by pairs of letters.
fn is_pairwise(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ac00}'..='\u{d7af}')
}

fn pairs(text: &str, take: &mut impl FnMut(Term, Kind, &str)) {
    if text.is_ascii() {
        return;
    }
    let mut last: Option<(usize, char)> = None;
    for (at, c) in text.char_indices() {
        // Hiragana are endings and particles; they tie nothing together.
        let counts = is_pairwise(c) && !matches!(c, '\u{3040}'..='\u{309f}');
        if let (Some((from, _)), true) = (last, counts) {
            let pair = &text[from..at + c.len_utf8()];
            take(hash(pair.as_bytes()), Kind::Plain, pair);
        }
        last = counts.then_some((at, c));
    }
}

fn lower_start(word: &str) -> [u8; 3] {
    let mut start = [0; 3];
    for (to, from) in start.iter_mut().zip(word.bytes()) {
        *to = from.to_ascii_lowercase();
    }
    start
}

/// One word as it is written: names in code are taken apart.
fn word(
    word: &str,
    in_code: bool,
    begins: bool,
    before: char,
    filter: Option<&Filter>,
    take: &mut impl FnMut(Term, Kind, &str),
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
            is_name || (is_capital && !begins),
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
            single(&word[from..at], true, false, filter, take);
            from = at;
        }
        last = c;
    }
    single(&word[from..], true, false, filter, take);
}

fn is_common(stemmed: &str) -> bool {
    static STEMS: LazyLock<HashSet<&'static str>> =
        LazyLock::new(|| COMMON.iter().map(|word| stem(word)).collect());
    STEMS.contains(stemmed)
}

fn single(
    word: &str,
    is_name: bool,
    is_number: bool,
    filter: Option<&Filter>,
    take: &mut impl FnMut(Term, Kind, &str),
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
    if (length < 2 && !is_number) || STOP.binary_search(&lower).is_ok() {
        return;
    }
    let stemmed = stem(lower);
    let kind = if is_number || is_name {
        Kind::Name
    } else if is_common(stemmed) {
        Kind::Common
    } else {
        Kind::Plain
    };
    take(meaning(stemmed), kind, word);
}

/// A letter without its mark, so that "Löschen" and "loschen" are one.
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

/// The number of a stemmed word; words that mean the same have the same.
fn meaning(stemmed: &str) -> Term {
    static MEANINGS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
        let groups = SYNONYMS.iter().map(|group| group.split(' '));
        groups
            .flat_map(|mut group| {
                let first = group.next().map(stem).unwrap_or_default();
                group.map(move |word| (stem(word), first))
            })
            .collect()
    });
    hash(MEANINGS.get(stemmed).copied().unwrap_or(stemmed).as_bytes())
}

fn hash(bytes: &[u8]) -> Term {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in bytes {
        hash ^= u64::from(*byte);
        hash = hash.wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

#[cfg(test)]
mod tests;
