//! What a task waits for: one more, or one less.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;

use super::draft::Draft;
use super::identity::ensure_all;
use super::key_lines::finish;
use super::references::without;
use super::{EditError, Splice, find};
use crate::graph::{ByPlace, Graph};
use crate::inline::{is_nothing, reference_spans, references};
use crate::model::{ChoiceEffect, Plan, Task, TaskId, TaskKind};

const KEY: &str = "depends";

/// Lets `to` wait for `from` as well. Everything that it waits for now stays: one without
/// `depends:` waits for the one above it, and that is written out then. What it waits for already,
/// by its own line, its place or its group, is not written again. Tasks that are named by their
/// place get an id first.
///
/// # Errors
/// [`EditError::UnknownTask`], [`EditError::Cycle`], [`EditError::BadValue`] for a task and itself,
/// [`EditError::NoPlace`].
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
            rule: "names other tasks than the one it stands under",
            value: from.to_string(),
        });
    }
    let names = Names::of(plan);
    let now = names.waits_for(plan, index);
    let is_said = now.contains(&before) || handed_down(plan, &names, index, before).is_some();
    if is_said && holds_for_all(plan, index, before) {
        return Ok(Vec::new());
    }
    let mut then = now.clone();
    then.extend(Some(before).filter(|before| !now.contains(before)));
    names.refuse_circle(plan, index, Some(then))?;
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
        true => one_more(&plan.tasks[index], &named.concat()),
        false => vec![named.join(", ")],
    };
    finish(draft, &plan, index, KEY, &lines)
}

/// Whether every leaf of a task waits for another task. What a group waits for by its place does not
/// hold for a sub-task that says something else.
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

/// Lets `to` wait for `from` no longer. One that waits for nothing else then says so
/// (`depends: none`), also where it waited only by its place. Nothing for a task that does not wait
/// for it.
///
/// # Errors
/// [`EditError::UnknownTask`], [`EditError::NoPlace`]; [`EditError::SaidElsewhere`] where not the
/// task itself says so: its group, the option of a decision, or a group that it waits for as a
/// whole.
pub fn disconnect(
    text: &str,
    plan: &Plan,
    from: &TaskId,
    to: &TaskId,
) -> Result<Vec<Splice>, EditError> {
    let (before, _) = find(plan, from)?;
    let (index, task) = find(plan, to)?;
    let names = Names::of(plan);
    let now = names.waits_for(plan, index);
    if !now.contains(&before) {
        return match elsewhere(plan, &names, index, before, &now) {
            None => Ok(Vec::new()),
            Some(reason) => Err(EditError::SaidElsewhere {
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

/// Makes sure that these tasks go by written ids; what they are called then. The plan is made anew
/// only where one got its id.
pub(super) fn with_ids<'p>(
    draft: &mut Draft,
    plan: &'p Plan,
    names: &[String],
) -> Result<(Cow<'p, Plan>, Vec<String>), EditError> {
    // Only what is counted begins with this mark.
    if !names.iter().any(|name| name.starts_with('#')) {
        return Ok((Cow::Borrowed(plan), names.to_vec()));
    }
    let (plan, names) = ensure_all(draft, plan.clone(), names)?;
    Ok((Cow::Owned(plan), names))
}

/// The lines of a task's `depends:` with one more id, behind the last one that stands there.
fn one_more(task: &Task, id: &str) -> Vec<String> {
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

/// The tasks of a plan by their names (the first one where two share it) and by their places.
#[derive(Debug)]
pub(super) struct Names<'p> {
    at: HashMap<&'p str, usize>,
    places: OnceCell<ByPlace>,
}

impl<'p> Names<'p> {
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

    /// The task of a name.
    pub(super) fn at(&self, id: &str) -> Option<usize> {
        self.at.get(id).copied()
    }

    pub(super) fn resolve(&self, ids: &[TaskId]) -> Vec<usize> {
        let found = ids.iter().filter_map(|id| self.at.get(id.as_str()));
        found.copied().collect()
    }

    /// What a task waits for by its own line, else by its place.
    pub(super) fn waits_for(&self, plan: &Plan, index: usize) -> Vec<usize> {
        match &plan.tasks[index].depends {
            Some(ids) => self.resolve(ids),
            None => self.by_place(plan, index),
        }
    }

    /// What a task that says nothing waits for.
    pub(super) fn by_place(&self, plan: &Plan, index: usize) -> Vec<usize> {
        let places = self.places.get_or_init(|| ByPlace::of(plan));
        places.waits_for(plan, index)
    }

    /// Refuses what a task would wait for (`None`: the one above it) when that closes a circle. A
    /// task that stands in one already can still be put right step by step.
    pub(super) fn refuse_circle(
        &self,
        plan: &Plan,
        index: usize,
        depends: Option<Vec<usize>>,
    ) -> Result<(), EditError> {
        let task = &plan.tasks[index];
        let now = self.waits_for(plan, index);
        // A group that says something hands it down to all of its leaves.
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
        let Some(path) = Graph::circle_if(plan, index, depends, &added) else {
            return Ok(());
        };
        let stands = task.depends.as_deref().map(|ids| self.resolve(ids));
        match Graph::circle_if(plan, index, stands, &now) {
            Some(_) => Ok(()),
            None => Err(EditError::Cycle { path }),
        }
    }
}

/// The task above at the same level.
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

/// The group around a task whose `depends:` names another one.
fn handed_down(plan: &Plan, names: &Names<'_>, index: usize, before: usize) -> Option<usize> {
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

/// Why a task waits for another that neither its line nor its place names.
fn elsewhere(
    plan: &Plan,
    names: &Names<'_>,
    index: usize,
    before: usize,
    now: &[usize],
) -> Option<String> {
    if let Some(group) = handed_down(plan, names, index, before) {
        return Some(format!("its group {} does", plan.tasks[group].id));
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
            return Some(format!("it waits for all of {id}"));
        }
        if let Some(own) = handed_down(plan, names, index, group) {
            return Some(format!(
                "its group {} waits for all of {id}",
                plan.tasks[own].id
            ));
        }
        around = plan.tasks[group].parent;
    }
    None
}
