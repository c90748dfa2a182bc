//! Splits a text into words: identifiers are split into parts and also kept whole, in lowercase.
//!
//! A whole identifier is written in snake case, whatever its style, so `readRows`, `read-rows` and
//! `read_rows` are the same word. Scripts without spaces are indexed as character pairs. Words are
//! not stemmed here, except to compare inflections.

use std::collections::HashMap;

use crate::among;

/// Maximum number of distinct words per file.
pub(super) const MAX_WORDS: usize = 8_000;
/// Maximum number of distinct words per data file.
pub(super) const MAX_DATA_WORDS: usize = 1_000;
/// Maximum occurrences of a word counted per file; more would take space and add little, since BM25
/// saturates.
const MAX_REPEATS: u8 = 4;
/// Maximum length of a part of an identifier, in bytes; longer ones are keys or digests.
const MAX_PART_LEN: usize = 32;
/// Maximum length of a whole identifier, in bytes.
const MAX_NAME_LEN: usize = 64;

/// English stop words, which are not indexed.
const STOP_WORDS: &str =
    "the of and to in is it for on as be or an by at that this with from not are";

/// The words of these texts, separated by spaces: at most `most` distinct words, each at most four
/// times.
pub(super) fn joined<'t>(texts: impl IntoIterator<Item = &'t str>, most: usize) -> String {
    let mut counts: HashMap<String, u8> = HashMap::new();
    let mut joined = String::new();
    for text in texts {
        each(text, &mut |word| {
            if let Some(count) = counts.get_mut(word) {
                if *count == MAX_REPEATS {
                    return;
                }
                *count += 1;
            } else if counts.len() == most {
                return;
            } else {
                counts.insert(word.to_owned(), 1);
            }
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(word);
        });
    }
    joined
}

/// The words of a path, one folder after another.
pub(super) fn of_path(path: &str) -> String {
    let parts = path.split(['/', '.']);
    joined(parts, MAX_DATA_WORDS)
}

/// The distinct words of a text, in order; a whole identifier comes before its parts.
pub fn of(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    each(text, &mut |word| {
        if !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    });
    found
}

/// A name regardless of its case style, for approximate matching: `readRows` and `read_rows` are
/// the same.
pub fn folded(name: &str) -> String {
    let plain = name.chars().filter(|c| *c != '_');
    plain.flat_map(char::to_lowercase).collect()
}

/// Whether two lowercase words are inflections of one: rows and row, parsing and parse.
pub(super) fn alike(one: &str, other: &str) -> bool {
    one == other || root(one) == root(other)
}

/// A word without its inflectional suffix.
pub(super) fn root(word: &str) -> &str {
    for ending in ["ings", "ing", "ers", "er", "ed", "es", "s", "e"] {
        if let Some(root) = word.strip_suffix(ending)
            && root.len() > 2
            && !(ending == "s" && root.ends_with('s'))
        {
            return root;
        }
    }
    word
}

/// Calls `take` for each word of a text, in order; a whole identifier comes before its parts.
fn each(text: &str, take: &mut dyn FnMut(&str)) {
    let mut rest = text;
    let mut parts: Vec<String> = Vec::new();
    while let Some(start) = rest.find(is_of_word) {
        rest = &rest[start..];
        let end = run_end(rest);
        let (run, after) = rest.split_at(end);
        rest = after;
        if run.chars().any(is_dense) {
            pairs(run, take);
            continue;
        }
        parts.clear();
        split(run, &mut parts);
        if parts.len() > 1 {
            let whole = parts.join("_");
            if whole.len() <= MAX_NAME_LEN {
                take(&whole);
            }
        }
        for part in &parts {
            if is_worth_keeping(part) {
                take(part);
            }
            let bare = part.trim_end_matches(|c: char| c.is_ascii_digit());
            if bare.len() > 2 && bare.len() < part.len() && is_worth_keeping(bare) {
                take(bare);
            }
        }
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The end of a run of word characters; a hyphen between letters is part of the run.
fn run_end(text: &str) -> usize {
    let mut before = ' ';
    let mut letters = text.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let joins = c == '-'
            && before.is_alphabetic()
            && letters.peek().is_some_and(|(_, next)| next.is_alphabetic());
        if !is_of_word(c) && !joins {
            return at;
        }
        before = c;
    }
    text.len()
}

/// The lowercase parts of a name: `HTTPServer2_max` becomes http, server2, max.
fn split(run: &str, parts: &mut Vec<String>) {
    for piece in run.split(['_', '-']) {
        let letters: Vec<char> = piece.chars().collect();
        let mut part = String::new();
        for (at, c) in letters.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| letters.get(at));
            let begins = c.is_uppercase()
                && before.is_some_and(|before| {
                    !before.is_uppercase()
                        || letters.get(at + 1).is_some_and(|next| next.is_lowercase())
                });
            if begins && !part.is_empty() {
                parts.push(std::mem::take(&mut part));
            }
            part.extend(c.to_lowercase());
        }
        if !part.is_empty() {
            parts.push(part);
        }
    }
}

fn is_worth_keeping(part: &str) -> bool {
    let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
    let longest = if is_number { 5 } else { MAX_PART_LEN };
    part.chars().nth(1).is_some() && part.len() <= longest && !among(part, STOP_WORDS)
}

/// Whether a character belongs to a script that is indexed as character pairs: Han, Kana or Hangul.
fn is_dense(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

fn pairs(run: &str, take: &mut dyn FnMut(&str)) {
    let letters: Vec<char> = run.chars().collect();
    if letters.len() == 1 {
        take(run);
    }
    for pair in letters.windows(2) {
        take(&pair.iter().collect::<String>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_and_kept_whole() {
        for (text, words) in [
            ("readRows", "read_rows read rows"),
            ("read_rows", "read_rows read rows"),
            ("--dry-run", "dry_run dry run"),
            ("HTTPServer", "http_server http server"),
            ("utf8 x 404 1234567", "utf8 utf 404"),
            ("der Größe nach", "der größe nach"),
            ("報告書", "報告 告書"),
            ("the rows of it", "rows"),
        ] {
            assert_eq!(of(text).join(" "), words, "{text}");
        }
    }

    #[test]
    fn a_word_counts_four_times_at_most_and_a_file_has_an_end() {
        assert_eq!(joined(["row row row row row row"], 9), "row row row row");
        assert_eq!(joined(["one two three two"], 2), "one two two");
        assert_eq!(joined(["0f3a9be1c4d25f6a7b8c9d0e1f2a3b4c5d"], 9), "");
    }

    #[test]
    fn forms_of_a_word_are_alike() {
        for (one, other) in [
            ("rows", "row"),
            ("parsing", "parse"),
            ("exporter", "export"),
        ] {
            assert!(alike(one, other), "{one} {other}");
        }
        assert!(!alike("class", "clas") && !alike("report", "row"));
    }
}
