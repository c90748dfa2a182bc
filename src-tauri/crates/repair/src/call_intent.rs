//! Decides whether the reply makes a call in its text or only talks about it.
//!
//! A reply makes a call if the call is on a line of its own, or follows a sentence that leads up to
//! it, and is not retracted afterward. A call is only talked about if it is in the middle of a
//! sentence or in a block quote, comment or list; if it is described as past, conditional, refused,
//! an example or somebody else's; or if a question follows it. An introduction (a heading, or text
//! that ends with a colon) must say that the call is made, because otherwise it could be about
//! anything. The phrases are in `call_phrases`, the rules for introductions in `introductions`.
//!
//! Not used for read-only calls, which are harmless. A call's own arguments are never examined.

use plan::word_list::WordList;
use std::ops::Range;

use super::call_phrases::{
    AFTER, ALTERNATIVES, BEFORE, CONFIRMATIONS, FOLLOW_UPS, NEGATIONS, OPEN_QUESTIONS, REFERENCES,
    SCOPE_LIMITS,
};
use super::introductions::{conclusion, intention, introduces, is_work};

/// How much text is examined before and after a call, in bytes.
const CONTEXT_BYTES: usize = 600;
/// Minimum number of words in a sentence that is judged on its own; a shorter one is judged
/// together with the previous one.
const MIN_WORDS: usize = 4;

/// The text of a reply and the positions of its calls.
pub(super) struct CallIntent<'a> {
    text: &'a str,
    /// The ranges of the text that are not calls, tokens or thinking, in order.
    prose: &'a [Range<usize>],
    /// The positions of the calls, in order, without duplicates.
    calls: Vec<Range<usize>>,
    /// Whether the calls are listed or are alternatives, in which case none is made.
    is_enumeration: bool,
    /// Whether the text asks about the calls, in which case none is made.
    is_asked: bool,
}

impl<'a> CallIntent<'a> {
    pub(super) fn new(
        text: &'a str,
        prose: &'a [Range<usize>],
        mut calls: Vec<Range<usize>>,
    ) -> Self {
        calls.dedup();
        let last = calls.last().map_or(0, |call| call.end);
        let behind = head(&between(text, prose, last..text.len()));
        let first = calls.first().map_or(0, |call| call.start);
        let before = tail(&between(text, prose, 0..first));
        let listed = calls
            .iter()
            .filter(|call| is_marker(line_before(text, call.start)));
        let is_list = listed.count() > 1;
        let mut pairs = calls.windows(2);
        let is_choice = pairs.any(|pair| {
            let between = between(text, prose, pair[0].end..pair[1].start).to_lowercase();
            ALTERNATIVES.are_all_of(between.trim_matches(|c: char| !c.is_alphabetic()))
        });
        Self {
            text,
            prose,
            is_enumeration: is_list || is_choice,
            is_asked: asks(&behind) || asks_person(&before),
            calls,
        }
    }

    /// Whether the text asks if the calls should be made.
    pub(super) fn is_asked(&self) -> bool {
        self.is_asked
    }

    /// Whether a call is only quoted or shown as an example.
    pub(super) fn is_quoted(&self, call: &Range<usize>) -> bool {
        let line = line_before(self.text, call.start);
        let sentence = lead(&tail(&between(self.text, self.prose, 0..call.start)));
        let shown = BEFORE.shown.last_in(&sentence);
        line.trim_start().starts_with('>') || shown.is_some() && shown > intention(&sentence)
    }

