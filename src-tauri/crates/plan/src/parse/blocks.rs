//! Walks over the Markdown blocks and classifies list items as tasks, keys,
//! requirements or records.
//!
//! The Markdown parser's item ranges are adjusted: with tabs an item starts at the line ending
//! before it, and in loose lists it ends after blank lines. So starts and ends are recomputed from
//! the bullet and the last non-blank line.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::items::{Frame, Items};
use super::sections::{SectionContents, Sections};
use crate::dialect::{Rules, heading_steps::HeadingSteps};
use crate::lines::{self, Lines};
use crate::model::{DecisionRecord, Problem, Requirement, Span, Task, Title};

/// The result of the walk.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Blocks {
    pub(super) title: Option<Title>,
    /// The offset of the first `## Tasks`.
    pub(super) tasks_heading: Option<usize>,
    pub(super) requirements: Vec<Requirement>,
    pub(super) tasks: Vec<Task>,
    pub(super) decisions: Vec<DecisionRecord>,
    pub(super) decisions_section: Option<Span>,
    /// The offsets of headings outside of lists and quotes.
    pub(super) headings: Vec<usize>,
    /// The number of headings that start a phase.
    pub(super) phases: u32,
    /// Whether the text ends inside a requirements or decisions section.
    pub(super) ends_inside: bool,
    /// The start of the last task that is not inside another item or a quote.
    pub(super) last_outermost: Option<usize>,
}

impl Blocks {
    /// The offset where the preamble ends, in a text whose Markdown starts at `start`.
    pub(super) fn preamble_end(&self, text: &str, start: usize) -> usize {
        let first_task = self.tasks.first().map(|task| task.span.start);
        let end = self.tasks_heading.or(first_task).unwrap_or(text.len());
        end.max(start)
    }
}

/// Walks over `text` from `start` on; `above` is the number of top-level tasks before it.
pub(super) fn walk(
    text: &str,
    start: usize,
    above: usize,
    lines: &Lines,
    (rules, heading_steps): (&'static Rules, Option<&HeadingSteps>),
    problems: &mut Vec<Problem>,
) -> Blocks {
    // Checkboxes are parsed here, and the Markdown parser treats them as plain text, so that
    // ticking one never changes the blocks. The copy is needed because the parser doesn't end every
    // block at a lone `\r`.
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
                if let Some(parts) =
                    heading_steps.and_then(|heading_steps| heading_steps.at(range.start))
                {
                    items.open_heading(level, range.start, parts);
                }
            }
            Event::Start(Tag::Link { .. }) => items.link_at(range.start),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => items.starts_with_code(),
            Event::Start(Tag::Paragraph) => {}
            Event::SoftBreak | Event::HardBreak => {
                items.continue_paragraph(range.end);
                items.start_text();
            }
            _ => items.start_text(),
        }
    }
    items.close_headings(HeadingLevel::H1, text.len());
    let (tasks, phases) = items.finish();
    let SectionContents {
        title,
        tasks_heading,
        requirements,
        decisions,
        decisions_section,
        headings,
        ends_inside,
    } = sections.finish();
    Blocks {
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
