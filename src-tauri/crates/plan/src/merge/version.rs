//! One of the three texts of a merge, with the subject of each line.

use std::collections::HashMap;

use super::line_endings;
use crate::diff::Pairs;
use crate::lines;
use crate::model::{Field, Plan, Span, Task};
use crate::parse::parse;

/// The subject of a line: two lines with the same subject are versions of one line.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Subject {
    /// The first line of a task, by its index in the base.
    Task(usize),
    /// A key of a task, by the task's index in the base.
    Key(usize, String),
    /// A requirement, by its id.
    Requirement(String),
    /// The record of a decision, by the decision's id.
    Record(String),
    /// A key of the front matter.
    Front(String),
    /// A line without a counterpart, in a side (`true`) or in the base (`false`).
    Own(bool, usize),
}

/// What the parser found on a line: a task or a key.
#[derive(Debug, Clone, Copy)]
pub(super) enum LineItem<'s> {
    Task(&'s Task),
    Key(&'s Field),
}

/// A text and the plan parsed from it.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) text: String,
    pub(super) plan: Plan,
}

impl Parsed {
    pub(super) fn of(text: String) -> Self {
        let plan = parse(&text).0;
        Self { text, plan }
    }
}

#[derive(Debug)]
pub(super) struct Version<'t> {
    pub(super) text: &'t str,
    /// The lines, including their endings.
    pub(super) lines: Vec<&'t str>,
    /// Where each line starts, and the end of the text.
    pub(super) starts: Vec<usize>,
    pub(super) plan: &'t Plan,
    /// For each line, the index of the task on it and, if it is a key, the key's index.
    on: Vec<Option<(usize, Option<usize>)>>,
    /// The subjects of lines with requirements and records, by line.
    named: HashMap<usize, Subject>,
    /// The range of lines of the front matter.
    front: Span,
}

impl<'t> Version<'t> {
    pub(super) fn of(read: &'t Parsed) -> Self {
        let (text, plan) = (read.text.as_str(), &read.plan);
        let lines = line_endings::split(text);
        let mut starts = Vec::with_capacity(lines.len() + 1);
        let mut at = 0;
        for line in &lines {
            starts.push(at);
            at += line.len();
        }
        starts.push(at);
        let mut on = vec![None; lines.len()];
        let mut set = |line: u32, what: (usize, Option<usize>)| {
            if let Some(place) = on.get_mut(line_index(line)) {
                *place = Some(what);
            }
        };
        for (index, task) in plan.tasks.iter().enumerate() {
            set(task.line, (index, None));
            for (which, field) in task.fields.iter().enumerate() {
                set(field.line, (index, Some(which)));
            }
        }
        let mut named = HashMap::new();
        // Skip positional ids, which may change.
        let written = |id: &str| !id.starts_with('#');
        for found in plan.requirements.iter().filter(|found| written(&found.id)) {
            named.insert(
                line_index(found.line),
                Subject::Requirement(found.id.clone()),
            );
        }
        for record in &plan.decisions {
            named.insert(
                line_index(record.line),
                Subject::Record(record.task.0.clone()),
            );
        }
        let mut version = Self {
            text,
            lines,
            starts,
            plan,
            on,
            named,
            front: 0..0,
        };
        if let Some(front) = &plan.front.span {
            version.front = version.lines_in(front);
        }
        version
    }

    /// The task or key on a line.
    pub(super) fn on(&self, line: usize) -> Option<LineItem<'t>> {
        let (task, field) = self.on.get(line).copied().flatten()?;
        let task = &self.plan.tasks[task];
        match field {
            None => Some(LineItem::Task(task)),
            Some(field) => Some(LineItem::Key(&task.fields[field])),
        }
    }

    /// The task that starts on this line.
    pub(super) fn head(&self, line: usize) -> Option<usize> {
        match self.on.get(line).copied().flatten() {
            Some((task, None)) => Some(task),
            _ => None,
        }
    }

    /// The subject of a line. Tasks are identified by their index in the base; `pairs` matches the
    /// tasks of the base with those of this text and is `None` for the base itself.
    pub(super) fn subject(&self, line: usize, pairs: Option<&Pairs>) -> Subject {
        let own = Subject::Own(pairs.is_some(), line);
        if let Some((task, field)) = self.on.get(line).copied().flatten() {
            let in_base = match pairs {
                None => Some(task),
                Some(pairs) => pairs.before[task],
            };
            return match (in_base, field) {
                (None, _) => own,
                (Some(in_base), None) => Subject::Task(in_base),
                (Some(in_base), Some(field)) => {
                    Subject::Key(in_base, self.plan.tasks[task].fields[field].key.to_string())
                }
            };
        }
        if self.front.contains(&line) {
            let words = self.lines[line];
            let key = words.split(':').next().unwrap_or_default();
            let is_key = words.len() > key.len()
                && !key.is_empty()
                && key
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
            return if is_key {
                Subject::Front(key.to_owned())
            } else {
                own
            };
        }
        self.named.get(&line).cloned().unwrap_or(own)
    }

    /// The range of lines that overlap a range of the text.
    pub(super) fn lines_in(&self, range: &Span) -> Span {
        let from = self.starts.partition_point(|start| *start <= range.start);
        let to = self.starts.partition_point(|start| *start < range.end);
        let last = self.lines.len();
        from.saturating_sub(1).min(last)..to.min(last)
    }

    /// Where to split a range of lines that were removed from the base: at the starts of tasks
    /// whose parent is not in the range.
    pub(super) fn split_points(&self, lines: &Span) -> Vec<usize> {
        lines
            .clone()
            .filter(|line| {
                self.head(*line).is_some_and(|task| {
                    let parent = self.plan.tasks[task].parent;
                    parent.is_none_or(|parent| {
                        !lines.contains(&line_index(self.plan.tasks[parent].line))
                    })
                })
            })
            .collect()
    }
}

fn line_index(number: u32) -> usize {
    (number as usize).saturating_sub(1)
}

/// Whether a line is only whitespace.
pub(super) fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// The column where a line's text starts; quote marks count as spaces.
pub(super) fn indent(line: &str) -> usize {
    let words = line.trim_start_matches([' ', '\t', '>']);
    lines::column(&line[..line.len() - words.len()])
}

/// Whether a line begins a list item.
pub(super) fn is_item(line: &str) -> bool {
    let words = line
        .trim_start_matches([' ', '\t', '>'])
        .trim_end_matches(['\n', '\r']);
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match words.as_bytes().get(digits) {
        Some(b'-' | b'*' | b'+') if digits == 0 => &words[1..],
        Some(b'.' | b')') if (1..=9).contains(&digits) => &words[digits + 1..],
        _ => return false,
    };
    rest.is_empty() || rest.starts_with([' ', '\t'])
}
