//! A text while steps are made on it, and what each of its tasks is called meanwhile.
//!
//! The steps name tasks as the first revision does, and new ones by their handles. Ids that are
//! only counted change as soon as a task is put in above, so the names are kept by place.

use std::borrow::Cow;
use std::collections::HashMap;

use plan::edit::{self, EditError, NewTask, Place, Splice};
use plan::{Plan, TaskId};

use super::Mend;

/// A text while it is being changed.
#[derive(Debug, Clone)]
pub(crate) struct Making<'p> {
    text: String,
    plan: Cow<'p, Plan>,
    /// What the steps call each task of the plan, in its order.
    names: Vec<TaskId>,
}

impl<'p> Making<'p> {
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

    /// What the steps call each task, in the order of the plan.
    pub(crate) fn names(&self) -> &[TaskId] {
        &self.names
    }

    /// Where the tasks of a plan that the steps name stand in the text as it is now.
    pub(crate) fn places(&self, first: &Plan) -> Vec<Option<usize>> {
        places_of(&self.names, first.tasks.iter().map(|task| &task.id))
    }

    /// The text as it is now, read.
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What stands beside a task: its parent, and those of the same parent before and behind it, in
    /// order.
    pub(crate) fn beside(&self, name: &TaskId) -> (Option<TaskId>, Vec<TaskId>, Vec<TaskId>) {
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

    /// The id by which a task goes now.
    pub(crate) fn id(&self, name: &TaskId) -> TaskId {
        let at = self.names.iter().position(|known| known == name);
        at.and_then(|at| self.plan.tasks.get(at))
            .map_or_else(|| name.clone(), |task| task.id.clone())
    }

    /// Makes one step; nothing of it is made where it fails.
    pub(crate) fn make(&mut self, mend: &Mend) -> Result<(), EditError> {
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
                self.change(&added.splices)?;
                if let Some(at) = self.plan.index_of(&added.id) {
                    names.insert(at.min(names.len()), handle.clone());
                }
                self.call(names);
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
                names.drain(whole(plan, &id));
                self.change(&splices)?;
                self.call(names);
                return Ok(());
            }
            Mend::MoveTask { task, place } => {
                let id = self.id(task);
                let moved = edit::move_task(text, plan, &id, &self.place(place))?;
                let mut names = self.names.clone();
                let block: Vec<TaskId> = names.drain(whole(plan, &id)).collect();
                self.change(&moved.splices)?;
                if let Some(at) = self.plan.index_of(&moved.id) {
                    let at = at.min(names.len());
                    names.splice(at..at, block);
                }
                self.call(names);
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
        self.change(&splices)?;
        self.call(self.names.clone());
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

    fn change(&mut self, splices: &[Splice]) -> Result<(), EditError> {
        if !splices.is_empty() {
            self.text = edit::apply(&self.text, splices)?.text;
            self.plan = Cow::Owned(plan::parse(&self.text).0);
        }
        Ok(())
    }

    /// Takes over the names. Where they do not fit the tasks (a splice may do anything), every task
    /// goes by its own id again.
    fn call(&mut self, names: Vec<TaskId>) {
        self.names = match names.len() == self.plan.tasks.len() {
            true => names,
            false => self.plan.tasks.iter().map(|task| task.id.clone()).collect(),
        };
    }
}

/// Where the tasks of these names stand. Two tasks may share an id; the first takes the first place.
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

/// Where a task and everything under it stand.
fn whole(plan: &Plan, id: &TaskId) -> std::ops::Range<usize> {
    let Some(at) = plan.index_of(id) else {
        return 0..0;
    };
    let depth = plan.tasks[at].depth;
    let below = plan.tasks[at + 1..].iter();
    at..at + 1 + below.take_while(|task| task.depth > depth).count()
}

/// The values of a key as they are read: one for each member of a list.
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
