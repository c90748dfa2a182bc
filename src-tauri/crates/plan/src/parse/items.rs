//! List items: tasks with their extents, their keys, their prose.

mod extents;
mod keys;

use crate::boxes::{self, Head, TaskBox};
use crate::ids;
use crate::lines::{self, Line, Lines};
use crate::model::{By, IdOrigin, Problem, ProblemCode, Task, TaskId, TaskKind};

/// What an open item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// A task, by index.
    Task(usize),
    /// A key of a task: the task, the index of the field, and whether it was nested loosely.
    Key {
        task: usize,
        field: usize,
        loose: bool,
    },
    /// Anything else.
    Prose,
}

/// A task or key that ended, as long as nothing else has begun.
#[derive(Debug, Clone, Copy)]
struct Ended {
    task: usize,
    at: usize,
}

/// What is remembered of a task while it is read.
#[derive(Debug)]
struct Reading {
    /// The column of its bullet.
    column: usize,
    /// The column of its words.
    words_column: usize,
    /// Up to here its prose has been taken.
    cursor: usize,
    is_open: bool,
    /// Its place among its siblings, from 1.
    ordinal: usize,
    /// How many sub-tasks it has so far.
    sub_tasks: usize,
}

/// Room for more tasks than this is made when they come.
const EXPECTED_MOST: usize = 16_384;

pub(super) struct Items<'a> {
    text: &'a str,
    lines: &'a Lines,
    problems: &'a mut Vec<Problem>,
    tasks: Vec<Task>,
    readings: Vec<Reading>,
    open: Vec<Frame>,
    ended: Option<Ended>,
    /// Whether the words of the item that was opened last have not begun yet.
    is_fresh: bool,
    /// The line of the item opened last, its bullet, and where its words begin.
    line: Line,
    bullet: usize,
    words: usize,
    top_tasks: usize,
    has_bold_id: bool,
}

impl<'a> Items<'a> {
    pub(super) fn new(text: &'a str, lines: &'a Lines, problems: &'a mut Vec<Problem>) -> Self {
        // Plans with keys have a task about every fourth line; growing moves all that was read.
        let expected = (lines.count() / 4).min(EXPECTED_MOST);
        Self {
            text,
            lines,
            problems,
            tasks: Vec::with_capacity(expected),
            readings: Vec::with_capacity(expected),
            open: Vec::new(),
            ended: None,
            is_fresh: false,
            line: Line::default(),
            bullet: 0,
            words: 0,
            top_tasks: 0,
            has_bold_id: false,
        }
    }

    /// Whether no item is open.
    pub(super) fn is_at_top(&self) -> bool {
        self.open.is_empty()
    }

    /// Where the bullet of the item opened last stands.
    pub(super) fn bullet(&self) -> usize {
        self.bullet
    }

