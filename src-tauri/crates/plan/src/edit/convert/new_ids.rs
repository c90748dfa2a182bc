//! The native ids of tasks, and the references to them.

use std::collections::{HashMap, HashSet};

use crate::edit::Splice;
use crate::edit::references::{Renames, rename_records, renamed};
use crate::graph::ExplicitDependencies;
use crate::id_syntax;
use crate::inline::references;
use crate::model::{IdOrigin, Plan, TaskId, TaskKind};

/// The id of every task after the conversion.
pub(super) struct NewIds<'p> {
    plan: &'p Plan,
    explicit: ExplicitDependencies,
    ids: Vec<String>,
    index: HashMap<&'p str, usize>,
    /// Old to new id, if they differ.
    renames: Renames,
}

impl<'p> NewIds<'p> {
    pub(super) fn of(plan: &'p Plan, explicit: ExplicitDependencies) -> Self {
        let keeps = |id: &TaskId, origin| {
            origin == IdOrigin::Written
                && id_syntax::id_length(id.as_str()) == Some(id.as_str().len())
        };
        // A dangling reference must not match a new task by accident.
        let named = plan
            .tasks
            .iter()
            .flat_map(|task| task.depends.iter().flatten());
        let own = plan.tasks.iter().map(|task| &task.id);
        let mut taken: HashSet<String> = named.chain(own).map(|id| id.0.clone()).collect();
        let mut next: HashMap<char, u32> = HashMap::new();
        let mut renames = Renames::new();
        let mut index = HashMap::new();
        let mut ids = Vec::with_capacity(plan.tasks.len());
        for (at, task) in plan.tasks.iter().enumerate() {
            let is_first = *index.entry(task.id.as_str()).or_insert(at) == at;
            // A duplicate id refers to the first task, so dependencies on the other could
            // not be expressed.
            if is_first && keeps(&task.id, task.id_origin) {
                ids.push(task.id.0.clone());
                continue;
            }
            let letter = match task.kind {
                TaskKind::Normal => 'T',
                TaskKind::Checkpoint => 'C',
                TaskKind::Decision => 'D',
            };
            let number = next.entry(letter).or_insert(0);
            let id = loop {
                *number += 1;
                let id = format!("{letter}{number}");
                if taken.insert(id.clone()) {
                    break id;
                }
            };
            if is_first {
                renames.insert(task.id.0.clone(), id.clone());
            }
            ids.push(id);
        }
        Self {
            plan,
            explicit,
            ids,
            index,
            renames,
        }
    }

    pub(super) fn id(&self, task: usize) -> &str {
        &self.ids[task]
    }

    /// The ids to write as `depends:` for a task without that key: empty for no dependencies,
    /// `None` if no line is needed.
    pub(super) fn depends(&self, task: usize) -> Option<Vec<String>> {
        match &self.plan.tasks[task].depends {
            Some(ids) => Some(self.listed(ids.iter().map(TaskId::as_str))),
            None => {
                let tasks = self.explicit.depends[task].as_ref()?;
                Some(tasks.iter().map(|at| self.ids[*at].clone()).collect())
            }
        }
    }

    /// A key's value with the new ids. Groups with optional sub-tasks are expanded to the
    /// required ones.
    pub(super) fn value(&self, key: &str, value: &str) -> String {
        if key == "depends" {
            let ids = references(value);
            let has_parts = |id: &String| {
                let task = self.index.get(id.as_str());
                task.is_some_and(|task| self.explicit.parts(*task) != [*task])
            };
            if ids.iter().any(has_parts) {
                return self.listed(ids.iter().map(String::as_str)).join(", ");
            }
        }
        renamed(key, value, &self.renames)
    }

    /// Updates the ids in the decision records.
    pub(super) fn records(&self, text: &str) -> Vec<Splice> {
        rename_records(text, self.plan, &self.renames)
    }

    fn listed<'i>(&self, ids: impl Iterator<Item = &'i str>) -> Vec<String> {
        let mut listed: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for id in ids {
            let parts = match self.index.get(id) {
                Some(task) => self.explicit.parts(*task),
                None => Vec::new(),
            };
            let mut parts: Vec<&str> = parts.iter().map(|part| self.id(*part)).collect();
            if parts.is_empty() {
                parts.push(id);
            }
            for part in parts {
                if seen.insert(part.to_owned()) {
                    listed.push(part.to_owned());
                }
            }
        }
        listed
    }
}
