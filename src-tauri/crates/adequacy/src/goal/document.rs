//! A goal that is a document: with headings, or with lists and several lines, as a proposal, a requirements
//! file or an issue report is. Each sentence of it that says something is a part; headings,
//! comments and code are none.

use std::ops::Range;

/// Whether it has headings: then it describes more than it asks for.
pub(crate) fn has_headings(goal: &str) -> bool {
    goal.lines().any(|line| line.starts_with('#'))
}

/// Whether a goal is written as a document: with headings, lines of prose, or several sentences. A list alone asks
/// for what it lists.
pub(crate) fn is_one(goal: &str) -> bool {
    const FEW: usize = 3;
    let lines = || goal.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_list = lines().all(|line| without_mark(line).len() < line.len());
    let sentences = || lines().map(|line| ends(line).len().max(1)).sum::<usize>();
    has_headings(goal) || !is_list && sentences() > FEW
}

/// Its sentences, as bytes of the goal.
pub(super) fn sentences(goal: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut in_code = false;
    let mut at = 0;
    for line in goal.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let text = line.trim();
        if text.starts_with("```") || text.starts_with("~~~") {
            in_code = !in_code;
            continue;
        }
        if in_code || text.is_empty() || text.starts_with('#') || text.starts_with("<!--") {
            continue;
        }
        let offset = start + (line.len() - line.trim_start().len());
        let bare = without_mark(text);
        let offset = offset + (text.len() - bare.len());
        let mut from = 0;
        for end in ends(bare) {
            push(&mut found, goal, offset + from..offset + end);
            from = end;
        }
        push(&mut found, goal, offset + from..offset + bare.len());
    }
    found
}

/// A line without the mark of a list.
fn without_mark(line: &str) -> &str {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = number
        .strip_prefix(['.', ')'])
        .filter(|_| number.len() < line.len());
    let marked = line.strip_prefix(['-', '*', '+']).or(numbered);
    let rest = marked.filter(|rest| rest.starts_with(' ')).unwrap_or(line);
    rest.trim_start()
}

/// Where sentences end within a line, behind their marks.
fn ends(line: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut letters = line.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let is_blank_next = letters.peek().is_some_and(|(_, next)| next.is_whitespace());
        if matches!(c, '。' | '；' | '！' | '？')
            || (matches!(c, '.' | '!' | '?' | ';') && is_blank_next)
        {
            ends.push(at + c.len_utf8());
        }
    }
    ends
}

fn push(found: &mut Vec<Range<usize>>, goal: &str, range: Range<usize>) {
    /// Fewer words, or letters where there are no blanks, ask for nothing.
    const FEW_WORDS: usize = 3;
    const FEW_LETTERS: usize = 6;
    let text = &goal[range.clone()];
    let blank = text.len() - text.trim_start().len();
    let is_long = match text.is_ascii() {
        true => text.split_whitespace().count() >= FEW_WORDS,
        false => text.chars().filter(|c| c.is_alphanumeric()).count() >= FEW_LETTERS,
    };
    if is_long {
        found.push(range.start + blank..range.start + text.trim_end().len());
    }
}
