//! A changed text to a plan, from the plan of the text before.
//!
//! **Contract.** [`reparse`] either answers exactly what [`parse`](crate::parse) answers for the new
//! text, in every field and every problem and their order, or it answers nothing. It never guesses:
//! where a change could reach beyond the lines around it, there is no answer and the whole text has to
//! be read. What it is given must belong together: the old text, and what `parse` answered for it.
//!
//! How: the texts differ in one stretch. The tasks at the left edge around it are read alone
//! ([`crate::alone`] says when that may be); what stands above is taken over, what stands below too,
//! moved along. What tasks say about each other is looked at anew for the whole plan.
//!
//! No answer for: a change above the first task or in more than half of a large text; headings that come,
//! go or stand in between; definitions of links; a change of dialect, and the dialects that keep ids
//! apart; tasks that come or go above others without written ids; other options of a decision, where
//! answers are recorded.

use rayon::prelude::*;

use crate::alone::{HEADING, Kind, Part, has_definition, keeps_dialect};
use crate::dialect;
use crate::lines::Lines;
use crate::model::{
    ChoiceOption, Dialect, Field, IdOrigin, Plan, Problem, Span, Task, TaskId, TaskKind,
};
use crate::parse::{ReadPart, check_names, is_of_names, parse, parse_part};

/// So many tasks are copied on several threads: each is a dozen short texts.
const MANY: usize = 2_000;

/// Reads a text by what is known of the one before; `None` where only [`parse`](crate::parse) can.
pub fn reparse(
    old_text: &str,
    old: &Plan,
    old_problems: &[Problem],
    new_text: &str,
) -> Option<(Plan, Vec<Problem>)> {
    let Again {
        plan,
        problems: of_part,
        lines,
        shift,
    } = again(old_text, old, new_text)?;
    let kept = old_problems
        .iter()
        .filter(|problem| !is_of_names(problem.code));
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
    check_names(&plan, &mut problems);
    problems.sort_by_key(|problem| problem.line);
    Some((plan, problems))
}

/// The plan of a changed text, by that of the text before where that can tell.
pub(crate) fn plan_after(old_text: &str, old: &Plan, new_text: &str) -> Plan {
    again(old_text, old, new_text).map_or_else(|| parse(new_text).0, |again| again.plan)
}

/// What was read again.
struct Again {
    plan: Plan,
    /// Those of single tasks in the part that was read.
    problems: Vec<Problem>,
    /// The lines of that part in the old text.
    lines: std::ops::Range<u32>,
    /// What happened to what stands below it.
    shift: Shift,
}

fn again(old_text: &str, old: &Plan, new_text: &str) -> Option<Again> {
    let rules = dialect::rules(old.dialect);
    if rules.keeps_ids_apart
        || rules.has_prose
        || matches!(old.dialect, Dialect::Headings | Dialect::Todos)
    {
        return None;
    }
    // A block at the top that has no end yet may get one anywhere.
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
    let part = Part::around(old_text, old, &changed, index)?;
    let old_part = &old_text[part.span.clone()];
    let behind = new_text.len() - (old_text.len() - part.span.end);
    let new_part = new_text.get(part.span.start..behind)?;
    if has_definition(old_part) || !keeps_dialect(old, new_text) {
        return None;
    }
    let (above, rest) = old.tasks.split_at(part.tasks.start);
    let (known, below) = rest.split_at(part.tasks.len());
    let place = Place {
        at: part.span.start,
        line: known.first()?.line,
        phase: known.first()?.phase,
        task: part.tasks.start,
        above: tops(above),
    };
    let next = &old_text[part.next.span.clone()];
    let was = place.read(old_part, next, part.next.kind, old)?;
    if was.tasks != known {
        return None;
    }
    let is = place.read(new_part, next, part.next.kind, old)?;
    let is_counted = |task: &Task| task.id_origin == IdOrigin::Positional;
    if tops(&is.tasks) != tops(known) && below.iter().any(is_counted) {
        return None;
    }
    // Answers are read by the labels of their decisions.
    if !old.decisions.is_empty() && !decisions(known).eq(decisions(&is.tasks)) {
        return None;
    }
    let shift = Shift {
        bytes: difference_of(new_text.len(), old_text.len())?,
        lines: i32::try_from(difference_of(is.lines, was.lines)?).ok()?,
        tasks: difference_of(is.tasks.len(), known.len())?,
    };
    let end = match part.next.kind {
        Kind::End => u32::MAX,
        Kind::Task | Kind::Heading => place.line.checked_add(u32::try_from(was.lines).ok()?)?,
    };
    let Read {
        tasks, problems, ..
    } = is;
    Some(Again {
        plan: shift.plan(old, &part.span, above, tasks, below, new_text),
        problems,
        lines: place.line..end,
        shift,
    })
}

