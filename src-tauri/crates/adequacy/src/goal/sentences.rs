//! Splits text into sentences, and finds quoted text.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::blocks;

/// The goal with each line break and tab replaced by a space, which doesn't change any offsets.
pub(super) fn flat(goal: &str) -> String {
    goal.replace(['\n', '\r', '\t'], " ")
}

/// Marks the bytes inside quotes, backticks or brackets.
pub(super) fn quoted(flat: &str) -> Vec<bool> {
    const PAIRS: [(char, &[char]); 8] = [
        ('`', &['`']),
        ('"', &['"']),
        ('(', &[')']),
        ('“', &['”']),
        ('„', &['”', '“']),
        ('«', &['»']),
        ('「', &['」']),
        ('（', &['）']),
    ];
    let closing = |c: char| {
        PAIRS
            .iter()
            .find(|(open, _)| *open == c)
            .map(|(_, close)| *close)
    };
    let lasts: Vec<(char, usize)> = PAIRS
        .iter()
        .flat_map(|(_, close)| close.iter())
        .filter_map(|close| Some((*close, flat.rfind(*close)?)))
        .collect();
    let closes_after = |close: &[char], at: usize| {
        let mut lasts = lasts.iter();
        lasts.any(|(sign, last)| close.contains(sign) && *last > at)
    };
    let mut inside = vec![false; flat.len()];
    let mut open: Vec<&[char]> = Vec::new();
    for (at, c) in flat.char_indices() {
        let ends = open.last().is_some_and(|close| close.contains(&c));
        let in_code = matches!(open.last(), Some(['`' | '"']));
        if ends {
            open.pop();
        } else if !in_code && let Some(close) = closing(c).filter(|close| closes_after(close, at)) {
            open.push(close);
        }
        inside[at..at + c.len_utf8()].fill(ends || !open.is_empty());
    }
    inside
}

/// The range of the goal without enclosing quotes that a shell left in place.
pub(super) fn without_quotes(goal: &str) -> Range<usize> {
    let text = goal.trim();
    let is_quote = |c: &char| matches!(c, '"' | '\'');
    let inner = text.chars().next().filter(is_quote).and_then(|quote| {
        let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inner.contains(quote)).then_some(inner)
    });
    match inner {
        Some(inner) => {
            let start = goal.len() - goal.trim_start().len() + 1;
            start..start + inner.len()
        }
        None => 0..goal.len(),
    }
}

/// The sentences in a range. A list written on one line is split into its items.
pub(super) fn of(flat: &str, span: &Range<usize>, quoted: &[bool]) -> Vec<Range<usize>> {
    let text = &flat[span.clone()];
    // A dot in a path or a bracket in a call does not end a sentence. This quick test avoids most
    // of the more expensive checks.
    let may_end = |pair: &[u8]| match pair[0] {
        b'.' | b')' => pair[1].is_ascii_whitespace(),
        byte => !byte.is_ascii() || matches!(byte, b'!' | b'?' | b';'),
    };
    let may_list = || text.contains("- ") || text.contains("* ");
    if !text.as_bytes().windows(2).any(may_end) && !may_list() {
        return vec![span.clone()];
    }
    let items = items(&flat[..span.start], text);
    let mut cuts = Vec::new();
    let mut before = "";
    for (at, sentence) in text.split_sentence_bound_indices() {
        // "a.md?x=1" is one word. In scripts without spaces, no space is needed after a sentence.
        let last = text[..at].chars().next_back();
        let is_end = last.is_some_and(|c| c.is_whitespace() || !c.is_ascii());
        // A punctuation mark between spaces does not end the sentence: "a table with ? in it".
        let is_word = [" ?", " !"].iter().any(|sign| before.ends_with(sign))
            && sentence.starts_with(char::is_lowercase);
        if is_end && !is_abbreviated(before) && !is_word {
            cuts.push(at);
        }
        before = sentence.trim_end();
        // Sentences that begin with a lowercase letter, and parts after a semicolon.
        let ends = sentence.char_indices().filter(|(end, c)| {
            let next = sentence[end + c.len_utf8()..].chars().next();
            match c {
                ';' => next.is_some_and(char::is_whitespace),
                '.' => next == Some(' ') && !is_abbreviated(&sentence[..=*end]),
                '；' => true,
                _ => false,
            }
        });
        cuts.extend(ends.map(|(end, c)| at + end + c.len_utf8()));
    }
    cuts.retain(|cut| {
        !quoted.get(span.start + cut).copied().unwrap_or(false) || {
            // An opening quotation mark may begin a sentence.
            !quoted[span.start + cut - 1]
        }
    });
    // "1. Add": a list marker is not a sentence.
    cuts.retain(|cut| {
        let before = items.iter().rev().find(|item| *item < cut);
        before.is_none_or(|item| {
            blocks::list_marker_len(&text[*item..]).is_none_or(|mark| item + mark < *cut)
        })
    });
    cuts.extend(items.into_iter().filter(|cut| *cut > 0));
    cuts.sort_unstable();
    cuts.dedup();
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([text.len()]);
    starts
        .zip(ends)
        .filter(|(start, end)| text[*start..*end].chars().any(char::is_alphanumeric))
        .map(|(start, end)| span.start + start..span.start + end)
        .collect()
}

/// Whether a text ends with an abbreviation: "e.g.", "etc.".
fn is_abbreviated(text: &str) -> bool {
    let Some(text) = text.strip_suffix('.') else {
        return false;
    };
    let word = text.rsplit([' ', '(', '\u{a0}']).next().unwrap_or_default();
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_letter = |part: &str| {
        let mut letters = part.chars();
        letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
    };
    let is_dotted = word.split('.').all(is_letter);
    is_dotted
        || matches!(
            word.to_lowercase().as_str(),
            "etc" | "vs" | "approx" | "incl" | "bzw" | "ca" | "resp" | "no" | "nr" | "fig"
        )
}

/// The starts of the items of a list on one line: " 1. … 2. …", " - … - …".
pub(super) fn items(before: &str, text: &str) -> Vec<usize> {
    let words = || text.match_indices(' ').map(|(at, _)| at + 1);
    let mut cuts = Vec::new();
    // The marker of the first item may precede the text.
    let own = before
        .trim_end()
        .strip_suffix(['.', ')'])
        .unwrap_or_default();
    let digits = own.len() - own.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let first: u32 = own[own.len() - digits..].parse().unwrap_or(0);
    let mut number = first;
    for at in std::iter::once(0).chain(words()) {
        let rest = &text[at..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        // A repeated number continues the list, as in "1. … 2. … 2. …".
        let is_next = digits > 0
            && rest[..digits]
                .parse::<u32>()
                .is_ok_and(|own| own == number.saturating_add(1) || own == number && own > 1);
        if is_next && blocks::list_marker_len(rest).is_some() {
            number = number.max(rest[..digits].parse().unwrap_or(number));
            cuts.push(at);
        }
    }
    // A single number may be anything; two consecutive numbers form a list.
    if number < 2 {
        cuts.clear();
    }
    // A bullet at the start or after the colon, and another one between spaces.
    for bullet in ["- ", "* ", "• ", "– ", "— "] {
        let is_list = before.trim_end().ends_with(bullet.trim_end())
            || text.starts_with(bullet)
            || text.contains(&format!(": {bullet}"));
        if is_list || bullet == "• " {
            let places = text.match_indices(bullet).map(|(at, _)| at);
            cuts.extend(places.filter(|at| text[..*at].ends_with(' ')));
        }
    }
    cuts
}
