//! Stored data that plain English says goodbye to: as an order ("wipe the old bucket"), in the
//! passive ("the storage should be cleared"), or around the corner ("old rows can go").

use std::borrow::Cow;
use std::ops::Range;

use super::words::{
    AS_NOUN, BORDERS, CONTENTS, DOING, DONE_TO, IN_USE, MAYBE_STORES, OF_TESTS, ON_SCREEN, PARTS,
    PRECIOUS, RUIN, STORES, TAKE_AWAY, is_in,
};

/// One word of a sentence, in lower case.
struct Word<'a> {
    text: Cow<'a, str>,
    at: Range<usize>,
}

/// The first such words for which `counts` holds.
pub(super) fn find(text: &str, counts: impl Fn(&Range<usize>) -> bool) -> Option<Range<usize>> {
    let mut start = 0;
    while start < text.len() {
        let end = sentence_end(text, start);
        let words = words(text, start..end);
        let found = (0..words.len())
            .filter_map(|at| ordered(&words, at).or_else(|| suffered(&words, at)))
            .find(|found| counts(found));
        if found.is_some() {
            return found;
        }
        start = end + 1;
    }
    None
}

/// A line, or what ends with a point or semicolon before white space.
fn sentence_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    (start..bytes.len())
        .find(|at| match bytes[*at] {
            b'\n' | b';' => true,
            b'.' | b'!' | b'?' => bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace),
            _ => false,
        })
        .unwrap_or(bytes.len())
}

fn words(text: &str, range: Range<usize>) -> Vec<Word<'_>> {
    let is_inside =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '’' | '/' | '.');
    let mut words = Vec::new();
    let mut start = None;
    let sentence = &text[range.clone()];
    let ends = sentence.char_indices().chain([(sentence.len(), ' ')]);
    for (at, c) in ends {
        match (start, is_inside(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                let word = &sentence[from..at];
                let text = if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
                    Cow::Owned(word.to_ascii_lowercase())
                } else {
                    Cow::Borrowed(word)
                };
                let at = range.start + from..range.start + at;
                words.push(Word { text, at });
                start = None;
            }
            _ => {}
        }
    }
    words
}

/// What a verb does: `Some(true)` nothing but harm.
fn verb(word: &str) -> Option<bool> {
    let base = |list: &[&str]| list.iter().any(|verb| is_form(verb, word));
    if base(RUIN) {
        Some(true)
    } else if base(TAKE_AWAY) || is_in(AS_NOUN, word) {
        Some(false)
    } else {
        None
    }
}

/// Whether a word is a verb's own form, that with "s", or that with "ing".
fn is_form(verb: &str, word: &str) -> bool {
    let Some(rest) = word.strip_prefix(verb.trim_end_matches('e')) else {
        return false;
    };
    let silent = &verb[verb.trim_end_matches('e').len()..];
    let doubled = rest.strip_prefix(verb.chars().next_back().unwrap_or(' '));
    rest == silent
        || rest.strip_prefix(silent) == Some("s")
        || rest == "ing"
        || doubled == Some("ing")
}

/// An order at `at`: a verb and what it reaches.
fn ordered(words: &[Word<'_>], at: usize) -> Option<Range<usize>> {
    const REACH: usize = 9;
    let verb_word = &words[at];
    let is_ruin = verb(&verb_word.text)?;
    // "with the delete removed", "on delete": a name, not an order.
    if at > 0
        && matches!(
            &*words[at - 1].text,
            "on" | "a" | "an" | "the" | "of" | "no"
        )
        && !is_in(AS_NOUN, &verb_word.text)
    {
        return None;
    }
    let mut precious = false;
    let mut in_use = false;
    let mut named = false;
    for (ahead, word) in words.iter().enumerate().skip(at + 1).take(REACH) {
        let text = &*word.text;
        if is_in(BORDERS, text) {
            return None;
        }
        precious |= is_in(PRECIOUS, text);
        in_use |= is_in(IN_USE, text);
        named |= text.contains('_');
        let next = words.get(ahead + 1).map_or("", |word| &*word.text);
        let found = Found {
            noun: text,
            next,
            is_ruin,
            precious,
            in_use,
            named,
            verb: &verb_word.text,
        };
        if found.is_harm(words, ahead) {
            return Some(verb_word.at.start..word.at.end);
        }
        if is_in(PARTS, text) && !is_in(CONTENTS, text) {
            return None;
        }
    }
    None
}

/// A noun that a verb reached, with what stood on the way.
struct Found<'a> {
    noun: &'a str,
    next: &'a str,
    verb: &'a str,
    is_ruin: bool,
    precious: bool,
    in_use: bool,
    named: bool,
}

