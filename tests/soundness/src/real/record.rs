//! The observations of a history with real processes, in order. They are all that the oracle knows.

use std::collections::BTreeMap;

use gate::policy::Policy;

use crate::person::Said;

/// An approval by a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Approval {
    /// The index of the approved version of the plan.
    pub version: usize,
    /// The policy, which decides when the person is asked.
    pub policy: Policy,
    /// The position of the last approved step; `None` for all steps.
    pub upto: Option<usize>,
}

/// Ways to damage a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Damage {
    /// The database file and its write-ahead log are deleted.
    Gone,
    /// The write-ahead log is deleted.
    NoLog,
    /// The file is cut in half.
    Cut,
    /// The file is overwritten.
    Garbage,
    /// The newest row of the journal is deleted.
    Row,
}

impl Damage {
    /// All ways to damage a database.
    pub const ALL: [Self; 5] = [Self::Gone, Self::NoLog, Self::Cut, Self::Garbage, Self::Row];
}

/// One observation.
#[derive(Debug, Clone)]
pub enum Fact {
    /// A process starts; processes are numbered in order.
    Began {
        /// The approval that it is started with; `None` if it resumes a run.
        approval: Option<Approval>,
        /// The answers that it gets at its start.
        said: Vec<Said>,
        /// Whether an open run of the plan prevents it from running.
        is_barred: bool,
    },
    /// The current process started to carry out a run.
    Started,
    /// The current process reported a step: its id and its state.
    Task(String, String),
    /// All effects so far, in order.
    Log(Vec<String>),
    /// The text of the current plan file; empty if it is missing.
    File(String),
    /// Another program is about to edit the file while the step with this id is running.
    During(String),
    /// The current process was killed.
    Killed,
    /// The current process ended on its own, with this exit code.
    Ended(i32),
    /// The database was damaged.
    Damaged(Damage),
    /// The person discarded the interrupted run.
    Discarded,
    /// The current files in the workspace: their contents by path.
    World(BTreeMap<String, String>),
}
