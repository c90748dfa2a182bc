//! The lines of a task, free of the indentation they stand at.

use crate::edit::layout::{Prefix, blank_line};
use crate::lines;
use crate::model::Task;

/// A task with everything under it.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    /// The first line from its box on.
    pub(super) head: String,
    rest: Rest,
}

#[derive(Debug, Clone)]
enum Rest {
    /// `key: value` lines of a new task, by its `type:`.
    New(Option<&'static str>),
    /// The further lines of one that stands in the file, and the prefix they were written for.
    Old { lines: Vec<String>, prefix: Prefix },
}

impl Lines {
    /// Those of a new task.
    pub(super) fn new(head: String, kind: Option<&'static str>) -> Self {
        Self {
            head,
            rest: Rest::New(kind),
        }
    }

    /// Those of a task in the file.
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

/// Several tasks, one behind the other, in the ways that may keep their meaning, the best first.
pub(super) fn in_a_row(tasks: &[Lines], prefix: &Prefix) -> Vec<Vec<String>> {
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

/// The lines behind another prefix, in the ways that may keep their meaning, the best first.
fn indented(block: &Lines, prefix: &Prefix) -> Vec<Vec<String>> {
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
    // Under the words of the new first line.
    let by_column = |line: &String| {
        let words = lines::dedent(line, column);
        if words.trim().is_empty() {
            blank_line(&content).to_owned()
        } else {
            format!("{content}{words}")
        }
    };
    // The old indentation for the new one; what follows it stays, tabs and all.
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