    /// Whether the reply makes this call, ignoring questions about it.
    pub(super) fn is_made(&self, call: &Range<usize>) -> bool {
        let nth = self.calls.iter().position(|other| other == call);
        let nth = nth.unwrap_or_default();
        let from = nth
            .checked_sub(1)
            .map_or(0, |before| self.calls[before].end);
        let until = self
            .calls
            .get(nth + 1)
            .map_or(self.text.len(), |next| next.start);
        let line = line_before(self.text, call.start);
        if self.is_enumeration || line.trim_start().starts_with('>') {
            return false;
        }
        let before = tail(&between(self.text, self.prose, from..call.start));
        let behind = between(self.text, self.prose, call.end..until);
        let continues = behind.trim_start_matches([' ', '\t']);
        let continues =
            continues.starts_with(CONTINUATIONS) || continues.starts_with(char::is_lowercase);
        let behind = head(&behind);
        let is_remark = before.rfind("<!--") > before.rfind("-->");
        let is_item = is_marker(line) && behind.lines().skip(1).any(begins_item);
        if is_remark || is_item || is_transcript(&before, &self.text[call.end..until]) {
            return false;
        }
        // The text up to the next call is about that call, unless it retracts this one.
        let is_last = nth + 1 == self.calls.len();
        let is_open = !is_marker(line) && !ends_sentence(&before) && !before.ends_with('\n');
        let is_introduced = introduces(&before) && !is_work(last_sentence(&before));
        let mut sentence = lead(&before);
        if continues {
            sentence.push(' ');
            sentence.push_str(first_sentence(&behind));
        }
        !is_mention(&sentence, is_open || continues || is_introduced)
            && !is_retracted(&behind, is_last)
    }
}

/// Characters that, directly after a call, make it part of a sentence.
const CONTINUATIONS: [char; 12] = [
    ',', ';', '、', '，', ':', '：', '-', '=', '→', '(', '~', '–',
];

/// Labels that begin the lines of a transcript.
const ROLES: WordList = WordList("user: human: assistant: system: tool: question: you: bot:");

/// Whether a call is inside a transcript, and therefore only quoted.
fn is_transcript(before: &str, behind: &str) -> bool {
    let begins = |line: &str, word: &str| {
        let line = line.trim_start_matches(['*', ' ', '#']);
        let head = line.get(..word.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(word))
    };
    let says = |line: &str| ROLES.iter().any(|role| begins(line, role));
    let answers = |line: &str| says(line) || begins(line, "observation:");
    before.lines().any(says) && behind.lines().any(answers)
}

/// Whether a line is a list item.
fn begins_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < line.len() && number.starts_with([')', '.']);
    let marker = if is_numbered { &number[1..] } else { line };
    (is_numbered || marker.starts_with(['-', '*', '•', '+'])) && {
        let rest = if is_numbered {
            marker
        } else {
            marker.get(1..).unwrap_or_default()
        };
        rest.starts_with(' ')
    }
}

/// Whether the sentence around or before a call only talks about it. `is_part` says whether the
/// call is part of the sentence.
fn is_mention(sentence: &str, is_part: bool) -> bool {
    let sentence = conclusion(sentence).to_owned();
    let sentence = NON_CONDITIONS
        .iter()
        .fold(sentence, |text, phrase| text.replace(phrase, " "));
    if BEFORE.conditional.are_in(&sentence) || BEFORE.refused.are_in(&sentence) {
        return true;
    }
    let intended = intention(&sentence);
    let told = [BEFORE.shown, BEFORE.past];
    let told = told
        .iter()
        .filter_map(|phrases| phrases.last_in(&sentence))
        .max();
    match (told, intended) {
        (Some(told), Some(intended)) => told > intended,
        (Some(_), None) => true,
        (None, intended) => is_part && intended.is_none(),
    }
}

/// Phrases that contain a conditional word but are not conditions.
const NON_CONDITIONS: WordList = WordList(
    "see if|check if|verify if|test if|would like to|as if|even if|if statement|if condition|\
    if clause|if block|if branch|`if`|could not|couldn't|i'd like to|um zu sehen, ob|j'aimerais|\
    me gustaría|gostaria de|vorrei|なければなら",
);

fn is_retracted(behind: &str, is_last: bool) -> bool {
    let begins = behind.trim_start();
    if is_last && begins.starts_with(['…', '.']) {
        return true;
    }
    let mut sentences = sentences(behind)
        .into_iter()
        .take(if is_last { 3 } else { 2 });
    let is_quoted_later = |sentence: &str| {
        let is_negated = NEGATIONS.are_in(sentence)
            && !SCOPE_LIMITS.are_in(sentence)
            && !FOLLOW_UPS.are_in(sentence);
        is_negated || REFERENCES.are_in(sentence)
    };
    sentences.any(|sentence| {
        let awaits_approval =
            AFTER.awaits_approval.are_in(sentence) && !FOLLOW_UPS.are_in(sentence);
        AFTER.retracted.are_in(sentence)
            || is_last
                && (awaits_approval
                    || AFTER.has_result.are_in(sentence)
                    || is_quoted_later(sentence))
    })
}

