//! Input and output of a [`Machine`](super::Machine): events and effects, as data.

use std::collections::BTreeSet;

use gate::destructive::{Inspection, InspectionResult};
use gate::question::Question;
use gate::{Bearer, NotPermitted, Permit};
use plan::ToolCall;

use super::steer::Steer;
use crate::context::{Material, Wants};
use crate::journal::{CallOutcome, Changes, EndState, Entry, PlanEdit};
use crate::model_step::StepRequest;
use crate::progress::Progress;
use crate::turn::{Reply, Usage};

/// An event from outside the machine.
#[derive(Debug, Clone)]
pub enum Event {
    /// The process is ready, or the person's input may allow a step to continue.
    Begin,
    /// Answers [`Effect::ReadPlan`].
    PlanRead {
        /// The plan file's text.
        text: String,
        /// The plan file's revision.
        revision: String,
        /// Paths in the plan's steps that go through a symlink, so that the path alone doesn't
        /// identify the file. Needed for parallel steps.
        linked: BTreeSet<String>,
    },
    /// The plan file cannot be read or written.
    PlanUnusable {
        /// The reason and how to fix the problem, in one sentence.
        message: String,
    },
    /// Answers [`Effect::EditPlan`].
    PlanEdited {
        /// The file's text after the edit.
        text: String,
        /// The file's revision after the edit.
        revision: String,
        /// Like `linked` in [`Event::PlanRead`].
        linked: BTreeSet<String>,
    },
    /// Answers [`Effect::TakeCheckpoint`].
    CheckpointTaken,
    /// Answers [`Effect::Prepare`].
    Prepared {
        /// The tool's data for checking later whether the effect happened.
        record: serde_json::Value,
    },
    /// Answers [`Effect::Prepare`] and [`Effect::TakeCheckpoint`] if the effect could not be
    /// started.
    NotPrepared {
        /// The reason, in one sentence.
        reason: String,
    },
    /// Answers [`Effect::Perform`], [`Effect::Check`], [`Effect::CheckGoal`] and
    /// [`Effect::CheckBaseline`].
    Performed {
        /// The outcome of the call or check.
        outcome: CallOutcome,
    },
    /// Answers [`Effect::PerformAll`].
    PerformedAll {
        /// The outcomes, in the order of the calls.
        outcomes: Vec<CallOutcome>,
    },
    /// Answers [`Effect::Gather`].
    Gathered {
        /// The gathered context.
        material: Box<Material>,
    },
    /// Answers [`Effect::AskModel`] and [`Effect::AskAgent`].
    Replied {
        /// The model's or agent's reply.
        reply: Reply,
    },
    /// Answers [`Effect::AskPlanner`].
    Planned {
        /// The reply, whose text is the answer.
        reply: Reply,
        /// The paths in the reply that exist in the workspace.
        there: Vec<String>,
    },
    /// Answers [`Effect::EditPlan`] if the steps cannot be added to this file; nothing was written.
    NotAdded {
        /// Why the steps can't be added.
        reason: String,
    },
    /// Answers [`Effect::AskModel`] and [`Effect::AskAgent`] if a person stopped the request. The
    /// partial reply was discarded.
    ModelStopped {
        /// The tokens that the server had counted by then.
        usage: Usage,
    },
    /// Answers [`Effect::AskModel`] if there was no reply even after all retries, and
    /// [`Effect::AskAgent`] if there was no reply; for an agent, there are no retries.
    ModelFailed {
        /// The reason, and how to fix the problem.
        reason: String,
    },
    /// Answers [`Effect::AskModel`] and [`Effect::AskPlanner`] if the request exceeded the model's
    /// context window, so that repeating it would fail again.
    WindowExceeded {
        /// The size of the context window in tokens, if the server reports it.
        window: Option<u64>,
        /// The server's message, and how to fix the problem.
        reason: String,
    },
    /// Answers [`Effect::AskModel`] and [`Effect::AskPlanner`] if the server could not be reached
    /// until the wait timed out. The run then pauses.
    ServerGone {
        /// A message that names the server, the duration of the wait, and a way to fix the problem.
        reason: String,
    },
    /// Answers [`Effect::Examine`].
    Examined(Examined),
    /// Answers [`Effect::LookAt`].
    Looked {
        /// The result, without unreadable files.
        seen: InspectionResult,
    },
    /// Answers [`Effect::Measure`] and [`Effect::Survey`].
    Measured {
        /// The step's changes.
        changes: Changes,
    },
    /// Answers [`Effect::Survey`] if the state before the step is no longer available.
    Uncommitted {
        /// Files that differ from the last commit; `None` without Git.
        files: Option<Vec<String>>,
    },
    /// Answers [`Effect::TakeBack`].
    TakenBack {
        /// The workspace paths of the restored files.
        files: Vec<String>,
        /// Files that could not be restored, because no copy was kept or because they changed
        /// again.
        left: Vec<String>,
    },
    /// The person cancels the run. The driver stops the effect in progress but still answers it.
    Cancel,
    /// The person gives input to the run. Does not answer an effect.
    Steer(Steer),
}

/// Whether a side effect that was interrupted by a crash happened.
#[derive(Debug, Clone)]
pub enum Examined {
    /// It happened.
    Done(CallOutcome),
    /// It did not happen, or was undone.
    NotDone {
        /// The evidence for it.
        how: String,
    },
    /// It can't be determined.
    Undecidable {
        /// The reason, and what the person can do.
        reason: String,
    },
}

