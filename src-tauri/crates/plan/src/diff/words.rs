//! Two texts, word by word.

use crate::align::{Care, Numbers, runs};

/// More words than this on both sides together, without the common beginning and end, are not
/// compared one by one: nobody reads such a comparison.
const MAX_WORDS: usize = 40_000;

/// Words that stayed, came or went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordRun {
    /// What became of them.
    pub kind: RunKind,
    /// The words with their blanks.
    pub text: String,
}

/// What became of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunKind {
    /// Both texts have them.
    Same,
    /// Only the later text has them.
    Added,
    /// Only the earlier text has them.
    Removed,
}

impl RunKind {
    /// The name used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Added => "added",
            Self::Removed => "removed",
        }
    }
}

/// The words of both texts in reading order, what went before what came in its place. The runs that
/// are not [`RunKind::Added`] make up the earlier text, those that are not [`RunKind::Removed`] the
/// later one. No two runs of a kind stand side by side, and none is empty.
pub fn words(before: &str, after: &str) -> Vec<WordRun> {
    let mut page = Page::default();
    if before == after {
        page.push(before, RunKind::Same);
        return page.runs;
    }
    let (old, new) = (tokens(before), tokens(after));
    let mut numbers = Numbers::new();
    let old_numbers = numbers.all(old.iter().copied());
    let new_numbers = numbers.all(new.iter().copied());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let care = Care::Shortest;
    let shared = if old.len() + new.len() - 2 * same > MAX_WORDS {
        Vec::new()
    } else {
        runs(&old_numbers[same..], &new_numbers[same..], care)
    };
    page.push(&old[..same].concat(), RunKind::Same);
    let (mut old_at, mut new_at) = (same, same);
    let ends = (old.len() - same, new.len() - same, 0);
    let stays = shared
        .iter()
        .map(|run| (run.before, run.after, run.length))
        .chain([ends]);
    let mut kept = String::new();
    for (before, after, length) in stays {
        let (before, after) = (same + before, same + after);
        let (removed, added) = (old[old_at..before].concat(), new[new_at..after].concat());
        // A blank between words that all changed belongs to them.
        let is_replaced = (!page.removed.is_empty() || !removed.is_empty())
            && (!page.added.is_empty() || !added.is_empty());
        let is_amid = page.is_amid_change() && !(removed.is_empty() && added.is_empty());
        if kept.trim().is_empty() && is_amid && is_replaced {
            page.removed.push_str(&kept);
            page.added.push_str(&kept);
        } else {
            page.flush();
            page.push(&kept, RunKind::Same);
        }
        page.removed.push_str(&removed);
        page.added.push_str(&added);
        (old_at, new_at) = (before + length, after + length);
        kept = old[before..old_at].concat();
    }
    page.flush();
    page.push(&kept, RunKind::Same);
    page.runs
}

/// Runs as they grow.
#[derive(Debug, Default)]
struct Page {
    runs: Vec<WordRun>,
    removed: String,
    added: String,
}

impl Page {
    fn is_amid_change(&self) -> bool {
        !self.removed.is_empty() || !self.added.is_empty()
    }

    fn flush(&mut self) {
        let (removed, added) = (
            std::mem::take(&mut self.removed),
            std::mem::take(&mut self.added),
        );
        self.push(&removed, RunKind::Removed);
        self.push(&added, RunKind::Added);
    }

    fn push(&mut self, text: &str, kind: RunKind) {
        if text.is_empty() {
            return;
        }
        match self.runs.last_mut() {
            Some(run) if run.kind == kind => run.text.push_str(text),
            _ => self.runs.push(WordRun {
                kind,
                text: text.to_owned(),
            }),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Blank,
    /// Stands for itself.
    Mark,
}

fn class(c: char) -> Class {
    // Scripts without blanks between words are compared by the character.
    const UNSPACED: char = '\u{2e80}';
    match c {
        ' ' | '\t' => Class::Blank,
        _ if (c.is_alphanumeric() || c == '_') && c < UNSPACED => Class::Word,
        _ => Class::Mark,
    }
}

/// Words, blanks between them, and every other character on its own.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        let of = class(c);
        let mut end = start + c.len_utf8();
        while let Some((at, next)) = chars.peek().copied() {
            if of == Class::Mark || class(next) != of {
                break;
            }
            end = at + next.len_utf8();
            chars.next();
        }
        tokens.push(&text[start..end]);
    }
    tokens
}