/// Whether the text after the calls contains a question about them.
fn asks(behind: &str) -> bool {
    let is_question = |text: &&str| text.trim_end().ends_with(['?', '？']);
    let found = sentences(behind);
    let mut questions = found.iter().filter(|text| is_question(text));
    questions.any(|question| !FOLLOW_UPS.are_in(question))
}

/// Whether the text before the first call asks the user whether to make it.
fn asks_person(before: &str) -> bool {
    let found = sentences(before);
    let last = found.iter().rev().find(|text| !text.trim().is_empty());
    last.is_some_and(|last| {
        let is_question = last.trim_end().ends_with(['?', '？']);
        is_question && (CONFIRMATIONS.are_in(last) || !OPEN_QUESTIONS.are_in(last))
    })
}

/// The sentence that leads up to a call, together with the previous one if it says little or just
/// introduces the call.
fn lead(before: &str) -> String {
    let found = sentences(before);
    let Some((sentence, earlier)) = found.split_last() else {
        return String::new();
    };
    let before = earlier.last().copied().unwrap_or_default();
    let is_short = sentence.split_whitespace().count() < MIN_WORDS && sentence.is_ascii();
    let says_little = is_short && intention(sentence).is_none() && !is_work(sentence);
    match says_little || introduces(before) {
        true => format!("{before} {sentence}"),
        false => (*sentence).to_owned(),
    }
}

fn last_sentence(before: &str) -> &str {
    sentences(before).last().copied().unwrap_or_default()
}

fn first_sentence(behind: &str) -> &str {
    sentences(behind).first().copied().unwrap_or_default()
}

/// The sentences of a text, each with its punctuation.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let is_end = match c {
            '.' | '!' | '?' => next.is_none_or(char::is_whitespace),
            '。' | '！' | '？' => true,
            '\n' => next == Some('\n'),
            _ => false,
        };
        if is_end {
            let end = at + c.len_utf8();
            found.push(&text[from..end]);
            from = end;
        }
    }
    found.push(&text[from..]);
    found.retain(|sentence| !sentence.trim().is_empty());
    found
}

/// Whether the text before a call ends with a complete sentence.
fn ends_sentence(before: &str) -> bool {
    let end = before.trim_end_matches([' ', '\t', '*', '_', '`', '"', ')']);
    end.is_empty()
        || end.ends_with([
            '.', '!', '?', ':', ';', '。', '！', '？', '：', '…', '-', '—', '>', '\n',
        ])
}

/// Whether nothing but a list marker precedes a call on its line: `-`, `2.`, `Step 3:`.
fn is_marker(line: &str) -> bool {
    let line = line.trim().trim_matches(['*', '_', ' ']);
    let word = line.trim_end_matches(['.', ')', ':']);
    let number = word.rsplit([' ', '(']).next().unwrap_or_default();
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    matches!(line, "-" | "•" | "+") || is_number && word.len() < line.len() && line.len() < 16
}

/// The text before a call on its line; if it is long, only its end.
fn line_before(text: &str, at: usize) -> &str {
    let near = &text[text.ceil_char_boundary(at.saturating_sub(CONTEXT_BYTES))..at];
    near.rsplit('\n').next().unwrap_or_default()
}

/// The parts of a range that are prose.
fn between(text: &str, prose: &[Range<usize>], range: Range<usize>) -> String {
    let first = prose.partition_point(|piece| piece.end <= range.start);
    let within = prose[first..]
        .iter()
        .take_while(|piece| piece.start < range.end);
    let pieces = within.map(|piece| piece.start.max(range.start)..piece.end.min(range.end));
    pieces.filter_map(|piece| text.get(piece)).collect()
}

/// The end of a text, in lowercase.
fn tail(text: &str) -> String {
    let from = text.ceil_char_boundary(text.len().saturating_sub(CONTEXT_BYTES));
    text[from..]
        .to_lowercase()
        .replace('’', "'")
        .replace('\u{feff}', "")
}

/// The beginning of a text, in lowercase.
fn head(text: &str) -> String {
    let until = text.floor_char_boundary(text.len().min(CONTEXT_BYTES));
    text[..until].to_lowercase().replace('’', "'")
}
