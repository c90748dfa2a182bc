//! Lines that both sides inserted at the same position.

use super::version::{LineItem, Version, indent, is_blank, is_item};
use crate::model::Span;
use crate::parse::split_id;

/// Keys that take a single value.
pub(super) const SINGLE: [&str; 6] = ["by", "complexity", "type", "confirm", "why", "skipped"];

/// The inserted lines of one side.
#[derive(Debug)]
pub(super) struct Insertion<'t> {
    lines: Vec<&'t str>,
    /// For each line, its key in lower case, if any.
    keys: Vec<Option<String>>,
    is_task: Vec<bool>,
}

/// A list item with everything indented under it.
#[derive(Debug)]
struct Block<'i, 't> {
    /// Its lines, including any blank lines before it.
    lines: &'i [&'t str],
    column: usize,
    /// The key in lower case, if the item is a key.
    key: Option<&'i str>,
    /// The id at the start of a record or requirement.
    id: Option<&'t str>,
    is_task: bool,
}

impl<'t> Insertion<'t> {
    pub(super) fn of(version: &Version<'t>, lines: Span) -> Self {
        let on = |line: usize| version.on(line);
        Self {
            keys: lines
                .clone()
                .map(|line| match on(line) {
                    Some(LineItem::Key(field)) => Some(field.key.to_string()),
                    _ => None,
                })
                .collect(),
            is_task: lines
                .clone()
                .map(|line| matches!(on(line), Some(LineItem::Task(_))))
                .collect(),
            lines: version.lines[lines].to_vec(),
        }
    }

    /// The list items from this line on; `None` if there is any other content.
    fn blocks(&self, from: usize) -> Option<Vec<Block<'_, 't>>> {
        let mut blocks: Vec<Block<'_, 't>> = Vec::new();
        // The start of the current block, and the line of its item.
        let mut start = from;
        let mut open: Option<usize> = None;
        let last = self.lines.len();
        for at in from..=last {
            let ends = match (open, self.lines.get(at)) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(item), Some(line)) => {
                    !is_blank(line) && indent(line) <= indent(self.lines[item])
                }
            };
            if ends && let Some(item) = open.take() {
                // Blank lines between two items belong to the second.
                let mut end = at;
                while at < last && end > item + 1 && is_blank(self.lines[end - 1]) {
                    end -= 1;
                }
                blocks.push(self.block(start..end, item));
                start = end;
            }
            if open.is_none()
                && let Some(line) = self.lines.get(at)
                && !is_blank(line)
            {
                if !is_item(line) {
                    return None;
                }
                open = Some(at);
            }
        }
        // Blank lines alone don't make an item.
        (start == last).then_some(blocks)
    }

    fn block(&self, lines: Span, item: usize) -> Block<'_, 't> {
        let line = self.lines[item];
        let words = line.trim_start_matches([' ', '\t', '>']);
        let words = words
            .split_once([' ', '\t'])
            .map_or("", |(_, words)| words.trim());
        let is_task = self.is_task[item];
        Block {
            lines: &self.lines[lines],
            column: indent(line),
            key: self.keys[item].as_deref(),
            id: split_id(words).filter(|_| !is_task).map(|(id, _)| id),
            is_task,
        }
    }
}

/// Both sides' lines, theirs first; `None` if combining them or their order would change the
/// meaning.
pub(super) fn both<'t>(ours: &Insertion<'t>, theirs: &Insertion<'t>) -> Option<Vec<&'t str>> {
    // Skip the leading lines that both sides share, such as an identical heading.
    let same = ours.lines.iter().zip(&theirs.lines);
    let same = same.take_while(|(a, b)| a == b).count();
    let is_prose = |line: &&str| !is_blank(line) && !is_item(line);
    let shared = match ours.lines[..same].iter().rposition(is_prose) {
        Some(last) => {
            let blanks = ours.lines[last + 1..same].iter();
            last + 1 + blanks.take_while(|line| is_blank(line)).count()
        }
        None => 0,
    };
    let mut lines = theirs.lines[..shared].to_vec();
    if ours.lines.len() == shared || theirs.lines.len() == shared {
        lines.extend(&theirs.lines[shared..]);
        lines.extend(&ours.lines[shared..]);
        return Some(lines);
    }
    let (our, their) = (ours.blocks(shared)?, theirs.blocks(shared)?);
    if conflict(&our, &their) {
        return None;
    }
    let our = our.into_iter().filter(|block| {
        let words = |block: &Block<'_, 't>| -> Vec<&str> {
            let lines = block.lines.iter().copied();
            lines
                .map(str::trim_end)
                .filter(|line| !line.is_empty())
                .collect()
        };
        let own = words(block);
        !their.iter().any(|known| words(known) == own)
    });
    let (our, their) = (levels(our.collect()), levels(their));
    let (mut our, mut their) = (our.into_iter().peekable(), their.into_iter().peekable());
    // More deeply indented items belong to the task above, so they come first.
    loop {
        let column = |level: Option<&Level<'_, '_>>| level.map(|level| level.column);
        let next = match (column(our.peek()), column(their.peek())) {
            (None, None) => break,
            (Some(our), Some(their)) => our.max(their),
            (Some(column), None) | (None, Some(column)) => column,
        };
        let theirs = their.next_if(|level| level.column == next);
        let ours = our.next_if(|level| level.column == next);
        let both = || [&theirs, &ours].into_iter().flatten();
        // A task's keys come before its sub-tasks.
        for level in both() {
            lines.extend(level.before_tasks.iter().flat_map(|block| block.lines));
        }
        for level in both() {
            lines.extend(level.from_tasks.iter().flat_map(|block| block.lines));
        }
    }
    Some(lines)
}

/// Whether both sides set the same single-value key or record to different values.
fn conflict(ours: &[Block<'_, '_>], theirs: &[Block<'_, '_>]) -> bool {
    ours.iter().any(|our| {
        theirs.iter().any(|their| {
            let differ = our.lines.last().map(|line| line.trim())
                != their.lines.last().map(|line| line.trim())
                || our.lines.len() != their.lines.len();
            let same_key = our.key.is_some_and(|key| SINGLE.contains(&key)) && our.key == their.key;
            let same_id = our.id.is_some() && our.id == their.id;
            differ && our.column == their.column && (same_key || same_id)
        })
    })
}

/// Consecutive items of one indentation level.
#[derive(Debug)]
struct Level<'i, 't> {
    column: usize,
    before_tasks: Vec<Block<'i, 't>>,
    from_tasks: Vec<Block<'i, 't>>,
}

/// Groups the items by indentation; each group is indented less than the previous one.
fn levels<'i, 't>(blocks: Vec<Block<'i, 't>>) -> Vec<Level<'i, 't>> {
    let mut levels: Vec<Level<'i, 't>> = Vec::new();
    for block in blocks {
        let is_new = levels
            .last()
            .is_none_or(|level| block.column < level.column);
        if is_new {
            levels.push(Level {
                column: block.column,
                before_tasks: Vec::new(),
                from_tasks: Vec::new(),
            });
        }
        if let Some(level) = levels.last_mut() {
            if block.is_task || !level.from_tasks.is_empty() {
                level.from_tasks.push(block);
            } else {
                level.before_tasks.push(block);
            }
        }
    }
    levels
}
