//! The lines of a goal: paragraphs and list items, and the sentences in them.

use std::ops::Range;

use super::verbs::{first_word, is_imperative};

/// A stretch of a goal that no sentence crosses.
pub(super) struct Chunk {
    pub(super) span: Range<usize>,
    pub(super) is_item: bool,
}

/// Paragraphs and list items. Introductions of lists ("The app should:") and headings above a list
/// are left out.
pub(super) fn chunks(goal: &str) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut at = 0;
    let mut is_open = false;
    for line in goal.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let words = line.trim();
        if words.is_empty() || words.chars().all(|c| matches!(c, '-' | '=' | '*' | '_')) {
            is_open = false;
            continue;
        }
        let from = start + (line.len() - line.trim_start().len());
        let end = from + words.len();
        let marker = marker(words);
        match chunks.last_mut() {
            Some(chunk) if is_open && marker.is_none() => chunk.span.end = end,
            _ => chunks.push(Chunk {
                span: from + marker.unwrap_or(0)..end,
                is_item: marker.is_some(),
            }),
        }
        is_open = !words.starts_with('#');
    }
    let items = chunks.iter().filter(|chunk| chunk.is_item).count();
    if items > 1 {
        let introduces = |chunk: &Chunk| {
            let words = &goal[chunk.span.clone()];
            words.ends_with([':', '：']) || words.starts_with('#') || chunk.span.start == 0
        };
        let is_first_sentence_only = |chunk: &Chunk| {
            let words = goal[chunk.span.clone()].trim_end_matches(['.', ':']);
            !words.contains(". ")
        };
        chunks
            .retain(|chunk| chunk.is_item || !(introduces(chunk) && is_first_sentence_only(chunk)));
    }
    chunks
}

/// The length of a list marker with the blanks after it.
fn marker(words: &str) -> Option<usize> {
    let first = words.chars().next()?;
    let rest = if matches!(first, '-' | '*' | '+' | '•' | '–' | '·' | '・') {
        &words[first.len_utf8()..]
    } else {
        let open = words.strip_prefix(['(', '（']).unwrap_or(words);
        let digits = open.bytes().take_while(u8::is_ascii_digit).count();
        let label = match digits {
            0 if open.starts_with(|c: char| c.is_ascii_alphabetic()) => 1,
            0 => return None,
            _ => digits,
        };
        let rest = &open[label..];
        let closed = rest.strip_prefix([')', '）']);
        let dotted = (digits > 0)
            .then(|| rest.strip_prefix(['.', '、', '．']))
            .flatten();
        closed.or(dotted)?
    };
    let words_left = rest.trim_start();
    let is_wide = rest.starts_with(|c: char| !c.is_ascii());
    if words_left.is_empty() || (words_left.len() == rest.len() && !is_wide) {
        return None;
    }
    // A box of a task list is no word.
    let left = ["[ ] ", "[x] ", "[X] "]
        .iter()
        .find_map(|mark| words_left.strip_prefix(mark))
        .unwrap_or(words_left);
    Some(words.len() - left.len())
}

/// Which bytes stand in quotes, back-ticks or brackets.
pub(super) fn quoted(flat: &str) -> Vec<bool> {
    let mut inside = vec![false; flat.len()];
    let mut closing: Vec<char> = Vec::new();
    let last = |sign: char| flat.rfind(sign).unwrap_or(0);
    let lasts = [
        last('`'),
        last('"'),
        last(')'),
        last('”'),
        last('“'),
        last('»'),
        last('」'),
        last('）'),
    ];
    for (at, c) in flat.char_indices() {
        let mut ends = false;
        match (closing.last(), c) {
            (Some(close), c) if *close == c => {
                closing.pop();
                ends = true;
            }
            (Some('`' | '"'), _) => {}
            (_, '`') if lasts[0] > at => closing.push(c),
            (_, '"') if lasts[1] > at => closing.push(c),
            (_, '(') if lasts[2] > at => closing.push(')'),
            (_, '“' | '„') if lasts[3] > at => closing.push('”'),
            (_, '„') if lasts[4] > at => closing.push('“'),
            (_, '«') if lasts[5] > at => closing.push('»'),
            (_, '「') if lasts[6] > at => closing.push('」'),
            (_, '（') if lasts[7] > at => closing.push('）'),
            _ => {}
        }
        let is_inside = !closing.is_empty() || ends;
        inside[at..at + c.len_utf8()].fill(is_inside);
    }
    inside
}

/// The sentences of a stretch, without their last signs.
pub(super) fn sentences(flat: &str, span: &Range<usize>, quoted: &[bool]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = span.start;
    // A list that was brought onto one line.
    let is_list = ["- ", "* ", "• "]
        .iter()
        .any(|mark| flat.trim_start().starts_with(mark));
    for (at, c) in flat[span.clone()].char_indices() {
        let at = span.start + at;
        if quoted[at] || at < start {
            continue;
        }
        let after = at + c.len_utf8();
        let rest = &flat[after..span.end];
        let is_end = match c {
            '。' | '；' | '！' | '？' | '।' => true,
            ';' | '!' | '?' => rest.starts_with(' '),
            '.' => rest.starts_with(' ') && begins(&rest[1..], &flat[start..at]),
            '-' | '*' | '–' | '—' | '•' => {
                flat[start..at].ends_with(' ')
                    && rest.starts_with(' ')
                    && (is_list || is_imperative(&first_word(rest)) || c == '•')
            }
            _ => false,
        };
        if is_end {
            found.push(start..at);
            start = after;
        }
    }
    found.push(start..span.end);
    found
}

/// Whether a new sentence begins: "e.g. this" and "approx. 5" go on; a sentence begins with a
/// capital, a sign or an imperative.
fn begins(next: &str, current: &str) -> bool {
    let next = next.trim_start();
    let opens = next
        .chars()
        .next()
        .is_some_and(|c| c.is_uppercase() || (!c.is_lowercase() && !c.is_ascii_digit()))
        || is_imperative(&first_word(next))
        || ["do not", "don't", "please", "then "]
            .iter()
            .any(|word| next.starts_with(word));
    let word = current.rsplit(' ').next().unwrap_or_default();
    let abbreviated =
        word.contains('.') || matches!(word, "etc" | "vs" | "approx" | "incl" | "bzw" | "ca" | "z");
    opens && !abbreviated
}
