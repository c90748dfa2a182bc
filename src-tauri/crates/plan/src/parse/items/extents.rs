//! Determines the extents of items and the prose between their keys and sub-tasks.

use super::Items;
use crate::lines;

impl Items<'_> {
    /// The start of the last opened item: the start of its line if only whitespace and quote marks
    /// precede the bullet, else the bullet.
    pub(super) fn item_start(&self) -> usize {
        let line_start = self.line.start;
        let indent = &self.text[line_start..self.bullet];
        let is_first = indent
            .bytes()
            .all(|byte| matches!(byte, b' ' | b'\t' | b'>'));
        if is_first { line_start } else { self.bullet }
    }

    /// The end of the last non-blank line in a range, without its line ending.
    pub(super) fn end_from(&self, start: usize, end: usize) -> usize {
        lines::line_end(
            self.text,
            lines::trim_back(self.text, start, end.max(start)),
        )
    }

    /// Adds the lines up to `until` to a task's prose; the next piece starts at `resume`.
    pub(super) fn take_prose(&mut self, index: usize, until: usize, resume: usize) {
        let state = &mut self.states[index];
        let from = state.cursor;
        state.cursor = resume.max(from);
        let Some(region) = self.text.get(from..until) else {
            return;
        };
        if region.trim().is_empty() {
            return;
        }
        let words_column = state.words_column;
        let body = &mut self.tasks[index].body;
        // The piece starts with the line ending before it, which is dropped; a blank line after
        // that is kept.
        let mut blank_lines = 0;
        let mut begun = false;
        for line in lines::split(region) {
            let line = lines::dedent(line, words_column).trim_end();
            if line.is_empty() {
                blank_lines += 1;
                continue;
            }
            let is_first = body.is_empty();
            if !is_first {
                let breaks = if begun {
                    blank_lines + 1
                } else {
                    blank_lines.clamp(1, 2)
                };
                body.extend(std::iter::repeat_n('\n', breaks));
            }
            body.push_str(if is_first { line.trim_start() } else { line });
            blank_lines = 0;
            begun = true;
        }
    }

    /// Extends a task, and the groups that contain it, up to `end`.
    pub(super) fn stretch(&mut self, index: usize, end: usize) {
        let mut at = Some(index);
        while let Some(index) = at {
            let task = &mut self.tasks[index];
            if task.span.end >= end {
                break;
            }
            task.span.end = end;
            at = task.parent;
        }
    }
}
