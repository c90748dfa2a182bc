//! Recognizes items that are keys, and finds their tasks.

use std::borrow::Cow;

use super::super::values::{is_known_key, key_name, split_key};
use super::{Frame, Items};
use crate::dialect::detail;
use crate::lines;
use crate::model::{Field, Mark, Problem, ProblemCode, Span};

impl Items<'_> {
    /// Opens a key, if the item is one.
    pub(super) fn open_key(&mut self, words: &str) -> Option<Frame> {
        let loose = self.loose_owner(words);
        let nested = match self.open.last() {
            Some(Frame::Task(index)) => Some(*index),
            _ => None,
        };
        if let Some(task) = nested.filter(|_| self.rules.has_details)
            && let Some(found) = detail::read(words)
        {
            let at = self.words + found.value.start..self.words + found.value.end;
            return Some(self.add_field_at(task, key_name(found.key), at, false));
        }
        if let Some(task) = loose.or(nested) {
            let (key, value) = split_key(words)?;
            // A section under a heading may contain any list, so only known keys are recognized.
            if self.tasks[task].mark == Mark::Heading && !is_known_key(key) {
                return None;
            }
            let frame = self.add_field(task, key_name(key), value, loose.is_some());
            if loose.is_some() {
                let task = &self.tasks[task];
                let message = format!(
                    "`{key}` belongs to {} but isn't indented enough; align it with the text of the step",
                    task.id
                );
                self.problems.push(Problem {
                    code: ProblemCode::LooseKey,
                    task: Some(task.id.clone()),
                    line: self.line.number(),
                    message,
                });
            }
            return Some(frame);
        }
        // `- files:` with a nested list: each item is a value.
        if let Some(Frame::Key { task, field, loose }) = self.open.last().copied() {
            let owner = &self.tasks[task].fields[field];
            if owner.value.is_empty() && is_known_key(&owner.key) {
                let key = owner.key.clone();
                return Some(self.add_field(task, key, words.trim(), loose));
            }
        }
        None
    }

    /// Adds a key whose value extends to the end of the line.
    pub(super) fn add_field(
        &mut self,
        task: usize,
        key: Cow<'static, str>,
        value: &str,
        loose: bool,
    ) -> Frame {
        let line = &self.text[..self.line.end];
        let value_end = line.trim_end().len().max(self.words);
        self.add_field_at(task, key, value_end - value.len()..value_end, loose)
    }

    fn add_field_at(
        &mut self,
        task: usize,
        key: Cow<'static, str>,
        value: Span,
        loose: bool,
    ) -> Frame {
        let start = self.item_start();
        let line_end = self.line.end;
        self.take_prose(task, start, line_end);
        let fields = &mut self.tasks[task].fields;
        fields.push(Field {
            key,
            value: self.text[value.clone()].to_owned(),
            value_span: value,
            span: start..line_end,
            line: self.line.number(),
        });
        let field = fields.len() - 1;
        if loose {
            self.stretch(task, line_end);
        }
        self.ended = None;
        Frame::Key { task, field, loose }
    }

    /// The task that a known key belongs to although Markdown doesn't nest the key in it. The
    /// candidates are the task that ended right before the key and the groups that contain it; the
    /// innermost one whose bullet is further left than the key is returned.
    pub(super) fn loose_owner(&self, words: &str) -> Option<usize> {
        let ended = self.ended?;
        let (key, _) = split_key(words)?;
        if !is_known_key(key) || ended.at > self.bullet {
            return None;
        }
        let between = &self.text.as_bytes()[ended.at..self.bullet];
        if !between
            .iter()
            .all(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'>'))
        {
            return None;
        }
        let line_start = self.line.start;
        let column = lines::column(&self.text[line_start..self.bullet]);
        let mut at = Some(ended.task);
        while let Some(index) = at {
            if self.states[index].is_open {
                return None;
            }
            if self.states[index].column < column {
                return Some(index);
            }
            at = self.tasks[index].parent;
        }
        None
    }
}
