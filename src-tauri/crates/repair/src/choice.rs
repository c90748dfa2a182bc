//! Reads a single letter: the model's choice among a few recovery strategies.
//!
//! If the answer contains several letters, that is a fault; no choice is made on the model's
//! behalf.

use super::feedback::{Fault, FaultKind};
use super::planned_steps::without_thinking;
use plan::word_list::WordList;
use serde_json::{Map, Value};

/// The letter that the model chose, with its explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The letter, `A` for the first.
    pub letter: char,
    /// The explanation after the letter; may be empty.
    pub detail: String,
}

/// Reads a choice among the first `letters` letters of the alphabet, at most 26.
pub fn read_choice(text: &str, letters: usize) -> Result<Choice, Fault> {
    let last = char::from(b'A' + u8::try_from(letters.clamp(1, 26) - 1).unwrap_or(25));
    let text = without_thinking(text)?;
    let text = text
        .trim()
        .trim_start_matches("```json")
        .trim_matches('`')
        .trim();
    let is_letter = |c: char| ('A'..=last).contains(&c);
    if let Some(found) = keyed(text, is_letter) {
        return Ok(found);
    }
    // Try the strongest evidence first: the text starts with the letter, then says that it is the
    // answer.
    if let Some(found) = leading(text, is_letter) {
        return Ok(found);
    }
    let said = named(text, is_letter);
    let loose = || alone(text, is_letter);
    let mut found = if said.is_empty() { loose() } else { said };
    found.sort_by_key(|(letter, _)| *letter);
    found.dedup_by_key(|(letter, _)| *letter);
    match &found[..] {
        [(letter, at)] => Ok(Choice {
            letter: *letter,
            detail: detail(&text[*at..]),
        }),
        found => {
            let (kind, many) = match found {
                [] => (FaultKind::NoChoice, "is no letter"),
                _ => (FaultKind::AmbiguousChoice, "are several letters"),
            };
            let ask = format!("Write one letter from A to {last} and nothing else.");
            Err(Fault::new(
                kind,
                format!("There {many} in the answer. {ask}"),
            ))
        }
    }
}

/// The only letter among an object's values, in either case: `{"choice": "b"}`.
fn keyed(text: &str, is_letter: impl Fn(char) -> bool) -> Option<Choice> {
    let fields: Map<String, Value> = serde_json::from_str(text).ok()?;
    let letters = fields.iter().filter_map(|(key, value)| {
        let letter = letter_of(value.as_str()?.trim())?.to_ascii_uppercase();
        is_letter(letter).then_some((key, letter))
    });
    let letters: Vec<(&String, char)> = letters.collect();
    let [(key, letter)] = letters[..] else {
        return None;
    };
    let mut others = fields.iter().filter(|(other, _)| *other != key);
    let detail = others.find_map(|(_, value)| value.as_str());
    Some(Choice {
        letter,
        detail: detail.unwrap_or_default().trim().to_owned(),
    })
}

/// The letter that a word consists of, if it is a single letter.
fn letter_of(word: &str) -> Option<char> {
    let mut letters = word.chars();
    letters.next().filter(|_| letters.next().is_none())
}

/// A letter at the very start that is followed by a punctuation mark or nothing.
fn leading(text: &str, is_letter: impl Fn(char) -> bool) -> Option<Choice> {
    let start = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = start.chars().next()?;
    let after = &start[first.len_utf8()..];
    let is_alone = !after.contains(char::is_alphanumeric);
    let letter = first.to_ascii_uppercase();
    let marks = after.trim_start_matches(['*', '_', '`', ' ', '"', '\'']);
    let has_mark =
        marks.starts_with([')', '.', ':', ']', '-', '–', '—', '\n']) || after.starts_with('\n');
    // Reject several letters: `A or B`, `A/B`, `A, B`.
    let others = &after[..after
        .char_indices()
        .nth(12)
        .map_or(after.len(), |(at, _)| at)];
    let is_it = is_letter(letter)
        && (is_alone || first.is_ascii_uppercase() && has_mark)
        && !is_pair(others, &is_letter);
    is_it.then(|| Choice {
        letter,
        detail: detail(after),
    })
}

