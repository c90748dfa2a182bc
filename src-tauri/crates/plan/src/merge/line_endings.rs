//! Normalizes line endings before a merge, and decides whether the merged text ends with one.

use super::Merged;
use crate::lines::{Lines, after_line_end, line_end};

/// Whether the merged text ends with a line ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FinalEnding {
    is_there: bool,
}

impl FinalEnding {
    /// Removes the final line ending if the text must not have one.
    pub(super) fn finish(self, merged: &mut Merged) {
        if self.is_there {
            return;
        }
        let words = merged.text.strip_suffix('\n').unwrap_or(&merged.text);
        let length = words.strip_suffix('\r').map_or(words.len(), str::len);
        merged.text.truncate(length);
        for conflict in &mut merged.conflicts {
            let place = &mut conflict.place;
            *place = place.start.min(length)..place.end.min(length);
            conflict.theirs = merged.text[place.clone()].to_owned();
        }
    }
}

/// The texts to merge. If one side changed the kind of line ending, the other texts get the same
/// kind, so that only content differs. The last line of each text gets a line ending.
pub(super) fn same(base: &str, ours: &str, theirs: &str) -> ([String; 3], FinalEnding) {
    let ends = |text: &str| (!text.is_empty()).then(|| text.ends_with(['\n', '\r']));
    let (was, mine, other) = (ends(base), ends(ours), ends(theirs));
    let is_there = if mine == was || was.is_none() {
        other
    } else {
        mine
    };
    let is_there = is_there.or(mine).unwrap_or(true);
    let (mut texts, ending) = same_endings([base, ours, theirs]);
    for text in &mut texts {
        if ends(text) == Some(false) {
            text.push_str(ending);
        }
    }
    (texts, FinalEnding { is_there })
}

fn same_endings(texts: [&str; 3]) -> ([String; 3], &'static str) {
    let [base, ours, theirs] = texts.map(|text| Lines::of(text).ending);
    let ending = if theirs == base { ours } else { theirs };
    if ours == theirs && theirs == base {
        return (texts.map(str::to_owned), ending);
    }
    let ended = texts.map(|text| {
        let own = Lines::of(text).ending;
        let ended = |line: &str| match line.strip_suffix(own) {
            Some(words) if !words.ends_with('\r') => format!("{words}{ending}"),
            _ => line.to_owned(),
        };
        match own == ending {
            true => text.to_owned(),
            false => split(text).into_iter().map(ended).collect(),
        }
    });
    (ended, ending)
}

/// The lines of a text, with their endings.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let next = after_line_end(text, line_end(text, at));
        lines.push(&text[at..next]);
        at = next;
    }
    lines
}

/// Appends a line, without letting a `\r` and a `\n` merge into one line ending.
pub(super) fn push_line(text: &mut String, line: &str) {
    match line.strip_prefix('\n') {
        Some(rest) if text.ends_with('\r') => {
            text.push('\r');
            text.push_str(rest);
        }
        _ => text.push_str(line),
    }
}
