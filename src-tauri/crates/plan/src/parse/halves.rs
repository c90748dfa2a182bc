//! Parses items and values of a large text in two halves, in parallel.
//!
//! **Contract.** [`parse_halves`] returns exactly what [`parse_whole`] does, except that problems
//! on different lines may be in another order; or it returns nothing. If in doubt, it returns
//! nothing and the text is parsed as a whole, which only takes longer.
//!
//! This is valid because a task with its bullet in the first column closes every open block
//! ([`crate::fragment`]), so the text below it parses as if it started there. Only the text above
//! can tell whether such a line is a task; it may be in a fence or a comment. So the line is also
//! parsed as the last one of the upper half, and has to be a task outside of other items there; the
//! lower half parses it again, with everything nested under it.
//!
//! If the halves depend on each other:
//!
//! - If there are link reference definitions, deduplicated ids, a section that is open at the line,
//!   or requirements in both halves (they are numbered by position), nothing is returned.
//! - Numbers counted from the top (tasks, phases, positional ids) are shifted when the halves are
//!   joined. If a message contains such an id, the lower half is parsed again with the right start.

use super::blocks::{self, Blocks};
use super::values;
use crate::checkbox::{self, ItemHead};
use crate::dialect::{Rules, heading_steps::HeadingSteps};
use crate::fragment;
use crate::lines::{self, Line, Lines};
use crate::model::{Dialect, IdOrigin, Problem, Task, TaskId};

/// Minimum size of a text to split, in bytes. For a smaller one, starting a thread takes longer
/// than parsing.
const MIN_SPLIT_LEN: usize = 1 << 17;

/// Maximum number of lines examined when looking for a line to split at.
const MAX_LINES_EXAMINED: usize = 1 << 10;

/// Approximately where to split a text whose Markdown starts at `start`; `None` if splitting is not
/// worthwhile.
pub(super) fn middle(text: &str, start: usize) -> Option<usize> {
    let is_worth_it = text.len() >= MIN_SPLIT_LEN && rayon::current_num_threads() > 1;
    is_worth_it.then(|| start.midpoint(text.len()))
}

