//! Splits one task into two.

use super::content::{PlanContent, matching_plan};
use super::dependencies::with_ids;
use super::outline::{NewTask, Place, add_task, subtree_end};
use super::references::{Renames, ids_in, renamed};
use super::sequence::EditSequence;
use super::task_text::{prose, set_body};
use super::{EditError, Named, Splice, find};
use crate::graph::Graph;
use crate::lines;
use crate::model::{Plan, TaskId, TaskKind};

/// Splits a task: adds a new one after it and its sub-tasks, at the same depth, and moves part of
/// its prose there. `keep_body` is the part that stays with the first (`None`: all of it). The
/// first keeps its title, box, keys and sub-tasks. The new task is a regular step, is open, and
/// waits for the first.
///
/// Tasks that waited for the first now wait for both: each `depends:` that names the first also
/// gets the new id, unless its task already waits for the new one. An option that names the first
/// then names both, so that they stay in one branch. Fails with [`EditError::BadValue`] if
/// `keep_body` is not part of the prose; those of [`add_task`] and [`set_body`].
pub fn split_task(
    text: &str,
    plan: &Plan,
    id: &TaskId,
    title: &str,
    keep_body: Option<&str>,
) -> Result<Named<TaskId>, EditError> {
    let (index, task) = find(plan, id)?;
    let parts = match keep_body {
        Some(keep) => Some(parts(&task.body, keep)?),
        None => None,
    };
    let task = NewTask {
        title: title.to_owned(),
        kind: TaskKind::Normal,
    };
    let added = add_task(text, plan, &Place::After(id.clone()), &task)?;
    let mut steps = EditSequence::of(text, plan);
    steps.make(&added.splices)?;
    let new = subtree_end(plan, index);
    if let Some((kept, rest)) = parts {
        for (at, words) in [(index, kept), (new, rest)] {
            let id = steps.plan.tasks[at].id.clone();
            let splices = set_body(steps.text(), &steps.plan, &id, &words)?;
            steps.make(&splices)?;
        }
    }
    reference_both(&mut steps, index, new)?;
    Ok(Named {
        splices: steps.splices(),
        id: steps.plan.tasks[new].id.clone(),
    })
}

/// Splits a text into the part to keep and the rest.
fn parts(body: &str, keep: &str) -> Result<(String, String), EditError> {
    let keep = prose(keep);
    let around = match body.strip_prefix(keep.as_str()) {
        Some(rest) => Some(("", rest)),
        None => body.split_once(keep.as_str()),
    };
    if let Some((before, after)) = around {
        let (before, after) = (before.trim_end(), after.trim());
        let gap = match before.is_empty() || after.is_empty() {
            true => "",
            false => "\n\n",
        };
        return Ok((keep, format!("{before}{gap}{after}")));
    }
    // Otherwise, the lines to keep aren't contiguous.
    let kept: Vec<&str> = lines::split(&keep)
        .filter(|line| !line.is_empty())
        .collect();
    let mut found = 0;
    let mut rest: Vec<&str> = Vec::new();
    for line in lines::split(body) {
        match kept.get(found) {
            Some(next) if *next == line => found += 1,
            _ => rest.push(line),
        }
    }
    if let Some(line) = kept.get(found) {
        return Err(EditError::BadValue {
            key: "text".to_owned(),
            rule: "must be part of the step's text",
            value: (*line).to_owned(),
        });
    }
    let rest = prose(&rest.join("\n"));
    Ok((keep, rest))
}

/// Makes references to the first task refer to the new one too.
fn reference_both(steps: &mut EditSequence, index: usize, new: usize) -> Result<(), EditError> {
    let own = index..new;
    let is_first_of_name = |plan: &Plan| plan.index_of(&plan.tasks[index].id) == Some(index);
    let names_it = |plan: &Plan, key: &str, value: &str| {
        ids_in(key, value).contains(&plan.tasks[index].id.as_str())
    };
    if !is_first_of_name(&steps.plan) {
        return Ok(());
    }
    let waiting = Graph::of(&steps.plan).dependents(new);
    let mut naming: Vec<(usize, usize)> = Vec::new();
    for (at, task) in steps.plan.tasks.iter().enumerate() {
        if own.contains(&at) || at == new {
            continue;
        }
        let mut waits = waiting.binary_search(&at).is_ok();
        for (place, field) in task.fields.iter().enumerate() {
            if !names_it(&steps.plan, &field.key, &field.value) {
                continue;
            }
            if field.key == "depends" {
                if waits {
                    continue;
                }
                waits = true;
            }
            naming.push((at, place));
        }
    }
    if naming.is_empty() {
        return Ok(());
    }
    let ids = [index, new].map(|at| steps.plan.tasks[at].id.0.clone());
    let (plan, ids) = with_ids(&mut steps.draft, &steps.plan, &ids)?;
    steps.plan = plan.into_owned();
    let plan = &steps.plan;
    let [first, second] = ids.as_slice() else {
        return Ok(());
    };
    let both: Renames = [(first.clone(), format!("{first}, {second}"))].into();
    let mut expected = PlanContent::of(&steps.draft.text, plan);
    let mut splices: Vec<Splice> = Vec::with_capacity(naming.len());
    for (at, place) in naming {
        let field = &plan.tasks[at].fields[place];
        let value = renamed(&field.key, &field.value, &both);
        expected.tasks[at].fields[place].1.clone_from(&value);
        splices.push(Splice {
            range: field.value_span.clone(),
            text: value,
        });
    }
    if matching_plan(&steps.draft.text, &splices, &expected).is_none() {
        return Err(EditError::NoPosition {
            line: format!("depends: {first}, {second}"),
        });
    }
    steps.make_last(&splices)
}
