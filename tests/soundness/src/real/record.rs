//! What was seen of a history that real processes carried out, in order. The oracle knows nothing else.

use std::collections::BTreeMap;

use gate::policy::Policy;

use crate::person::Said;

/// What a person approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Approval {
    /// Which of the plan's versions.
    pub version: usize,
    /// How often they want to be asked.
    pub policy: Policy,
    /// The place of the last step that they approved.
    pub upto: Option<usize>,
}

/// What becomes of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Damage {
    /// The file is gone, with what belongs to it.
    Gone,
    /// The log of writes is gone.
    NoLog,
    /// It is half as long.
    Cut,
    /// It is something else.
    Garbage,
    /// The newest row of the journal is missing.
    Row,
}

impl Damage {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Gone, Self::NoLog, Self::Cut, Self::Garbage, Self::Row];
}

/// One thing that was seen.
#[derive(Debug, Clone)]
pub enum Fact {
    /// A process begins; the latest is the first number not used yet.
    Began {
        /// What the person approves with it; where it resumes a run, nothing.
        approval: Option<Approval>,
        /// What they said in its answers.
        said: Vec<Said>,
        /// A run of the plan is open that is not this process's to go on with.
        is_barred: bool,
    },
    /// The process that is alive carries out a run.
    Started,
    /// It says that a step came to this.
    Task(String, String),
    /// Every effect there was, in order.
    Log(Vec<String>),
    /// The plan file as it is; without one, nothing.
    File(String),
    /// Others are about to change the file while this step is under way.
    During(String),
    /// The process that is alive was killed.
    Killed,
    /// It ended by itself.
    Ended(i32),
    /// Something became of the database.
    Damaged(Damage),
    /// The person discarded the run, told what it was doing.
    Discarded,
    /// The files there are.
    World(BTreeMap<String, String>),
}
