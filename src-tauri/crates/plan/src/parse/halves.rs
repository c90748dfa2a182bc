//! The walk and the values of a large text, in two halves at once.
//!
//! **Contract.** [`in_two`] answers exactly what [`in_one_go`] does, up to the order in which the
//! problems of different lines come, or it answers nothing. Whatever it cannot be sure of it leaves to
//! `in_one_go`: that costs time and nothing else.
//!
//! Why it may be done: a task with its bullet at the left edge closes every block that is open
//! ([`crate::alone`]), so what stands below is read as if the text began there. Whether such a line is
//! one only the text above it can tell (it may stand in a fence or a comment). So that line is the
//! last one of the upper half too, and has to come out as a task in no other item; the lower half
//! reads it again, with what stands under it.
//!
//! What still reaches from one half into the other:
//!
//! - Definitions of links, ids that are kept apart, a section that is open at the line, requirements
//!   in both halves (they are counted by their place): no answer.
//! - Numbers that are counted from the top (tasks, phases, ids by place) are raised when the halves are
//!   joined. Messages name such ids; where one does, the lower half is read again, counted on.

use super::blocks::{self, Found};
use super::values;
use crate::alone;
use crate::boxes::{self, Head};
use crate::dialect::{Rules, headed::Headed};
use crate::lines::{self, Line, Lines};
use crate::model::{Dialect, IdOrigin, Problem, Task, TaskId};

/// Texts smaller than this are read sooner than another thread is awake.
const LARGE: usize = 1 << 17;

/// So many lines are looked at for one to split at.
const LOOKED_AT: usize = 1 << 10;

/// Where a text whose Markdown begins at `start` is split, as nearly as may be; `None` where that is
/// not worth it.
pub(super) fn middle(text: &str, start: usize) -> Option<usize> {
    let is_worth_it = text.len() >= LARGE && rayon::current_num_threads() > 1;
    is_worth_it.then(|| start.midpoint(text.len()))
}

/// Walks over the text from `start` on and reads the values of its tasks. `above` is how many tasks
/// stand above that at the top level.
pub(super) fn in_one_go(
    text: &str,
    start: usize,
    above: usize,
    lines: &Lines,
    by: (&'static Rules, Option<&Headed>),
    problems: &mut Vec<Problem>,
) -> Found {
    let mut found = blocks::walk(text, start, above, lines, by, problems);
    for task in &mut found.tasks {
        values::fill(task, by.0, problems);
    }
    found
}

/// The same, split at the first line from `near` on that may be one to split at. `None` where only
/// the whole can tell; no problem is added then.
pub(super) fn in_two(
    text: &str,
    start: usize,
    near: usize,
    lines: &Lines,
    rules: &'static Rules,
    problems: &mut Vec<Problem>,
) -> Option<Found> {
    // With lone returns each half would be copied, and nobody writes them.
    if rules.keeps_ids_apart
        || matches!(rules.dialect, Dialect::Headings | Dialect::Todos)
        || lines.has_lone_returns
    {
        return None;
    }
    let split = line_to_split_at(text, start, near, lines, rules)?;
    if alone::has_definition(text) {
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
    let above = tops(&upper.found.tasks);
    if lower.names_places() {
        lower = Half::read(text, split.start, above, lines, rules);
    } else {
        lower.count_on(above);
    }
    problems.extend(upper.problems);
    problems.extend(lower.problems);
    Some(joined(upper.found, lower.found))
}

/// The first line from `near` on that looks like a task at the left edge.
fn line_to_split_at(
    text: &str,
    start: usize,
    near: usize,
    lines: &Lines,
    rules: &Rules,
) -> Option<Line> {
    let mut line = lines.line(text, near.max(start), 0);
    for _ in 0..LOOKED_AT {
        let words = &text[line.start..line.end];
        let is_task = || matches!(boxes::head(words, rules.boxes), Some(Head::Task(_)));
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

/// How many tasks stand at the top level.
fn tops(tasks: &[Task]) -> usize {
    tasks.iter().filter(|task| task.parent.is_none()).count()
}

/// What one half says.
struct Half {
    found: Found,
    problems: Vec<Problem>,
}

impl Half {
    fn read(text: &str, start: usize, above: usize, lines: &Lines, rules: &'static Rules) -> Self {
        let mut problems = Vec::new();
        let found = in_one_go(text, start, above, lines, (rules, None), &mut problems);
        Self { found, problems }
    }

    /// What stands above the line to split at; `None` where it may not be split there.
    fn upper(
        text: &str,
        start: usize,
        split: Line,
        lines: &Lines,
        rules: &'static Rules,
    ) -> Option<Self> {
        // Lines end where the next one begins, so that has to be in the text.
        let text = &text[..lines::after_line_end(text, split.end)];
        let mut problems = Vec::new();
        let mut found = blocks::walk(text, start, 0, lines, (rules, None), &mut problems);
        let last = found.tasks.pop()?;
        let is_edge = last.span.start == split.start && found.last_outermost == Some(split.start);
        // Where a section ends, and what else comes into it, stands in the lower half.
        if !is_edge || found.ends_inside {
            return None;
        }
        // The lower half reads that line with all that belongs to it.
        problems.retain(|problem| problem.line < split.number());
        for task in &mut found.tasks {
            values::fill(task, rules, &mut problems);
        }
        Some(Self { found, problems })
    }

    /// Whether a problem speaks of a task by its place.
    fn names_places(&self) -> bool {
        let mut concerned = self
            .problems
            .iter()
            .filter_map(|problem| problem.task.as_ref());
        concerned.any(|id| id.as_str().starts_with('#'))
    }

    /// Counts ids by place from so many tasks on.
    fn count_on(&mut self, above: usize) {
        let counted = |task: &&mut Task| task.id_origin == IdOrigin::Positional;
        for task in self.found.tasks.iter_mut().filter(counted) {
            if let Some(id) = raised(&task.id, above) {
                task.id = id;
            }
        }
    }
}

/// `#2.1` as `#7.1`, with five tasks more above it.
fn raised(id: &TaskId, above: usize) -> Option<TaskId> {
    let path = id.as_str().strip_prefix('#')?;
    let (first, rest) = path.split_at(path.find('.').unwrap_or(path.len()));
    let first: usize = first.parse().ok()?;
    Some(TaskId(format!("#{}{rest}", first + above)))
}

/// Both halves as one. Places and lines are those of the whole text in either.
fn joined(upper: Found, lower: Found) -> Found {
    let Found {
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
    Found {
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
