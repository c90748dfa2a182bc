//! Headings that are tasks: each is open until a heading of its level, or one above it, comes.

use pulldown_cmark::HeadingLevel;

use super::{Frame, Items, Reading};
use crate::dialect::headed::Parts;
use crate::lines;
use crate::model::{Mark, Span, Task};

impl Items<'_> {
    /// Whether a heading that is a task is open.
    pub(crate) fn is_in_heading(&self) -> bool {
        !self.headings.is_empty()
    }

    /// Opens the task of a heading that begins at `at`, whose words stand at `words`.
    pub(crate) fn open_heading(
        &mut self,
        level: HeadingLevel,
        at: usize,
        words: Span,
        parts: &Parts,
    ) {
        self.line = self.lines.line(self.text, at, self.line.index);
        let (start, line_end) = (self.line.start, self.line.end);
        let index = self.tasks.len();
        let (parent, ordinal) = self.place_below(start);
        let id = self.positional_id(parent, ordinal);
        let shift = |span: &Span| words.start + span.start..words.start + span.end;
        let is_done = !parts.mark.is_empty();
        self.readings.push(Reading {
            column: 0,
            words_column: 0,
            cursor: line_end,
            is_open: true,
            ordinal,
            sub_tasks: 0,
            bracket: start,
        });
        self.tasks.push(Task {
            mark: Mark::Heading,
            marker: if is_done { 'x' } else { ' ' },
            box_span: shift(&parts.mark),
            done: is_done,
            phase: self.phase,
            parent,
            depth: parent.map_or(0, |parent| self.tasks[parent].depth + 1),
            ..Task::open(
                id,
                self.text,
                shift(&parts.title),
                self.line.number(),
                start..line_end,
            )
        });
        self.ended = None;
        self.open.push(Frame::Task(index));
        self.headings.push(level);
    }

    /// Closes the tasks of headings that end where one of this level begins.
    pub(crate) fn close_headings(&mut self, level: HeadingLevel, at: usize) {
        while self.headings.last().is_some_and(|open| level <= *open) {
            self.headings.pop();
            self.close(lines::line_start(self.text, at));
        }
    }
}
