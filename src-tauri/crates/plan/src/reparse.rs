//! Updates a plan after a change to its text, without reparsing all of it.
//!
//! **Contract.** [`reparse`] returns either exactly what [`parse`](crate::parse) returns for the
//! new text, including every field, every problem and their order, or nothing. It never guesses: if
//! a change could have effects beyond the lines around it, it returns `None` and the whole text has
//! to be parsed. The old text and the old plan must belong together.
//!
//! How it works: the texts differ in one range. The top-level tasks around it are parsed on their
//! own (see [`crate::fragment`]); everything above is kept, everything below is shifted. References
//! between tasks are checked again for the whole plan.
//!
//! The result is `None` for: a change above the first task or in more than half of a large text;
//! headings that are added, removed or inside the range; link reference definitions; a change of
//! dialect, and the dialects that deduplicate ids; tasks added or removed above others without
//! written ids; changed options of a decision, if answers are recorded.

use rayon::prelude::*;

use crate::dialect;
use crate::fragment::{Boundary, Fragment, PROBE_HEADING, has_definition, keeps_dialect};
use crate::lines::Lines;
use crate::model::{
    ChoiceOption, Dialect, Field, IdOrigin, Plan, Problem, Span, Task, TaskId, TaskKind,
};
use crate::parse::{FragmentParse, check_references, is_reference_problem, parse, parse_fragment};

/// Minimum number of tasks to copy in parallel; each task contains about a dozen strings.
const MIN_PARALLEL: usize = 2_000;

/// Parses a changed text using the previous plan; `None` if the whole text has to be parsed.
pub fn reparse(
    old_text: &str,
    old: &Plan,
    old_problems: &[Problem],
    new_text: &str,
) -> Option<(Plan, Vec<Problem>)> {
    let Incremental {
        plan,
        problems: of_part,
        lines,
        shift,
    } = reparse_fragment(old_text, old, new_text)?;
    let kept = old_problems
        .iter()
        .filter(|problem| !is_reference_problem(problem.code));
    let mut problems = of_part;
    for problem in kept {
        if problem.line < lines.start {
            problems.push(problem.clone());
        } else if problem.line >= lines.end {
            problems.push(Problem {
                line: shift.line(problem.line),
                ..problem.clone()
            });
        }
    }
    check_references(&plan, &mut problems);
    problems.sort_by_key(|problem| problem.line);
    Some((plan, problems))
}

/// The plan of a changed text, derived from the previous plan if possible.
pub(crate) fn plan_after(old_text: &str, old: &Plan, new_text: &str) -> Plan {
    reparse_fragment(old_text, old, new_text).map_or_else(
        || parse(new_text).0,
        |reparse_fragment| reparse_fragment.plan,
    )
}

/// The result of an incremental parse.
struct Incremental {
    plan: Plan,
    /// Problems of individual tasks in the fragment.
    problems: Vec<Problem>,
    /// The numbers of the fragment's lines in the old text.
    lines: std::ops::Range<u32>,
    /// How far the text below the fragment moved.
    shift: Shift,
}

fn reparse_fragment(old_text: &str, old: &Plan, new_text: &str) -> Option<Incremental> {
    let rules = dialect::rules(old.dialect);
    if rules.deduplicates_ids
        || rules.has_prose
        || matches!(old.dialect, Dialect::Headings | Dialect::Todos)
    {
        return None;
    }
    // If the front matter is still open, any line might close it.
    let is_open =
        old.front.span.is_none() && new_text.trim_start_matches('\u{feff}').starts_with("---");
    if is_open || has_definition(new_text) {
        return None;
    }
    let changed = difference(old_text, new_text);
    let index = old
        .tasks
        .partition_point(|task| task.box_span.start <= changed.start)
        .checked_sub(1)?;
    let fragment = Fragment::around(old_text, old, &changed, index)?;
    let old_part = &old_text[fragment.span.clone()];
    let behind = new_text.len() - (old_text.len() - fragment.span.end);
    let new_part = new_text.get(fragment.span.start..behind)?;
    if has_definition(old_part) || !keeps_dialect(old, new_text) {
        return None;
    }
    let (above, rest) = old.tasks.split_at(fragment.tasks.start);
    let (known, below) = rest.split_at(fragment.tasks.len());
    let position = Position {
        at: fragment.span.start,
        line: known.first()?.line,
        phase: known.first()?.phase,
        task: fragment.tasks.start,
        above: top_level_count(above),
    };
    let next = &old_text[fragment.terminator.span.clone()];
    let was = position.read(old_part, next, fragment.terminator.kind, old)?;
    if was.tasks != known {
        return None;
    }
    let is = position.read(new_part, next, fragment.terminator.kind, old)?;
    let is_counted = |task: &Task| task.id_origin == IdOrigin::Positional;
    if top_level_count(&is.tasks) != top_level_count(known) && below.iter().any(is_counted) {
        return None;
    }
    // Recorded answers are parsed using the labels of their decisions.
    if !old.decisions.is_empty() && !decisions(known).eq(decisions(&is.tasks)) {
        return None;
    }
    let shift = Shift {
        bytes: offset(new_text.len(), old_text.len())?,
        lines: i32::try_from(offset(is.lines, was.lines)?).ok()?,
        tasks: offset(is.tasks.len(), known.len())?,
    };
    let end = match fragment.terminator.kind {
        Boundary::End => u32::MAX,
        Boundary::Task | Boundary::Heading => {
            position.line.checked_add(u32::try_from(was.lines).ok()?)?
        }
    };
    let Parsed {
        tasks, problems, ..
    } = is;
    Some(Incremental {
        plan: shift.plan(old, &fragment.span, above, tasks, below, new_text),
        problems,
        lines: position.line..end,
        shift,
    })
}