/// The stretch of the old text in which the new one differs.
pub fn difference(old: &str, new: &str) -> Span {
    let most = old.len().min(new.len());
    let mut start = shared(old.as_bytes(), new.as_bytes(), most);
    while !(old.is_char_boundary(start) && new.is_char_boundary(start)) {
        start -= 1;
    }
    let mut behind = shared_behind(old.as_bytes(), new.as_bytes(), most - start);
    while !(old.is_char_boundary(old.len() - behind) && new.is_char_boundary(new.len() - behind)) {
        behind -= 1;
    }
    start..old.len() - behind
}

/// Bytes that are compared at once.
const STRIDE: usize = 1 << 10;

/// How many of the first bytes are the same.
fn shared(one: &[u8], other: &[u8], most: usize) -> usize {
    let mut at = 0;
    while at + STRIDE <= most && one[at..at + STRIDE] == other[at..at + STRIDE] {
        at += STRIDE;
    }
    let rest = one[at..most].iter().zip(&other[at..most]);
    at + rest.take_while(|(a, b)| a == b).count()
}

/// How many of the last bytes are the same.
fn shared_behind(one: &[u8], other: &[u8], most: usize) -> usize {
    let (one, other) = (&one[one.len() - most..], &other[other.len() - most..]);
    let mut left = most;
    while left >= STRIDE && one[left - STRIDE..left] == other[left - STRIDE..left] {
        left -= STRIDE;
    }
    let rest = one[..left].iter().rev().zip(other[..left].iter().rev());
    most - left + rest.take_while(|(a, b)| a == b).count()
}

fn difference_of(new: usize, old: usize) -> Option<isize> {
    isize::try_from(new).ok()?.checked_sub_unsigned(old)
}

/// How many tasks stand at the top level.
fn tops(tasks: &[Task]) -> usize {
    tasks.iter().filter(|task| task.parent.is_none()).count()
}

/// What the records of answers are held against.
fn decisions(tasks: &[Task]) -> impl Iterator<Item = (&TaskId, &[ChoiceOption])> {
    let decisions = tasks.iter().filter(|task| task.kind == TaskKind::Decision);
    decisions.map(|task| (&task.id, task.options.as_slice()))
}

/// Where a part stands in its text.
struct Place {
    at: usize,
    /// Its first line.
    line: u32,
    phase: u32,
    /// The index of its first task.
    task: usize,
    /// Tasks at the top level above it.
    above: usize,
}

/// A part, read as it stands in its text.
struct Read {
    tasks: Vec<Task>,
    problems: Vec<Problem>,
    /// How many line ends it has.
    lines: usize,
}

impl Place {
    /// Reads a part with the line behind it. `None` where it has a meaning beyond its tasks, or what
    /// stands behind it would not be what it is.
    fn read(&self, part: &str, next: &str, kind: Kind, plan: &Plan) -> Option<Read> {
        let text = format!("{HEADING}{part}{next}");
        let behind = HEADING.len() + part.len();
        let ReadPart {
            plan: read,
            mut problems,
            headings,
        } = parse_part(&text, plan.dialect, self.above);
        if !read.requirements.is_empty() || !read.decisions.is_empty() {
            return None;
        }
        let mut tasks = read.tasks;
        let is_first = tasks.first()?.span.start == HEADING.len();
        let stands = match kind {
            Kind::Heading => headings == [0, behind],
            Kind::Task => {
                let last = tasks.pop()?;
                headings == [0] && last.parent.is_none() && last.span.start == behind
            }
            Kind::End => headings == [0],
        };
        if !(is_first && stands) || tasks.is_empty() {
            return None;
        }
        let lines = Lines::of(part).count() - 1;
        // The heading takes the first line.
        let end = u32::try_from(lines).ok()?.checked_add(2)?;
        let shift = Shift {
            bytes: difference_of(self.at, HEADING.len())?,
            lines: i32::try_from(i64::from(self.line) - 2).ok()?,
            tasks: difference_of(self.task, 0)?,
        };
        for task in &mut tasks {
            shift.task(task);
            task.phase = self.phase;
        }
        if kind != Kind::End {
            problems.retain(|problem| problem.line < end);
        }
        for problem in &mut problems {
            problem.line = shift.line(problem.line);
        }
        Some(Read {
            tasks,
            problems,
            lines,
        })
    }
}

/// How far things move.
#[derive(Debug, Clone, Copy)]
struct Shift {
    bytes: isize,
    lines: i32,
    /// The indices of tasks.
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

    /// The plan with other tasks in a part. What ends behind the part ends later, what begins there too.
    fn plan(
        self,
        old: &Plan,
        part: &Span,
        above: &[Task],
        tasks: Vec<Task>,
        below: &[Task],
        text: &str,
    ) -> Plan {
        let at = |at: usize| if at >= part.end { self.at(at) } else { at };
        let moved = |span: &Span| at(span.start)..at(span.end);
        let line = |line: u32, span: &Span| match span.start >= part.end {
            true => self.line(line),
            false => line,
        };
        let mut all = Vec::with_capacity(above.len() + tasks.len() + below.len());
        let moved_on = |task: &Task| {
            let mut task = task.clone();
            self.task(&mut task);
            task
        };
        if above.len() + below.len() < MANY {
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
