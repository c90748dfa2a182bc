//! The blocks of a page outside of lists: headings, paragraphs, code, tables.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::lines;
use crate::model::{Plan, Span};

/// A block that isn't in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// Its span, without surrounding blank lines.
    pub(super) span: Span,
    /// The level if it is a heading; 1 is the title's.
    pub(super) heading: Option<u8>,
    /// Whether it is in a quote.
    pub(super) quoted: bool,
}

/// The blocks of a page in order, including those in quotes.
pub(super) fn of(text: &str, plan: &Plan) -> Vec<Block> {
    let start = plan.preamble.start;
    let markdown = lines::markdown(&text[start..]);
    let mut blocks = Vec::new();
    let (mut depth, mut quotes) = (0_usize, 0_usize);
    for (event, range) in Parser::new_ext(&markdown, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::BlockQuote(_)) if depth == 0 => quotes += 1,
            Event::End(TagEnd::BlockQuote(_)) if depth == 0 => quotes = quotes.saturating_sub(1),
            Event::End(_) => depth = depth.saturating_sub(1),
            event => {
                let begins = matches!(event, Event::Start(_));
                let heading = match event {
                    Event::Start(Tag::Heading { level, .. }) => Some(number(level)),
                    _ => None,
                };
                if depth == 0 && !matches!(event, Event::Start(Tag::List(_))) {
                    let range = start + range.start..start + range.end;
                    let blanks = text[range.clone()].len() - text[range.clone()].trim_start().len();
                    blocks.push(Block {
                        span: range.start + blanks
                            ..lines::trim_back(text, range.start + blanks, range.end),
                        heading,
                        quoted: quotes > 0,
                    });
                }
                depth += usize::from(begins);
            }
        }
    }
    blocks
}

/// The first heading outside of quotes with this text, and where its section ends.
pub(super) fn section(text: &str, plan: &Plan, name: &str) -> Option<(Span, usize)> {
    let blocks = of(text, plan);
    let words = |block: &Block| {
        let line = text[block.span.start..lines::line_end(text, block.span.start)].trim();
        line.trim_matches('#')
            .trim()
            .trim_end_matches(':')
            .trim_end()
            .to_lowercase()
    };
    let at = blocks.iter().position(|block| {
        block.heading.is_some_and(|level| level > 1) && !block.quoted && words(block) == name
    })?;
    let level = blocks[at].heading;
    let next = blocks[at + 1..]
        .iter()
        .find(|block| !block.quoted && block.heading.is_some() && block.heading <= level);
    let end = next.map_or(text.len(), |next| lines::line_start(text, next.span.start));
    Some((blocks[at].span.clone(), end))
}

fn number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}
