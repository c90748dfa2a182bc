//! Combines the edits of a round with the changes of earlier rounds, so that there is one change
//! for each task.

use std::collections::HashMap;

use plan::edit::Place;
use plan::{Plan, TaskId};

use super::candidate::Candidate;
use super::change::{Change, ChangeKind};
use super::merge::Edit;
use crate::code::Code;
use crate::mend::Mend;

/// Id of the change for edits that belong to no task.
const OF_PLAN: &str = "plan";

/// The changes so far combined with these edits, and descriptions of the edits that were omitted.
pub(crate) fn combine(
    best: &Candidate,
    edits: Vec<Edit>,
    handles: &mut u32,
) -> (Vec<Change>, Vec<String>) {
    let mut combiner = Combiner {
        best,
        changes: best.changes.clone(),
        left_out: Vec::new(),
    };
    // An edit may refer to a new task of another edit. If two edits use the same handle, it refers
    // to a different task in each of them.
    let mut new: Vec<HashMap<TaskId, TaskId>> = Vec::with_capacity(edits.len());
    let mut known = combiner.names();
    for edit in &edits {
        let mut own = HashMap::new();
        for mend in &edit.mends {
            if let Mend::AddTask { handle, .. } = mend {
                *handles += 1;
                let name = TaskId(format!("+{handles}"));
                known.entry(handle.clone()).or_insert_with(|| name.clone());
                own.insert(handle.clone(), name);
            }
        }
        new.push(own);
    }
    for (edit, own) in edits.into_iter().zip(new) {
        combiner.take(&edit, &|id| {
            let name = own.get(id).or_else(|| known.get(id));
            name.unwrap_or(id).clone()
        });
    }
    (combiner.changes, combiner.left_out)
}

struct Combiner<'a> {
    best: &'a Candidate,
    changes: Vec<Change>,
    left_out: Vec<String>,
}

impl Combiner<'_> {
    fn take(&mut self, edit: &Edit, name: &dyn Fn(&TaskId) -> TaskId) {
        let is_whole = is_whole(&self.best.plan, &edit.mends);
        let mut touched: Vec<String> = Vec::new();
        for mend in &edit.mends {
            if matches!(mend, Mend::Splice(_)) {
                // A splice's byte offsets refer to the best text, not to the original.
                self.left_out
                    .push("an edit with byte offsets, valid for one revision only".to_owned());
                continue;
            }
            let mend = renamed(mend, name);
            let at = self.change_for(&mend, edit, &touched);
            let id = self.changes[at].id.clone();
            for handle in handles_in(&mend).filter(|handle| *handle != id) {
                if !self.changes[at].needs.contains(&handle) {
                    self.changes[at].needs.push(handle);
                }
            }
            self.changes[at].mends.push(mend);
            if !touched.contains(&id) {
                touched.push(id);
            }
        }
        self.explain(&touched, edit);
        if is_whole {
            self.make_interdependent(&touched);
        }
    }

    /// The name of each task in the changes, by the task's id in the text that the edits were made
    /// for.
    fn names(&self) -> HashMap<TaskId, TaskId> {
        let mut names = HashMap::new();
        let tasks = self.best.plan.tasks.iter().zip(&self.best.names);
        for (task, name) in tasks {
            names.entry(task.id.clone()).or_insert_with(|| name.clone());
        }
        names
    }

    /// Index of the change to which an edit step belongs. The change is created if necessary.
    fn change_for(&mut self, mend: &Mend, edit: &Edit, touched: &[String]) -> usize {
        if let Mend::AddTask { handle, title, .. } = mend {
            self.changes.push(Change {
                id: handle.0.clone(),
                kind: ChangeKind::Added,
                task: None,
                title: title.clone(),
                why: Vec::new(),
                message: String::new(),
                mends: Vec::new(),
                needs: Vec::new(),
            });
            return self.changes.len() - 1;
        }
        // Edits that connect a new task belong to the change that adds it, so that it can be
        // accepted alone.
        let newest = handles_in(mend).max_by_key(|handle| self.position(handle));
        let id = newest.unwrap_or_else(|| match target(mend) {
            Some(task) => task.0.clone(),
            None => touched
                .first()
                .cloned()
                .or_else(|| edit.task.as_ref().map(|task| task.0.clone()))
                .unwrap_or_else(|| OF_PLAN.to_owned()),
        });
        if let Some(at) = self.position(&id) {
            return at;
        }
        let task = TaskId(id.clone());
        let known = self.best.names.iter().position(|name| *name == task);
        let title = known
            .and_then(|at| self.best.plan.tasks.get(at))
            .map_or_else(|| "The plan".to_owned(), |task| task.title.clone());
        self.changes.push(Change {
            id,
            kind: ChangeKind::Changed,
            task: known.map(|_| task),
            title,
            why: Vec::new(),
            message: String::new(),
            mends: Vec::new(),
            needs: Vec::new(),
        });
        self.changes.len() - 1
    }

    fn position(&self, id: &str) -> Option<usize> {
        self.changes.iter().position(|change| change.id == id)
    }

    /// Adds the edit's explanation to the changes that contain its steps.
    fn explain(&mut self, touched: &[String], edit: &Edit) {
        for id in touched {
            let Some(at) = self.position(id) else {
                continue;
            };
            let change = &mut self.changes[at];
            let new: Vec<Code> = edit
                .why
                .iter()
                .copied()
                .filter(|code| !change.why.contains(code))
                .collect();
            change.why.extend(new);
            if !edit.message.is_empty() && !change.message.contains(&edit.message) {
                if !change.message.is_empty() {
                    change.message.push(' ');
                }
                change.message.push_str(&edit.message);
            }
            let retitled = change.mends.iter().rev().find_map(|mend| match mend {
                Mend::SetTitle { title, .. } => Some(title.clone()),
                _ => None,
            });
            if let Some(title) = retitled {
                change.title = title;
            }
        }
    }

    /// Makes each of these changes depend on all the others.
    fn make_interdependent(&mut self, ids: &[String]) {
        for id in ids {
            let Some(at) = self.position(id) else {
                continue;
            };
            let needs = &mut self.changes[at].needs;
            for other in ids.iter().filter(|other| *other != id) {
                if !needs.contains(other) {
                    needs.push(other.clone());
                }
            }
        }
    }
}

