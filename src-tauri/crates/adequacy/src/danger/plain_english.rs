//! Detects data loss described in plain English: as an imperative ("wipe the old bucket"), in the
//! passive ("the storage should be cleared"), or indirectly ("old rows can go").

use std::borrow::Cow;
use std::ops::Range;

use super::lexicon::{
    IS_BORDER, IS_CONTENT, IS_DATA, IS_DOING, IS_DONE, IS_IN_USE, IS_LOSS, IS_MAYBE, IS_NOUN,
    IS_OF_TESTS, IS_ON_SCREEN, IS_PART, IS_PRECIOUS, IS_RUIN, IS_STORE, IS_TAKING, sense,
};

/// One word of a sentence, in lower case.
struct Word<'a> {
    text: Cow<'a, str>,
    at: Range<usize>,
    sense: u16,
}

impl Word<'_> {
    fn is(&self, senses: u16) -> bool {
        self.sense & senses != 0
    }
}

/// The first phrase for which `counts` is true.
pub(super) fn find(text: &str, counts: impl Fn(&Range<usize>) -> bool) -> Option<Range<usize>> {
    let mut start = 0;
    while start < text.len() {
        let end = sentence_end(text, start);
        let sentence = Sentence::of(words(text, start..end));
        if sentence.says(IS_LOSS) && sentence.says(IS_DATA) {
            let mut phrase = Phrase::default();
            let found = (0..sentence.words.len())
                .filter_map(|at| {
                    phrase.push_word(&sentence.words, at);
                    ordered(&sentence, at).or_else(|| passive_loss(&sentence, &phrase, at))
                })
                .find(|found| counts(found));
            if found.is_some() {
                return found;
            }
        }
        start = end + 1;
    }
    None
}

/// The words of a sentence, and the union of their senses.
struct Sentence<'a> {
    words: Vec<Word<'a>>,
    senses: u16,
}

impl<'a> Sentence<'a> {
    fn of(words: Vec<Word<'a>>) -> Self {
        let senses = words.iter().fold(0, |senses, word| senses | word.sense);
        Self { words, senses }
    }

    /// Whether any word of the sentence has one of these senses.
    fn says(&self, senses: u16) -> bool {
        self.senses & senses != 0
    }
}

/// The words since the last clause boundary.
#[derive(Default)]
struct Phrase {
    from: usize,
    senses: u16,
    is_behind_border: bool,
}

impl Phrase {
    /// Adds the word at `at`.
    fn push_word(&mut self, words: &[Word<'_>], at: usize) {
        if std::mem::take(&mut self.is_behind_border) {
            (self.from, self.senses) = (at, 0);
        }
        self.senses |= words[at].sense;
        self.is_behind_border = words[at].is(IS_BORDER);
    }
}

/// The end of a sentence: the end of the line, or a period or semicolon before white space.
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
    let mut words = Vec::with_capacity(range.len() / 6);
    let mut start = None;
    let sentence = &text[range.clone()];
    for (at, c) in sentence.char_indices().chain([(sentence.len(), ' ')]) {
        match (start, is_inside(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                let word = &sentence[from..at];
                let text = if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
                    Cow::Owned(word.to_ascii_lowercase())
                } else {
                    Cow::Borrowed(word)
                };
                words.push(Word {
                    sense: sense(&text),
                    text,
                    at: range.start + from..range.start + at,
                });
                start = None;
            }
            _ => {}
        }
    }
    words
}

/// Matches an imperative at `at`: a verb and its object.
fn ordered(sentence: &Sentence<'_>, at: usize) -> Option<Range<usize>> {
    const MAX_GAP: usize = 9;
    let words = &sentence.words;
    let verb = &words[at];
    if !verb.is(IS_RUIN | IS_TAKING) {
        return None;
    }
    // "with the delete removed", "on delete": here "delete" is a noun, not an imperative.
    let is_name = at > 0
        && matches!(
            &*words[at - 1].text,
            "on" | "a" | "an" | "the" | "of" | "no"
        )
        && !verb.is(IS_NOUN);
    if is_name {
        return None;
    }
    let mut reached = Reached {
        verb: &verb.text,
        is_ruin: verb.is(IS_RUIN),
        is_precious: false,
        is_in_use: false,
        is_named: false,
    };
    for (ahead, word) in words.iter().enumerate().skip(at + 1).take(MAX_GAP) {
        if word.is(IS_BORDER) {
            return None;
        }
        reached.is_precious |= word.is(IS_PRECIOUS);
        reached.is_in_use |= word.is(IS_IN_USE);
        reached.is_named |= word.text.contains('_');
        if reached.is_harm(sentence, ahead) {
            return Some(verb.at.start..word.at.end);
        }
        if word.is(IS_PART) && !word.is(IS_CONTENT) {
            return None;
        }
    }
    None
}

/// The words between a verb and its object.
struct Reached<'a> {
    verb: &'a str,
    is_ruin: bool,
    is_precious: bool,
    is_in_use: bool,
    is_named: bool,
}