/// The range of the old text that the new text replaced.
pub fn difference(old: &str, new: &str) -> Span {
    let limit = old.len().min(new.len());
    let mut start = common_prefix(old.as_bytes(), new.as_bytes(), limit);
    while !(old.is_char_boundary(start) && new.is_char_boundary(start)) {
        start -= 1;
    }
    let mut behind = common_suffix(old.as_bytes(), new.as_bytes(), limit - start);
    while !(old.is_char_boundary(old.len() - behind) && new.is_char_boundary(new.len() - behind)) {
        behind -= 1;
    }
    start..old.len() - behind
}

/// Number of bytes that are compared at once.
const STRIDE: usize = 1 << 10;

/// The length of the common prefix, at most `limit`.
fn common_prefix(one: &[u8], other: &[u8], limit: usize) -> usize {
    let mut at = 0;
    while at + STRIDE <= limit && one[at..at + STRIDE] == other[at..at + STRIDE] {
        at += STRIDE;
    }
    let rest = one[at..limit].iter().zip(&other[at..limit]);
    at + rest.take_while(|(a, b)| a == b).count()
}

/// The length of the common suffix, at most `limit`.
fn common_suffix(one: &[u8], other: &[u8], limit: usize) -> usize {
    let (one, other) = (&one[one.len() - limit..], &other[other.len() - limit..]);
    let mut left = limit;
    while left >= STRIDE && one[left - STRIDE..left] == other[left - STRIDE..left] {
        left -= STRIDE;
    }
    let rest = one[..left].iter().rev().zip(other[..left].iter().rev());
    limit - left + rest.take_while(|(a, b)| a == b).count()
}

fn offset(new: usize, old: usize) -> Option<isize> {
    isize::try_from(new).ok()?.checked_sub_unsigned(old)
}

/// The number of top-level tasks.
fn top_level_count(tasks: &[Task]) -> usize {
    tasks.iter().filter(|task| task.parent.is_none()).count()
}

/// The decisions and their options, which affect how recorded answers are parsed.
fn decisions(tasks: &[Task]) -> impl Iterator<Item = (&TaskId, &[ChoiceOption])> {
    let decisions = tasks.iter().filter(|task| task.kind == TaskKind::Decision);
    decisions.map(|task| (&task.id, task.options.as_slice()))
}

/// The position of a fragment in the text.
struct Position {
    at: usize,
    /// The line number of the fragment's first line.
    line: u32,
    phase: u32,
    /// The index of the fragment's first task.
    task: usize,
    /// The number of top-level tasks above the fragment.
    above: usize,
}

/// A parsed fragment, with positions in the whole text.
struct Parsed {
    tasks: Vec<Task>,
    problems: Vec<Problem>,
    /// The number of line endings in the fragment.
    lines: usize,
}

