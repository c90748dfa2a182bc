//! Edits that mend a finding, as data: cheap to make for every finding of a large plan, turned into
//! splices only when one is looked at.
//!
//! A fix is a few steps on the plan by task id, made one after the other. It goes through
//! [`plan::edit`], so it has that module's promises: bytes that it does not name stay, and what
//! cannot be written is refused.

mod making;

use plan::edit::{EditError, Place, Splice};
use plan::{Plan, TaskId, TaskKind};

pub(crate) use making::{Making, places_of};

/// One way to mend a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What becomes of the plan, as a verb phrase: "Check T3 with `cargo test`".
    pub label: String,
    /// The steps, in order.
    pub mends: Vec<Mend>,
}

/// One step of a fix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mend {
    /// Bytes of the revision that was checked; only as the first step.
    Splice(Splice),
    /// One more value of a key, kept beside those that are there.
    AddValue {
        /// Whose.
        task: TaskId,
        /// The key, such as `verify`.
        key: String,
        /// The value.
        value: String,
    },
    /// All values of a key.
    SetValues {
        /// Whose.
        task: TaskId,
        /// The key.
        key: String,
        /// The values; none takes the key away.
        values: Vec<String>,
    },
    /// Another title.
    SetTitle {
        /// Whose.
        task: TaskId,
        /// The title.
        title: String,
    },
    /// A new step. Later steps of the fix call it by `handle`, which is no id of the plan.
    AddTask {
        /// What later steps of this fix call it, such as `+1`.
        handle: TaskId,
        /// Where it goes.
        place: Place,
        /// Its kind.
        kind: TaskKind,
        /// Its title.
        title: String,
        /// Its keys, each with one value; the same key may come again.
        fields: Vec<(String, String)>,
    },
    /// A task goes, with its sub-tasks.
    DeleteTask {
        /// Which.
        task: TaskId,
    },
    /// A task moves, with its sub-tasks.
    MoveTask {
        /// Which.
        task: TaskId,
        /// Where to.
        place: Place,
    },
    /// `to` waits for `from` as well.
    Connect {
        /// What is waited for.
        from: TaskId,
        /// Who waits.
        to: TaskId,
    },
    /// `to` does not wait for `from` any more.
    Disconnect {
        /// What was waited for.
        from: TaskId,
        /// Who waited.
        to: TaskId,
    },
    /// One more requirement.
    AddRequirement {
        /// Its words.
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
    /// Those of [`plan::edit`] for the first step that cannot be made; nothing of the fix is made
    /// then.
    pub fn made_on(&self, text: &str, plan: &Plan) -> Result<String, EditError> {
        made_on(&self.mends, text, plan)
    }
}

/// The text after some steps, one made on the result of the other. A task keeps the name that it has
/// in `plan`, also where its id is only counted and moves on.
///
/// # Errors
/// Those of [`plan::edit`].
pub fn made_on(mends: &[Mend], text: &str, plan: &Plan) -> Result<String, EditError> {
    let mut made = Making::of(text, plan);
    for mend in mends {
        made.make(mend)?;
    }
    Ok(made.into_text())
}
