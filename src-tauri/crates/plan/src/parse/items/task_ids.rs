//! Determines a task's id: the one written after its box, or one derived from its position.

use super::Items;
use crate::dialect::head::{self, TaskHead};
use crate::model::{Problem, ProblemCode, Span, Task, TaskId};

impl<'a> Items<'a> {
    /// Parses the text after a box; all spans refer to the whole text. In dialects that deduplicate
    /// ids, an id that an earlier task already has is treated as part of the title.
    pub(super) fn parse_head(&mut self, span: Span) -> TaskHead {
        let text = self.text;
        let at = span.start;
        let mut words = head::read(&text[span], self.rules);
        let shift = |span: &mut Span| *span = at + span.start..at + span.end;
        shift(&mut words.title);
        words.stories.iter_mut().for_each(shift);
        words.id.iter_mut().for_each(shift);
        if let Some(id) = &words.id
            && self.rules.deduplicates_ids
        {
            let line = self.line.number();
            let known = *self.first.entry(&text[id.clone()]).or_insert(line);
            if known != line {
                words.title.start = id.start;
                words.duplicate = words.id.take().map(|id| (id, known));
            }
        }
        words
    }

    /// The id of a task. A task with a duplicate id gets a positional id, and the duplicate is
    /// reported.
    pub(super) fn id_of(
        &mut self,
        words: &TaskHead,
        parent: Option<usize>,
        ordinal: usize,
    ) -> TaskId {
        let id = match &words.id {
            Some(span) => TaskId(self.text[span.clone()].to_owned()),
            None => self.positional_id(parent, ordinal),
        };
        if let Some((written, known)) = &words.duplicate {
            let written = &self.text[written.clone()];
            self.problems.push(Problem {
                code: ProblemCode::DuplicateId,
                task: Some(id.clone()),
                line: self.line.number(),
                message: format!(
                    "duplicate id {written}, first used on line {known}; this step is named by position ({id}) until you give one of them another id"
                ),
            });
        }
        id
    }

    /// Releases the id of an item that turned out not to be a task.
    pub(super) fn forget_id(&mut self, task: &Task) {
        if self.first.get(task.id.as_str()) == Some(&task.line) {
            self.first.remove(task.id.as_str());
        }
    }

    /// An id such as `#2.1`: the positions of the task and its parents, each among its siblings.
    /// The `#` distinguishes it from all written ids.
    pub(super) fn positional_id(&self, parent: Option<usize>, ordinal: usize) -> TaskId {
        use std::fmt::Write as _;
        let mut path = vec![ordinal];
        let mut at = parent;
        while let Some(index) = at {
            path.push(self.states[index].ordinal);
            at = self.tasks[index].parent;
        }
        let mut id = String::from("#");
        for (place, ordinal) in path.iter().rev().enumerate() {
            let dot = if place == 0 { "" } else { "." };
            // Writing to a string cannot fail.
            let _ = write!(id, "{dot}{ordinal}");
        }
        TaskId(id)
    }
}
