//! Splits a sentence that asks for several things.
//!
//! Splits at a comma or "and" before a verb that has its own object, and at every comma of a
//! sentence that joins complete statements. "Salt and pepper" stays whole, "rename it and test it"
//! does not.

use std::ops::Range;

use super::clauses::refers_back;
use super::constraints::opens_constraint;
use super::verbs::{
    Verb, among, first_word, is_german_infinitive, is_imperative, is_romance_infinitive, verb,
};

/// A comma, an "and", or both.
struct Separator {
    /// End of the part before it.
    at: usize,
    /// Start of the part after it.
    end: usize,
    has_comma: bool,
    has_and: bool,
}

/// Words that introduce a condition.
const CONDITIONS: &str =
    "if when whenever while after before as once unless wenn falls sobald si quand lorsque cuando";

/// The parts of one sentence.
pub(super) fn parts(flat: &str, span: &Range<usize>, quoted: &[bool]) -> Vec<Range<usize>> {
    // A conditional clause stays together with its sentence.
    if among(&first_word(&flat[span.clone()]), CONDITIONS) {
        return vec![span.clone()];
    }
    let separators = separators(flat, span, quoted);
    let listed = statements(flat, span, &separators);
    let mut found = Vec::new();
    let mut start = span.start;
    for (nth, separator) in separators.iter().enumerate() {
        let next_joint = separators.get(nth + 1).map_or(span.end, |next| next.at);
        let before = bounded(&flat[start..separator.at]);
        let rest = &flat[separator.end..span.end];
        let after = &flat[separator.end..next_joint];
        if before.trim().is_empty() {
            continue;
        }
        if listed[nth] || begins_wish(before, rest, after, separator) {
            found.push(start..separator.at);
            start = separator.end;
        }
    }
    found.push(start..span.end);
    found
}

