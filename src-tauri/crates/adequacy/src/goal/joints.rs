//! Where one sentence asks for several things.
//!
//! A cut is made at a comma or an "and" where a verb with an object of its own follows, and at all
//! commas of a sentence that strings whole statements together. "Salt and pepper" stays whole,
//! "rename it and test it" does not.

use std::ops::Range;

use super::clauses::points_back;
use super::limits::opens_limit;
use super::verbs::{
    Verb, among, first_word, is_german_infinitive, is_imperative, is_romance_infinitive, verb,
};

/// A comma, an "and", or both.
struct Joint {
    /// Where the part before ends.
    at: usize,
    /// Where the part after begins.
    end: usize,
    has_comma: bool,
    has_and: bool,
}

/// Openings of a condition.
const CONDITIONS: &str =
    "if when whenever while after before as once unless wenn falls sobald si quand lorsque cuando";

/// The parts of one sentence.
pub(super) fn parts(flat: &str, span: &Range<usize>, quoted: &[bool]) -> Vec<Range<usize>> {
    // What depends on a condition stays with it.
    if among(&first_word(&flat[span.clone()]), CONDITIONS) {
        return vec![span.clone()];
    }
    let joints = joints(flat, span, quoted);
    let listed = statements(flat, span, &joints);
    let mut found = Vec::new();
    let mut start = span.start;
    for (nth, joint) in joints.iter().enumerate() {
        let next_joint = joints.get(nth + 1).map_or(span.end, |next| next.at);
        let before = bounded(&flat[start..joint.at]);
        let rest = &flat[joint.end..span.end];
        let after = &flat[joint.end..next_joint];
        if before.trim().is_empty() {
            continue;
        }
        if listed[nth] || begins_wish(before, rest, after, joint) {
            found.push(start..joint.at);
            start = joint.end;
        }
    }
    found.push(start..span.end);
    found
}

/// The beginning of a text, as much of it as the rules look at. So a sentence without end costs no
/// more than its length.
fn bounded(text: &str) -> &str {
    const MOST: usize = 600;
    if text.len() <= MOST {
        return text;
    }
    match text.char_indices().nth(MOST) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// Words that join, the longer first.
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

fn joints(flat: &str, span: &Range<usize>, quoted: &[bool]) -> Vec<Joint> {
    let mut joints = Vec::new();
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
        joints.push(Joint {
            at,
            end,
            has_comma,
            has_and: word.is_some(),
        });
        skip_to = end;
    }
    joints
}

fn starts_with(text: &str, word: &str) -> bool {
    text.get(..word.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(word))
}

/// Whether a new wish begins behind a joint.
fn begins_wish(before: &str, rest: &str, after: &str, joint: &Joint) -> bool {
    if opens_limit(rest) {
        return true;
    }
    if joint.has_comma && before.chars().any(is_ideograph) {
        return begins_cjk(before, after);
    }
    if points_back(after) {
        return false;
    }
    let mut rest = rest;
    // "Change no code, only explain it": the verb follows.
    if joint.has_comma && among(&first_word(rest), "only just simply instead") {
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
        return joint.has_and && has_words(before, 3) && !behind.is_empty();
    }
    let only_comma = !joint.has_and;
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
    if is_german_pair(before, rest) && !joint.has_comma {
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
    // "test and build scripts", "find, list and show commands": the verb needs an object of its own.
    let has_object = !behind.is_empty()
        && !among(
            &next,
            "command commands script scripts mode flag flags button buttons step steps functions methods \
             endpoints and or of",
        );
    // "Remove vary and accepts from the list": behind an imperative no verb says what a third person does.
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
            had_verb && has_object && (takes_object && next != "for" || joint.has_comma)
        }
        None => false,
    }
}

/// "Export hinzufügen und Tests schreiben".
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

/// Chinese and Japanese are cut at a comma between two clauses of some length; a Japanese topic
/// ("設定画面で、") is none.
fn begins_cjk(before: &str, after: &str) -> bool {
    const LEAST: usize = 4;
    let is_kana = |c: char| matches!(c, '\u{3040}'..='\u{30ff}');
    let long = |text: &str| text.chars().filter(|c| is_ideograph(*c)).count() >= LEAST;
    let last = before.trim_end().chars().next_back().unwrap_or(' ');
    let ends_clause =
        !is_kana(last) || matches!(last, 'し' | 'て' | 'り' | 'き' | 'め' | 'え' | 'く' | 'る');
    long(before) && long(after) && ends_clause
}

pub(super) fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Which joints cut a sentence that strings statements together: "A does this, B does that, and C
/// does the rest". Each statement has three words or more.
fn statements(flat: &str, span: &Range<usize>, joints: &[Joint]) -> Vec<bool> {
    let mut cuts = vec![false; joints.len()];
    let commas: Vec<usize> = (0..joints.len())
        .filter(|nth| {
            let joint = &joints[*nth];
            joint.has_comma && !opens_side_clause(&flat[joint.end..span.end])
        })
        .collect();
    let Some(last) = commas.last() else {
        return cuts;
    };
    let mut starts = vec![span.start];
    starts.extend(commas.iter().map(|nth| joints[*nth].end));
    let mut ends: Vec<usize> = commas.iter().map(|nth| joints[*nth].at).collect();
    ends.push(span.end);
    let all_long = starts
        .iter()
        .zip(&ends)
        .all(|(start, end)| words(&flat[*start..*end]) >= 3);
    let ends_with_and = joints[*last].has_and;
    let last_words = &flat[joints[*last].end..span.end];
    let is_statement = among(
        &first_word(last_words),
        "the a an it its no every each all only der die das ein eine jede jeder le la les un une el los las",
    ) && words(last_words) >= 4;
    // What a colon announces is a list, with an "and" or without.
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

/// Whether what follows a comma belongs to what stands before it.
fn opens_side_clause(rest: &str) -> bool {
    // "der alle Zeilen löscht" relates, "der Kunde bekommt eine SMS" does not: nouns are written large.
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
