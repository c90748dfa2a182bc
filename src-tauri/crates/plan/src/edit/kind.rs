//! Changes a task's type: regular step, checkpoint or decision.

use super::assign_id::ensure_id;
use super::content::{PlanContent, matching_plan};
use super::decision::open_record;
use super::fields::add_note;
use super::keys::set_field;
use super::layout::without_lines;
use super::references::ids_in;
use super::sequence::EditSequence;
use super::{EditError, Splice, find};
use crate::model::{Plan, Task, TaskId, TaskKind};
use crate::parse::arrow;

/// The default options of a new checkpoint.
const CHECKPOINT: [&str; 2] = ["Continue -> continue", "Stop here -> stop"];
/// The default options of a new decision. Neither answer skips any task until tasks are assigned to
/// it.
const DECISION: [&str; 2] = ["Yes -> none", "No -> none"];

/// Makes a task a regular step, a checkpoint or a decision.
///
/// A checkpoint or decision without options gets two: `Continue` and `Stop here`, or `Yes` and `No`
/// without tasks. When the type changes, options are kept if the new type has them:
///
/// - Unmodified default options are replaced by those of the new type.
/// - A regular step has no options. Each custom option is kept as a `note:`.
/// - A checkpoint has no branches. An option that leads to tasks becomes `continue`, and its
///   original text is kept as a `note:`.
///
/// If the file has a `## Decisions` section, a new decision gets its `open` record there (and an
/// id, if it has none). If a decision becomes another type, its open record is removed; the record
/// of an answer stays. Fails with [`EditError::UnknownTask`], [`EditError::NoPosition`].
pub fn set_kind(
    text: &str,
    plan: &Plan,
    id: &TaskId,
    kind: TaskKind,
) -> Result<Vec<Splice>, EditError> {
    let (index, task) = find(plan, id)?;
    if task.kind == kind {
        return Ok(Vec::new());
    }
    let NewOptions { options, notes } = new_options(task, kind);
    let types: Vec<String> = name(kind).map(str::to_owned).into_iter().collect();
    let mut steps = EditSequence::of(text, plan);
    let mut keys = [("type", types), ("option", options)];
    if kind == TaskKind::Normal {
        keys.reverse();
    }
    let has_records = plan.decisions_section.is_some();
    let is_over = |key: &str| key == keys[1].0 && notes.is_empty() && !has_records;
    for (key, values) in &keys {
        let id = steps.plan.tasks[index].id.clone();
        let splices = set_field(steps.text(), &steps.plan, &id, key, values)?;
        match is_over(key) {
            true => steps.make_last(&splices)?,
            false => steps.make(&splices)?,
        }
    }
    if !has_records && notes.is_empty() {
        return Ok(steps.splices());
    }
    for note in notes {
        let id = steps.plan.tasks[index].id.clone();
        let splices = add_note(steps.text(), &steps.plan, &id, &note)?;
        steps.make(&splices)?;
    }
    match kind {
        TaskKind::Decision => add_record(&mut steps, index)?,
        _ => remove_open_record(&mut steps, index)?,
    }
    Ok(steps.splices())
}

/// The value of `type:` for a type; `None` for a regular step.
pub(super) fn name(kind: TaskKind) -> Option<&'static str> {
    match kind {
        TaskKind::Normal => None,
        TaskKind::Checkpoint => Some("checkpoint"),
        TaskKind::Decision => Some("decision"),
    }
}

/// The options of a task after its type changes, and notes about options that were dropped.
struct NewOptions {
    options: Vec<String>,
    notes: Vec<String>,
}

fn new_options(task: &Task, kind: TaskKind) -> NewOptions {
    let usual = |kind: TaskKind| -> &[&str] {
        match kind {
            TaskKind::Normal => &[],
            TaskKind::Checkpoint => &CHECKPOINT,
            TaskKind::Decision => &DECISION,
        }
    };
    let owned = |options: &[&str]| options.iter().map(|option| (*option).to_owned()).collect();
    let now: Vec<&str> = task.values("option").collect();
    let mut notes = Vec::new();
    if now.is_empty() || now == usual(task.kind) {
        let options = owned(usual(kind));
        return NewOptions { options, notes };
    }
    let note = |option: &str| format!("dropped option: {option}");
    let options = match kind {
        TaskKind::Normal => {
            notes.extend(now.iter().map(|option| note(option)));
            Vec::new()
        }
        TaskKind::Decision => owned(&now),
        TaskKind::Checkpoint => now
            .iter()
            .map(|option| match as_continue(option) {
                None => (*option).to_owned(),
                Some(instead) => {
                    if !ids_in("option", option).is_empty() {
                        notes.push(note(option));
                    }
                    instead
                }
            })
            .collect(),
    };
    NewOptions { options, notes }
}

/// Rewrites an option that leads to a branch to continue instead; `None` for any other option.
fn as_continue(option: &str) -> Option<String> {
    let (at, length) = arrow(option)?;
    let (label, target) = option.split_at(at + length);
    let target = target.trim().trim_matches('`').trim().to_ascii_lowercase();
    let is_known = ["continue", "review", "stop"].contains(&target.as_str())
        || target.strip_prefix("skip").is_some();
    (!is_known).then(|| format!("{label} continue"))
}

/// Writes the open record of a new decision.
fn add_record(steps: &mut EditSequence, index: usize) -> Result<(), EditError> {
    if steps.plan.decisions_section.is_none() {
        return Ok(());
    }
    let named = ensure_id(
        steps.text(),
        &steps.plan,
        &steps.plan.tasks[index].id.clone(),
    )?;
    steps.make(&named.splices)?;
    let splices = open_record(steps.text(), &steps.plan, &named.id)?;
    steps.make(&splices)
}

/// Removes the open record of a former decision, if that changes nothing else.
fn remove_open_record(steps: &mut EditSequence, index: usize) -> Result<(), EditError> {
    let plan = &steps.plan;
    let id = &plan.tasks[index].id;
    if plan.index_of(id) != Some(index) {
        return Ok(());
    }
    let is_open =
        |at: &usize| plan.decisions[*at].task == *id && plan.decisions[*at].answer.is_none();
    let open: Vec<usize> = (0..plan.decisions.len()).filter(is_open).collect();
    if open.is_empty() {
        return Ok(());
    }
    let mut expected = PlanContent::of(steps.text(), plan);
    for at in open.iter().rev() {
        expected.decisions.remove(*at);
    }
    let spans = open.iter().map(|at| plan.decisions[*at].span.clone());
    let splices = without_lines(steps.text(), spans);
    match matching_plan(steps.text(), &splices, &expected) {
        Some(_) => steps.make(&splices),
        None => Ok(()),
    }
}