/// Parses the text from `start` on, including the values of its tasks. `above` is the number of
/// top-level tasks before it.
pub(super) fn parse_whole(
    text: &str,
    start: usize,
    above: usize,
    lines: &Lines,
    by: (&'static Rules, Option<&HeadingSteps>),
    problems: &mut Vec<Problem>,
) -> Blocks {
    let mut found = blocks::walk(text, start, above, lines, by, problems);
    for task in &mut found.tasks {
        values::fill(task, by.0, problems);
    }
    found
}

/// Like [`parse_whole`], but split at the first suitable line from `near` on. `None`, without
/// adding problems, if the text has to be parsed as a whole.
pub(super) fn parse_halves(
    text: &str,
    start: usize,
    near: usize,
    lines: &Lines,
    rules: &'static Rules,
    problems: &mut Vec<Problem>,
) -> Option<Blocks> {
    // A lone `\r` would require copying each half, and is rare.
    if rules.deduplicates_ids
        || matches!(rules.dialect, Dialect::Headings | Dialect::Todos)
        || lines.has_lone_returns
    {
        return None;
    }
    let split = line_to_split_at(text, start, near, lines, rules)?;
    if fragment::has_definition(text) {
        return None;
    }
    let (upper, lower) = rayon::join(
        || Half::upper(text, start, split, lines, rules),
        || Half::read(text, split.start, 0, lines, rules),
    );
    let (upper, mut lower) = (upper?, lower);
    if !(upper.found.requirements.is_empty() || lower.found.requirements.is_empty()) {
        return None;
    }
    let above = top_level_count(&upper.found.tasks);
    if lower.has_positional_ids() {
        lower = Half::read(text, split.start, above, lines, rules);
    } else {
        lower.shift_positional_ids(above);
    }
    problems.extend(upper.problems);
    problems.extend(lower.problems);
    Some(joined(upper.found, lower.found))
}

/// The first line from `near` on that looks like a task in the first column.
fn line_to_split_at(
    text: &str,
    start: usize,
    near: usize,
    lines: &Lines,
    rules: &Rules,
) -> Option<Line> {
    let mut line = lines.line(text, near.max(start), 0);
    for _ in 0..MAX_LINES_EXAMINED {
        let words = &text[line.start..line.end];
        let is_task = || matches!(checkbox::head(words, rules.boxes), Some(ItemHead::Task(_)));
        if line.start > start && is_task() {
            return Some(line);
        }
        let next = lines::after_line_end(text, line.end);
        if next == line.end {
            break;
        }
        line = lines.line(text, next, line.index);
    }
    None
}

/// The number of top-level tasks.
fn top_level_count(tasks: &[Task]) -> usize {
    tasks.iter().filter(|task| task.parent.is_none()).count()
}

/// The result of parsing one half.
struct Half {
    found: Blocks,
    problems: Vec<Problem>,
}

impl Half {
    fn read(text: &str, start: usize, above: usize, lines: &Lines, rules: &'static Rules) -> Self {
        let mut problems = Vec::new();
        let found = parse_whole(text, start, above, lines, (rules, None), &mut problems);
        Self { found, problems }
    }

    /// Parses the text above the line to split at; `None` if it can't be split there.
    fn upper(
        text: &str,
        start: usize,
        split: Line,
        lines: &Lines,
        rules: &'static Rules,
    ) -> Option<Self> {
        // The span of a line depends on where the next line starts, so include the line ending.
        let text = &text[..lines::after_line_end(text, split.end)];
        let mut problems = Vec::new();
        let mut found = blocks::walk(text, start, 0, lines, (rules, None), &mut problems);
        let last = found.tasks.pop()?;
        let is_edge = last.span.start == split.start && found.last_outermost == Some(split.start);
        // If a section is open at the split, it would continue in the lower half.
        if !is_edge || found.ends_inside {
            return None;
        }
        // The lower half reports the problems of the split line, since it parses that line together
        // with everything nested under it.
        problems.retain(|problem| problem.line < split.number());
        for task in &mut found.tasks {
            values::fill(task, rules, &mut problems);
        }
        Some(Self { found, problems })
    }

    /// Whether a problem mentions a positional id.
    fn has_positional_ids(&self) -> bool {
        let mut concerned = self
            .problems
            .iter()
            .filter_map(|problem| problem.task.as_ref());
        concerned.any(|id| id.as_str().starts_with('#'))
    }

    /// Shifts positional ids by the number of tasks above.
    fn shift_positional_ids(&mut self, above: usize) {
        let counted = |task: &&mut Task| task.id_origin == IdOrigin::Positional;
        for task in self.found.tasks.iter_mut().filter(counted) {
            if let Some(id) = shift_id(&task.id, above) {
                task.id = id;
            }
        }
    }
}

/// Shifts a positional id: with 5 more tasks above, `#2.1` becomes `#7.1`.
fn shift_id(id: &TaskId, above: usize) -> Option<TaskId> {
    let path = id.as_str().strip_prefix('#')?;
    let (first, rest) = path.split_at(path.find('.').unwrap_or(path.len()));
    let first: usize = first.parse().ok()?;
    Some(TaskId(format!("#{}{rest}", first + above)))
}

/// Joins the halves. Offsets and line numbers of both refer to the whole text.
fn joined(upper: Blocks, lower: Blocks) -> Blocks {
    let Blocks {
        title,
        tasks_heading,
        mut requirements,
        mut tasks,
        mut decisions,
        decisions_section,
        mut headings,
        phases,
        ..
    } = upper;
    let count = tasks.len();
    tasks.extend(lower.tasks.into_iter().map(|mut task| {
        let indices = task.parent.iter_mut().chain(&mut task.children);
        indices.for_each(|index| *index += count);
        task.phase += phases;
        task
    }));
    requirements.extend(lower.requirements);
    decisions.extend(lower.decisions);
    headings.extend(lower.headings);
    Blocks {
        title: title.or(lower.title),
        tasks_heading: tasks_heading.or(lower.tasks_heading),
        requirements,
        tasks,
        decisions,
        decisions_section: decisions_section.or(lower.decisions_section),
        headings,
        phases: phases + lower.phases,
        ends_inside: lower.ends_inside,
        last_outermost: lower.last_outermost,
    }
}

#[cfg(test)]
mod tests;