    /// Where the words of the item opened last begin.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Opens the item whose range begins at `start`.
    pub(super) fn open(&mut self, start: usize, end: usize) -> Frame {
        let text = self.text;
        let before = &text.as_bytes()[start..end];
        let skipped = before
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'>'))
            .count();
        self.bullet = start + skipped;
        self.words = self.bullet;
        self.line = self.lines.line(text, self.bullet, self.line.index);
        let line = &text[self.bullet..self.line.end];
        let frame = match boxes::head(line) {
            Some(Head::Task(found)) => Frame::Task(self.open_task(line, &found)),
            Some(Head::Odd { at, advice }) => {
                self.words = self.bullet + at;
                self.problems.push(Problem {
                    code: ProblemCode::OddBox,
                    task: None,
                    line: self.line.number(),
                    message: format!("this item is read as text, not as a task: {advice}"),
                });
                Frame::Prose
            }
            Some(Head::Text(at)) => {
                self.words = self.bullet + at;
                self.open_key(&line[at..]).unwrap_or(Frame::Prose)
            }
            None => Frame::Prose,
        };
        self.is_fresh = true;
        self.open.push(frame);
        frame
    }

    /// Closes the innermost item; its range ends at `end`.
    pub(super) fn close(&mut self, end: usize) {
        let Some(frame) = self.open.pop() else { return };
        match frame {
            Frame::Task(index) => {
                let task_end = self.end_from(self.tasks[index].span.start, end);
                self.take_prose(index, task_end, task_end);
                let task = &mut self.tasks[index];
                task.span.end = task.span.end.max(task_end);
                self.readings[index].is_open = false;
                let parent = task.parent;
                if let Some(parent) = parent {
                    let reading = &mut self.readings[parent];
                    reading.cursor = reading.cursor.max(task_end);
                }
                self.ended = Some(Ended {
                    task: index,
                    at: task_end,
                });
            }
            Frame::Key { task, field, loose } => {
                let key_end = self.end_from(self.tasks[task].fields[field].value_span.start, end);
                let field = &mut self.tasks[task].fields[field];
                field.span.end = field.span.end.max(key_end);
                if loose {
                    self.take_prose(task, key_end, key_end);
                    self.stretch(task, key_end);
                    self.ended = Some(Ended { task, at: key_end });
                }
            }
            Frame::Prose => {}
        }
        self.is_fresh = false;
    }

    /// The words of the item opened last begin with something else than a paragraph.
    pub(super) fn words_begin(&mut self) {
        self.is_fresh = false;
    }

    /// The words of the item opened last are an indented code block.
    pub(super) fn code_first(&mut self) {
        if self.is_fresh
            && let Some(Frame::Task(index)) = self.open.last()
        {
            let task = &self.tasks[*index];
            self.problems.push(Problem {
                code: ProblemCode::OddBox,
                task: Some(task.id.clone()),
                line: task.line,
                message: "most programs read this box as code; leave one blank after the bullet"
                    .to_owned(),
            });
        }
        self.is_fresh = false;
    }

    /// A link begins at `start`. Where a box was read there, it is the link's text.
    pub(super) fn link_at(&mut self, start: usize) {
        if self.is_fresh
            && let Some(Frame::Task(index)) = self.open.last().copied()
            && index + 1 == self.tasks.len()
            && start + 1 == self.tasks[index].box_span.start
            // A box with a blank or a cross is one, whatever a definition elsewhere says.
            && !matches!(self.tasks[index].marker, ' ' | '\t' | 'x' | 'X')
            && let Some(task) = self.tasks.pop()
        {
            self.readings.pop();
            match task.parent {
                Some(parent) => {
                    self.readings[parent].sub_tasks -= 1;
                    self.tasks[parent].children.pop();
                }
                None => self.top_tasks -= 1,
            }
            while self
                .problems
                .last()
                .is_some_and(|problem| problem.line == task.line)
            {
                self.problems.pop();
            }
            if let Some(frame) = self.open.last_mut() {
                *frame = Frame::Prose;
            }
        }
        self.is_fresh = false;
    }

    pub(super) fn finish(self) -> (Vec<Task>, bool) {
        (self.tasks, self.has_bold_id)
    }

    fn open_task(&mut self, line: &str, found: &TaskBox) -> usize {
        let (text, bullet) = (self.text, self.bullet);
        let parent = self.open.iter().rev().find_map(|frame| match frame {
            Frame::Task(index) => Some(*index),
            Frame::Key { task, .. } => Some(*task),
            Frame::Prose => None,
        });
        let start = self.item_start();
        let index = self.tasks.len();
        let ordinal = match parent {
            Some(parent) => {
                self.take_prose(parent, start, start);
                self.tasks[parent].children.push(index);
                self.readings[parent].sub_tasks += 1;
                self.readings[parent].sub_tasks
            }
            None => {
                self.top_tasks += 1;
                self.top_tasks
            }
        };
        let id = ids::task_id(&line[found.rest..]);
        let words = found.rest + id.as_ref().map_or(0, |id| id.rest);
        let title = line[words..].trim();
        let title_at = bullet + words;
        let id_span = id.as_ref().map(|id| {
            let at = bullet + found.rest;
            at + id.id.start..at + id.id.end
        });
        self.has_bold_id |= id.as_ref().is_some_and(|id| id.bold);
        let id = match &id_span {
            Some(span) => TaskId(text[span.clone()].to_owned()),
            None => self.positional_id(parent, ordinal),
        };
        let number = self.line.number();
        if let Some(advice) = found.odd {
            self.problems.push(Problem {
                code: ProblemCode::OddBox,
                task: Some(id.clone()),
                line: number,
                message: format!("{id}: {advice}"),
            });
        }
        let line_end = bullet + line.len();
        let line_start = self.line.start;
        self.readings.push(Reading {
            column: lines::column(&text[line_start..bullet]),
            words_column: lines::column(&text[line_start..found.span.start - 1 + bullet]),
            cursor: line_end,
            is_open: true,
            ordinal,
            sub_tasks: 0,
        });
        self.tasks.push(Task {
            id,
            id_origin: if id_span.is_some() {
                IdOrigin::Written
            } else {
                IdOrigin::Positional
            },
            id_span,
            title: title.to_owned(),
            title_span: title_at..title_at + title.len(),
            line: number,
            marker: found.marker,
            box_span: bullet + found.span.start..bullet + found.span.end,
            done: matches!(found.marker, 'x' | 'X'),
            kind: TaskKind::Normal,
            depends: None,
            files: Vec::new(),
            tools: Vec::new(),
            calls: Vec::new(),
            covers: Vec::new(),
            complexity: None,
            accept: Vec::new(),
            verify: Vec::new(),
            by: By::Either,
            why: None,
            options: Vec::new(),
            confirm: true,
            skipped: None,
            fields: Vec::new(),
            body: String::new(),
            parent,
            children: Vec::new(),
            depth: parent.map_or(0, |parent| self.tasks[parent].depth + 1),
            span: start..line_end,
        });
        self.ended = None;
        index
    }

    /// `#2.1`: the places of the task and of those around it, each among its siblings. The mark in
    /// front keeps it apart from every id that can be written.
    fn positional_id(&self, parent: Option<usize>, ordinal: usize) -> TaskId {
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
