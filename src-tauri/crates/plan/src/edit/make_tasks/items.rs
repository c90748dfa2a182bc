//! Turns list items into tasks.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{names_other, names_work};
use crate::checkbox::{self, ItemHead};
use crate::edit::Splice;
use crate::lines;
use crate::model::Plan;

/// A top-level list item, or an item directly under one.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// Where its text starts.
    words: usize,
    title: String,
    is_numbered: bool,
    /// The kind of heading that it is under.
    section: Section,
    /// The items directly under it.
    nested: Vec<Item>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Work,
    Other,
    Unnamed,
}

/// The splices, and the texts of the items that become tasks, in order.
pub(super) fn made(text: &str, plan: &Plan) -> (Vec<Splice>, Vec<String>) {
    let items = chosen(text, plan);
    let splices = items.iter().map(|item| Splice {
        range: item.words..item.words,
        text: "[ ] ".to_owned(),
    });
    let splices = splices.collect();
    (splices, items.into_iter().map(|item| item.title).collect())
}

/// The items that would become tasks.
pub(super) fn chosen(text: &str, plan: &Plan) -> Vec<Item> {
    let all = all(text, plan);
    let named: Vec<Item> = all
        .iter()
        .filter(|item| item.section == Section::Work)
        .cloned()
        .collect();
    let others = all
        .into_iter()
        .filter(|item| item.section != Section::Other);
    let mut chosen: Vec<Item> = match named.is_empty() {
        true => others.collect(),
        false => named,
    };
    if chosen.iter().any(|item| item.is_numbered) {
        chosen.retain(|item| item.is_numbered);
    }
    match chosen.as_mut_slice() {
        [only] if only.nested.len() > 1 => std::mem::take(&mut only.nested),
        _ => chosen,
    }
}

/// Every top-level item outside of quotes, with the items directly under it.
fn all(text: &str, plan: &Plan) -> Vec<Item> {
    let start = plan.preamble.start;
    let markdown = lines::markdown(&text[start..]);
    let mut found: Vec<Item> = Vec::new();
    // The headings around the current line, with their levels: a heading closes all deeper ones.
    let mut sections: Vec<(u8, Section)> = Vec::new();
    let (mut depth, mut quotes) = (0_usize, 0_usize);
    for (event, range) in Parser::new_ext(&markdown, Options::ENABLE_TABLES).into_offset_iter() {
        let range = start + range.start..start + range.end;
        match event {
            Event::Start(Tag::BlockQuote(_)) => quotes += 1,
            Event::End(TagEnd::BlockQuote(_)) => quotes = quotes.saturating_sub(1),
            Event::Start(Tag::Heading { level, .. }) if depth == 0 && quotes == 0 => {
                let level = level as u8;
                sections.retain(|(above, _)| *above < level);
                let line = &text[range.start..lines::line_end(text, range.start)];
                let words = line.trim_matches(['#', ' ', '\t']);
                let section = if names_work(words) {
                    Section::Work
                } else if names_other(words) {
                    Section::Other
                } else {
                    Section::Unnamed
                };
                sections.push((level, section));
            }
            Event::Start(Tag::Item) => {
                depth += 1;
                if depth > 2 || quotes > 0 {
                    continue;
                }
                let named = sections.iter().rev().map(|(_, section)| *section);
                let section = named
                    .into_iter()
                    .find(|section| *section != Section::Unnamed)
                    .unwrap_or(Section::Unnamed);
                let Some(item) = item(text, range.start, range.end, section) else {
                    continue;
                };
                match (depth, found.last_mut()) {
                    (1, _) => found.push(item),
                    (_, Some(last)) if item.words > last.words => last.nested.push(item),
                    _ => {}
                }
            }
            Event::End(TagEnd::Item) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found
}

/// Parses an item; `None` if inserting a box before its text would not make it a task.
fn item(text: &str, start: usize, end: usize, section: Section) -> Option<Item> {
    let before = text[start..end].bytes();
    let skipped = before
        .take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'>'))
        .count();
    let bullet = start + skipped;
    let line = &text[bullet..lines::line_end(text, bullet)];
    let Some(ItemHead::Text(at)) = checkbox::head(line, checkbox::STRICT) else {
        return None;
    };
    let words = line[at..].trim_end();
    let is_block = words.is_empty()
        || words.starts_with(['#', '>', '|', '~'])
        || words.starts_with("```")
        || checkbox::head(words, checkbox::STRICT).is_some();
    // Five or more spaces after a bullet begin a code block.
    let is_code = line[..at].ends_with("     ");
    (!is_block && !is_code).then(|| Item {
        words: bullet + at,
        title: words.to_owned(),
        is_numbered: line.starts_with(|c: char| c.is_ascii_digit()),
        section,
        nested: Vec::new(),
    })
}
