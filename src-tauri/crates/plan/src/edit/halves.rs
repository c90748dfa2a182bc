//! One task becomes two.

use super::outline::{NewTask, Place, add_task, subtree_end};
use super::portrait::{Portrait, reads_as};
use super::references::{Renames, ids_in, renamed};
use super::steps::Steps;
use super::waiting::with_ids;
use super::words::{prose, set_body};
use super::{EditError, Named, Splice, find};
use crate::graph::Graph;
use crate::lines;
use crate::model::{Plan, TaskId, TaskKind};

/// Puts a new task behind one and its sub-tasks, at the same depth, with what is left of the first
/// one's prose: `keep_body` is the part of it that stays (`None`: all of it). The first keeps its
/// title, box, keys and sub-tasks. The new one is work, is open, and waits for the first.
///
/// Whoever waited for the first waits for both: a `depends:` that names the first gets the new one
/// beside it, unless its task waits for the new one anyway. An option that names the first names
/// both, so that they stay in one branch.
///
/// # Errors
/// [`EditError::BadValue`] for words to keep that are no part of the prose; those of [`add_task`]
/// and [`set_body`].
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
    let mut steps = Steps::of(text, plan);
    steps.make(&added.splices)?;
    let new = subtree_end(plan, index);
    if let Some((kept, rest)) = parts {
        for (at, words) in [(index, kept), (new, rest)] {
            let id = steps.plan.tasks[at].id.clone();
            let splices = set_body(steps.text(), &steps.plan, &id, &words)?;
            steps.make(&splices)?;
        }
    }
    name_both(&mut steps, index, new)?;
    Ok(Named {
        splices: steps.splices(),
        id: steps.plan.tasks[new].id.clone(),
    })
}

/// What stays of a text and what does not.
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
    // Lines here and there.
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
            rule: "to keep is a part of the step's own text",
            value: (*line).to_owned(),
        });
    }
    let rest = prose(&rest.join("\n"));
    Ok((keep, rest))
}

/// Lets what names the first task name the new one too.
fn name_both(steps: &mut Steps, index: usize, new: usize) -> Result<(), EditError> {
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
    let mut expected = Portrait::of(&steps.draft.text, plan);
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
    if reads_as(&steps.draft.text, &splices, &expected).is_none() {
        return Err(EditError::NoPlace {
            line: format!("depends: {first}, {second}"),
        });
    }
    steps.make_last(&splices)
}