impl Found<'_> {
    fn is_harm(&self, words: &[Word<'_>], at: usize) -> bool {
        let is_store = is_in(STORES, self.noun);
        let is_maybe = is_in(MAYBE_STORES, self.noun);
        let is_content = is_in(CONTENTS, self.noun);
        if !(is_store || is_maybe || is_content)
            || is_in(PARTS, self.next)
            || self.next == "of-contents"
        {
            return false;
        }
        // The noun only describes the next one: "customer records", "database storage".
        let is_followed = [STORES, MAYBE_STORES, CONTENTS]
            .iter()
            .any(|list| is_in(list, self.next));
        if is_followed {
            return false;
        }
        if self.in_use {
            return true;
        }
        if has(words, OF_TESTS) {
            return false;
        }
        // "Remove the database from the parser" is about code.
        let is_removed_from = self.verb.starts_with("remov") && self.next == "from";
        if is_store {
            return !is_removed_from;
        }
        if has(words, ON_SCREEN) || is_browsers(words, at) {
            return false;
        }
        if is_maybe {
            return self.is_ruin
                || self.named
                || matches!(self.verb, "truncate" | "truncating")
                || (self.precious && !is_removed_from && !self.verb.starts_with("drop"))
                || (self.verb.starts_with("delet") && !self.noun.starts_with("column"));
        }
        let is_plain = matches!(
            self.noun,
            "logs" | "messages" | "users" | "documents" | "uploads"
        );
        self.precious
            && !is_removed_from
            && (self.is_ruin || !is_plain || self.verb.starts_with("delet"))
    }
}

/// A fate at `at`: stored data, and what should become of it.
fn suffered(words: &[Word<'_>], at: usize) -> Option<Range<usize>> {
    const REACH: usize = 9;
    let noun = &*words[at].text;
    let bare = noun.trim_end_matches("'s").trim_end_matches("’s");
    let is_store = is_in(STORES, bare);
    let is_maybe = is_in(MAYBE_STORES, bare);
    let is_content = is_in(CONTENTS, bare) || matches!(bare, "row" | "record" | "copy" | "entries");
    if !(is_store || is_maybe || is_content) {
        return None;
    }
    let from = (0..at)
        .rev()
        .take_while(|before| !is_in(BORDERS, &words[*before].text))
        .last()
        .unwrap_or(at);
    let in_use = words[from..=at]
        .iter()
        .any(|word| is_in(IN_USE, &word.text));
    if !in_use
        && (has(words, OF_TESTS)
            || (!is_store && (has(words, ON_SCREEN) || is_browsers(words, at))))
    {
        return None;
    }
    // "All users can go" says less than "old rows can go".
    if matches!(bare, "users" | "customers" | "messages") && !in_use {
        return None;
    }
    let ahead = words.get(at + 1..)?;
    let ahead = &ahead[..ahead.len().min(REACH)];
    let modal = (0..ahead.len()).find(|at| {
        let next = ahead.get(at + 1).map_or("", |word| &*word.text);
        is_modal(&ahead[*at].text, next)
    })?;
    // "Records can be removed" may tell what a product offers.
    let is_offer = matches!(&*ahead[modal].text, "can" | "may" | "might" | "could");
    let is_precious = words[from..=at]
        .iter()
        .any(|word| is_in(PRECIOUS, &word.text));
    if is_offer && !is_store && !is_precious {
        return None;
    }
    // "the table component should": another noun is what suffers.
    if ahead[..modal]
        .iter()
        .any(|word| is_in(PARTS, &word.text) || is_in(&["that", "which", "who"], &word.text))
    {
        return None;
    }
    let fate = ahead[modal + 1..]
        .iter()
        .enumerate()
        .take(6)
        .find_map(|(nth, word)| {
            let text = &*word.text;
            let next = ahead.get(modal + nth + 2).map_or("", |word| &*word.text);
            let is_gone = match text {
                "go" | "disappear" | "vanish" => may_end(next),
                "thrown" | "blown" => next == "away",
                "torn" => next == "down",
                _ => is_in(DONE_TO, text) || is_in(DOING, text),
            };
            let is_void = matches!(text, "empty") && may_end(next);
            (is_gone || is_void).then_some(word.at.end)
        })?;
    Some(words[from].at.start..fate)
}

/// Whether a word says what shall become of something; some do so only with the next one.
fn is_modal(word: &str, next: &str) -> bool {
    match word {
        "should" | "must" | "will" | "shall" | "can" | "may" | "might" | "could" => true,
        "is" | "are" | "has" | "have" | "ought" => next == "to",
        "need" | "needs" | "want" | "wants" => next == "to" || is_in(DOING, next),
        _ => false,
    }
}

/// Whether a clause can end before this word: "rows can go", not "rows can go to the archive".
fn may_end(next: &str) -> bool {
    matches!(
        next,
        "" | "away"
            | "now"
            | "too"
            | "first"
            | "entirely"
            | "completely"
            | "before"
            | "after"
            | "once"
            | "when"
            | "then"
            | "and"
            | "as"
            | "so"
            | "for"
            | "since"
            | "because"
            | "if"
            | "unless"
    )
}

fn has(words: &[Word<'_>], list: &[&str]) -> bool {
    words.iter().any(|word| is_in(list, &word.text))
}

/// "local storage", "session storage": a browser's, not the server's.
fn is_browsers(words: &[Word<'_>], at: usize) -> bool {
    at > 0
        && matches!(
            &*words[at - 1].text,
            "local" | "session" | "browser" | "virtual" | "html" | "markdown" | "sound" | "audio"
        )
}
