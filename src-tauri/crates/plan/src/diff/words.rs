//! Compares two texts word by word.

use crate::align::{Alignment, Interner, runs};

/// If both texts together have more words than this, without the common prefix and suffix, they are
/// not compared word by word: such a comparison would be unreadable.
const MAX_WORDS: usize = 40_000;

/// Consecutive words that were kept, added or removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordRun {
    /// Whether they were kept, added or removed.
    pub kind: RunKind,
    /// The words with their whitespace.
    pub text: String,
}

crate::named! {
    without serde:
    /// How words changed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RunKind {
        /// In both texts.
        Same = "same",
        /// Only in the later text.
        Added = "added",
        /// Only in the earlier text.
        Removed = "removed",
    }
}

/// The words of both texts in reading order, removed words before those that replace them. The runs
/// that are not [`RunKind::Added`] make up the earlier text, those that are not
/// [`RunKind::Removed`] the later one. Adjacent runs differ in kind, and none is empty.
pub fn words(before: &str, after: &str) -> Vec<WordRun> {
    let mut builder = RunBuilder::default();
    if before == after {
        builder.push(before, RunKind::Same);
        return builder.runs;
    }
    let (old, new) = (tokens(before), tokens(after));
    let mut numbers = Interner::new();
    let old_numbers = numbers.all(old.iter().copied());
    let new_numbers = numbers.all(new.iter().copied());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let alignment = Alignment::Shortest;
    let shared = if old.len() + new.len() - 2 * same > MAX_WORDS {
        Vec::new()
    } else {
        runs(&old_numbers[same..], &new_numbers[same..], alignment)
    };
    builder.push(&old[..same].concat(), RunKind::Same);
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
        // Whitespace between changed words belongs to the change.
        let is_replaced = (!builder.removed.is_empty() || !removed.is_empty())
            && (!builder.added.is_empty() || !added.is_empty());
        let is_amid = builder.is_amid_change() && !(removed.is_empty() && added.is_empty());
        if kept.trim().is_empty() && is_amid && is_replaced {
            builder.removed.push_str(&kept);
            builder.added.push_str(&kept);
        } else {
            builder.flush();
            builder.push(&kept, RunKind::Same);
        }
        builder.removed.push_str(&removed);
        builder.added.push_str(&added);
        (old_at, new_at) = (before + length, after + length);
        kept = old[before..old_at].concat();
    }
    builder.flush();
    builder.push(&kept, RunKind::Same);
    builder.runs
}

/// Collects runs.
#[derive(Debug, Default)]
struct RunBuilder {
    runs: Vec<WordRun>,
    removed: String,
    added: String,
}

impl RunBuilder {
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
    /// A character that is a token by itself.
    Mark,
}

fn class(c: char) -> Class {
    // Scripts without spaces between words are compared by character.
    const UNSPACED: char = '\u{2e80}';
    match c {
        ' ' | '\t' => Class::Blank,
        _ if (c.is_alphanumeric() || c == '_') && c < UNSPACED => Class::Word,
        _ => Class::Mark,
    }
}

/// Splits a text into words, whitespace, and single other characters.
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
