//! Selects lines of files: whole files if they fit, otherwise their beginning, their end and the
//! lines around the step's words.
//!
//! A file is divided into blocks of a few lines, at blank lines if possible. Blocks are ranked, and
//! the best ones are taken as long as they fit, so more space only ever adds lines.

use std::collections::{BTreeMap, BTreeSet};

use super::keywords::{StepKeywords, terms};
use super::{FileText, Item, ItemKind, budget};
use crate::envelope::{FILE, attribute, escaped_file};
use crate::session::request::tokens_of;

const BLOCK: usize = 12;

/// After this many lines, a blank line ends a block.
const SHORT_BLOCK: usize = 4;

/// Maximum length of a line in bytes; files with longer lines are rarely written by hand.
const LINE_BYTES: usize = 600;

/// Maximum number of words mentioned in a reason.
const NAMED: usize = 3;

pub(super) struct Shown {
    /// One item per range of lines, ordered by file and line.
    pub(super) items: Vec<Item>,
    /// The number of files that have text but are not shown at all.
    pub(super) left_out: usize,
    /// Whether all files are shown in full.
    pub(super) is_whole: bool,
}

/// As much of the files as fits. If they don't all fit completely, each file gets the same share.
pub(super) fn shown(files: &[FileText], asked: &StepKeywords, budget: u32) -> Shown {
    let sheets: Vec<Sheet<'_>> = files
        .iter()
        .filter(|file| file.unshown.is_none())
        .map(Sheet::of)
        .collect();
    let sizes: Vec<u32> = sheets.iter().map(Sheet::tokens).collect();
    let level = budget::level(&sizes, budget);
    let mut shown = Shown {
        items: Vec::new(),
        left_out: 0,
        is_whole: true,
    };
    for sheet in &sheets {
        let ranges = sheet.ranges(asked, level);
        shown.left_out += usize::from(ranges.is_empty());
        shown.is_whole &= sheet.tokens() <= level;
        shown.items.extend(ranges);
    }
    shown
}

/// A file, prepared for selecting lines.
struct Sheet<'a> {
    file: &'a FileText,
    lines: Vec<String>,
}

impl<'a> Sheet<'a> {
    fn of(file: &'a FileText) -> Self {
        // The text is escaped as a whole, because a tag may span several lines.
        let escaped = escaped_file(&file.text);
        let lines = escaped.lines().map(clipped).collect();
        Self { file, lines }
    }

    fn total(&self) -> usize {
        self.lines.len().max(self.file.lines_total as usize)
    }

    /// Lines `from..to`, counted from 0, in an envelope.
    fn text(&self, from: usize, to: usize) -> String {
        let lines = self.lines.get(from..to).unwrap_or_default();
        let mut text = self.head(from, to);
        for line in lines {
            text.push('\n');
            text.push_str(line);
        }
        text.push_str("\n</");
        text.push_str(FILE);
        text.push('>');
        text
    }

    fn head(&self, from: usize, to: usize) -> String {
        let path = attribute(&self.file.path);
        let total = self.total();
        let lines = if self.lines.is_empty() {
            "none, the file is empty".to_owned()
        } else if from == 0 && to == total {
            format!("all {total}")
        } else {
            format!("{}-{to} of {total}", from + 1)
        };
        let ends = match self.file.text.contains("\r\n") {
            true => " line-ends=\"CRLF\"",
            false => "",
        };
        format!("<{FILE} path=\"{path}\" lines=\"{lines}\"{ends}>")
    }

    fn tokens(&self) -> u32 {
        tokens_of(self.text(0, self.lines.len()).len() + 1)
    }

    fn item(&self, from: usize, to: usize, reason: String) -> Item {
        let number = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
        let kind = ItemKind::File {
            path: self.file.path.clone(),
            from_line: if self.lines.is_empty() {
                0
            } else {
                number(from + 1)
            },
            to_line: number(to),
        };
        Item::new(kind, self.text(from, to), reason)
    }

    /// The parts of the file that are shown in at most `most` tokens.
    fn ranges(&self, asked: &StepKeywords, most: u32) -> Vec<Item> {
        if self.tokens() <= most {
            let reason = match self.file.is_cut {
                true => "The step names this file; only its beginning was read.",
                false => "The step names this file.",
            };
            return vec![self.item(0, self.lines.len(), reason.to_owned())];
        }
        let blocks = self.blocks();
        let found = Found::of(&self.lines, asked);
        let mut taken: Vec<usize> = Vec::new();
        let mut left = most;
        for index in ranking(&blocks, &found) {
            let (from, to) = blocks[index];
            // This is the size of the block on its own; joined with its neighbors, it needs less.
            let alone = tokens_of(self.text(from, to).len() + 1);
            let Some(less) = left.checked_sub(alone) else {
                break;
            };
            left = less;
            taken.push(index);
        }
        taken.sort_unstable();
        let runs = taken.chunk_by(|one, next| one + 1 == *next);
        let runs = runs.filter_map(|run| Some((blocks[*run.first()?].0, blocks[*run.last()?].1)));
        runs.map(|(from, to)| self.item(from, to, self.reason(&found, from, to)))
            .collect()
    }

