//! Fills a budget.

use super::{Item, sum};
use crate::session::request::{BYTES_OF_A_TOKEN, tokens_of};

/// Tokens below which a text says nothing any more.
const LEAST: u32 = 24;

/// The highest level at which things of these sizes, none higher than the level, fit into a budget.
/// Sizes above the level are cut to it.
pub(super) fn level(sizes: &[u32], budget: u32) -> u32 {
    let mut sorted = sizes.to_vec();
    sorted.sort_unstable();
    let mut left = budget;
    for (at, size) in sorted.iter().enumerate() {
        let count = u32::try_from(sorted.len() - at).unwrap_or(u32::MAX);
        let share = left / count;
        if *size > share {
            return share;
        }
        left -= size;
    }
    u32::MAX
}

/// What a person pinned and what steps before gave, as much of each as fits: where not all fits whole,
/// the longest are cut first; where not even that helps, the first ones stay. With it whether all of it
/// is there, uncut.
pub(super) fn pinned(items: Vec<Item>, budget: u32) -> (Vec<Item>, bool) {
    let sizes: Vec<u32> = items.iter().map(|item| item.tokens).collect();
    let level = level(&sizes, budget).max(LEAST);
    let is_whole = level == u32::MAX;
    let mut kept: Vec<Item> = Vec::new();
    for item in items {
        let item = cut(item, level);
        if sum(&kept).saturating_add(item.tokens) > budget {
            break;
        }
        kept.push(item);
    }
    (kept, is_whole)
}

/// An item of at most so many tokens, marked where it was cut.
fn cut(item: Item, most: u32) -> Item {
    const MARK: &str = "… [cut]";
    if item.tokens <= most {
        return item;
    }
    let bytes = most as usize * BYTES_OF_A_TOKEN;
    let end = item
        .text
        .floor_char_boundary(bytes.saturating_sub(MARK.len() + 1));
    let text = format!("{}{MARK}", &item.text[..end]);
    Item {
        tokens: tokens_of(text.len() + 1),
        text,
        ..item
    }
}
