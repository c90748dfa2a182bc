//! The native ids of tasks, and what names them.

use std::collections::{HashMap, HashSet};

use crate::edit::Splice;
use crate::edit::references::{Renames, rename_records, renamed};
use crate::graph::Spelled;
use crate::ids;
use crate::inline::references;
use crate::model::{IdOrigin, Plan, TaskId, TaskKind};

/// The id of every task after the conversion.
pub(super) struct Names<'p> {
    plan: &'p Plan,
    spelled: Spelled,
    ids: Vec<String>,
    index: HashMap<&'p str, usize>,
    /// Old to new, where they differ.
    renames: Renames,
}

impl<'p> Names<'p> {
    pub(super) fn of(plan: &'p Plan, spelled: Spelled) -> Self {
        let keeps = |id: &TaskId, origin| {
            origin == IdOrigin::Written && ids::id_length(id.as_str()) == Some(id.as_str().len())
        };
        // What is only named must not begin to mean a task by chance.
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
            // An id that two tasks have means the first: what waits for the other could not say so.
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
            spelled,
            ids,
            index,
            renames,
        }
    }

    pub(super) fn id(&self, task: usize) -> &str {
        &self.ids[task]
    }

    /// What `depends:` has to say for a task that has no such key; `None` for nothing.
    pub(super) fn depends(&self, task: usize) -> Option<Vec<String>> {
        match &self.plan.tasks[task].depends {
            Some(ids) => Some(self.listed(ids.iter().map(TaskId::as_str))),
            None => {
                let tasks = self.spelled.depends[task].as_ref()?;
                Some(tasks.iter().map(|at| self.ids[*at].clone()).collect())
            }
        }
    }

    /// A value of a key with the ids of now; groups with optional parts as the parts that count.
    pub(super) fn value(&self, key: &str, value: &str) -> String {
        if key == "depends" {
            let ids = references(value);
            let has_parts = |id: &String| {
                let task = self.index.get(id.as_str());
                task.is_some_and(|task| self.spelled.parts(*task) != [*task])
            };
            if ids.iter().any(has_parts) {
                return self.listed(ids.iter().map(String::as_str)).join(", ");
            }
        }
        renamed(key, value, &self.renames)
    }

    /// The new ids in the records of decisions.
    pub(super) fn records(&self, text: &str) -> Vec<Splice> {
        rename_records(text, self.plan, &self.renames)
    }

    fn listed<'i>(&self, ids: impl Iterator<Item = &'i str>) -> Vec<String> {
        let mut listed: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for id in ids {
            let parts = match self.index.get(id) {
                Some(task) => self.spelled.parts(*task),
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
