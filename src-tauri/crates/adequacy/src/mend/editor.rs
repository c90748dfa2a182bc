//! Applies steps to a text and tracks the names of its tasks.
//!
//! Steps refer to tasks by their ids in the first revision, and to new ones by handles. A
//! positional id changes when a task is inserted above it, so names are tracked by index.

use std::borrow::Cow;
use std::collections::HashMap;

use plan::edit::{self, EditError, NewTask, Place, Splice};
use plan::{Plan, TaskId};

use super::Mend;

/// A text that is being edited.
#[derive(Debug, Clone)]
pub(crate) struct PlanEditor<'p> {
    text: String,
    plan: Cow<'p, Plan>,
    /// The name of each task as used by the steps, in plan order.
    names: Vec<TaskId>,
}

impl<'p> PlanEditor<'p> {
    pub(crate) fn of(text: &str, plan: &'p Plan) -> Self {
        Self {
            text: text.to_owned(),
            names: plan.tasks.iter().map(|task| task.id.clone()).collect(),
            plan: Cow::Borrowed(plan),
        }
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// The name of each task as used by the steps, in plan order.
    pub(crate) fn names(&self) -> &[TaskId] {
        &self.names
    }

    /// For each task of the original plan, its current index; `None` if it was deleted.
    pub(crate) fn places(&self, first: &Plan) -> Vec<Option<usize>> {
        places_of(&self.names, first.tasks.iter().map(|task| &task.id))
    }

    /// The current text in parsed form.
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The neighbors of a task: its parent and, in order, its siblings before and after it.
    pub(crate) fn neighbors(&self, name: &TaskId) -> (Option<TaskId>, Vec<TaskId>, Vec<TaskId>) {
        let Some(at) = self.names.iter().position(|known| known == name) else {
            return (None, Vec::new(), Vec::new());
        };
        let parent = |at: usize| self.plan.tasks.get(at).and_then(|task| task.parent);
        let of = parent(at);
        let named = |places: std::ops::Range<usize>| -> Vec<TaskId> {
            let same = places.filter(|place| parent(*place) == of);
            same.map(|place| self.names[place].clone()).collect()
        };
        let above = of.and_then(|parent| self.names.get(parent).cloned());
        (above, named(0..at), named(at + 1..self.names.len()))
    }

    /// The current id of a task.
    pub(crate) fn id(&self, name: &TaskId) -> TaskId {
        let at = self.names.iter().position(|known| known == name);
        at.and_then(|at| self.plan.tasks.get(at))
            .map_or_else(|| name.clone(), |task| task.id.clone())
    }

    /// Applies one step; if it fails, the text stays unchanged.
    pub(crate) fn apply(&mut self, mend: &Mend) -> Result<(), EditError> {
        let before = match mend {
            Mend::AddTask { .. } => Some(self.clone()),
            _ => None,
        };
        let outcome = self.step(mend);
        if let (Err(_), Some(before)) = (&outcome, before) {
            *self = before;
        }
        outcome
    }

    fn step(&mut self, mend: &Mend) -> Result<(), EditError> {
        let (text, plan) = (self.text.as_str(), &*self.plan);
        let splices = match mend {
            Mend::Splice(splice) => vec![splice.clone()],
            Mend::AddValue { task, key, value } => {
                let task = self.id(task);
                if key == "depends" {
                    let from = self.id(&TaskId::from(value.as_str()));
                    edit::connect(text, plan, &from, &task)?
                } else {
                    let mut values = values(plan, &task, key);
                    if values.contains(value) {
                        return Ok(());
                    }
                    values.push(value.clone());
                    edit::set_field(text, plan, &task, key, &values)?
                }
            }
            Mend::SetValues { task, key, values } => {
                let values: Vec<String> = match key.as_str() {
                    "depends" => values
                        .iter()
                        .map(|id| self.id(&TaskId::from(id.as_str())).0)
                        .collect(),
                    _ => values.clone(),
                };
                edit::set_field(text, plan, &self.id(task), key, &values)?
            }
            Mend::SetTitle { task, title } => edit::set_title(text, plan, &self.id(task), title)?,
            Mend::AddTask {
                handle,
                place,
                kind,
                title,
                fields,
            } => {
                let task = NewTask {
                    title: title.clone(),
                    kind: *kind,
                };
                let added = edit::add_task(text, plan, &self.place(place), &task)?;
                let mut names = self.names.clone();
                self.splice(&added.splices)?;
                if let Some(at) = self.plan.index_of(&added.id) {
                    names.insert(at.min(names.len()), handle.clone());
                }
                self.set_names(names);
                return fields.iter().try_for_each(|(key, value)| {
                    self.step(&Mend::AddValue {
                        task: handle.clone(),
                        key: key.clone(),
                        value: value.clone(),
                    })
                });
            }
            Mend::DeleteTask { task } => {
                let id = self.id(task);
                let splices = edit::delete_task(text, plan, &id)?;
                let mut names = self.names.clone();
                names.drain(subtree(plan, &id));
                self.splice(&splices)?;
                self.set_names(names);
                return Ok(());
            }
            Mend::MoveTask { task, place } => {
                let id = self.id(task);
                let moved = edit::move_task(text, plan, &id, &self.place(place))?;
                let mut names = self.names.clone();
                let block: Vec<TaskId> = names.drain(subtree(plan, &id)).collect();
                self.splice(&moved.splices)?;
                if let Some(at) = self.plan.index_of(&moved.id) {
                    let at = at.min(names.len());
                    names.splice(at..at, block);
                }
                self.set_names(names);
                return Ok(());
            }
            Mend::Connect { from, to } => edit::connect(text, plan, &self.id(from), &self.id(to))?,
            Mend::Disconnect { from, to } => {
                edit::disconnect(text, plan, &self.id(from), &self.id(to))?
            }
            Mend::AddRequirement { text: words } => {
                edit::add_requirement(text, plan, words)?.splices
            }
        };
        self.splice(&splices)?;
        self.set_names(self.names.clone());
        Ok(())
    }

    fn place(&self, place: &Place) -> Place {
        match place {
            Place::First => Place::First,
            Place::Before(task) => Place::Before(self.id(task)),
            Place::After(task) => Place::After(self.id(task)),
            Place::Under(task) => Place::Under(self.id(task)),
        }
    }

    fn splice(&mut self, splices: &[Splice]) -> Result<(), EditError> {
        if !splices.is_empty() {
            self.text = edit::apply(&self.text, splices)?.text;
            self.plan = Cow::Owned(plan::parse(&self.text).0);
        }
        Ok(())
    }

    /// Sets the names. If their number doesn't match the number of tasks, as may happen after a
    /// splice, every task is named by its own id again.
    fn set_names(&mut self, names: Vec<TaskId>) {
        self.names = match names.len() == self.plan.tasks.len() {
            true => names,
            false => self.plan.tasks.iter().map(|task| task.id.clone()).collect(),
        };
    }
}

/// For each of these names, the index of the task that has it; `None` if no task does. If several
/// tasks have the same name, its first occurrence in `wanted` refers to the first of them.
pub(crate) fn places_of<'n>(
    names: &[TaskId],
    wanted: impl Iterator<Item = &'n TaskId>,
) -> Vec<Option<usize>> {
    let mut places: HashMap<&TaskId, Vec<usize>> = HashMap::new();
    for (at, name) in names.iter().enumerate().rev() {
        places.entry(name).or_default().push(at);
    }
    wanted
        .map(|name| places.get_mut(name).and_then(Vec::pop))
        .collect()
}

/// The index range of a task and everything nested below it.
fn subtree(plan: &Plan, id: &TaskId) -> std::ops::Range<usize> {
    let Some(at) = plan.index_of(id) else {
        return 0..0;
    };
    let depth = plan.tasks[at].depth;
    let below = plan.tasks[at + 1..].iter();
    at..at + 1 + below.take_while(|task| task.depth > depth).count()
}

/// The parsed values of a key; a list gives one value per member.
fn values(plan: &Plan, id: &TaskId, key: &str) -> Vec<String> {
    let Some(task) = plan.task(id) else {
        return Vec::new();
    };
    match key {
        "files" => task.files.clone(),
        "covers" => task.covers.clone(),
        "tools" => task.tools.clone(),
        "verify" => task.verify.clone(),
        "accept" => task.accept.clone(),
        _ => task.values(key).map(str::to_owned).collect(),
    }
}
