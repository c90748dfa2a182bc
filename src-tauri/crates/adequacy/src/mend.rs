//! Edits that mend a finding, as data: cheap to make for every finding of a large plan, turned into
//! splices only when one is looked at.
//!
//! A fix is a few steps on the plan by task id, made one after the other. It goes through
//! [`plan::edit`], so it has that module's promises: bytes that it does not name stay, and what
//! cannot be written is refused.

use plan::edit::{self, EditError, NewTask, Place, Splice};
use plan::{Plan, TaskId, TaskKind};

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

/// The text after some steps, one made on the result of the other.
///
/// # Errors
/// Those of [`plan::edit`].
pub fn made_on(mends: &[Mend], text: &str, plan: &Plan) -> Result<String, EditError> {
    let mut made = Making {
        text: text.to_owned(),
        plan: None,
        names: Vec::new(),
    };
    for mend in mends {
        made.make(mend, plan)?;
    }
    Ok(made.text)
}

/// A text while it is being changed.
struct Making {
    text: String,
    /// The text parsed; `None` while it is still the first one.
    plan: Option<Plan>,
    /// Handles of new tasks, and the ids that they got.
    names: Vec<(TaskId, TaskId)>,
}

impl Making {
    fn id(&self, task: &TaskId) -> TaskId {
        let found = self.names.iter().find(|(handle, _)| handle == task);
        found.map_or_else(|| task.clone(), |(_, id)| id.clone())
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
            self.plan = Some(plan::parse(&self.text).0);
        }
        Ok(())
    }

    fn make(&mut self, mend: &Mend, first: &Plan) -> Result<(), EditError> {
        let now = self.plan.take();
        let outcome = self.make_on(mend, now.as_ref().unwrap_or(first));
        if self.plan.is_none() {
            self.plan = now;
        }
        outcome
    }

    fn make_on(&mut self, mend: &Mend, plan: &Plan) -> Result<(), EditError> {
        let splices = match mend {
            Mend::Splice(splice) => vec![splice.clone()],
            Mend::AddValue { task, key, value } => {
                let task = self.id(task);
                if key == "depends" {
                    return self.change(&edit::connect(
                        &self.text,
                        plan,
                        &self.id(&TaskId::from(value.as_str())),
                        &task,
                    )?);
                }
                let mut values = values(plan, &task, key);
                if values.contains(value) {
                    return Ok(());
                }
                values.push(value.clone());
                edit::set_field(&self.text, plan, &task, key, &values)?
            }
            Mend::SetValues { task, key, values } => {
                let values: Vec<String> = match key.as_str() {
                    "depends" => values
                        .iter()
                        .map(|id| self.id(&TaskId::from(id.as_str())).0)
                        .collect(),
                    _ => values.clone(),
                };
                edit::set_field(&self.text, plan, &self.id(task), key, &values)?
            }
            Mend::SetTitle { task, title } => {
                edit::set_title(&self.text, plan, &self.id(task), title)?
            }
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
                let added = edit::add_task(&self.text, plan, &self.place(place), &task)?;
                self.names.push((handle.clone(), added.id));
                self.change(&added.splices)?;
                for (key, value) in fields {
                    let mend = Mend::AddValue {
                        task: handle.clone(),
                        key: key.clone(),
                        value: value.clone(),
                    };
                    self.make(&mend, plan)?;
                }
                return Ok(());
            }
            Mend::DeleteTask { task } => edit::delete_task(&self.text, plan, &self.id(task))?,
            Mend::MoveTask { task, place } => {
                edit::move_task(&self.text, plan, &self.id(task), &self.place(place))?.splices
            }
            Mend::Connect { from, to } => {
                edit::connect(&self.text, plan, &self.id(from), &self.id(to))?
            }
            Mend::Disconnect { from, to } => {
                edit::disconnect(&self.text, plan, &self.id(from), &self.id(to))?
            }
            Mend::AddRequirement { text } => edit::add_requirement(&self.text, plan, text)?.splices,
        };
        self.change(&splices)
    }
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
