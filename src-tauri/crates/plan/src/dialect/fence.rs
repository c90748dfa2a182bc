//! Code blocks, as seen by a scan of lines before the Markdown is parsed.

use super::detect::ANY;
use crate::checkbox::{self, ItemHead};

/// An open code block.
#[derive(Debug)]
pub(crate) struct Fence {
    mark: u8,
    length: usize,
    indent: usize,
}

impl Fence {
    /// The block that a line opens; `indent` is the indent of the line.
    pub(crate) fn opened(words: &str, indent: usize) -> Option<Self> {
        let mark = *words
            .as_bytes()
            .first()
            .filter(|byte| matches!(byte, b'`' | b'~'))?;
        let length = words.bytes().take_while(|byte| *byte == mark).count();
        let is_fence = length >= 3 && (mark == b'~' || !words[length..].contains('`'));
        is_fence.then_some(Self {
            mark,
            length,
            indent,
        })
    }

    /// Whether a line is still inside. A block in a list item ends with the item.
    pub(crate) fn holds(&self, words: &str, indent: usize) -> bool {
        let is_item = matches!(checkbox::head(words, ANY), Some(ItemHead::Task(_)));
        indent >= self.indent || self.indent < 2 || !is_item
    }

    /// Whether a line closes it.
    pub(crate) fn closes(&self, words: &str) -> bool {
        let length = words.bytes().take_while(|byte| *byte == self.mark).count();
        length >= self.length && words[length..].trim().is_empty()
    }
}