/// Whether the steps must be applied together, because applying only some of them would lose
/// content: words move from one task to a new one, or a step becomes a group of the new tasks.
fn is_whole(plan: &Plan, mends: &[Mend]) -> bool {
    let adds = mends
        .iter()
        .any(|mend| matches!(mend, Mend::AddTask { .. }));
    let takes = mends.iter().any(|mend| match mend {
        Mend::SetTitle { task, .. } | Mend::SetValues { task, .. } => plan.task(task).is_some(),
        Mend::DeleteTask { .. } | Mend::Disconnect { .. } | Mend::MoveTask { .. } => true,
        _ => false,
    });
    let divides = mends.iter().any(|mend| match mend {
        Mend::AddTask {
            place: Place::Under(task),
            ..
        } => plan.task(task).is_some_and(|task| !task.is_group()),
        _ => false,
    });
    divides || adds && takes
}

/// Whether a name is the handle of a new task.
pub(crate) fn is_handle(name: &str) -> bool {
    name.strip_prefix('+')
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Handles of new tasks to which a step refers, except the task it adds itself.
pub(crate) fn handles_in(mend: &Mend) -> impl Iterator<Item = String> {
    let mut named: Vec<&str> = Vec::new();
    match mend {
        Mend::Splice(_) | Mend::AddRequirement { .. } => {}
        Mend::AddValue { task, key, value } => {
            named.push(task.as_str());
            if key == "depends" {
                named.push(value);
            }
        }
        Mend::SetValues { task, key, values } => {
            named.push(task.as_str());
            if key == "depends" {
                named.extend(values.iter().map(String::as_str));
            }
        }
        Mend::SetTitle { task, .. } | Mend::DeleteTask { task } => named.push(task.as_str()),
        Mend::AddTask { place, fields, .. } => {
            // If a neighbor is missing, the position can be expressed differently; a missing parent
            // can't be replaced.
            if let Place::Under(task) = place {
                named.push(task.as_str());
            }
            let depends = fields.iter().filter(|(key, _)| key == "depends");
            named.extend(depends.map(|(_, value)| value.as_str()));
        }
        Mend::MoveTask { task, place } => {
            named.push(task.as_str());
            if let Place::Under(task) = place {
                named.push(task.as_str());
            }
        }
        Mend::Connect { from, to } | Mend::Disconnect { from, to } => {
            named.extend([from.as_str(), to.as_str()]);
        }
    }
    let handles: Vec<String> = named
        .into_iter()
        .filter(|name| is_handle(name))
        .map(str::to_owned)
        .collect();
    handles.into_iter()
}

/// The task that a step changes.
fn target(mend: &Mend) -> Option<&TaskId> {
    match mend {
        Mend::Splice(_) | Mend::AddRequirement { .. } => None,
        Mend::AddValue { task, .. }
        | Mend::SetValues { task, .. }
        | Mend::SetTitle { task, .. }
        | Mend::DeleteTask { task }
        | Mend::MoveTask { task, .. } => Some(task),
        Mend::AddTask { handle, .. } => Some(handle),
        Mend::Connect { to, .. } | Mend::Disconnect { to, .. } => Some(to),
    }
}

/// The same step with its tasks renamed.
pub(crate) fn renamed(mend: &Mend, name: &dyn Fn(&TaskId) -> TaskId) -> Mend {
    let place = |place: &Place| match place {
        Place::First => Place::First,
        Place::Before(task) => Place::Before(name(task)),
        Place::After(task) => Place::After(name(task)),
        Place::Under(task) => Place::Under(name(task)),
    };
    let value = |key: &str, value: &String| match key {
        "depends" => name(&TaskId(value.clone())).0,
        _ => value.clone(),
    };
    match mend {
        Mend::Splice(splice) => Mend::Splice(splice.clone()),
        Mend::AddValue {
            task,
            key,
            value: one,
        } => Mend::AddValue {
            task: name(task),
            key: key.clone(),
            value: value(key, one),
        },
        Mend::SetValues { task, key, values } => Mend::SetValues {
            task: name(task),
            key: key.clone(),
            values: values.iter().map(|one| value(key, one)).collect(),
        },
        Mend::SetTitle { task, title } => Mend::SetTitle {
            task: name(task),
            title: title.clone(),
        },
        Mend::AddTask {
            handle,
            place: at,
            kind,
            title,
            fields,
        } => Mend::AddTask {
            handle: name(handle),
            place: place(at),
            kind: *kind,
            title: title.clone(),
            fields: fields
                .iter()
                .map(|(key, one)| (key.clone(), value(key, one)))
                .collect(),
        },
        Mend::DeleteTask { task } => Mend::DeleteTask { task: name(task) },
        Mend::MoveTask { task, place: at } => Mend::MoveTask {
            task: name(task),
            place: place(at),
        },
        Mend::Connect { from, to } => Mend::Connect {
            from: name(from),
            to: name(to),
        },
        Mend::Disconnect { from, to } => Mend::Disconnect {
            from: name(from),
            to: name(to),
        },
        Mend::AddRequirement { text } => Mend::AddRequirement { text: text.clone() },
    }
}
