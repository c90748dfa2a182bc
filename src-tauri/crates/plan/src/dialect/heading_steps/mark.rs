//! How a step's heading marks it as done, and where its title is.

use super::numbering::Numbering;
use crate::model::Span;

/// Text that ticking appends to a step's heading.
pub(crate) const DONE: &str = " ✅";

/// Check marks that people use on headings of done steps.
pub(super) const CHECK_MARKS: [char; 6] = ['✅', '✔', '✓', '☑', '🗸', '🗹'];

/// Variation selectors after a check mark.
pub(super) const VARIATION_SELECTORS: [char; 2] = ['\u{fe0e}', '\u{fe0f}'];

/// Maximum number of words in a label after a check mark: `✅ COMPLETE (in March)`.
const MAX_LABEL: usize = 4;

const EMPHASIS: [char; 2] = ['*', '_'];

/// The parts of a step's heading, as spans of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StepHeading {
    pub(crate) title: Span,
    /// The span that ticking replaces: a check mark, the character in a box, or an empty span at
    /// the end of the text.
    pub(crate) mark: Span,
    pub(crate) is_done: bool,
}

impl StepHeading {
    /// Parses a heading whose text is at `place`.
    pub(super) fn of(text: &str, place: Span, count: &Numbering) -> Self {
        let words = &text[place.clone()];
        let head = &words[..count.title];
        let mark = find_box(words, count.title)
            .or_else(|| head.find(CHECK_MARKS).map(|at| around(words, at)))
            .or_else(|| at_end(words, count.title))
            .unwrap_or(words.len()..words.len());
        let is_box = words[mark.clone()].starts_with('[');
        let is_behind = mark.start >= count.title;
        let mut title = count.title..if is_behind { mark.start } else { words.len() };
        if words[title.clone()]
            .trim_matches(EMPHASIS)
            .trim()
            .is_empty()
        {
            // A heading that is only a number uses that as its title.
            let end = if mark.start > count.start {
                mark.start
            } else {
                words.len()
            };
            title = count.start..end;
        }
        let bare = unclosed(words[title.clone()].trim_end()).trim_end();
        title.end = title.start + bare.len();
        let mark = if is_box {
            mark.start + 1..mark.end - 1
        } else {
            mark
        };
        let shift = |span: Span| place.start + span.start..place.start + span.end;
        Self {
            is_done: !words[mark.clone()].trim().is_empty(),
            title: shift(title),
            mark: shift(mark),
        }
    }
}

/// The checkbox before the title, or at its end.
pub(super) fn find_box(words: &str, title: usize) -> Option<Span> {
    const LENGTH: usize = 3;
    ["[ ]", "[x]", "[X]"].iter().find_map(|mark| {
        let at = words[..title].find(mark).or_else(|| {
            let before = words[title..].strip_suffix(mark)?;
            before
                .ends_with([' ', '\t'])
                .then_some(title + before.len())
        })?;
        Some(at..at + LENGTH)
    })
}

/// A check mark before the title, with its emphasis and the spaces on one side.
fn around(words: &str, at: usize) -> Span {
    let sign = |c: char| CHECK_MARKS.contains(&c) || VARIATION_SELECTORS.contains(&c);
    let rest = words[at..].trim_start_matches(sign);
    let (mut start, mut end) = (at, words.len() - rest.len());
    let open = words[..at].trim_end_matches(EMPHASIS);
    if start > open.len() && rest.starts_with(&words[open.len()..at]) {
        end += start - open.len();
        start = open.len();
    }
    let before = words[..start].trim_end().len();
    match before < start {
        true => before..end,
        false => start..words.len() - words[end..].trim_start().len(),
    }
}

/// A check mark after the title, with a short label after it.
fn at_end(words: &str, title: usize) -> Option<Span> {
    let sign = |c: char| CHECK_MARKS.contains(&c) || VARIATION_SELECTORS.contains(&c);
    let at = title + words[title..].rfind(CHECK_MARKS)?;
    let label = words[at..]
        .trim_start_matches(sign)
        .trim_matches(|c: char| EMPHASIS.contains(&c) || c == ' ');
    let is_label = label.starts_with(|c: char| c.is_uppercase() || "([-–—".contains(c))
        && label.split(' ').count() <= MAX_LABEL;
    if !label.is_empty() && !is_label {
        return None;
    }
    let before = words[..at].trim_end_matches(|c: char| sign(c) || c == ' ');
    let open = before.trim_end_matches(EMPHASIS);
    let is_opened = open.len() < before.len()
        && words[at..].ends_with(&before[open.len()..])
        && before.len() == at;
    let start = if is_opened {
        open.trim_end().len()
    } else {
        before.len()
    };
    let end = start + unclosed(&words[start..]).len();
    Some(start..end)
}

/// The text without closing emphasis at its end that was opened before it.
fn unclosed(words: &str) -> &str {
    let is_odd = |mark: &&&str| words.ends_with(**mark) && words.matches(**mark).count() % 2 == 1;
    let mark = ["**", "__"].iter().find(is_odd);
    mark.map_or(words, |mark| &words[..words.len() - mark.len()])
}
