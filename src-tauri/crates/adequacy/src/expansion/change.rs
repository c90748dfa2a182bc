//! The changes that an expansion proposes, to be taken one by one.

use std::collections::BTreeSet;

use plan::edit::{EditError, Place};
use plan::{Plan, TaskId};

use super::combine::is_handle;
use crate::code::Code;
use crate::mend::{Mend, made_on};

/// Whether a change brings a new task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// A new task, and what waits for it.
    Added,
    /// More in a task that is there.
    Changed,
}

impl ChangeKind {
    /// The name used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
        }
    }
}

/// One change that can be taken alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// `+1` for a new task, which is also the handle that its mends use; the task's id for one that is
    /// there; `plan` for what belongs to no task.
    pub id: String,
    /// Whether it brings a new task.
    pub kind: ChangeKind,
    /// The task that is there; `None` for a new one.
    pub task: Option<TaskId>,
    /// The title of the task, as it will be.
    pub title: String,
    /// The codes that asked for it.
    pub why: Vec<Code>,
    /// What it does, as one plain sentence.
    pub message: String,
    /// The edits, on the original plan, after those of the changes before it.
    pub mends: Vec<Mend>,
    /// Changes that it cannot do without, by id.
    pub needs: Vec<String>,
}

/// The text with the chosen changes and all that these need. None chosen gives the text back, byte
/// for byte; all chosen give the best text of the loop. What a chosen change says about a new task
/// that was not chosen is left out.
///
/// # Errors
/// Those of [`plan::edit`], where the text is not the one that the changes were made for.
pub fn accept(
    text: &str,
    plan: &Plan,
    changes: &[Change],
    chosen: &[String],
) -> Result<String, EditError> {
    let taken = closure(changes, chosen);
    let mut mends = Vec::new();
    let mut left: Vec<(TaskId, Place)> = Vec::new();
    for change in changes {
        for mend in &change.mends {
            if taken.contains(change.id.as_str()) {
                mends.extend(without_others(mend, &taken, &left));
            } else if let Mend::AddTask { handle, place, .. } = mend {
                left.push((handle.clone(), place.clone()));
            }
        }
    }
    made_on(&mends, text, plan)
}

/// The ids of the chosen changes and of all that these need.
pub(crate) fn closure<'c>(changes: &'c [Change], chosen: &[String]) -> BTreeSet<&'c str> {
    let mut taken = BTreeSet::new();
    let mut open: Vec<&str> = chosen.iter().map(String::as_str).collect();
    while let Some(id) = open.pop() {
        let Some(change) = changes.iter().find(|change| change.id == id) else {
            continue;
        };
        if taken.insert(change.id.as_str()) {
            open.extend(change.needs.iter().map(String::as_str));
        }
    }
    taken
}

/// A step without what it says about new tasks that are not there; `None` where nothing is left.
fn without_others(mend: &Mend, taken: &BTreeSet<&str>, left: &[(TaskId, Place)]) -> Option<Mend> {
    let is_there = |name: &str| !is_handle(name) || taken.contains(name);
    let place = |place: &Place| stand_in(place, left);
    Some(match mend {
        Mend::AddValue { task, key, value } => {
            let is_known = is_there(task.as_str()) && (key != "depends" || is_there(value));
            return is_known.then(|| mend.clone());
        }
        Mend::SetValues { task, key, values } if key == "depends" => Mend::SetValues {
            task: task.clone(),
            key: key.clone(),
            values: values.iter().filter(|id| is_there(id)).cloned().collect(),
        },
        Mend::Connect { from, to } | Mend::Disconnect { from, to } => {
            let is_known = is_there(from.as_str()) && is_there(to.as_str());
            return is_known.then(|| mend.clone());
        }
        Mend::AddTask {
            handle,
            place: at,
            kind,
            title,
            fields,
        } => Mend::AddTask {
            handle: handle.clone(),
            place: place(at),
            kind: *kind,
            title: title.clone(),
            fields: fields
                .iter()
                .filter(|(key, value)| key != "depends" || is_there(value))
                .cloned()
                .collect(),
        },
        Mend::MoveTask { task, place: at } => Mend::MoveTask {
            task: task.clone(),
            place: place(at),
        },
        other => other.clone(),
    })
}

/// A place beside a task that is not there is the place where that one would have stood.
fn stand_in(place: &Place, left: &[(TaskId, Place)]) -> Place {
    let mut place = place;
    for _ in left {
        let (Place::Before(task) | Place::After(task)) = place else {
            break;
        };
        match left.iter().find(|(handle, _)| handle == task) {
            Some((_, at)) => place = at,
            None => break,
        }
    }
    place.clone()
}
