//! Turns headings into tasks: each becomes a list item, and the content under it becomes the
//! details of the task.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

use super::{names_other, names_work};
use crate::dialect::heading_steps;
use crate::edit::Splice;
use crate::edit::blocks::{self, Block};
use crate::lines;
use crate::model::{Plan, Span};

/// A heading that may become a task.
#[derive(Debug, Clone)]
pub(super) struct Heading {
    /// The span of the whole heading.
    span: Span,
    level: u8,
    words: String,
}

/// The splices, and the texts of the headings that become tasks, in order.
pub(super) fn made(text: &str, plan: &Plan) -> (Vec<Splice>, Vec<String>) {
    let chosen = chosen(text, plan);
    let all = headings(text, plan);
    let Some(first) = chosen.first() else {
        return (Vec::new(), Vec::new());
    };
    let fences = fences(text, plan);
    let ending = plan.line_ending;
    let mut splices = Vec::new();
    if needs_tasks_heading(&all, first) {
        let at = lines::line_start(text, first.span.start).max(plan.preamble.start);
        splices.push(Splice {
            range: at..at,
            text: format!("## Tasks{ending}{ending}"),
        });
    }
    for heading in &chosen {
        splices.push(Splice {
            range: lines::line_start(text, heading.span.start).max(plan.preamble.start)
                ..heading.span.end,
            text: format!("- [ ] {}", heading.words),
        });
        // Indent everything up to the next heading that isn't nested under this one.
        let next = all
            .iter()
            .find(|other| other.span.start > heading.span.start && other.level <= heading.level);
        let until = next.map_or(text.len(), |next| lines::line_start(text, next.span.start));
        indent(text, heading.span.end, until, &fences, &mut splices);
    }
    let words = chosen.into_iter().map(|heading| heading.words).collect();
    (splices, words)
}

/// The headings that would become tasks.
pub(super) fn chosen(text: &str, plan: &Plan) -> Vec<Heading> {
    let title = plan.title.as_ref().map(|title| title.span.start);
    let candidates: Vec<Heading> = headings(text, plan)
        .into_iter()
        .filter(|heading| {
            let is_title = title.is_some_and(|at| heading.span.contains(&at));
            let words = heading.words.as_str();
            let is_named = words.is_empty() || names_work(words) || names_other(words);
            !is_named && (!is_title || heading_steps::is_numbered(words))
        })
        .collect();
    let numbered: Vec<&Heading> = candidates
        .iter()
        .filter(|heading| heading_steps::is_numbered(&heading.words))
        .collect();
    let at_level = |of: &[&Heading], level: u8| of.iter().filter(|one| one.level == level).count();
    let (of, level) = if numbered.len() > 1 {
        // Use the level with the most steps; on a tie, the deeper one.
        let level = (1..=6).max_by_key(|level| at_level(&numbered, *level));
        (numbered, level)
    } else {
        let all: Vec<&Heading> = candidates.iter().collect();
        let level = (1..=6).rev().find(|level| at_level(&all, *level) > 1);
        (all, level)
    };
    let chosen = of
        .into_iter()
        .filter(|heading| Some(heading.level) == level);
    chosen.cloned().collect()
}

/// Whether to insert `## Tasks` above the first task.
fn needs_tasks_heading(all: &[Heading], first: &Heading) -> bool {
    let mut level = first.level;
    let before = all
        .iter()
        .rev()
        .filter(|heading| heading.span.start < first.span.start);
    for heading in before {
        if heading.level < level {
            level = heading.level;
            if level > 1 {
                // The first task is already under a section heading.
                return false;
            }
        }
    }
    true
}

fn headings(text: &str, plan: &Plan) -> Vec<Heading> {
    blocks::of(text, plan)
        .into_iter()
        .filter(|block| !block.quoted)
        .filter_map(|block| heading(text, block))
        .collect()
}

fn heading(text: &str, block: Block) -> Option<Heading> {
    let level = block.heading?;
    let lines: Vec<&str> = lines::split(&text[block.span.clone()]).collect();
    let words = match lines.as_slice() {
        // Setext heading: the last line is the underline.
        [words @ .., _] if !words.is_empty() => words
            .iter()
            .map(|line| line.trim())
            .collect::<Vec<_>>()
            .join(" "),
        _ => text[heading_steps::words(text, &block.span)].to_owned(),
    };
    Some(Heading {
        span: block.span,
        level,
        words,
    })
}

/// The fenced code blocks, in which leading tabs must stay at the start of the content.
fn fences(text: &str, plan: &Plan) -> Vec<Span> {
    let start = plan.preamble.start;
    let markdown = lines::markdown(&text[start..]);
    Parser::new_ext(&markdown, Options::ENABLE_TABLES)
        .into_offset_iter()
        .filter_map(|(event, range)| match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                Some(start + range.start..start + range.end)
            }
            _ => None,
        })
        .collect()
}

/// Indents the lines between two offsets by the width of `- `.
fn indent(text: &str, from: usize, until: usize, fences: &[Span], splices: &mut Vec<Splice>) {
    let mut at = lines::after_line_end(text, lines::line_end(text, from));
    while at < until {
        let end = lines::line_end(text, at);
        let line = &text[at..end];
        let words = line.trim_start_matches([' ', '\t']);
        if !words.is_empty() {
            let fence = fences.partition_point(|fence| fence.end <= at);
            let in_fence = fences.get(fence).is_some_and(|fence| fence.start < at);
            let blanks = line.len() - words.len();
            // A tab extends to the next tab stop, so spaces in front of it would have no effect.
            let place = match line[..blanks].contains('\t') && !in_fence {
                true => at + blanks,
                false => at,
            };
            splices.push(Splice {
                range: place..place,
                text: "  ".to_owned(),
            });
        }
        let next = lines::after_line_end(text, end);
        if next == end {
            break;
        }
        at = next;
    }
}
