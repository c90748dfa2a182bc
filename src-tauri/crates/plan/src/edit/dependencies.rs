//! Adds and removes dependencies.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;

use super::assign_id::ensure_all;
use super::draft::Draft;
use super::key_lines::finish;
use super::references::without;
use super::{EditError, Splice, find};
use crate::graph::{Graph, ImplicitDependencies};
use crate::inline::{is_nothing, reference_spans, references};
use crate::model::{ChoiceEffect, Plan, Task, TaskId, TaskKind};

const KEY: &str = "depends";

/// Makes `to` wait for `from` as well, and keeps its other dependencies: if it has no `depends:`,
/// its implicit dependency on the task above is written out. A dependency that exists already, by
/// the task's own line, its position or its group, is not written again. Tasks referenced by
/// position get an id first. Fails with [`EditError::UnknownTask`], [`EditError::Cycle`],
/// [`EditError::BadValue`] if both are the same task, [`EditError::NoPosition`].
pub fn connect(
    text: &str,
    plan: &Plan,
    from: &TaskId,
    to: &TaskId,
) -> Result<Vec<Splice>, EditError> {
    let (before, _) = find(plan, from)?;
    let (index, task) = find(plan, to)?;
    if before == index {
        return Err(EditError::BadValue {
            key: KEY.to_owned(),
            rule: "must not list the step itself",
            value: from.to_string(),
        });
    }
    let names = TaskIndex::of(plan);
    let now = names.waits_for(plan, index);
    let is_said = now.contains(&before) || inherited_from(plan, &names, index, before).is_some();
    if is_said && holds_for_all(plan, index, before) {
        return Ok(Vec::new());
    }
    let mut then = now.clone();
    then.extend(Some(before).filter(|before| !now.contains(before)));
    names.reject_cycle(plan, index, Some(then))?;
    let is_written = task.values(KEY).next().is_some();
    let mut named: Vec<String> = match (is_written, &task.depends) {
        (true, _) => Vec::new(),
        (false, Some(said)) => said.iter().map(|id| id.0.clone()).collect(),
        (false, None) => now
            .iter()
            .filter(|at| **at != before)
            .map(|at| plan.tasks[*at].id.0.clone())
            .collect(),
    };
    named.push(from.0.clone());
    let mut draft = Draft::of(text);
    let (plan, named) = with_ids(&mut draft, plan, &named)?;
    let lines = match is_written {
        true => with_id(&plan.tasks[index], &named.concat()),
        false => vec![named.join(", ")],
    };
    finish(draft, &plan, index, KEY, &lines)
}

/// Whether every leaf of a task waits for another task. A group's implicit dependency doesn't apply
/// to sub-tasks with their own `depends:`.
fn holds_for_all(plan: &Plan, index: usize, before: usize) -> bool {
    let task = &plan.tasks[index];
    if !task.is_group() || task.depends.is_some() {
        return true;
    }
    let graph = Graph::of(plan);
    let waiting = graph.dependents(before);
    let leaves = graph.leaves_of(index);
    leaves
        .iter()
        .all(|leaf| waiting.binary_search(leaf).is_ok())
}

/// Makes `to` no longer wait for `from`. A task without other dependencies gets `depends: none`,
/// even if the dependency was implicit. No change if `to` does not wait for `from`. Fails with
/// [`EditError::UnknownTask`], [`EditError::NoPosition`]; [`EditError::DefinedElsewhere`] if the
/// dependency comes from elsewhere: the task's group, an option of a decision, or a group that it
/// waits for as a whole.
pub fn disconnect(
    text: &str,
    plan: &Plan,
    from: &TaskId,
    to: &TaskId,
) -> Result<Vec<Splice>, EditError> {
    let (before, _) = find(plan, from)?;
    let (index, task) = find(plan, to)?;
    let names = TaskIndex::of(plan);
    let now = names.waits_for(plan, index);
    if !now.contains(&before) {
        return match defined_elsewhere(plan, &names, index, before, &now) {
            None => Ok(Vec::new()),
            Some(reason) => Err(EditError::DefinedElsewhere {
                id: to.clone(),
                from: from.clone(),
                reason,
            }),
        };
    }
    let is_cut = |id: &str| names.at(id) == Some(before);
    let written: Vec<&str> = task.values(KEY).collect();
    let mut lines: Vec<String> = match (written.is_empty(), &task.depends) {
        (false, _) => written
            .iter()
            .filter_map(|value| without(value, is_cut))
            .collect(),
        (true, Some(said)) => {
            let left = said.iter().map(TaskId::as_str).filter(|id| !is_cut(id));
            let left = left.collect::<Vec<_>>().join(", ");
            Some(left)
                .filter(|left| !left.is_empty())
                .into_iter()
                .collect()
        }
        (true, None) => Vec::new(),
    };
    if lines.is_empty() {
        lines.push("none".to_owned());
    }
    finish(Draft::of(text), plan, index, KEY, &lines)
}

/// Ensures that these tasks have written ids, and returns them. The plan is only replaced if an
/// id was written.
pub(super) fn with_ids<'p>(
    draft: &mut Draft,
    plan: &'p Plan,
    names: &[String],
) -> Result<(Cow<'p, Plan>, Vec<String>), EditError> {
    // Only positional ids begin with this character.
    if !names.iter().any(|name| name.starts_with('#')) {
        return Ok((Cow::Borrowed(plan), names.to_vec()));
    }
    let (plan, names) = ensure_all(draft, plan.clone(), names)?;
    Ok((Cow::Owned(plan), names))
}

