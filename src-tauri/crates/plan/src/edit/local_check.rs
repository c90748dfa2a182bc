//! Checks the effect of a change to one task by parsing only the lines around it.
//!
//! [`crate::fragment`] decides which lines are enough; if none are, the result is `None` and the
//! whole text has to be parsed. The partial parse is only used if it agrees with the plan about the
//! old content.

use super::content::TaskContent;
use super::{Splice, apply, blocks};
use crate::fragment::{Boundary, Fragment, PROBE_HEADING, has_definition, keeps_dialect};
use crate::model::{Plan, TaskId};
use crate::parse::parse_fragment;

/// Whether a changed text would parse the same, except for one task, which must match
/// `task_content`. `None` if only the whole text can tell. `settle` normalizes the parts whose
/// order doesn't matter.
pub(super) fn reads(
    text: &str,
    plan: &Plan,
    splices: &[Splice],
    index: usize,
    task_content: &TaskContent,
    settle: impl Fn(&mut TaskContent),
) -> Option<bool> {
    // A change of id can affect other tasks that have this id or reference it.
    if task_content.id != TaskContent::of(&plan.tasks[index]).id || has_definition(text) {
        return None;
    }
    let from = splices.iter().map(|splice| splice.range.start).min()?;
    let until = splices.iter().map(|splice| splice.range.end).max()?;
    let fragment = Fragment::around(text, plan, &(from..until), index)?;
    let old = &text[fragment.span.clone()];
    let moved: Vec<Splice> = splices
        .iter()
        .map(|splice| Splice {
            range: splice.range.start - fragment.span.start..splice.range.end - fragment.span.start,
            text: splice.text.clone(),
        })
        .collect();
    let new = apply(old, &moved).ok()?.text;
    if has_definition(&new) || !has_same_dialect(text, plan, splices) {
        return None;
    }
    let sentinel = &text[fragment.terminator.span.clone()];
    let was = ParsedFragment::of(old, sentinel, fragment.terminator.kind, plan)?;
    let known = plan.tasks[fragment.tasks.clone()].iter().map(|task| {
        let mut task_content = TaskContent::of(task);
        task_content.parent = task_content
            .parent
            .map(|parent| parent - fragment.tasks.start);
        task_content
    });
    if !was.is_terminated || !was.task_contents.iter().cloned().eq(known) {
        return None;
    }
    let is = ParsedFragment::of(&new, sentinel, fragment.terminator.kind, plan)?;
    // The change may have altered the meaning of the next line, so the whole text has to be parsed.
    if !is.is_terminated {
        return None;
    }
    let mut task_contents = was.task_contents;
    let at = index - fragment.tasks.start;
    let meant = task_contents.get_mut(at)?;
    *meant = TaskContent {
        parent: meant.parent,
        ..task_content.clone()
    };
    settle(meant);
    let mut found = is.task_contents;
    if let Some(found) = found.get_mut(at) {
        settle(found);
    }
    // A duplicate id isn't parsed as an id, but the other task with that id may be outside of the
    // fragment.
    let is_known = |id: &TaskId| {
        task_contents
            .iter()
            .any(|task_content| task_content.id.as_ref() == Some(id))
    };
    if !found
        .iter()
        .filter_map(|task_content| task_content.id.as_ref())
        .all(is_known)
    {
        return None;
    }
    Some(found == task_contents && is.page == was.page)
}

/// The parsed content of a fragment.
struct ParsedFragment {
    task_contents: Vec<TaskContent>,
    page: Vec<String>,
    /// Whether the line after the fragment still parses the same way.
    is_terminated: bool,
}

impl ParsedFragment {
    /// Parses a fragment and the line after it. `None` if its meaning depends on the
    /// rest of the text.
    fn of(fragment: &str, sentinel: &str, kind: Boundary, plan: &Plan) -> Option<Self> {
        let text = format!("{PROBE_HEADING}{fragment}{sentinel}");
        let behind = PROBE_HEADING.len() + fragment.len();
        let parsed = parse_fragment(&text, plan.dialect, 0).plan;
        if !parsed.requirements.is_empty() || !parsed.decisions.is_empty() {
            return None;
        }
        let mut task_contents: Vec<TaskContent> =
            parsed.tasks.iter().map(TaskContent::of).collect();
        let mut blocks = blocks::of(&text, &parsed);
        let is_terminated = match kind {
            Boundary::End => true,
            Boundary::Task => {
                task_contents.pop();
                parsed
                    .tasks
                    .last()
                    .is_some_and(|task| task.parent.is_none() && task.span.start == behind)
            }
            Boundary::Heading => blocks
                .pop()
                .is_some_and(|last| last.heading.is_some() && last.span.start == behind),
        };
        let mut blocks = blocks.into_iter();
        blocks.next().filter(|first| first.heading.is_some())?;
        let mut page = Vec::new();
        for block in blocks {
            if block.heading.is_some() {
                return None;
            }
            page.push(text[block.span].to_owned());
        }
        Some(Self {
            task_contents,
            page,
            is_terminated,
        })
    }
}

/// Whether the changed text has the same dialect.
fn has_same_dialect(text: &str, plan: &Plan, splices: &[Splice]) -> bool {
    plan.front.version.is_some()
        || apply(text, splices).is_ok_and(|after| keeps_dialect(plan, &after.text))
}

#[cfg(test)]
mod tests;
