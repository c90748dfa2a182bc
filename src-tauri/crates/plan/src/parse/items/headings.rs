//! Handles headings that are tasks. Each is open until the next heading of the same or a higher
//! level.

use pulldown_cmark::HeadingLevel;

use super::{Frame, Items, TaskState};
use crate::dialect::heading_steps::StepHeading;
use crate::lines;
use crate::model::{Mark, Task};

impl Items<'_> {
    /// Opens the task of a heading that starts at `at`.
    pub(crate) fn open_heading(&mut self, level: HeadingLevel, at: usize, parts: &StepHeading) {
        self.line = self.lines.line(self.text, at, self.line.index);
        let (start, line_end) = (self.line.start, self.line.end);
        let index = self.tasks.len();
        let (parent, ordinal) = self.place_below(start);
        let id = self.positional_id(parent, ordinal);
        self.states.push(TaskState {
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
            marker: if parts.is_done { 'x' } else { ' ' },
            box_span: parts.mark.clone(),
            done: parts.is_done,
            phase: self.phase,
            parent,
            depth: parent.map_or(0, |parent| self.tasks[parent].depth + 1),
            ..Task::open(
                id,
                self.text,
                parts.title.clone(),
                self.line.number(),
                start..line_end,
            )
        });
        self.ended = None;
        self.open.push(Frame::Task(index));
        self.headings.push(level);
    }

    /// Closes the heading tasks that end where a heading of this level starts.
    pub(crate) fn close_headings(&mut self, level: HeadingLevel, at: usize) {
        while self.headings.last().is_some_and(|open| level <= *open) {
            self.headings.pop();
            self.close(lines::line_start(self.text, at));
        }
    }
}