fn is_pair(after: &str, is_letter: &impl Fn(char) -> bool) -> bool {
    let words = after.split(|c: char| !c.is_alphanumeric());
    let mut words = words.filter(|word| !word.is_empty());
    let next = match words.next() {
        Some("or" | "and" | "oder" | "und") => words.next(),
        word => word,
    };
    next.and_then(letter_of).is_some_and(is_letter)
}

/// The letters that follow words such as “answer”; failing these, those that follow words such as
/// “option” or are in brackets.
fn named(text: &str, is_letter: impl Fn(char) -> bool) -> Vec<(char, usize)> {
    let mut chosen = Vec::new();
    let mut named = Vec::new();
    let words = words(text);
    for pair in words.windows(2) {
        let [(before, _), (word, at)] = pair else {
            continue;
        };
        let Some(letter) = letter_of(word).filter(|c| is_letter(*c)) else {
            continue;
        };
        // An “A” after “choose” may be an article.
        let others = WordList("because since as for would is seems and or");
        let is_article = is_article(letter, &text[at + 1..], others);
        let before = before.to_lowercase();
        let is_chosen = WordList(
            "choose pick select answer choice chose recommend selected wähle antwort is with",
        )
        .contains(&before);
        let is_named = matches!(
            before.as_str(),
            "option" | "letter" | "strategy" | "alternative"
        );
        if is_chosen && !is_article {
            chosen.push((letter, at + 1));
        } else if is_named {
            named.push((letter, at + 1));
        }
    }
    if !chosen.is_empty() {
        return chosen;
    }
    let brackets = text.match_indices(['(', '[']).filter_map(|(at, _)| {
        let mut chars = text[at + 1..].chars();
        let (letter, close) = (chars.next()?, chars.next()?);
        (is_letter(letter) && matches!(close, ')' | ']')).then_some((letter, at + 3))
    });
    named.extend(brackets);
    named
}

/// The letters that stand alone, anywhere in a text.
fn alone(text: &str, is_letter: impl Fn(char) -> bool) -> Vec<(char, usize)> {
    words(text)
        .into_iter()
        .filter_map(|(word, at)| {
            let letter = letter_of(word).filter(|c| is_letter(*c))?;
            // The letter may be an article: “A file was not found”.
            let is_article = is_article(letter, &text[at + 1..], WordList("or |and "));
            (!is_article).then_some((letter, at + 1))
        })
        .collect()
}

/// Whether a letter is an article, as in “A file…”. It isn't one if one of `others` follows.
fn is_article(letter: char, rest: &str, others: WordList) -> bool {
    let words = rest.trim_start();
    letter == 'A'
        && rest.starts_with(' ')
        && words.starts_with(char::is_lowercase)
        && !others.iter().any(|other| words.starts_with(other))
}

fn words(text: &str) -> Vec<(&str, usize)> {
    let is_break = |c: char| !(c.is_alphanumeric() || c == '\'');
    let mut end = 0;
    let words = text.split_inclusive(is_break).map(|piece| {
        let at = end;
        end += piece.len();
        (piece.trim_end_matches(is_break), at)
    });
    words.filter(|(word, _)| !word.is_empty()).collect()
}

/// The explanation in the text after the letter: the rest of the line, or what follows its first
/// colon.
fn detail(after: &str) -> String {
    let after = after.trim_start_matches(|c: char| !c.is_alphanumeric());
    let line = after.lines().next().unwrap_or_default();
    let line = line.split_once(": ").map_or(line, |(_, rest)| rest);
    line.trim().trim_end_matches(['"', '}']).trim().to_owned()
}
