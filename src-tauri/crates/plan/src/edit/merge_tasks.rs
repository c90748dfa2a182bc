//! Merges two tasks into one.

mod depends;
mod keys;

use super::dependencies::{TaskIndex, with_ids};
use super::key_lines::{KeyLines, write_all, write_lines};
use super::outline::{adopt, subtree_end};
use super::references::{Renames, any_referenced, ids_in, option_without, renamed, without};
use super::sequence::EditSequence;
use super::task_text::set_body;
use super::{EditError, Splice, find, mark};
use crate::graph::Graph;
use crate::model::{Plan, Task, TaskId, TaskKind};

/// Merges a task into another one. The first keeps its position, id and title. The second's title
/// becomes prose under the first's, followed by its own prose; its sub-tasks are appended to
/// those of the first.
///
/// - **Keys** are combined without duplicates. For a key with one value, the first's stays and the
///   second's becomes a `note:`; the higher `complexity` counts, two `why` are joined, and the
///   merged task is skipped only if both were; otherwise the reason becomes a note.
/// - **Order.** The merged task waits for everything in the `depends:` of either. The second's
///   position no longer matters. References to the second refer to the first, without duplicates
///   and without cycles between the two.
/// - **Done** only if both were done.
///
/// Fails with [`EditError::UnknownTask`]; [`EditError::IntoItself`] for merging a task into itself
/// or its own sub-task; [`EditError::KindsDiffer`] for a checkpoint and a decision;
/// [`EditError::Cycle`] if a third task waits for one of them while the other waits for it;
/// [`EditError::Misparsed`], [`EditError::NoPosition`].
pub fn merge_tasks(
    text: &str,
    plan: &Plan,
    into: &TaskId,
    task: &TaskId,
) -> Result<Vec<Splice>, EditError> {
    let (first, kept) = find(plan, into)?;
    let (second, gone) = find(plan, task)?;
    let goes = second..subtree_end(plan, second);
    if goes.contains(&first) {
        return Err(EditError::IntoItself { id: task.clone() });
    }
    let is_asking = |task: &Task| task.kind != TaskKind::Normal;
    if is_asking(kept) && is_asking(gone) && kept.kind != gone.kind {
        return Err(EditError::KindsDiffer {
            first: into.clone(),
            second: task.clone(),
        });
    }
    let waits = depends::joined(plan, first, second);
    let mut steps = EditSequence::of(text, plan);

    let renames: Renames = [(gone.id.0.clone(), kept.id.0.clone())].into();
    let mut named: Vec<String> = waits
        .missing
        .iter()
        .map(|at| plan.tasks[*at].id.0.clone())
        .collect();
    if any_referenced(plan, &renames) {
        named.push(kept.id.0.clone());
    }
    let (with_ids, _) = with_ids(&mut steps.draft, plan, &named)?;
    steps.plan = with_ids.into_owned();
    rename_second(&mut steps, first, second)?;

    let lines = waits.lines(&steps.plan, first);
    if let Some(lines) = lines {
        steps.plan = write_lines(&mut steps.draft, &steps.plan, first, "depends", &lines)?;
    }
    for (key, lines) in keys::joined(&steps.plan, first, second) {
        steps.plan = write_lines(&mut steps.draft, &steps.plan, first, &key, &lines)?;
    }
    join_words(&mut steps, first, second)?;
    if kept.done && !gone.done {
        let id = steps.plan.tasks[first].id.clone();
        let splices = mark(&steps.plan, &id, false)?;
        steps.make(&splices)?;
    }
    steps.plan = adopt(&mut steps.draft, &steps.plan, second, first)?;
    let circles = Graph::of(&steps.plan).cycles();
    if let Some(path) = circles.into_iter().next()
        && Graph::of(plan).cycles().is_empty()
    {
        return Err(EditError::Cycle { path });
    }
    Ok(steps.splices())
}

/// Redirects references from the second task to the first.
fn rename_second(steps: &mut EditSequence, first: usize, second: usize) -> Result<(), EditError> {
    let plan = &steps.plan;
    let names = TaskIndex::of(plan);
    if names.at(plan.tasks[second].id.as_str()) != Some(second) {
        return Ok(());
    }
    let is_second = |id: &str| names.at(id) == Some(second);
    let is_first = |id: &str| names.at(id) == Some(first);
    let renames: Renames = [(
        plan.tasks[second].id.0.clone(),
        plan.tasks[first].id.0.clone(),
    )]
    .into();
    let mut changes: Vec<KeyLines> = Vec::new();
    for (at, task) in plan.tasks.iter().enumerate() {
        for key in ["depends", "option"] {
            let values: Vec<&str> = task.values(key).collect();
            // The second task's options now belong to the first.
            let goes = |id: &str| is_second(id) || at == second && key == "option" && is_first(id);
            let names = |value: &&str| ids_in(key, value).into_iter().any(goes);
            if !values.iter().any(names) {
                continue;
            }
            let is_own = at == first || at == second;
            // A task doesn't reference itself, and references each other task once.
            let mut has_first = is_own;
            let mut lines = Vec::with_capacity(values.len());
            for value in values {
                let ids = ids_in(key, value);
                if key == "option" {
                    let drops = is_own || ids.iter().any(|id| is_first(id));
                    lines.push(match drops {
                        true => option_without(value, goes).unwrap_or_else(|| value.to_owned()),
                        false => renamed(key, value, &renames),
                    });
                    continue;
                }
                has_first |= task
                    .values(key)
                    .any(|value| ids_in(key, value).into_iter().any(is_first));
                if !ids.iter().any(|id| is_second(id)) {
                    lines.push(value.to_owned());
                } else if has_first {
                    lines.extend(without(value, is_second));
                } else {
                    lines.push(renamed(key, value, &renames));
                    has_first = true;
                }
            }
            // The merged task's own dependencies are written separately.
            if !(is_own && key == "depends") {
                changes.push(KeyLines { at, key, lines });
            }
        }
    }
    let has_record = |at: usize| {
        let id = &plan.tasks[at].id;
        plan.decisions.iter().any(|record| record.task == *id)
    };
    let records = has_record(second) && !has_record(first);
    let plan = write_all(&mut steps.draft, plan, &changes)?;
    steps.plan = match records {
        true => depends::rename_records(&mut steps.draft, plan, &renames)?,
        false => plan,
    };
    Ok(())
}

/// Appends the second task's title and prose to the prose of the first.
fn join_words(steps: &mut EditSequence, first: usize, second: usize) -> Result<(), EditError> {
    let (kept, gone) = (&steps.plan.tasks[first], &steps.plan.tasks[second]);
    let joined = |title: &str| {
        let parts = [kept.body.as_str(), title, gone.body.as_str()];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("\n\n")
    };
    // A title can look like a list item or a marker, which prose may not begin with.
    let plain = joined(&gone.title);
    let marked = joined(&format!("\\{}", gone.title));
    let id = kept.id.clone();
    let attempt = |words: &str| set_body(steps.text(), &steps.plan, &id, words);
    let splices = attempt(&plain).or_else(|error| attempt(&marked).map_err(|_| error))?;
    steps.make(&splices)
}
