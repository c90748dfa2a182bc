//! What goes in and out of a [`Machine`](super::Machine): events and effects, as data.

use std::collections::BTreeSet;

use gate::destructive::{Look, Seen};
use gate::question::Question;
use gate::{Bearer, NotPermitted, Permit};
use plan::ToolCall;

use super::steer::Steer;
use crate::context::{Material, Wants};
use crate::journal::{CallOutcome, Changes, EndState, Entry, PlanEdit};
use crate::model_step::StepRequest;
use crate::progress::Progress;
use crate::turn::{Reply, Usage};

/// What happened outside.
#[derive(Debug, Clone)]
pub enum Event {
    /// The process is ready; or, later, what a person said may let a step go on.
    Begin,
    /// Answers [`Effect::ReadPlan`].
    PlanRead {
        /// The file's text.
        text: String,
        /// Its revision.
        revision: String,
        /// The paths that its steps name and that lead through a link, so that their names do not say
        /// which file they are; needed where steps go side by side.
        linked: BTreeSet<String>,
    },
    /// The plan file cannot be read or written; says why and what to do.
    PlanUnusable {
        /// One sentence.
        message: String,
    },
    /// Answers [`Effect::EditPlan`].
    PlanEdited {
        /// The file's text after the edit.
        text: String,
        /// Its revision.
        revision: String,
        /// As in [`Event::PlanRead`].
        linked: BTreeSet<String>,
    },
    /// Answers [`Effect::TakeCheckpoint`].
    CheckpointTaken,
    /// Answers [`Effect::Prepare`].
    Prepared {
        /// What the tool needs to find out later whether the effect happened.
        record: serde_json::Value,
    },
    /// Answers [`Effect::Prepare`] and [`Effect::TakeCheckpoint`] when nothing could be begun.
    NotPrepared {
        /// One sentence that says what to do.
        reason: String,
    },
    /// Answers [`Effect::Perform`], [`Effect::Check`], [`Effect::CheckGoal`] and
    /// [`Effect::CheckBaseline`].
    Performed {
        /// How it ended.
        outcome: CallOutcome,
    },
    /// Answers [`Effect::PerformAll`].
    PerformedAll {
        /// How each ended, in the order of the calls.
        outcomes: Vec<CallOutcome>,
    },
    /// Answers [`Effect::Gather`].
    Gathered {
        /// What was found.
        material: Box<Material>,
    },
    /// Answers [`Effect::AskModel`].
    Replied {
        /// The reply.
        reply: Reply,
    },
    /// Answers [`Effect::AskPlanner`].
    Planned {
        /// The reply; its text is the answer.
        reply: Reply,
        /// Those of the paths that it names which are there.
        there: Vec<String>,
    },
    /// Answers [`Effect::EditPlan`] where steps cannot be added to this file; nothing was written.
    NotAdded {
        /// Why.
        reason: String,
    },
    /// Answers [`Effect::AskModel`]: it was ended by a person, and nothing came of it.
    ModelStopped {
        /// What the server had counted.
        usage: Usage,
    },
    /// Answers [`Effect::AskModel`]: no reply, after all retries.
    ModelFailed {
        /// Why, and what to do.
        reason: String,
    },
    /// Answers [`Effect::AskModel`] and [`Effect::AskPlanner`]: the request was larger than the model's
    /// window. The same request would be refused again.
    WindowExceeded {
        /// The window in tokens, where the server says.
        window: Option<u64>,
        /// The server's words, and what to do.
        reason: String,
    },
    /// Answers [`Effect::AskModel`] and [`Effect::AskPlanner`]: nobody is there to answer, and the wait
    /// is over. The run pauses where it is.
    ServerGone {
        /// Who is gone, for how long, and what to do.
        reason: String,
    },
    /// Answers [`Effect::Examine`].
    Examined(Examined),
    /// Answers [`Effect::LookAt`].
    Looked {
        /// What was seen; what could not be is left out.
        seen: Seen,
    },
    /// Answers [`Effect::Measure`] and [`Effect::Survey`].
    Measured {
        /// What the step changed.
        changes: Changes,
    },
    /// Answers [`Effect::Survey`] where the state before the step is lost.
    Uncommitted {
        /// Files that differ from the last commit; `None` without Git.
        files: Option<Vec<String>>,
    },
    /// Answers [`Effect::TakeBack`].
    TakenBack {
        /// The files put back.
        files: Vec<String>,
        /// Those that could not be, since they are not kept or were changed again.
        left: Vec<String>,
    },
    /// The person cancels; the effect under way is stopped by the driver and still answers.
    Cancel,
    /// A person says how the run is to go on. Answers no effect.
    Steer(Steer),
}

/// What was found out about a side effect that a crash cut off.
#[derive(Debug, Clone)]
pub enum Examined {
    /// It happened.
    Done(CallOutcome),
    /// It did not happen, or what it did was taken back.
    NotDone {
        /// How that is known.
        how: String,
    },
    /// It cannot be told.
    Undecidable {
        /// Why, and what the person can do.
        reason: String,
    },
}

