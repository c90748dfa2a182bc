//! Work, a checkpoint, or a decision.

use super::decision::open_record;
use super::fields::add_note;
use super::identity::ensure_id;
use super::keys::set_field;
use super::layout::without_lines;
use super::portrait::{Portrait, reads_as};
use super::references::ids_in;
use super::steps::Steps;
use super::{EditError, Splice, find};
use crate::model::{Plan, Task, TaskId, TaskKind};
use crate::parse::arrow;

/// What a new checkpoint asks.
const CHECKPOINT: [&str; 2] = ["Continue -> continue", "Stop here -> stop"];
/// What a new decision asks: neither answer leaves anything out, until somebody says which tasks
/// belong to which.
const DECISION: [&str; 2] = ["Yes -> none", "No -> none"];

/// Makes a task work, a checkpoint or a decision.
///
/// A checkpoint or decision without options gets two: `Continue` and `Stop here`, or `Yes` and `No`
/// which lead to no tasks yet. Options stay when the kind changes, as far as the new kind has them:
///
/// - Those that nobody changed since they came with the old kind give way to those of the new one.
/// - Work has none. Each option that somebody wrote is kept as a `note:`.
/// - A checkpoint has no branches. An option that leads to tasks leads on instead, and is kept as a
///   `note:` as it was.
///
/// Where the file has a section `## Decisions`, a new decision gets its `open` record there (and an
/// id, if it has none). An open record goes with the decision; an answer stays.
///
/// # Errors
/// [`EditError::UnknownTask`], [`EditError::NoPlace`].
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
    let Asked { options, notes } = asked(task, kind);
    let types: Vec<String> = name(kind).map(str::to_owned).into_iter().collect();
    let mut steps = Steps::of(text, plan);
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
        TaskKind::Decision => ask(&mut steps, index)?,
        _ => stop_asking(&mut steps, index)?,
    }
    Ok(steps.splices())
}

/// What `type:` says.
pub(super) fn name(kind: TaskKind) -> Option<&'static str> {
    match kind {
        TaskKind::Normal => None,
        TaskKind::Checkpoint => Some("checkpoint"),
        TaskKind::Decision => Some("decision"),
    }
}

/// The options of a task that becomes another kind, and what is left of them.
struct Asked {
    options: Vec<String>,
    notes: Vec<String>,
}

fn asked(task: &Task, kind: TaskKind) -> Asked {
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
        return Asked { options, notes };
    }
    let note = |option: &str| format!("option left out: {option}");
    let options = match kind {
        TaskKind::Normal => {
            notes.extend(now.iter().map(|option| note(option)));
            Vec::new()
        }
        TaskKind::Decision => owned(&now),
        TaskKind::Checkpoint => now
            .iter()
            .map(|option| match leading_on(option) {
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
    Asked { options, notes }
}

/// An option that leads to a branch, leading on instead.
fn leading_on(option: &str) -> Option<String> {
    let (at, length) = arrow(option)?;
    let (label, target) = option.split_at(at + length);
    let target = target.trim().trim_matches('`').trim().to_ascii_lowercase();
    let is_known = ["continue", "review", "stop"].contains(&target.as_str())
        || target.strip_prefix("skip").is_some();
    (!is_known).then(|| format!("{label} continue"))
}

/// Writes the record of a new decision.
fn ask(steps: &mut Steps, index: usize) -> Result<(), EditError> {
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

/// Takes the open record of what was a decision away, where nothing else would change by it.
fn stop_asking(steps: &mut Steps, index: usize) -> Result<(), EditError> {
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
    let mut expected = Portrait::of(steps.text(), plan);
    for at in open.iter().rev() {
        expected.decisions.remove(*at);
    }
    let spans = open.iter().map(|at| plan.decisions[*at].span.clone());
    let splices = without_lines(steps.text(), spans);
    match reads_as(steps.text(), &splices, &expected) {
        Some(_) => steps.make(&splices),
        None => Ok(()),
    }
}
