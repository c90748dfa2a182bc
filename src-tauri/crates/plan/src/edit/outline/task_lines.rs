//! The lines of a task, independent of their indentation.

use crate::edit::layout::{Prefix, blank_line};
use crate::lines;
use crate::model::Task;

/// The lines of a task with everything under it.
#[derive(Debug, Clone)]
pub(super) struct TaskLines {
    /// The first line, from its box on.
    pub(super) head: String,
    rest: Rest,
}

#[derive(Debug, Clone)]
enum Rest {
    /// The `type:` of a new task.
    New(Option<&'static str>),
    /// The remaining lines of an existing task, and the prefix of its first line in the file.
    Old { lines: Vec<String>, prefix: Prefix },
}

impl TaskLines {
    /// The lines of a new task.
    pub(super) fn new(head: String, kind: Option<&'static str>) -> Self {
        Self {
            head,
            rest: Rest::New(kind),
        }
    }

    /// The lines of an existing task.
    pub(super) fn of(text: &str, task: &Task) -> Self {
        let mut lines = lines::split(&text[task.box_span.start - 1..task.span.end]);
        Self {
            head: lines.next().unwrap_or_default().to_owned(),
            rest: Rest::Old {
                lines: lines.map(str::to_owned).collect(),
                prefix: Prefix::of(text, task),
            },
        }
    }
}

/// Candidate layouts for the lines of several consecutive tasks, best first; the caller checks
/// which one parses correctly.
pub(super) fn consecutive(tasks: &[TaskLines], prefix: &Prefix) -> Vec<Vec<String>> {
    let mut prefix = prefix.clone();
    let mut each: Vec<Vec<Vec<String>>> = Vec::with_capacity(tasks.len());
    for task in tasks {
        each.push(indented(task, &prefix));
        prefix = prefix.next();
    }
    let ways = each.iter().map(Vec::len).max().unwrap_or(0);
    let way = |which: usize| -> Vec<String> {
        let chosen = each
            .iter()
            .filter_map(|ways| ways.get(which).or_else(|| ways.last()));
        chosen.flatten().cloned().collect()
    };
    (0..ways).map(way).collect()
}

/// Candidate layouts for a task's lines with another prefix, best first.
fn indented(block: &TaskLines, prefix: &Prefix) -> Vec<Vec<String>> {
    let first = format!("{}{}", prefix.whole(), block.head);
    let content = prefix.content();
    let (old, old_prefix) = match &block.rest {
        Rest::New(None) => return vec![vec![first]],
        Rest::New(Some(kind)) => {
            let bullet = if prefix.is_numbered() {
                "-"
            } else {
                &prefix.bullet
            };
            return vec![vec![first, format!("{content}{bullet} type: {kind}")]];
        }
        Rest::Old { lines, prefix } => (lines, prefix),
    };
    let column = lines::column(&old_prefix.content());
    // Aligns the line with the text of the new first line.
    let by_column = |line: &String| {
        let words = lines::dedent(line, column);
        if words.trim().is_empty() {
            blank_line(&content).to_owned()
        } else {
            format!("{content}{words}")
        }
    };
    // Replaces the old indentation and keeps the rest of the line, including tabs.
    let by_indent = |line: &String| match line.strip_prefix(old_prefix.indent.as_str()) {
        _ if line.trim_matches([' ', '\t', '>']).is_empty() => blank_line(&content).to_owned(),
        Some(words) if words.starts_with([' ', '\t']) => format!("{}{words}", prefix.indent),
        _ => by_column(line),
    };
    let whole = |rest: Vec<String>| {
        let mut lines = vec![first.clone()];
        lines.extend(rest);
        lines
    };
    let same_width = old_prefix.bullet.len() + old_prefix.blanks.len()
        == prefix.bullet.len() + prefix.blanks.len();
    let mut ways = Vec::with_capacity(2);
    if same_width {
        ways.push(whole(old.iter().map(by_indent).collect()));
    }
    ways.push(whole(old.iter().map(by_column).collect()));
    ways.dedup();
    ways
}
