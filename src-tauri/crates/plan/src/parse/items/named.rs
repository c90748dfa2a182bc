//! What a task goes by: the id that stands behind its box, or its place.

use super::Items;
use crate::dialect::head::{self, Words};
use crate::model::{Problem, ProblemCode, Span, Task, TaskId};

impl<'a> Items<'a> {
    /// Reads the words behind a box; all places are those of the text. Where the dialect keeps ids
    /// apart and a task above has this one, it is a part of the title.
    pub(super) fn words_behind(&mut self, span: Span) -> Words {
        let text = self.text;
        let at = span.start;
        let mut words = head::read(&text[span], self.rules);
        let shift = |span: &mut Span| *span = at + span.start..at + span.end;
        shift(&mut words.title);
        words.stories.iter_mut().for_each(shift);
        words.id.iter_mut().for_each(shift);
        if let Some(id) = &words.id
            && self.rules.keeps_ids_apart
        {
            let line = self.line.number();
            let known = *self.first.entry(&text[id.clone()]).or_insert(line);
            if known != line {
                words.title.start = id.start;
                words.taken = words.id.take().map(|id| (id, known));
            }
        }
        words
    }

    /// The id of a task; a second one of the same id goes by its place, and that is told.
    pub(super) fn id_of(&mut self, words: &Words, parent: Option<usize>, ordinal: usize) -> TaskId {
        let id = match &words.id {
            Some(span) => TaskId(self.text[span.clone()].to_owned()),
            None => self.positional_id(parent, ordinal),
        };
        if let Some((written, known)) = &words.taken {
            let written = &self.text[written.clone()];
            self.problems.push(Problem {
                code: ProblemCode::DuplicateId,
                task: Some(id.clone()),
                line: self.line.number(),
                message: format!(
                    "{written} stands on line {known} already, so this one goes by its place ({id}); give one of the two another id"
                ),
            });
        }
        id
    }

    /// A task turned out to be none; its id is free again.
    pub(super) fn forget_id(&mut self, task: &Task) {
        if self.first.get(task.id.as_str()) == Some(&task.line) {
            self.first.remove(task.id.as_str());
        }
    }

    /// `#2.1`: the places of the task and of those around it, each among its siblings. The mark in
    /// front keeps it apart from every id that can be written.
    pub(super) fn positional_id(&self, parent: Option<usize>, ordinal: usize) -> TaskId {
        use std::fmt::Write as _;
        let mut path = vec![ordinal];
        let mut at = parent;
        while let Some(index) = at {
            path.push(self.readings[index].ordinal);
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
