//! Fixes of findings, as data: cheap enough to create for every finding in a large plan, and
//! converted to splices only when a person views one.
//!
//! A fix consists of a few steps that name tasks by id and are applied one after the other with
//! [`plan::edit`], with the same guarantees: bytes outside the edit stay unchanged, and edits that
//! cannot be expressed are refused.

mod editor;

use plan::edit::{EditError, Place, Splice};
use plan::{Plan, TaskId, TaskKind};

pub(crate) use editor::{PlanEditor, places_of};

/// One way to fix a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// The effect of the fix on the plan, as a verb phrase: "Check T3 with `cargo test`".
    pub label: String,
    /// The steps, in order.
    pub mends: Vec<Mend>,
}

/// One step of a fix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mend {
    /// Replaces bytes of the revision that was checked; allowed only as the first step.
    Splice(Splice),
    /// Adds a value to a key and keeps the existing values.
    AddValue {
        /// The task's id.
        task: TaskId,
        /// The key, such as `verify`.
        key: String,
        /// The value to add.
        value: String,
    },
    /// Sets all values of a key.
    SetValues {
        /// The task's id.
        task: TaskId,
        /// The key, such as `depends`.
        key: String,
        /// The new values; an empty list removes the key.
        values: Vec<String>,
    },
    /// Changes a title.
    SetTitle {
        /// The task's id.
        task: TaskId,
        /// The new title.
        title: String,
    },
    /// Adds a step. Later steps of the fix refer to it by `handle`, which must not be the id of a
    /// task in the plan.
    AddTask {
        /// The name by which later steps of this fix refer to the new step, such as `+1`.
        handle: TaskId,
        /// The position of the new step.
        place: Place,
        /// The kind of the new step.
        kind: TaskKind,
        /// The title of the new step.
        title: String,
        /// Keys and values of the new step; a key may occur several times.
        fields: Vec<(String, String)>,
    },
    /// Deletes a task and its sub-tasks.
    DeleteTask {
        /// The task's id.
        task: TaskId,
    },
    /// Moves a task and its sub-tasks.
    MoveTask {
        /// The task's id.
        task: TaskId,
        /// The task's new position.
        place: Place,
    },
    /// Makes `to` depend on `from`.
    Connect {
        /// The id of the prerequisite.
        from: TaskId,
        /// The id of the task that depends on it.
        to: TaskId,
    },
    /// Removes the dependency of `to` on `from`.
    Disconnect {
        /// The id of the prerequisite.
        from: TaskId,
        /// The id of the task that depends on it.
        to: TaskId,
    },
    /// Adds a requirement.
    AddRequirement {
        /// The requirement's text.
        text: String,
    },
}

impl Fix {
    /// A fix that consists of one step.
    pub fn of(label: impl Into<String>, mend: Mend) -> Self {
        Self {
            label: label.into(),
            mends: vec![mend],
        }
    }

    /// The text after the fix is applied.
    ///
    /// # Errors
    /// The error of [`plan::edit`] for the first step that fails; in that case, no part of the fix
    /// is applied.
    pub fn made_on(&self, text: &str, plan: &Plan) -> Result<String, EditError> {
        made_on(&self.mends, text, plan)
    }
}

/// The text after these steps are applied in order. Steps refer to tasks by their ids in `plan`,
/// even after their positional ids have changed.
///
/// # Errors
/// The errors of [`plan::edit`].
pub fn made_on(mends: &[Mend], text: &str, plan: &Plan) -> Result<String, EditError> {
    let mut made = PlanEditor::of(text, plan);
    for mend in mends {
        made.apply(mend)?;
    }
    Ok(made.into_text())
}
