//! Describes changes to an approved plan for the person who approves it again.
//!
//! Names the changed parts and shows a few of the lines. As for a
//! [`Fingerprint`](super::Fingerprint), formatting makes no difference.

use super::{own_lines, own_text, page_prose, prose_spans, requirements};
use crate::lines;
use crate::model::{Plan, Span, Task, TaskId};

/// Maximum number of removed and of added lines shown.
const MAX_LINES: usize = 3;
/// Maximum number of characters shown per line.
const MAX_LINE_LEN: usize = 120;

/// A text and the plan parsed from it.
pub type ParsedText<'p> = (&'p str, &'p Plan);

/// The changes above the tasks: goal, strategy, prose, requirements.
pub fn above_tasks(approved: ParsedText<'_>, current: ParsedText<'_>) -> Vec<String> {
    let mut changes = Vec::new();
    let goal = |plan: &Plan| plan.front.goal.clone().unwrap_or_default();
    let strategy = |plan: &Plan| plan.front.strategy.clone().unwrap_or_default();
    for (what, was, is) in [
        ("the goal", goal(approved.1), goal(current.1)),
        ("the strategy", strategy(approved.1), strategy(current.1)),
    ] {
        if was != is {
            changes.push(changed(what, &[was], &[is]));
        }
    }
    if page_prose(approved) != page_prose(current) {
        let was = lines_of(approved, &prose_spans(approved.1));
        let is = lines_of(current, &prose_spans(current.1));
        changes.push(changed("the text above the steps", &was, &is));
    }
    let (was, is) = (requirements(approved), requirements(current));
    let shown = |(text, plan): ParsedText<'_>, id: &str| {
        let found = plan.requirements.iter().filter(|one| one.id == id);
        let spans: Vec<Span> = found.map(|one| one.span.clone()).collect();
        lines_of((text, plan), &spans)
    };
    for id in was
        .keys()
        .chain(is.keys().filter(|id| !was.contains_key(*id)))
    {
        if was.get(id) != is.get(id) {
            changes.push(changed(id, &shown(approved, id), &shown(current, id)));
        }
    }
    changes
}

/// The changes in the lines of a step or of its groups; `None` if there are none.
pub fn of_step(approved: ParsedText<'_>, current: ParsedText<'_>, id: &TaskId) -> Option<String> {
    let (mut was, mut is) = (around(approved, id), around(current, id));
    while let (Some((of, before)), Some((_, after))) = (was.pop(), is.pop()) {
        if own_text(approved.0, approved.1, before) != own_text(current.0, current.1, after) {
            let lines = |read: ParsedText<'_>, at| lines_of(read, &own_lines(read.0, read.1, at));
            let (was, is) = (lines(approved, before), lines(current, after));
            return Some(changed(&of.0, &was, &is));
        }
    }
    None
}

/// A step and its groups, outermost first.
fn around(read: ParsedText<'_>, id: &TaskId) -> Vec<(TaskId, usize)> {
    let mut at = read.1.index_of(id);
    let mut around = Vec::new();
    while let Some(index) = at {
        let task: &Task = &read.1.tasks[index];
        around.push((task.id.clone(), index));
        at = task.parent;
    }
    around.reverse();
    around
}

/// The non-blank lines of some spans.
fn lines_of((text, _): ParsedText<'_>, places: &[Span]) -> Vec<String> {
    let lines = places
        .iter()
        .flat_map(|place| lines::split(&text[place.clone()]));
    // Ignore ticks, because they are no part of an approval.
    let lines = lines.map(|line| line.trim().replacen("- [x] ", "- [ ] ", 1));
    lines.filter(|line| !line.is_empty()).collect()
}

/// Describes the removed and added lines in a sentence.
fn changed(what: &str, was: &[String], is: &[String]) -> String {
    let without = |from: &[String], other: &[String]| {
        let lines: Vec<&String> = from.iter().filter(|line| !other.contains(line)).collect();
        let first = lines.iter().take(MAX_LINES).map(|line| shortened(line));
        let mut shown = first.collect::<Vec<_>>().join(" / ");
        if let more @ 1.. = lines.len().saturating_sub(MAX_LINES) {
            shown.push_str(&format!(" / and {more} more"));
        }
        shown
    };
    let (gone, new) = (without(was, is), without(is, was));
    match (gone.is_empty(), new.is_empty()) {
        (true, true) => format!("{what} was changed"),
        (true, false) => format!("{what} was changed: added “{new}”"),
        (false, true) => format!("{what} was changed: removed “{gone}”"),
        (false, false) => format!("{what} was changed: “{gone}” is now “{new}”"),
    }
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE_LEN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
