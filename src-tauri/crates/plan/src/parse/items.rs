//! List items: tasks with their extents, their keys, their prose.

mod extents;
mod headings;
mod keys;
mod named;

use std::collections::HashMap;

use pulldown_cmark::HeadingLevel;

use crate::boxes::{self, Head, TaskBox};
use crate::dialect::Rules;
use crate::lines::{self, Line, Lines};
use crate::model::{IdOrigin, Problem, ProblemCode, Task};

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
    /// Where its box opens.
    bracket: usize,
}

/// Room for more tasks than this is made when they come.
const EXPECTED_MOST: usize = 16_384;

pub(super) struct Items<'a> {
    text: &'a str,
    lines: &'a Lines,
    rules: &'static Rules,
    problems: &'a mut Vec<Problem>,
    tasks: Vec<Task>,
    readings: Vec<Reading>,
    open: Vec<Frame>,
    /// The levels of those of them that are headings, which are open around all others.
    headings: Vec<HeadingLevel>,
    ended: Option<Ended>,
    /// Whether the words of the item that was opened last have not begun yet.
    is_fresh: bool,
    /// The line of the item opened last, its bullet, and where its words begin.
    line: Line,
    bullet: usize,
    words: usize,
    top_tasks: usize,
    phase: u32,
    /// The line of the first task with each id, where ids are kept apart.
    first: HashMap<&'a str, u32>,
}

impl<'a> Items<'a> {
    pub(super) fn new(
        text: &'a str,
        above: usize,
        lines: &'a Lines,
        rules: &'static Rules,
        problems: &'a mut Vec<Problem>,
    ) -> Self {
        // Plans with keys have a task about every fourth line; growing moves all that was read.
        let expected = (lines.count() / 4).min(EXPECTED_MOST);
        Self {
            text,
            lines,
            rules,
            problems,
            tasks: Vec::with_capacity(expected),
            readings: Vec::with_capacity(expected),
            open: Vec::new(),
            headings: Vec::new(),
            ended: None,
            is_fresh: false,
            line: Line::default(),
            bullet: 0,
            words: 0,
            top_tasks: above,
            phase: 0,
            first: HashMap::new(),
        }
    }

    /// A heading begins a new phase.
    pub(super) fn next_phase(&mut self) {
        self.phase += 1;
    }

    /// Whether no item is open.
    pub(super) fn is_at_top(&self) -> bool {
        self.open.len() == self.headings.len()
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
        let frame = match boxes::head(line, self.rules.boxes) {
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

    /// A paragraph goes on at `at`. A box there is meant as a task, and no program reads one.
    pub(super) fn line_of_prose(&mut self, at: usize) {
        let line = &self.text[at..lines::line_end(self.text, at)];
        let line = line.trim_start_matches([' ', '\t', '>']);
        if let Some(Head::Task(_)) = boxes::head(line, boxes::STRICT) {
            let owner = self.open.iter().rev().find_map(|frame| match frame {
                Frame::Task(task) | Frame::Key { task, .. } => Some(*task),
                Frame::Prose => None,
            });
            self.problems.push(Problem {
                code: ProblemCode::OddBox,
                task: owner.map(|task| self.tasks[task].id.clone()),
                line: self.lines.number(at),
                message: "this box is read as words of the lines above it; indent it less, and leave a blank behind its bullet".to_owned(),
            });
        }
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
            && start == self.readings[index].bracket
            // A box with a blank or a cross is one, whatever a definition elsewhere says.
            && !matches!(self.tasks[index].marker, ' ' | '\t' | 'x' | 'X')
            && let Some(task) = self.tasks.pop()
        {
            self.readings.pop();
            self.forget_id(&task);
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

    /// The tasks, and how many phases began.
    pub(super) fn finish(self) -> (Vec<Task>, u32) {
        (self.tasks, self.phase)
    }

    /// The task around one that begins at `start`, and which of its sub-tasks that one is.
    fn place_below(&mut self, start: usize) -> (Option<usize>, usize) {
        let parent = self.open.iter().rev().find_map(|frame| match frame {
            Frame::Task(index) => Some(*index),
            Frame::Key { task, .. } => Some(*task),
            Frame::Prose => None,
        });
        let ordinal = match parent {
            Some(parent) => {
                self.take_prose(parent, start, start);
                let index = self.tasks.len();
                self.tasks[parent].children.push(index);
                self.readings[parent].sub_tasks += 1;
                self.readings[parent].sub_tasks
            }
            None => {
                self.top_tasks += 1;
                self.top_tasks
            }
        };
        (parent, ordinal)
    }

    fn open_task(&mut self, line: &str, found: &TaskBox) -> usize {
        let (text, bullet) = (self.text, self.bullet);
        let start = self.item_start();
        let index = self.tasks.len();
        let (parent, ordinal) = self.place_below(start);
        let number = self.line.number();
        let words = self.words_behind(bullet + found.rest..bullet + line.len());
        let id = self.id_of(&words, parent, ordinal);
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
            words_column: lines::column(&text[line_start..bullet + found.open]),
            cursor: line_end,
            is_open: true,
            ordinal,
            sub_tasks: 0,
            bracket: bullet + found.open,
        });
        self.tasks.push(Task {
            id_origin: match words.id {
                Some(_) => IdOrigin::Written,
                None => IdOrigin::Positional,
            },
            id_span: words.id,
            marker: found.marker,
            box_span: bullet + found.span.start..bullet + found.span.end,
            done: matches!(found.marker, 'x' | 'X'),
            optional: found.optional || words.is_optional,
            parallel: words.is_parallel,
            phase: self.phase,
            covers: words
                .stories
                .into_iter()
                .map(|story| text[story].to_owned())
                .collect(),
            parent,
            depth: parent.map_or(0, |parent| self.tasks[parent].depth + 1),
            ..Task::open(id, text, words.title, number, start..line_end)
        });
        self.ended = None;
        index
    }
}