/// The lines of a task's `depends:` with one more id, after the last one.
fn with_id(task: &Task, id: &str) -> Vec<String> {
    let mut lines: Vec<String> = task.values(KEY).map(str::to_owned).collect();
    let last = lines.iter().rposition(|line| !is_nothing(line));
    let Some(line) = last.and_then(|at| lines.get_mut(at)) else {
        return vec![id.to_owned()];
    };
    let mut meant = references(line);
    let end = reference_spans(line).last().map(|span| span.end);
    meant.push(id.to_owned());
    *line = match end {
        Some(end) => format!("{}, {id}{}", &line[..end], &line[end..]),
        None => id.to_owned(),
    };
    if references(line) != meant {
        *line = meant.join(", ");
    }
    lines
}

/// The tasks of a plan by id (the first of duplicates), and their implicit dependencies.
#[derive(Debug)]
pub(super) struct TaskIndex<'p> {
    at: HashMap<&'p str, usize>,
    places: OnceCell<ImplicitDependencies>,
}

impl<'p> TaskIndex<'p> {
    pub(super) fn of(plan: &'p Plan) -> Self {
        let mut names = HashMap::with_capacity(plan.tasks.len());
        for (at, task) in plan.tasks.iter().enumerate() {
            names.entry(task.id.as_str()).or_insert(at);
        }
        Self {
            at: names,
            places: OnceCell::new(),
        }
    }

    /// The index of the task with this id.
    pub(super) fn at(&self, id: &str) -> Option<usize> {
        self.at.get(id).copied()
    }

    pub(super) fn resolve(&self, ids: &[TaskId]) -> Vec<usize> {
        let found = ids.iter().filter_map(|id| self.at.get(id.as_str()));
        found.copied().collect()
    }

    /// A task's dependencies: those on its `depends:` line if it has one, or else the implicit
    /// ones.
    pub(super) fn waits_for(&self, plan: &Plan, index: usize) -> Vec<usize> {
        match &plan.tasks[index].depends {
            Some(ids) => self.resolve(ids),
            None => self.by_place(plan, index),
        }
    }

    /// A task's implicit dependencies.
    pub(super) fn by_place(&self, plan: &Plan, index: usize) -> Vec<usize> {
        let places = self.places.get_or_init(|| ImplicitDependencies::of(plan));
        places.waits_for(plan, index)
    }

    /// Rejects dependencies (`None`: the task above) that would close a cycle. A task that is
    /// already in a cycle can still be fixed step by step.
    pub(super) fn reject_cycle(
        &self,
        plan: &Plan,
        index: usize,
        depends: Option<Vec<usize>>,
    ) -> Result<(), EditError> {
        let task = &plan.tasks[index];
        let now = self.waits_for(plan, index);
        // A group's `depends:` applies to all of its leaves.
        let hands_down_now = task.depends.is_some() || !task.is_group();
        let then = match &depends {
            Some(then) => then.clone(),
            None => self.by_place(plan, index),
        };
        let added: Vec<usize> = then
            .into_iter()
            .filter(|before| !(hands_down_now && now.contains(before)))
            .collect();
        if added.is_empty() {
            return Ok(());
        }
        let Some(path) = Graph::cycle_if(plan, index, depends, &added) else {
            return Ok(());
        };
        let stands = task.depends.as_deref().map(|ids| self.resolve(ids));
        match Graph::cycle_if(plan, index, stands, &now) {
            Some(_) => Ok(()),
            None => Err(EditError::Cycle { path }),
        }
    }
}

/// The index of a task's previous sibling, if it has one.
pub(super) fn above(plan: &Plan, index: usize) -> Option<usize> {
    let parent = plan.tasks[index].parent;
    match parent {
        Some(parent) => {
            let siblings = &plan.tasks[parent].children;
            let own = siblings.binary_search(&index).ok()?;
            Some(siblings[own.checked_sub(1)?])
        }
        None => (0..index).rev().find(|at| plan.tasks[*at].parent.is_none()),
    }
}

/// The group around a task whose `depends:` references another task.
fn inherited_from(
    plan: &Plan,
    names: &TaskIndex<'_>,
    index: usize,
    before: usize,
) -> Option<usize> {
    let mut around = plan.tasks[index].parent;
    while let Some(group) = around {
        let said = plan.tasks[group].depends.as_deref().unwrap_or_default();
        if names.resolve(said).contains(&before) {
            return Some(group);
        }
        around = plan.tasks[group].parent;
    }
    None
}

/// Why a task waits for another that neither its line nor its position references.
fn defined_elsewhere(
    plan: &Plan,
    names: &TaskIndex<'_>,
    index: usize,
    before: usize,
    now: &[usize],
) -> Option<String> {
    if let Some(group) = inherited_from(plan, names, index, before) {
        return Some(format!("its group {} depends on it", plan.tasks[group].id));
    }
    let decision = &plan.tasks[before];
    let leads_to = |at: usize| {
        decision.kind == TaskKind::Decision
            && decision.options.iter().any(|option| {
                matches!(&option.effect, ChoiceEffect::Branch(ids) if names.resolve(ids).contains(&at))
            })
    };
    let mut at = Some(index);
    while let Some(here) = at {
        if leads_to(here) {
            return Some(format!("an option of {} leads to it", decision.id));
        }
        at = plan.tasks[here].parent;
    }
    let mut around = plan.tasks[before].parent;
    while let Some(group) = around {
        let id = &plan.tasks[group].id;
        if now.contains(&group) {
            return Some(format!("it depends on all of {id}"));
        }
        if let Some(own) = inherited_from(plan, names, index, group) {
            return Some(format!(
                "its group {} depends on all of {id}",
                plan.tasks[own].id
            ));
        }
        around = plan.tasks[group].parent;
    }
    None
}
