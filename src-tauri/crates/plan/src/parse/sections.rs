//! Parses headings: the title, and the sections that have a meaning.

use pulldown_cmark::HeadingLevel;

use super::decisions;
use crate::dialect::heading_steps;
use crate::id_syntax;
use crate::lines::{self, Lines};
use crate::model::{DecisionRecord, Requirement, Span, TaskId, Title};

/// The values found in headings and in the lists under them.
#[derive(Debug, Default)]
pub(super) struct SectionContents {
    pub(super) title: Option<Title>,
    /// The offset of the first `## Tasks`.
    pub(super) tasks_heading: Option<usize>,
    pub(super) requirements: Vec<Requirement>,
    pub(super) decisions: Vec<DecisionRecord>,
    pub(super) decisions_section: Option<Span>,
    /// The offsets of all headings.
    pub(super) headings: Vec<usize>,
    /// Whether the text ends inside a requirements or decisions section.
    pub(super) ends_inside: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Requirements,
    Decisions,
}

pub(super) struct Sections<'a> {
    text: &'a str,
    lines: &'a Lines,
    found: SectionContents,
    /// The current section, the level of its heading, and the offset where its body starts.
    current: Option<(Name, HeadingLevel, usize)>,
}

impl<'a> Sections<'a> {
    pub(super) fn new(text: &'a str, lines: &'a Lines) -> Self {
        Self {
            text,
            lines,
            found: SectionContents::default(),
            current: None,
        }
    }

    /// Handles a heading outside of lists and quotes. Returns whether it starts a
    /// phase of the plan.
    pub(super) fn heading(&mut self, level: HeadingLevel, range: Span) -> bool {
        let start = self.lines.line(self.text, range.start, 0).start;
        self.found.headings.push(start);
        if self.current.is_some_and(|(_, of, _)| level <= of) {
            self.end_section(start);
        }
        let span = heading_steps::words(self.text, &range);
        let words = &self.text[span.clone()];
        let is_phase = level <= HeadingLevel::H2
            || words
                .get(..5)
                .is_some_and(|start| start.eq_ignore_ascii_case("phase"));
        if level == HeadingLevel::H1 {
            if self.found.title.is_none() && !words.is_empty() {
                let line = self.lines.number(span.start);
                self.found.title = Some(Title {
                    text: words.to_owned(),
                    line,
                    span,
                });
            }
            return is_phase;
        }
        let name = words.trim_end_matches(':').trim_end().to_lowercase();
        let body = lines::line_end(
            self.text,
            lines::trim_back(self.text, range.start, range.end),
        );
        let body = lines::after_line_end(self.text, body);
        match name.as_str() {
            "tasks" if self.found.tasks_heading.is_none() => {
                self.found.tasks_heading = Some(start);
            }
            "requirements" => self.current = Some((Name::Requirements, level, body)),
            "decisions" => self.current = Some((Name::Decisions, level, body)),
            _ => {}
        }
        is_phase
    }

    /// Handles a top-level list item that is neither a task nor a key.
    pub(super) fn item(&mut self, bullet: usize, end: usize, words: usize) {
        let Some((name, ..)) = self.current else {
            return;
        };
        let end = lines::trim_back(self.text, words.min(end), end);
        let line = self.lines.line(self.text, bullet, 0);
        let span = line.start..lines::line_end(self.text, end);
        let line = line.number();
        let first = self.text[words..lines::line_end(self.text, words)].trim_end();
        match name {
            Name::Requirements => {
                let found = id_syntax::requirement_id(first);
                let rest = words + found.as_ref().map_or(0, |found| found.rest);
                let text: Vec<&str> = self.text[rest..end.max(rest)].split_whitespace().collect();
                // Positional ids are assigned at the end, when all written ids are known.
                let id = found.map_or(String::new(), |found| first[found.id].to_owned());
                self.found.requirements.push(Requirement {
                    id,
                    text: text.join(" "),
                    line,
                    span,
                });
            }
            Name::Decisions => {
                let Some((id, rest)) = decisions::split_id(first) else {
                    return;
                };
                let answer = decisions::read_record(rest);
                self.found.decisions.push(DecisionRecord {
                    task: TaskId(id.to_owned()),
                    answer: answer.label,
                    detail: answer.detail,
                    line,
                    span: span.start..lines::line_end(self.text, words),
                });
            }
        }
    }

    pub(super) fn finish(mut self) -> SectionContents {
        self.found.ends_inside = self.current.is_some();
        self.end_section(self.text.len());
        count_requirements(&mut self.found.requirements);
        self.found
    }

    fn end_section(&mut self, at: usize) {
        if let Some((Name::Decisions, _, body)) = self.current.take()
            && self.found.decisions_section.is_none()
        {
            self.found.decisions_section = Some(body.min(at)..at);
        }
    }
}

/// Gives requirements without a written id a positional one: `R2` for the second, or `#R2` if that
/// id is written elsewhere in the file.
fn count_requirements(requirements: &mut [Requirement]) {
    let written: std::collections::BTreeSet<String> = requirements
        .iter()
        .map(|requirement| requirement.id.clone())
        .collect();
    for (place, requirement) in requirements.iter_mut().enumerate() {
        if requirement.id.is_empty() {
            let id = format!("R{}", place + 1);
            requirement.id = if written.contains(&id) {
                format!("#{id}")
            } else {
                id
            };
        }
    }
}