    fn reason(&self, found: &Found, from: usize, to: usize) -> String {
        let words = found.words_in(from, to);
        let which = if words.is_empty() {
            match (from, to == self.lines.len()) {
                (0, _) => "these are its first lines".to_owned(),
                (_, true) => "these are its last lines".to_owned(),
                _ => "these lines are next to matching lines".to_owned(),
            }
        } else {
            let named: Vec<String> = words.iter().map(|word| format!("“{word}”")).collect();
            format!("these lines contain {}", named.join(", "))
        };
        format!("The step names this file; {which}.")
    }

    fn blocks(&self) -> Vec<(usize, usize)> {
        let mut blocks = Vec::new();
        let mut from = 0;
        for (at, line) in self.lines.iter().enumerate() {
            let length = at + 1 - from;
            if length >= BLOCK || length >= SHORT_BLOCK && line.trim().is_empty() {
                blocks.push((from, at + 1));
                from = at + 1;
            }
        }
        if from < self.lines.len() {
            blocks.push((from, self.lines.len()));
        }
        blocks
    }
}

fn clipped(line: &str) -> String {
    if line.len() <= LINE_BYTES {
        return line.to_owned();
    }
    let end = line.floor_char_boundary(LINE_BYTES);
    format!(
        "{}… [{} bytes of this line left out]",
        &line[..end],
        line.len() - end
    )
}

/// The occurrences of the step's words in a file.
struct Found {
    /// For each line that contains any of the step's words, those words.
    lines: BTreeMap<usize, Vec<String>>,
    /// The weight of each word in this file.
    weights: BTreeMap<String, u32>,
}

impl Found {
    fn of(lines: &[String], asked: &StepKeywords) -> Self {
        let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (at, line) in lines.iter().enumerate() {
            let mut here: Vec<String> = terms(line);
            here.retain(|word| asked.weight(word) > 0);
            here.sort_unstable();
            here.dedup();
            for word in &here {
                *counts.entry(word.clone()).or_default() += 1;
            }
            if !here.is_empty() {
                found.insert(at, here);
            }
        }
        let weights = counts
            .into_iter()
            .map(|(word, count)| {
                // A word that occurs everywhere doesn't distinguish places.
                let rarity = (lines.len() / count.max(1)).max(1).ilog2().min(10);
                let weight = asked.weight(&word) * (1 + rarity);
                (word, weight)
            })
            .collect();
        Self {
            lines: found,
            weights,
        }
    }

    fn words(&self, from: usize, to: usize) -> BTreeSet<&String> {
        let lines = self.lines.range(from..to);
        lines.flat_map(|(_, words)| words).collect()
    }

    /// The score of lines `from..to`. Each word counts once.
    fn score(&self, from: usize, to: usize) -> u32 {
        let words = self.words(from, to).into_iter();
        words.filter_map(|word| self.weights.get(word)).sum()
    }

    /// The words with the highest weight among those in lines `from..to`.
    fn words_in(&self, from: usize, to: usize) -> Vec<&str> {
        let mut words: Vec<&String> = self.words(from, to).into_iter().collect();
        words.sort_by_key(|word| std::cmp::Reverse(self.weights.get(*word).copied()));
        words.into_iter().take(NAMED).map(String::as_str).collect()
    }
}

fn ranking(blocks: &[(usize, usize)], found: &Found) -> Vec<usize> {
    let own: Vec<u32> = blocks
        .iter()
        .map(|(from, to)| found.score(*from, *to))
        .collect();
    let last = blocks.len().saturating_sub(1);
    let at = |index: Option<usize>| index.and_then(|index| own.get(index)).copied().unwrap_or(0);
    let score = |index: usize| {
        let beside = at(index.checked_sub(1)).max(at(Some(index + 1)));
        // The beginning of a file shows what kind of file it is, the end where it stops.
        let place = match index {
            0 => 6,
            index if index == last => 3,
            _ => 0,
        };
        own[index] * 4 + beside + place
    };
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|index| (std::cmp::Reverse(score(*index)), *index));
    order
}
