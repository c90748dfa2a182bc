//! Assembles the merged text, and assigns conflicts to tasks.

use super::groups::{Piece, pieces};
use super::line_endings::push_line;
use super::version::{Parsed, Version};
use super::{Conflict, Merged};
use crate::lines::line_start;
use crate::model::{Plan, Span};
use crate::parse::parse;

/// Merges three texts that end with a line ending. Also returns the plan of the result.
pub(super) fn merged(base: &Parsed, ours: &Parsed, theirs: &Parsed) -> (Merged, Plan) {
    let (base, ours, theirs) = (Version::of(base), Version::of(ours), Version::of(theirs));
    let mut text = String::new();
    let mut found: Vec<Unassigned> = Vec::new();
    for piece in pieces(&base, &ours, &theirs) {
        match piece {
            Piece::Clean(lines) => lines.iter().for_each(|line| push_line(&mut text, line)),
            Piece::Combined(line) => push_line(&mut text, &line),
            Piece::Conflict {
                base,
                ours: mine,
                theirs,
                ours_at,
            } => {
                let start = text.len();
                theirs.iter().for_each(|line| push_line(&mut text, line));
                found.push(Unassigned {
                    base: base.concat(),
                    ours: mine.concat(),
                    place: start..text.len(),
                    ours_at: ours.starts.get(ours_at).copied().unwrap_or(ours.text.len()),
                });
            }
        }
    }
    let plan = parse(&text).0;
    let conflicts = if found.is_empty() {
        Vec::new()
    } else {
        by_task(&text, &plan, &ours, found)
    };
    let merged = Merged {
        text,
        conflicts,
        ..Merged::default()
    };
    (merged, plan)
}

/// A conflict that isn't assigned to a task yet.
#[derive(Debug)]
struct Unassigned {
    base: String,
    ours: String,
    place: Span,
    /// The offset of its lines in ours.
    ours_at: usize,
}

fn by_task(text: &str, plan: &Plan, ours: &Version<'_>, found: Vec<Unassigned>) -> Vec<Conflict> {
    let heads = Heads::of(plan);
    let our_heads = Heads::of(ours.plan);
    let mut conflicts: Vec<Conflict> = Vec::new();
    for one in found {
        let lines = &text[one.place.clone()];
        let words = one.place.start + (lines.len() - lines.trim_start_matches(['\n', '\r']).len());
        // The index of the enclosing task in the merged plan; `None` if theirs has no lines there
        // except blank ones.
        let here = if lines.trim().is_empty() {
            None
        } else {
            heads.around(plan, words)
        };
        let task = match here {
            Some(index) => Some(&plan.tasks[index]),
            None if lines.trim().is_empty() => {
                let blank = one.ours.len() - one.ours.trim_start_matches(['\n', '\r']).len();
                let index = our_heads.around(ours.plan, one.ours_at + blank);
                index.map(|index| &ours.plan.tasks[index])
            }
            None => None,
        };
        let title = match task {
            Some(task) => task.title.clone(),
            None => section(text, plan, one.place.start),
        };
        conflicts.push(Conflict {
            base: one.base,
            ours: one.ours,
            theirs: lines.to_owned(),
            place: one.place,
            task: task.map(|task| task.id.clone()),
            title,
        });
    }
    joined(text, plan, conflicts)
}

/// Joins the conflicts of each task into one, which includes the text between them, unless another
/// task is between them.
pub(super) fn joined(text: &str, plan: &Plan, conflicts: Vec<Conflict>) -> Vec<Conflict> {
    let heads = Heads::of(plan);
    let mut list: Vec<Conflict> = Vec::with_capacity(conflicts.len());
    for one in conflicts {
        let words = one.theirs.trim_start_matches(['\n', '\r']);
        let start = one.place.end - words.len();
        let has_words = |conflict: &Conflict| !conflict.theirs.trim().is_empty();
        match list.last_mut() {
            Some(last)
                if last.task.is_some()
                    && last.task == one.task
                    && has_words(last)
                    && has_words(&one)
                    && !heads.any_in(&(last.place.end..start)) =>
            {
                let between = &text[last.place.end..one.place.start];
                last.base.push_str(between);
                last.base.push_str(&one.base);
                last.ours.push_str(between);
                last.ours.push_str(&one.ours);
                last.place.end = one.place.end;
                last.theirs = text[last.place.clone()].to_owned();
            }
            _ => list.push(one),
        }
    }
    list
}

/// The start offsets of all tasks, used to find the task at an offset.
#[derive(Debug)]
struct Heads(Vec<usize>);

impl Heads {
    fn of(plan: &Plan) -> Self {
        Self(plan.tasks.iter().map(|task| task.span.start).collect())
    }

    /// The innermost task that contains an offset.
    fn around(&self, plan: &Plan, at: usize) -> Option<usize> {
        let mut index = self.0.partition_point(|start| *start <= at).checked_sub(1);
        while let Some(task) = index {
            if at < plan.tasks[task].span.end {
                return index;
            }
            index = plan.tasks[task].parent;
        }
        None
    }

    /// Whether a task starts in a range.
    fn any_in(&self, range: &Span) -> bool {
        let first = self.0.partition_point(|start| *start < range.start);
        self.0.get(first).is_some_and(|start| *start < range.end)
    }
}

/// The section that contains an offset outside of tasks.
fn section(text: &str, plan: &Plan, at: usize) -> String {
    if plan.front.span.as_ref().is_some_and(|front| at < front.end) {
        return "front matter".to_owned();
    }
    let line = |at: usize| {
        let end = crate::lines::line_end(text, at);
        &text[line_start(text, at)..end]
    };
    let mut from = at;
    loop {
        let words = line(from).trim();
        let name = words.trim_start_matches('#');
        let level = words.len() - name.len();
        let in_task = plan
            .tasks
            .iter()
            .any(|task| task.span.contains(&line_start(text, from)));
        if (1..=6).contains(&level) && name.starts_with([' ', '\t']) && !in_task {
            return match level {
                1 => "introduction".to_owned(),
                _ => name.trim().to_owned(),
            };
        }
        match line_start(text, from).checked_sub(1) {
            Some(above) => from = above,
            None => return "introduction".to_owned(),
        }
    }
}