/// What is to be done outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Append durably, before anything that follows.
    Journal(Vec<Entry>),
    /// Read the plan file.
    ReadPlan,
    /// Write into the plan file.
    EditPlan(PlanEdit),
    /// Keep the state of the workspace before this task.
    TakeCheckpoint {
        /// Which task.
        task: String,
    },
    /// See what stands where a call would destroy something, before the person is asked. Touches
    /// nothing and keeps nothing.
    LookAt {
        /// Which task.
        task: String,
        /// The call.
        tool: ToolCall,
        /// What has to be known.
        look: Look,
    },
    /// Get ready for a side effect without touching anything.
    Prepare {
        /// Which task.
        task: String,
        /// Which of its calls.
        call: usize,
        /// The call.
        tool: ToolCall,
        /// The gate's leave to perform it; absent for one that is prepared only to learn why it cannot be
        /// done.
        permit: Option<Permit>,
    },
    /// Carry the call out; for one that is not read-only, exactly what was prepared.
    Perform {
        /// Which task.
        task: String,
        /// Which of its calls.
        call: usize,
        /// The call.
        tool: ToolCall,
        /// The gate's leave for it.
        permit: Permit,
    },
    /// Carry out calls that only look, side by side: at least two, none of which waits for another.
    PerformAll {
        /// Which task.
        task: String,
        /// The calls with their numbers and the gate's leave, in order.
        calls: Vec<(usize, ToolCall, Permit)>,
    },
    /// Ask the model what comes next, or what a step is made of.
    AskPlanner {
        /// The step to be taken apart; absent where the next step is asked for.
        task: Option<String>,
        /// What it gets.
        request: Box<StepRequest>,
    },
    /// Run one command of a claim that the goal is reached.
    CheckGoal {
        /// The line.
        line: String,
        /// The gate's leave for it.
        permit: Permit,
    },
    /// Run one check before the run changes anything.
    CheckBaseline {
        /// The step that is about to begin.
        task: String,
        /// The line.
        line: String,
        /// The gate's leave for it.
        permit: Permit,
    },
    /// Look for what a step's model may get to see.
    Gather {
        /// Which task.
        task: String,
        /// What it asks for.
        wants: Wants,
    },
    /// Ask the model that carries out a step.
    AskModel {
        /// Which task.
        task: String,
        /// What it gets.
        request: Box<StepRequest>,
    },
    /// Run one `verify:` line.
    Check {
        /// Which task.
        task: String,
        /// Which of its checks.
        check: usize,
        /// The line.
        line: String,
        /// The gate's leave for it.
        permit: Permit,
    },
    /// See what a step whose outcome is unknown left in the workspace. Answered by [`Event::Measured`], or by
    /// [`Event::Uncommitted`].
    Survey {
        /// The step.
        task: String,
    },
    /// Find out whether an intended side effect happened, and take back a half-done command.
    Examine {
        /// Which task.
        task: String,
        /// Which of its calls.
        call: usize,
        /// The call as the plan writes it.
        line: String,
        /// What [`Event::Prepared`] gave.
        record: serde_json::Value,
    },
    /// Say what the task changed since its checkpoint.
    Measure {
        /// Which task.
        task: String,
    },
    /// Put the files back that the step changed.
    TakeBack {
        /// Which task.
        task: String,
    },
    /// End the command under way for this task at once; it still answers. Needs no answer of its
    /// own, and means nothing when no command is under way.
    Interrupt {
        /// Which task.
        task: String,
    },
    /// Tell the person something that stops nothing. Needs no answer.
    Notice {
        /// One sentence.
        message: String,
    },
    /// Show a question. Needs no answer now.
    Ask(Question),
    /// Show progress. Needs no answer.
    Progress(Progress),
    /// Stop; the journal already says so.
    End {
        /// Why.
        state: EndState,
        /// One sentence.
        message: String,
    },
}

/// Whose effect it is. One effect of each lane can be under way.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// The run's: nothing else is decided before it is answered.
    Run,
    /// A step's.
    Step(String),
}

impl Effect {
    /// Whether all leave that it carries is for this run and the step whose effect it is.
    ///
    /// # Errors
    /// [`NotPermitted`] where it is somebody else's.
    pub fn require_leave(&self, run: &str) -> Result<(), NotPermitted> {
        let permits: Vec<&Permit> = match self {
            Self::Perform { permit, .. }
            | Self::Check { permit, .. }
            | Self::CheckGoal { permit, .. }
            | Self::CheckBaseline { permit, .. } => vec![permit],
            Self::PerformAll { calls, .. } => calls.iter().map(|(_, _, permit)| permit).collect(),
            _ => return Ok(()),
        };
        let bearer = Bearer::Run {
            run: run.to_owned(),
            step: match self.lane() {
                Lane::Step(task) => Some(task),
                Lane::Run => None,
            },
        };
        let mut permits = permits.into_iter();
        permits.try_for_each(|permit| permit.require_bearer(&bearer))
    }

    /// Whose effect this is.
    pub fn lane(&self) -> Lane {
        match self {
            Self::TakeCheckpoint { task }
            | Self::LookAt { task, .. }
            | Self::Prepare { task, .. }
            | Self::Perform { task, .. }
            | Self::PerformAll { task, .. }
            | Self::Gather { task, .. }
            | Self::AskModel { task, .. }
            | Self::Check { task, .. }
            | Self::Examine { task, .. }
            | Self::Survey { task }
            | Self::TakeBack { task }
            | Self::Measure { task } => Lane::Step(task.clone()),
            Self::Journal(_)
            | Self::ReadPlan
            | Self::EditPlan(_)
            | Self::AskPlanner { .. }
            | Self::CheckGoal { .. }
            | Self::CheckBaseline { .. }
            | Self::Interrupt { .. }
            | Self::Notice { .. }
            | Self::Ask(_)
            | Self::Progress(_)
            | Self::End { .. } => Lane::Run,
        }
    }
}
