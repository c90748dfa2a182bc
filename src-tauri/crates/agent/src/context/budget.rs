//! Fits items into a token budget.

use super::{Item, sum};
use crate::session::request::{BYTES_OF_A_TOKEN, tokens_of};

/// The minimum number of tokens for a cut text to be useful.
const MIN_TOKENS: u32 = 24;

/// The largest limit such that all items fit into the budget if each is cut to that limit;
/// `u32::MAX` if nothing needs to be cut.
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

/// As many pinned items as fit. If they don't all fit uncut, the longest are cut first; if that
/// isn't enough, only the first ones are kept. Also returns whether all items fit uncut.
pub(super) fn pinned(items: Vec<Item>, budget: u32) -> (Vec<Item>, bool) {
    let sizes: Vec<u32> = items.iter().map(|item| item.tokens).collect();
    let level = level(&sizes, budget).max(MIN_TOKENS);
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

/// The item cut to at most `most` tokens, with a mark at the cut.
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
