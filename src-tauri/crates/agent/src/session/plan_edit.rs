//! The only way for a model to change the plan: a splice, located by task id or by exact text.
//!
//! Everything else in the plan stays unchanged, byte for byte. Only the app may tick boxes and
//! record answers, so an edit that does either is refused. Edits apply to the current text of the
//! file.

use std::collections::BTreeMap;

use plan::edit::{self, Splice};
use plan::{Plan, TaskId, diff};
use thiserror::Error;

use super::call::PlanTarget;
use super::machine::Standing;
use super::notice::short;
use super::plan_excerpt::no_such_task;
use super::proposal::listed;

/// Why an edit is refused. The message is sent to the model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlanEditError {
    /// The edit contains a new plan, but a plan already exists.
    #[error(
        "There is a plan already. Change it piece by piece: `task` replaces one task, `after` adds \
         behind one, `old_text` replaces exact text. read_plan shows it."
    )]
    Exists,
    /// There is no plan to edit.
    #[error("There is no plan yet. Write it whole, with new_text alone.")]
    Missing,
    /// The new text is blank.
    #[error("new_text is blank. Give the text to write.")]
    Blank,
    /// There is no such task.
    #[error("{0}")]
    NoTask(String),
    /// The text is not in the file.
    #[error("old_text is not in the plan. Copy it exactly from read_plan, or name a `task`.")]
    NotFound,
    /// The text occurs several times in the file.
    #[error("old_text stands in the plan {0} times. Take in more of the lines around it.")]
    Ambiguous(usize),
    /// The edit changes nothing.
    #[error("The plan reads so already; nothing was changed.")]
    Same,
    /// The edit would tick a box.
    #[error("The app ticks boxes, when a step's check ran. Write {0} with an open box: `- [ ]`.")]
    Ticks(TaskId),
    /// The edit would answer a decision.
    #[error("Answers under `## Decisions` are written when the person decided. Leave them out.")]
    Decides,
    /// The edit would make another task unreadable.
    #[error(
        "That would make {0} unreadable. Look for a code fence or comment that is not closed in \
         new_text."
    )]
    Swallows(TaskId),
    /// The edit would duplicate a task's id.
    #[error("There would be two tasks {0}. Give the new one another id.")]
    Twice(TaskId),
    /// The splice can't be applied to the text.
    #[error(transparent)]
    Splice(#[from] edit::EditError),
}

/// The plan's text after an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The complete new text.
    pub text: String,
    /// The change from the previous text.
    pub splices: Vec<Splice>,
}

/// Applies an edit to the file's current text, which is `None` if there is no file.
pub fn apply(
    text: Option<&str>,
    target: &PlanTarget,
    new_text: &str,
) -> Result<Edited, PlanEditError> {
    let before = text.unwrap_or_default();
    let (plan, _) = plan::parse(before);
    let new_text = with_line_ends(new_text, plan.line_ending, before);
    let splice = splice(before, &plan, target, &new_text)?;
    let after = edit::apply(before, std::slice::from_ref(&splice))?.text;
    if after == before {
        return Err(PlanEditError::Same);
    }
    let named = match target {
        PlanTarget::Task(id) => Some(TaskId::from(id.trim())),
        _ => None,
    };
    guard(&plan, &plan::parse(&after).0, &splice, named.as_ref())?;
    Ok(Edited {
        text: after,
        splices: vec![splice],
    })
}

fn splice(
    before: &str,
    plan: &Plan,
    target: &PlanTarget,
    new_text: &str,
) -> Result<Splice, PlanEditError> {
    let task = |id: &str| {
        plan.task(&TaskId::from(id.trim()))
            .ok_or_else(|| PlanEditError::NoTask(no_such_task(plan, id)))
    };
    if before.trim().is_empty() && *target != PlanTarget::New {
        return Err(PlanEditError::Missing);
    }
    match target {
        PlanTarget::New if !before.trim().is_empty() => Err(PlanEditError::Exists),
        PlanTarget::New if new_text.trim().is_empty() => Err(PlanEditError::Blank),
        PlanTarget::New => Ok(Splice {
            range: 0..before.len(),
            text: format!("{}\n", new_text.trim_end()),
        }),
        PlanTarget::Task(id) => {
            let task = task(id)?;
            let range = task.span.clone();
            if new_text.trim().is_empty() {
                // Also remove the line break.
                let rest = &before[range.end..];
                let end = range.end
                    + rest
                        .find(|c| c != '\r' && c != '\n')
                        .map_or(rest.len(), |at| at.min(plan.line_ending.len()));
                return Ok(Splice {
                    range: range.start..end,
                    text: String::new(),
                });
            }
            let indent = indent_of(&before[range.clone()]);
            Ok(Splice {
                text: indented(new_text, indent, plan.line_ending),
                range,
            })
        }
        PlanTarget::After(id) => {
            if new_text.trim().is_empty() {
                return Err(PlanEditError::Blank);
            }
            let task = task(id)?;
            let indent = indent_of(&before[task.span.clone()]);
            let text = indented(new_text, indent, plan.line_ending);
            Ok(Splice {
                range: task.span.end..task.span.end,
                text: format!("{}{text}", plan.line_ending),
            })
        }
        PlanTarget::Text(old) => {
            let old = with_line_ends(old, plan.line_ending, before);
            let found: Vec<usize> = before.match_indices(&old).map(|(at, _)| at).collect();
            match found.as_slice() {
                [] => Err(PlanEditError::NotFound),
                [at] => Ok(Splice {
                    range: *at..*at + old.len(),
                    text: new_text.to_owned(),
                }),
                several => Err(PlanEditError::Ambiguous(several.len())),
            }
        }
    }
}

