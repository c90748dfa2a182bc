//! Fixes of findings as data: cheap enough to create for every finding of a large plan, and
//! converted to splices only when one is viewed.
//!
//! A fix is a few steps on the plan by task id, applied one after the other through [`plan::edit`],
//! with the same guarantees: bytes outside the edit stay unchanged, and edits that cannot be
//! expressed are refused.

mod editor;

use plan::edit::{EditError, Place, Splice};
use plan::{Plan, TaskId, TaskKind};

pub(crate) use editor::{PlanEditor, places_of};

/// One way to fix a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// Its effect on the plan, as a verb phrase: "Check T3 with `cargo test`".
    pub label: String,
    /// The steps, in order.
    pub mends: Vec<Mend>,
}

/// One step of a fix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mend {
    /// Replaces bytes of the checked revision; only as the first step.
    Splice(Splice),
    /// Adds a value to a key, keeping the existing ones.
    AddValue {
        /// The task.
        task: TaskId,
        /// The key, such as `verify`.
        key: String,
        /// The value.
        value: String,
    },
    /// Sets all values of a key.
    SetValues {
        /// The task.
        task: TaskId,
        /// The key.
        key: String,
        /// The values; an empty list removes the key.
        values: Vec<String>,
    },
    /// Changes a title.
    SetTitle {
        /// The task.
        task: TaskId,
        /// The new title.
        title: String,
    },
    /// Adds a step. Later steps of the fix refer to it by `handle`, which must not be an id of the
    /// plan.
    AddTask {
        /// Handle for later steps of this fix, such as `+1`.
        handle: TaskId,
        /// Its position.
        place: Place,
        /// Its kind.
        kind: TaskKind,
        /// Its title.
        title: String,
        /// Keys and values; a key may occur several times.
        fields: Vec<(String, String)>,
    },
    /// Deletes a task and its sub-tasks.
    DeleteTask {
        /// The task.
        task: TaskId,
    },
    /// Moves a task and its sub-tasks.
    MoveTask {
        /// The task.
        task: TaskId,
        /// Its new position.
        place: Place,
    },
    /// Makes `to` wait for `from`.
    Connect {
        /// The prerequisite.
        from: TaskId,
        /// The waiting task.
        to: TaskId,
    },
    /// Removes the dependency of `to` on `from`.
    Disconnect {
        /// The prerequisite.
        from: TaskId,
        /// The waiting task.
        to: TaskId,
    },
    /// Adds a requirement.
    AddRequirement {
        /// Its text.
        text: String,
    },
}

impl Fix {
    /// A fix of one step.
    pub fn of(label: impl Into<String>, mend: Mend) -> Self {
        Self {
            label: label.into(),
            mends: vec![mend],
        }
    }

    /// The text after the fix.
    ///
    /// # Errors
    /// The errors of [`plan::edit`] for the first step that fails; then no part of the fix is
    /// applied.
    pub fn made_on(&self, text: &str, plan: &Plan) -> Result<String, EditError> {
        made_on(&self.mends, text, plan)
    }
}

/// The text after these steps, applied in order. A task keeps the name it has in `plan`, even if
/// its positional id changes.
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