impl Position {
    /// Parses a fragment with the line after it. `None` if it has effects beyond its tasks, or if
    /// that line would now parse differently.
    fn read(&self, fragment: &str, next: &str, kind: Boundary, plan: &Plan) -> Option<Parsed> {
        let text = format!("{PROBE_HEADING}{fragment}{next}");
        let behind = PROBE_HEADING.len() + fragment.len();
        let FragmentParse {
            plan: read,
            mut problems,
            headings,
        } = parse_fragment(&text, plan.dialect, self.above);
        if !read.requirements.is_empty() || !read.decisions.is_empty() {
            return None;
        }
        let mut tasks = read.tasks;
        let is_first = tasks.first()?.span.start == PROBE_HEADING.len();
        let is_terminated = match kind {
            Boundary::Heading => headings == [0, behind],
            Boundary::Task => {
                let last = tasks.pop()?;
                headings == [0] && last.parent.is_none() && last.span.start == behind
            }
            Boundary::End => headings == [0],
        };
        if !(is_first && is_terminated) || tasks.is_empty() {
            return None;
        }
        let lines = Lines::of(fragment).count() - 1;
        // The first line is the heading added in front of the fragment.
        let end = u32::try_from(lines).ok()?.checked_add(2)?;
        let shift = Shift {
            bytes: offset(self.at, PROBE_HEADING.len())?,
            lines: i32::try_from(i64::from(self.line) - 2).ok()?,
            tasks: offset(self.task, 0)?,
        };
        for task in &mut tasks {
            shift.task(task);
            task.phase = self.phase;
        }
        if kind != Boundary::End {
            problems.retain(|problem| problem.line < end);
        }
        for problem in &mut problems {
            problem.line = shift.line(problem.line);
        }
        Some(Parsed {
            tasks,
            problems,
            lines,
        })
    }
}

/// How far positions below a change move.
#[derive(Debug, Clone, Copy)]
struct Shift {
    bytes: isize,
    lines: i32,
    /// By how much task indexes change.
    tasks: isize,
}

impl Shift {
    fn line(self, line: u32) -> u32 {
        line.saturating_add_signed(self.lines)
    }

    fn at(self, at: usize) -> usize {
        at.saturating_add_signed(self.bytes)
    }

    fn span(self, span: &mut Span) {
        *span = self.at(span.start)..self.at(span.end);
    }

    fn task(self, task: &mut Task) {
        task.id_span.iter_mut().for_each(|span| self.span(span));
        self.span(&mut task.title_span);
        self.span(&mut task.box_span);
        self.span(&mut task.span);
        task.line = self.line(task.line);
        for Field {
            value_span,
            span,
            line,
            ..
        } in &mut task.fields
        {
            self.span(value_span);
            self.span(span);
            *line = self.line(*line);
        }
        for call in &mut task.calls {
            call.line = self.line(call.line);
        }
        let tasks = task.parent.iter_mut().chain(&mut task.children);
        tasks.for_each(|index| *index = index.saturating_add_signed(self.tasks));
    }

    /// The plan with the fragment's tasks replaced. Positions in spans after the fragment are
    /// shifted.
    fn plan(
        self,
        old: &Plan,
        fragment: &Span,
        above: &[Task],
        tasks: Vec<Task>,
        below: &[Task],
        text: &str,
    ) -> Plan {
        let at = |at: usize| if at >= fragment.end { self.at(at) } else { at };
        let moved = |span: &Span| at(span.start)..at(span.end);
        let line = |line: u32, span: &Span| match span.start >= fragment.end {
            true => self.line(line),
            false => line,
        };
        let mut all = Vec::with_capacity(above.len() + tasks.len() + below.len());
        let moved_on = |task: &Task| {
            let mut task = task.clone();
            self.task(&mut task);
            task
        };
        if above.len() + below.len() < MIN_PARALLEL {
            all.extend_from_slice(above);
            all.extend(tasks);
            all.extend(below.iter().map(moved_on));
        } else {
            all.par_extend(above.par_iter().cloned());
            all.extend(tasks);
            all.par_extend(below.par_iter().map(moved_on));
        }
        let mut plan = Plan {
            dialect: old.dialect,
            front: old.front.clone(),
            title: old.title.clone(),
            stated_goal: old.stated_goal.clone(),
            preamble: moved(&old.preamble),
            requirements: old.requirements.clone(),
            tasks: all,
            decisions: old.decisions.clone(),
            decisions_section: old.decisions_section.as_ref().map(moved),
            line_ending: match memchr::memchr(b'\r', text.as_bytes()) {
                None => "\n",
                Some(_) => Lines::of(text).ending,
            },
        };
        if let Some(title) = &mut plan.title {
            title.line = line(title.line, &title.span);
            title.span = moved(&title.span);
        }
        for requirement in &mut plan.requirements {
            requirement.line = line(requirement.line, &requirement.span);
            requirement.span = moved(&requirement.span);
        }
        for record in &mut plan.decisions {
            record.line = line(record.line, &record.span);
            record.span = moved(&record.span);
        }
        plan
    }
}

#[cfg(test)]
mod tests;