/// An action to be carried out outside the machine.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Append these entries to the journal, durably, before carrying out any later effect.
    Journal(Vec<Entry>),
    /// Read the plan file.
    ReadPlan,
    /// Edit the plan file.
    EditPlan(PlanEdit),
    /// Save the state of the workspace before this step.
    TakeCheckpoint {
        /// The step's id.
        task: String,
    },
    /// Inspect the content that a call would destroy, before asking the person. Changes and saves
    /// nothing.
    LookAt {
        /// The step's id.
        task: String,
        /// The call that would destroy the content.
        tool: ToolCall,
        /// What to inspect.
        look: Inspection,
    },
    /// Prepare a side effect without changing anything.
    Prepare {
        /// The step's id.
        task: String,
        /// The call's number in the step.
        call: usize,
        /// The call to prepare.
        tool: ToolCall,
        /// The permit to carry out the call; `None` if it is prepared only to find out why it
        /// fails.
        permit: Option<Permit>,
    },
    /// Carry out the call. Unless it is read-only, this must be exactly the prepared side effect.
    Perform {
        /// The step's id.
        task: String,
        /// The call's number in the step.
        call: usize,
        /// The call to carry out.
        tool: ToolCall,
        /// The permit to run it.
        permit: Permit,
    },
    /// Carry out two or more read-only calls in parallel, none of which depends on another.
    PerformAll {
        /// The step's id.
        task: String,
        /// The calls with their numbers and permits, in order.
        calls: Vec<(usize, ToolCall, Permit)>,
    },
    /// Ask the model for the next step or, to split a step, for its parts.
    AskPlanner {
        /// The id of the step to split; `None` to ask for the next step.
        task: Option<String>,
        /// The request to the planning model.
        request: Box<StepRequest>,
    },
    /// Run one command that checks a claim that the goal is reached.
    CheckGoal {
        /// The command line to run.
        line: String,
        /// The permit to run it.
        permit: Permit,
    },
    /// Run one check before the run changes anything.
    CheckBaseline {
        /// The id of the step that is about to start.
        task: String,
        /// The command line to run.
        line: String,
        /// The permit to run it.
        permit: Permit,
    },
    /// Gather context for a step's model.
    Gather {
        /// The step's id.
        task: String,
        /// What to gather.
        wants: Wants,
    },
    /// Send a request to the model that carries out a step.
    AskModel {
        /// The step's id.
        task: String,
        /// The request to the model.
        request: Box<StepRequest>,
    },
    /// Start the agent that carries out a step, or let it continue, until it wants to change
    /// something or ends its turn. The results of its calls and the messages for it are in the
    /// state.
    AskAgent {
        /// The step's id.
        task: String,
        /// The first message to send to it if it isn't running yet.
        brief: String,
        /// The permit to run it.
        permit: Permit,
    },
    /// Run one `verify:` line.
    Check {
        /// The step's id.
        task: String,
        /// The check's number in the step.
        check: usize,
        /// The command line to run.
        line: String,
        /// The permit to run it.
        permit: Permit,
    },
    /// Inspect the changes in the workspace made by a step whose outcome is unknown. Answered by
    /// [`Event::Measured`] or [`Event::Uncommitted`].
    Survey {
        /// The step's id.
        task: String,
    },
    /// Find out whether an intended side effect happened, and undo a command that was interrupted.
    Examine {
        /// The step's id.
        task: String,
        /// The call's number in the step.
        call: usize,
        /// The call as written in the plan.
        line: String,
        /// The record from [`Event::Prepared`].
        record: serde_json::Value,
    },
    /// Determine what the step has changed since its checkpoint.
    Measure {
        /// The step's id.
        task: String,
    },
    /// Restore the files that the step changed.
    TakeBack {
        /// The step's id.
        task: String,
    },
    /// Kill this step's command. Needs no answer, but the command's own effect is still answered.
    /// Does nothing if no command is running.
    Interrupt {
        /// The step's id.
        task: String,
    },
    /// Tell the person something that doesn't stop the run. Needs no answer.
    Notice {
        /// The message, in one sentence.
        message: String,
    },
    /// Show a question to the person. Needs no immediate answer.
    Ask(Question),
    /// Show progress. Needs no answer.
    Progress(Progress),
    /// Stop the run, as already recorded in the journal.
    End {
        /// Why the run stops.
        state: EndState,
        /// The message, in one sentence.
        message: String,
    },
}

/// What an effect belongs to. Each lane can have one effect in progress.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// The run as a whole. Nothing else is decided until the effect is answered.
    Run,
    /// A step, by its id.
    Step(String),
}

impl Effect {
    /// Fails unless all permits in the effect are for this run and for the step that the effect
    /// belongs to.
    pub fn require_leave(&self, run: &str) -> Result<(), NotPermitted> {
        let permits: Vec<&Permit> = match self {
            Self::Perform { permit, .. }
            | Self::AskAgent { permit, .. }
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

    /// The lane that this effect belongs to.
    pub fn lane(&self) -> Lane {
        match self {
            Self::TakeCheckpoint { task }
            | Self::LookAt { task, .. }
            | Self::Prepare { task, .. }
            | Self::Perform { task, .. }
            | Self::PerformAll { task, .. }
            | Self::Gather { task, .. }
            | Self::AskModel { task, .. }
            | Self::AskAgent { task, .. }
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