/// The start of a text, up to the length that the rules examine, so that the cost stays linear for
/// long sentences.
fn bounded(text: &str) -> &str {
    const MAX_BYTES: usize = 600;
    if text.len() <= MAX_BYTES {
        return text;
    }
    match text.char_indices().nth(MAX_BYTES) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// Conjunctions, longest first.
const CONJUNCTIONS: [&str; 23] = [
    "and then ",
    "and also ",
    "and ",
    "then ",
    "also ",
    "but ",
    "while ",
    "und dann ",
    "und ",
    "sowie ",
    "dann ",
    "aber ",
    "et ",
    "puis ",
    "mais ",
    "y ",
    "pero ",
    "e ",
    "& ",
    "并且",
    "并",
    "但",
    "而",
];

fn separators(flat: &str, span: &Range<usize>, quoted: &[bool]) -> Vec<Separator> {
    let mut separators = Vec::new();
    let mut skip_to = span.start;
    for (at, c) in flat[span.clone()].char_indices() {
        let at = span.start + at;
        if at < skip_to || quoted[at] {
            continue;
        }
        let rest = &flat[at..span.end];
        let has_comma = (c == ',' && rest[1..].starts_with(' ')) || matches!(c, '，' | '、');
        if !has_comma && c != ' ' {
            continue;
        }
        let from = c.len_utf8() + usize::from(c == ',');
        let mut words = CONJUNCTIONS.iter();
        let word = words.find(|word| starts_with(&rest[from..], word));
        if !has_comma && word.is_none() {
            continue;
        }
        let end = at + from + word.map_or(0, |word| word.len());
        separators.push(Separator {
            at,
            end,
            has_comma,
            has_and: word.is_some(),
        });
        skip_to = end;
    }
    separators
}

fn starts_with(text: &str, word: &str) -> bool {
    text.get(..word.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(word))
}

/// Whether a new requirement begins after the conjunction.
fn begins_wish(before: &str, rest: &str, after: &str, separator: &Separator) -> bool {
    if opens_constraint(rest) {
        return true;
    }
    if separator.has_comma && before.chars().any(is_ideograph) {
        return begins_cjk(before, after);
    }
    if refers_back(after) {
        return false;
    }
    let mut rest = rest;
    // "Change no code, only explain it": the verb comes later.
    if separator.has_comma && among(&first_word(rest), "only just simply instead") {
        rest = rest
            .trim_start()
            .split_once(' ')
            .map_or("", |(_, rest)| rest);
    }
    let word = first_word(rest);
    let behind = rest
        .trim_start()
        .trim_start_matches(|c: char| c.is_alphabetic() || c == '\'')
        .trim_start();
    let next = first_word(behind);
    if among(
        &word,
        "can must should will shall may could cannot soll sollen muss müssen kann können doit doivent peut debe deben puede",
    ) {
        return separator.has_and && has_words(before, 3) && !behind.is_empty();
    }
    let only_comma = !separator.has_and;
    if only_comma && !has_words(before, 3) && !is_imperative(&first_word(before)) {
        return false;
    }
    if only_comma && before.split(' ').nth(2).is_none() {
        return false;
    }
    let is_romance = is_romance_infinitive(&word)
        && is_romance_infinitive(&first_word(before))
        && !among(
            &word,
            "for or our your their over under after other number user order filter server",
        );
    if is_romance {
        return !behind.is_empty();
    }
    if is_german_pair(before, rest) && !separator.has_comma {
        return true;
    }
    let had_verb = {
        let first = first_word(before);
        has_words(before, 4)
            || verb(&first).is_some()
            || among(&first, "please can could i we let")
            || before
                .split_whitespace()
                .any(|word| matches!(word, "that" | "which" | "can" | "must" | "should"))
    };
    // "test and build scripts", "find, list and show commands": the verb needs its own object.
    let has_object = !behind.is_empty()
        && !among(
            &next,
            "command commands script scripts mode flag flags button buttons step steps functions methods \
             endpoints and or of",
        );
    // "Remove vary and accepts from the list": after an imperative, a verb in the third person
    // doesn't start a request.
    let is_brief = !has_words(before, 4);
    if is_brief
        && is_imperative(&first_word(before))
        && word.ends_with('s')
        && !is_imperative(&word)
    {
        return false;
    }
    match verb(&word) {
        Some(Verb::Sure) => had_verb && (has_object || word == "test"),
        Some(Verb::Likely) => {
            let takes_object = among(
                &next,
                "a an the every each all its it them their this these no only not one both any what who how \
                 when while before after offline online with without to as for into from unknown unsent der \
                 die das den alle jede jeden le la les un une el los las una del",
            ) || behind.starts_with(['`', '"'])
                || behind.starts_with(|c: char| c.is_ascii_digit());
            had_verb && has_object && (takes_object && next != "for" || separator.has_comma)
        }
        None => false,
    }
}

/// Whether both parts are German requests that end in an infinitive: "Export hinzufügen und Tests
/// schreiben".
fn is_german_pair(before: &str, rest: &str) -> bool {
    let ends_before = before
        .split_whitespace()
        .next_back()
        .is_some_and(is_german_infinitive);
    if !ends_before {
        return false;
    }
    let last = |text: &str| {
        let word = text
            .split([',', ';'])
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .next_back()
            .unwrap_or_default()
            .trim_end_matches(['.', '!']);
        word.to_owned()
    };
    let rest = bounded(rest);
    let after = rest.split(" und ").next().unwrap_or(rest);
    has_words(before, 2) && has_words(after, 2) && is_german_infinitive(&last(after))
}

/// Splits Chinese and Japanese at a comma between two clauses that are long enough, but not after a
/// Japanese topic ("設定画面で、").
fn begins_cjk(before: &str, after: &str) -> bool {
    const MIN_CHARS: usize = 4;
    let is_kana = |c: char| matches!(c, '\u{3040}'..='\u{30ff}');
    let long = |text: &str| text.chars().filter(|c| is_ideograph(*c)).count() >= MIN_CHARS;
    let last = before.trim_end().chars().next_back().unwrap_or(' ');
    let ends_clause =
        !is_kana(last) || matches!(last, 'し' | 'て' | 'り' | 'き' | 'め' | 'え' | 'く' | 'る');
    long(before) && long(after) && ends_clause
}

pub(super) fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// The conjunctions at which to split a sentence that joins statements, such as "A does this, B
/// does that, and C does the rest". Each statement must have at least three words.
fn statements(flat: &str, span: &Range<usize>, separators: &[Separator]) -> Vec<bool> {
    let mut cuts = vec![false; separators.len()];
    let commas: Vec<usize> = (0..separators.len())
        .filter(|nth| {
            let separator = &separators[*nth];
            separator.has_comma && !opens_side_clause(&flat[separator.end..span.end])
        })
        .collect();
    let Some(last) = commas.last() else {
        return cuts;
    };
    let mut starts = vec![span.start];
    starts.extend(commas.iter().map(|nth| separators[*nth].end));
    let mut ends: Vec<usize> = commas.iter().map(|nth| separators[*nth].at).collect();
    ends.push(span.end);
    let all_long = starts
        .iter()
        .zip(&ends)
        .all(|(start, end)| words(&flat[*start..*end]) >= 3);
    let ends_with_and = separators[*last].has_and;
    let last_words = &flat[separators[*last].end..span.end];
    let is_statement = among(
        &first_word(last_words),
        "the a an it its no every each all only der die das ein eine jede jeder le la les un une el los las",
    ) && words(last_words) >= 4;
    // A colon introduces a list, with or without "and" in it.
    let is_announced = flat[..span.start].trim_end().ends_with([':', '：']);
    let enough = if commas.len() >= 2 {
        ends_with_and || is_announced
    } else {
        ends_with_and && is_statement
    };
    if all_long && enough {
        commas.iter().for_each(|nth| cuts[*nth] = true);
    }
    cuts
}

/// Whether the text after a comma is a subordinate clause that belongs to the text before it.
fn opens_side_clause(rest: &str) -> bool {
    // "der alle Zeilen löscht" is a relative clause, "der Kunde bekommt eine SMS" is not: nouns are
    // capitalized.
    let clause = rest.split(',').next().unwrap_or(rest).trim_end();
    let is_small =
        |word: Option<&str>| word.is_some_and(|word| word.starts_with(|c: char| c.is_lowercase()));
    let mut words = clause.split_whitespace();
    if among(
        words.next().unwrap_or_default(),
        "der die das den dem deren dessen",
    ) && (is_small(words.next()) || is_small(words.next_back()))
    {
        return true;
    }
    among(
        &first_word(rest),
        "which who whose that when where while if so because since as even including such like e.g i.e wenn \
         dass weil ob damit wobei sodass indem welche welcher qui que dont quand si afin cuando donde para \
         where unless until although especially for",
    )
}

fn has_words(text: &str, least: usize) -> bool {
    text.split_whitespace().nth(least - 1).is_some()
}

pub(super) fn words(text: &str) -> usize {
    text.split_whitespace().count()
}
