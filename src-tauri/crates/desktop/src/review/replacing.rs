//! Applying the change that a `replace` comment suggests.

use std::sync::Arc;

use plan::edit::{self, Splice};
use store::CommentKind;

use super::anchoring::{Anchoring, bytes_of};
use crate::Shared;
use crate::document::{ParsedPlan, cut};
use crate::editing::{Next, merged};
use crate::wire::EditOutcome;
use workbench::error::{Code, Error, Result};

/// Replaces the quoted words with the comment's text: directly if the current plan still contains
/// them, else by merging lines.
pub(super) fn replace(
    shared: &Shared,
    plan: &str,
    base: &ParsedPlan,
    comment: &store::Comment,
    then: impl Fn() -> Option<Arc<ParsedPlan>>,
) -> Result<EditOutcome> {
    let ours = made(base, comment, &then)?;
    shared.write_step(plan, &ours.label, |now| {
        if now.revision() != base.revision()
            && let Ok(made) = made(now, comment, &then)
        {
            return Ok(Next::Write {
                text: made.text,
                task: None,
                merged: true,
                told: None,
            });
        }
        Ok(merged(base.text(), &ours.text, now))
    })
}

struct Made {
    text: String,
    label: String,
}

fn made(
    base: &ParsedPlan,
    comment: &store::Comment,
    then: impl FnOnce() -> Option<Arc<ParsedPlan>>,
) -> Result<Made> {
    let usage = |message: String| Error::new(Code::Usage, message);
    let quote = match (comment.kind, &comment.quote) {
        (CommentKind::Replace, Some(quote)) => quote,
        _ => {
            let message = "this comment suggests no replacement; edit the plan instead";
            return Err(usage(message.to_owned()));
        }
    };
    let found = Anchoring::new(base).find(comment, then);
    let place = bytes_of(base, found.task, quote).ok_or_else(|| {
        let quote = cut(quote, 100);
        usage(format!(
            "“{quote}” is no longer in the plan; make the change manually"
        ))
    })?;
    let splice = Splice {
        text: fitting(base, found.task, place.start, &comment.text),
        range: place,
    };
    let applied = edit::apply(base.text(), &[splice]);
    let text = applied
        .map_err(|error| Error::from_cause(Code::Usage, error))?
        .text;
    if !is_same_but(base, &text, found.task) {
        let message = "the replacement would be parsed differently there; make the change manually";
        return Err(usage(message.to_owned()));
    }
    let label = match found.task {
        Some(at) => format!("Replace text in {}", base.plan.tasks[at].id),
        None => "Replace text".to_owned(),
    };
    Ok(Made { text, label })
}

/// Fits the new text to its place: on one line in a title or value, else indented like the text it
/// replaces.
fn fitting(base: &ParsedPlan, task: Option<usize>, at: usize, words: &str) -> String {
    let lines: Vec<&str> = words.lines().map(str::trim).collect();
    let is_line = task.is_some_and(|task| {
        let task = &base.plan.tasks[task];
        task.title_span.contains(&at) || task.fields.iter().any(|field| field.span.contains(&at))
    });
    if is_line {
        return lines.join(" ");
    }
    let text = base.text();
    let start = text[..at].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let line = &text[start..];
    let blanks = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
    lines.join(&format!("{}{blanks}", base.plan.line_ending))
}

/// Whether `ours` has the same tasks as `base`, and at most the content of `changed` differs.
fn is_same_but(base: &ParsedPlan, ours: &str, changed: Option<usize>) -> bool {
    let (plan, _) = plan::parse(ours);
    let (before, after) = (&base.plan.tasks, &plan.tasks);
    before.len() == after.len()
        && before.iter().zip(after).enumerate().all(|(at, (was, is))| {
            let is_changed = Some(at) == changed;
            was.id == is.id
                && was.parent == is.parent
                && was.done == is.done
                && !is.title.is_empty()
                && (is_changed || (was.title == is.title && was.body == is.body))
                && was.fields.len() == is.fields.len()
                && was
                    .fields
                    .iter()
                    .zip(&is.fields)
                    .all(|(was, is)| was.key == is.key && (is_changed || was.value == is.value))
        })
}
