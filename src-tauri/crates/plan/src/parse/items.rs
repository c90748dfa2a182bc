//! List items: tasks with their extents, keys and prose.

mod extents;
mod headings;
mod keys;
mod task_ids;

use std::collections::HashMap;

use pulldown_cmark::HeadingLevel;

use crate::checkbox::{self, ItemHead, TaskBox};
use crate::dialect::Rules;
use crate::lines::{self, Line, Lines};
use crate::model::{IdOrigin, Problem, ProblemCode, Task};

/// The kind of an open item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// A task, by index.
    Task(usize),
    /// A key: its task, the index of its field, and whether it is loose: not nested under the task
    /// in Markdown.
    Key {
        task: usize,
        field: usize,
        loose: bool,
    },
    /// Any other item.
    Prose,
}

/// The task or key that has just ended; cleared when something else starts.
#[derive(Debug, Clone, Copy)]
struct Ended {
    task: usize,
    at: usize,
}

/// The state of a task while it is parsed.
#[derive(Debug)]
struct TaskState {
    /// The column of the task's bullet.
    column: usize,
    /// The column of its text.
    words_column: usize,
    /// The offset up to which its prose was collected.
    cursor: usize,
    is_open: bool,
    /// Its position among its siblings, from 1.
    ordinal: usize,
    /// The number of its sub-tasks so far.
    sub_tasks: usize,
    /// The offset of its opening bracket.
    bracket: usize,
}

/// Maximum number of tasks for which memory is preallocated.
const MAX_PREALLOCATED: usize = 16_384;

pub(super) struct Items<'a> {
    text: &'a str,
    lines: &'a Lines,
    rules: &'static Rules,
    problems: &'a mut Vec<Problem>,
    tasks: Vec<Task>,
    states: Vec<TaskState>,
    open: Vec<Frame>,
    /// The levels of the headings in `open`; all other open items are nested in them.
    headings: Vec<HeadingLevel>,
    ended: Option<Ended>,
    /// Whether the last opened item's text hasn't started yet.
    is_fresh: bool,
    /// The line of the last opened item, and the offsets of its bullet and its text.
    line: Line,
    bullet: usize,
    words: usize,
    top_tasks: usize,
    phase: u32,
    /// The line of the first task with each id, in dialects that deduplicate ids.
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
        // A plan with keys has a task about every fourth line; preallocating avoids moving tasks as
        // the list grows.
        let expected = (lines.count() / 4).min(MAX_PREALLOCATED);
        Self {
            text,
            lines,
            rules,
            problems,
            tasks: Vec::with_capacity(expected),
            states: Vec::with_capacity(expected),
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

    /// Starts a new phase at a heading.
    pub(super) fn next_phase(&mut self) {
        self.phase += 1;
    }

    /// Whether no list item is open.
    pub(super) fn is_at_top(&self) -> bool {
        self.open.len() == self.headings.len()
    }

    /// The offset of the last opened item's bullet.
    pub(super) fn bullet(&self) -> usize {
        self.bullet
    }

    /// Where the text of the last opened item starts.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Opens the item whose range starts at `start`.
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
        let frame = match checkbox::head(line, self.rules.boxes) {
            Some(ItemHead::Task(found)) => Frame::Task(self.open_task(line, &found)),
            Some(ItemHead::Odd { at, advice }) => {
                self.words = self.bullet + at;
                self.problems.push(Problem {
                    code: ProblemCode::OddBox,
                    task: None,
                    line: self.line.number(),
                    message: format!("this item isn't read as a step: {advice}"),
                });
                Frame::Prose
            }
            Some(ItemHead::Text(at)) => {
                self.words = self.bullet + at;
                self.open_key(&line[at..]).unwrap_or(Frame::Prose)
            }
            None => Frame::Prose,
        };
        self.is_fresh = true;
        self.open.push(frame);
        frame
    }

    /// Closes the innermost item, whose range ends at `end`.
    pub(super) fn close(&mut self, end: usize) {
        let Some(frame) = self.open.pop() else { return };
        match frame {
            Frame::Task(index) => {
                let task_end = self.end_from(self.tasks[index].span.start, end);
                self.take_prose(index, task_end, task_end);
                let task = &mut self.tasks[index];
                task.span.end = task.span.end.max(task_end);
                self.states[index].is_open = false;
                let parent = task.parent;
                if let Some(parent) = parent {
                    let state = &mut self.states[parent];
                    state.cursor = state.cursor.max(task_end);
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

    /// Handles a paragraph that continues at `at`, and reports a box there: it is probably meant to
    /// be a task, but no program parses it as one.
    pub(super) fn continue_paragraph(&mut self, at: usize) {
        let line = &self.text[at..lines::line_end(self.text, at)];
        let line = line.trim_start_matches([' ', '\t', '>']);
        if let Some(ItemHead::Task(_)) = checkbox::head(line, checkbox::STRICT) {
            let owner = self.open.iter().rev().find_map(|frame| match frame {
                Frame::Task(task) | Frame::Key { task, .. } => Some(*task),
                Frame::Prose => None,
            });
            self.problems.push(Problem {
                code: ProblemCode::OddBox,
                task: owner.map(|task| self.tasks[task].id.clone()),
                line: self.lines.number(at),
                message: "this box is part of the paragraph above it; indent it less, and add a space after its bullet".to_owned(),
            });
        }
    }

    /// Notes that the text of the last opened item has started.
    pub(super) fn start_text(&mut self) {
        self.is_fresh = false;
    }

    /// Handles an item whose text is an indented code block; if it was parsed as a task, reports a
    /// problem.
    pub(super) fn starts_with_code(&mut self) {
        if self.is_fresh
            && let Some(Frame::Task(index)) = self.open.last()
        {
            let task = &self.tasks[*index];
            self.problems.push(Problem {
                code: ProblemCode::OddBox,
                task: Some(task.id.clone()),
                line: task.line,
                message: "most programs read this box as code; use one space after the bullet"
                    .to_owned(),
            });
        }
        self.is_fresh = false;
    }

    /// Handles a link that starts at `start`. If a box was parsed there, it is really the link's
    /// text, so the item is not a task.
    pub(super) fn link_at(&mut self, start: usize) {
        if self.is_fresh
            && let Some(Frame::Task(index)) = self.open.last().copied()
            && index + 1 == self.tasks.len()
            && start == self.states[index].bracket
            // A box with a space or an `x` is always a box, even if a link definition matches.
            && !matches!(self.tasks[index].marker, ' ' | '\t' | 'x' | 'X')
            && let Some(task) = self.tasks.pop()
        {
            self.states.pop();
            self.forget_id(&task);
            match task.parent {
                Some(parent) => {
                    self.states[parent].sub_tasks -= 1;
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

    /// The tasks, and the number of phases.
    pub(super) fn finish(self) -> (Vec<Task>, u32) {
        (self.tasks, self.phase)
    }

    /// The parent of a task that starts at `start`, and its position among its siblings.
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
                self.states[parent].sub_tasks += 1;
                self.states[parent].sub_tasks
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
        let words = self.parse_head(bullet + found.rest..bullet + line.len());
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
        self.states.push(TaskState {
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