impl Reached<'_> {
    /// Whether the word at `at` names stored data that would be lost.
    fn is_harm(&self, sentence: &Sentence<'_>, at: usize) -> bool {
        let words = &sentence.words;
        let noun = &words[at];
        let next = words.get(at + 1);
        // The noun is a part of a program, or the first word of a compound such as "customer
        // records".
        if !noun.is(IS_DATA) || next.is_some_and(|next| next.is(IS_PART | IS_DATA)) {
            return false;
        }
        if self.is_in_use {
            return true;
        }
        if sentence.says(IS_OF_TESTS) {
            return false;
        }
        // "Remove the database from the parser" is about code.
        let is_removed_from =
            self.verb.starts_with("remov") && next.is_some_and(|next| next.text == "from");
        if noun.is(IS_STORE) {
            return !is_removed_from;
        }
        if sentence.says(IS_ON_SCREEN) || is_browsers(words, at) {
            return false;
        }
        if noun.is(IS_MAYBE) {
            return self.is_ruin
                || self.is_named
                || self.verb.starts_with("truncat")
                || (self.is_precious && !is_removed_from && !self.verb.starts_with("drop"))
                || (self.verb.starts_with("delet") && !noun.text.starts_with("column"));
        }
        let is_plain = matches!(
            &*noun.text,
            "logs" | "messages" | "users" | "documents" | "uploads"
        );
        self.is_precious
            && !is_removed_from
            && (self.is_ruin || !is_plain || self.verb.starts_with("delet"))
    }
}

/// Matches a passive or intransitive loss at `at`: stored data, followed by words that say it is
/// lost.
fn passive_loss(sentence: &Sentence<'_>, phrase: &Phrase, at: usize) -> Option<Range<usize>> {
    const MAX_GAP: usize = 9;
    let words = &sentence.words;
    let noun = words[at].text.trim_end_matches("'s").trim_end_matches("’s");
    let mut senses = if noun.len() < words[at].text.len() {
        sense(noun)
    } else {
        words[at].sense
    };
    if matches!(noun, "row" | "record" | "copy" | "entries") {
        senses |= IS_CONTENT;
    }
    if senses & IS_DATA == 0 {
        return None;
    }
    let is_store = senses & IS_STORE != 0;
    let (from, of_it) = (phrase.from, phrase.senses);
    let is_in_use = of_it & IS_IN_USE != 0;
    let is_elsewhere = sentence.says(IS_OF_TESTS)
        || (!is_store && (sentence.says(IS_ON_SCREEN) || is_browsers(words, at)));
    // "All users can go" is weaker evidence than "old rows can go".
    let is_people = matches!(noun, "users" | "customers" | "messages");
    if !is_in_use && (is_elsewhere || is_people) {
        return None;
    }
    let ahead = words.get(at + 1..)?;
    let ahead = &ahead[..ahead.len().min(MAX_GAP)];
    let text = |at: usize| ahead.get(at).map_or("", |word| &*word.text);
    let modal = (0..ahead.len()).find(|at| {
        let is_doing = ahead.get(at + 1).is_some_and(|next| next.is(IS_DOING));
        is_modal(text(*at), text(at + 1), is_doing)
    })?;
    // "Records can be removed" may describe a feature.
    let is_offer = matches!(text(modal), "can" | "may" | "might" | "could");
    if is_offer && !is_store && of_it & IS_PRECIOUS == 0 {
        return None;
    }
    // In "the table component should", the subject is another noun.
    let is_other =
        |word: &Word<'_>| word.is(IS_PART) || matches!(&*word.text, "that" | "which" | "who");
    if ahead[..modal].iter().any(is_other) {
        return None;
    }
    let fate = (modal + 1..ahead.len())
        .take(6)
        .find(|at| match text(*at) {
            "go" | "disappear" | "vanish" | "empty" => may_end(text(at + 1)),
            "thrown" | "blown" => text(at + 1) == "away",
            "torn" => text(at + 1) == "down",
            _ => ahead[*at].is(IS_DONE | IS_DOING),
        })?;
    Some(words[from].at.start..ahead[fate].at.end)
}

/// Whether a word says that something should happen; some words say so only together with the next
/// one.
fn is_modal(word: &str, next: &str, is_doing: bool) -> bool {
    match word {
        "should" | "must" | "will" | "shall" | "can" | "may" | "might" | "could" => true,
        "is" | "are" | "has" | "have" | "ought" => next == "to",
        "need" | "needs" | "want" | "wants" => next == "to" || is_doing,
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

/// Whether the words name a browser's storage rather than the server's: "local storage", "session
/// storage".
fn is_browsers(words: &[Word<'_>], at: usize) -> bool {
    at > 0
        && matches!(
            &*words[at - 1].text,
            "local" | "session" | "browser" | "virtual" | "html" | "markdown" | "sound" | "audio"
        )
}
