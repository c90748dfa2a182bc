//! The walk over the Markdown blocks: which list items are tasks, keys, requirements, records.
//!
//! Item ranges of the Markdown parser are not used as they come: with tabs an item begins at the
//! line ending before it, and in loose lists it ends after blank lines. Starts and ends are found
//! anew from the bullet and the last line that is not blank.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::items::{Frame, Items};
use super::sections::{Section, Sections};
use crate::dialect::{Rules, headed::Headed};
use crate::lines::{self, Lines};
use crate::model::{DecisionRecord, Problem, Requirement, Span, Task, Title};

/// What the walk found.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Found {
    pub(super) title: Option<Title>,
    /// Where the first `## Tasks` stands.
    pub(super) tasks_heading: Option<usize>,
    pub(super) requirements: Vec<Requirement>,
    pub(super) tasks: Vec<Task>,
    pub(super) decisions: Vec<DecisionRecord>,
    pub(super) decisions_section: Option<Span>,
    /// Where headings stand, outside of lists and quotes.
    pub(super) headings: Vec<usize>,
    /// How many headings began a phase.
    pub(super) phases: u32,
    /// Whether the text ends in a section that gives its lists a meaning.
    pub(super) ends_inside: bool,
    /// Where the last task begins that stands in no other item and in no quote.
    pub(super) last_outermost: Option<usize>,
}

impl Found {
    /// Where the words above the tasks of a text end, whose Markdown begins at `start`.
    pub(super) fn preamble_end(&self, text: &str, start: usize) -> usize {
        let first_task = self.tasks.first().map(|task| task.span.start);
        let end = self.tasks_heading.or(first_task).unwrap_or(text.len());
        end.max(start)
    }
}

/// Walks over `text` from `start` on; `above` is how many tasks stand above that at the top level.
pub(super) fn walk(
    text: &str,
    start: usize,
    above: usize,
    lines: &Lines,
    (rules, headed): (&'static Rules, Option<&Headed>),
    problems: &mut Vec<Problem>,
) -> Found {
    // Boxes are read by hand: to the Markdown parser they stay text, so that no tick can change
    // which blocks it sees. It does not end every block at a lone `\r`, hence the other text.
    let markdown = lines::markdown(&text[start..]);
    let events = Parser::new_ext(&markdown, Options::ENABLE_TABLES).into_offset_iter();
    let mut items = Items::new(text, above, lines, rules, problems);
    let mut sections = Sections::new(text, lines);
    let mut quotes = 0_usize;
    let mut last_outermost = None;
    for (event, range) in events {
        let range = start + range.start..start + range.end;
        match event {
            Event::Start(Tag::Item) => {
                let is_top = items.is_at_top() && quotes == 0;
                let kind = items.open(range.start, range.end);
                match kind {
                    Frame::Prose if is_top => {
                        sections.item(items.bullet(), range.end, items.words());
                    }
                    Frame::Task(_) if is_top => last_outermost = Some(items.bullet()),
                    _ => {}
                }
            }
            Event::End(TagEnd::Item) => items.close(range.end),
            Event::Start(Tag::BlockQuote(_)) => quotes += 1,
            Event::End(TagEnd::BlockQuote(_)) => quotes = quotes.saturating_sub(1),
            Event::Start(Tag::Heading { level, .. }) if quotes == 0 && items.is_at_top() => {
                items.close_headings(level, range.start);
                if sections.heading(level, range.clone()) {
                    items.next_phase();
                }
                if let Some(parts) = headed.and_then(|headed| headed.at(range.start)) {
                    items.open_heading(level, range.start, parts);
                }
            }
            Event::Start(Tag::Link { .. }) => items.link_at(range.start),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => items.code_first(),
            Event::Start(Tag::Paragraph) => {}
            Event::SoftBreak | Event::HardBreak => {
                items.line_of_prose(range.end);
                items.words_begin();
            }
            _ => items.words_begin(),
        }
    }
    items.close_headings(HeadingLevel::H1, text.len());
    let (tasks, phases) = items.finish();
    let Section {
        title,
        tasks_heading,
        requirements,
        decisions,
        decisions_section,
        headings,
        ends_inside,
    } = sections.finish();
    Found {
        title,
        tasks_heading,
        requirements,
        tasks,
        decisions,
        decisions_section,
        headings,
        phases,
        ends_inside,
        last_outermost,
    }
}