/// Converts `\n` in the model's text to the line endings of the file.
fn with_line_ends(text: &str, ending: &str, file: &str) -> String {
    let text = text.replace("\r\n", "\n");
    if file.is_empty() || ending == "\n" {
        text
    } else {
        text.replace('\n', ending)
    }
}

fn indent_of(lines: &str) -> &str {
    let end = lines
        .find(|c: char| c != ' ' && c != '\t')
        .unwrap_or(lines.len());
    &lines[..end]
}

/// The lines, trimmed and indented like the task that they replace or that they follow.
fn indented(text: &str, indent: &str, ending: &str) -> String {
    let text = text.trim_end().trim_start_matches(['\n', '\r']);
    let own = indent_of(text);
    if own == indent {
        return text.to_owned();
    }
    let lines: Vec<String> = text
        .split(ending)
        .map(|line| match line.strip_prefix(own) {
            Some(rest) if !rest.trim().is_empty() => format!("{indent}{rest}"),
            _ => line.to_owned(),
        })
        .collect();
    lines.join(ending)
}

/// Checks that an edit makes no forbidden change.
fn guard(
    before: &Plan,
    after: &Plan,
    splice: &Splice,
    named: Option<&TaskId>,
) -> Result<(), PlanEditError> {
    let done: BTreeMap<&TaskId, bool> = before
        .tasks
        .iter()
        .map(|task| (&task.id, task.done))
        .collect();
    let mut seen: BTreeMap<&TaskId, usize> = BTreeMap::new();
    for task in &after.tasks {
        *seen.entry(&task.id).or_default() += 1;
        if task.done && done.get(&task.id) != Some(&true) {
            return Err(PlanEditError::Ticks(task.id.clone()));
        }
    }
    let were_unique = |id: &TaskId| before.tasks.iter().filter(|task| task.id == *id).count() <= 1;
    if let Some((id, _)) = seen
        .iter()
        .find(|(id, count)| **count > 1 && were_unique(id))
    {
        return Err(PlanEditError::Twice((*id).clone()));
    }
    let answered = |plan: &Plan| {
        plan.decisions
            .iter()
            .filter_map(|decision| Some((decision.task.clone(), decision.answer.clone()?)))
            .collect::<Vec<_>>()
    };
    let had = answered(before);
    if answered(after).iter().any(|answer| !had.contains(answer)) {
        return Err(PlanEditError::Decides);
    }
    // A task with a written id that the edit doesn't concern must still exist.
    let touches =
        |span: &plan::Span| span.start < splice.range.end && splice.range.start < span.end;
    let lost = before.tasks.iter().find(|task| {
        task.id_origin == plan::IdOrigin::Written
            && Some(&task.id) != named
            && !touches(&task.span)
            && !seen.contains_key(&task.id)
    });
    lost.map_or(Ok(()), |task| Err(PlanEditError::Swallows(task.id.clone())))
}

/// The answer that the model gets after an edit: what changed, the badge and the findings, but not
/// the text of the file.
pub fn answer(before: &str, after: &str, revision: &str, standing: &Standing) -> String {
    const NAMED: usize = 6;
    let (old, new) = (plan::parse(before).0, plan::parse(after).0);
    let mut what = diff::summary(&diff::diff((before, &old), (after, &new)), NAMED);
    if what.is_empty() {
        "text".clone_into(&mut what);
    }
    format!(
        "Changed: {what}. Revision {}. Adequacy: {} {}; {}.",
        short(revision),
        standing.badge,
        standing.score,
        listed(&standing.findings)
    )
}
