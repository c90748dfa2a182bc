//! The journal of a run: what happened, in order, append-only.
//!
//! These types are the stored format. New fields need `#[serde(default)]` and no field is ever
//! removed, so that old journals stay readable.
//!
//! Long because: all entries belong to one list, and the stored format is best read in one place.

use std::collections::{BTreeMap, BTreeSet};

use gate::answers::Answer;
use gate::destructive::Danger;
use gate::policy::Policy;
use gate::question::{PermissionRequest, Question, QuestionKind};
use plan::{Plan, Task};
use serde::{Deserialize, Serialize};

use crate::context::Chosen;
use crate::host_answer::HostAnswer;
use crate::micro_planning::{Checked, Claim, NewStep, RunChoice};
use crate::model_step::{FailureKind, RecoveryDecision, Report};
use crate::pending_answers::GivenAnswer;
use crate::turn::{Reply, Usage};
use crate::verification::{FileHashes, Verdict};

/// One event in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Entry {
    /// The run began.
    Started(Started),
    /// A new process resumed the run.
    Resumed {
        /// The name of the sandbox now in force.
        sandbox: String,
    },
    /// The database was damaged and was replaced by a copy, or the record of an earlier run is
    /// missing: steps that appear not to have started may have been carried out.
    Cut,
    /// The plan file is at another revision; the run still carries out the approved one.
    PlanChanged {
        /// The file's revision.
        revision: String,
    },
    /// A person chose to continue the run with the approved plan although the file differs.
    ChangesKept {
        /// Descriptions of the structural changes that the person saw.
        changes: Vec<String>,
        /// The fingerprint that each changed step has in the file, by step id.
        #[serde(default)]
        steps: BTreeMap<String, String>,
    },
    /// A person decided whether certain steps count as done: steps that the file shows as done or
    /// skipped although there is no record of it, or that it shows as open although an earlier run
    /// carried them out. Each of these steps that counts as done gets its own [`Entry::Done`] or
    /// [`Entry::Skipped`].
    ClaimsAnswered {
        /// The ids of the steps.
        tasks: Vec<String>,
    },
    /// A step was started.
    TaskStarted {
        /// The step's id.
        task: String,
        /// The files and folders that the step holds while it runs; absent for a step that runs
        /// alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        holds: Option<Vec<String>>,
    },
    /// A checkpoint of the workspace was taken before the step.
    CheckpointTaken {
        /// The step's id.
        task: String,
    },
    /// A person overrode the quality gate for a blocked step.
    Overridden {
        /// The step's id.
        task: String,
        /// The codes of the findings that blocked the step.
        codes: Vec<String>,
        /// The reason that the person gave.
        reason: String,
    },
    /// The run waits for a person.
    Asked {
        /// The question that the person is asked.
        question: Question,
    },
    /// A person answered.
    Answered {
        /// The id of the step that the question is about.
        task: String,
        /// The kind of question.
        question: QuestionKind,
        /// The person's answer.
        answer: Answer,
        /// The request that was allowed or refused, for a permission or a checkpoint required by a
        /// rule.
        #[serde(default)]
        permission: Option<PermissionRequest>,
    },
    /// A person answered on screen; the answer is kept until the run asks its question.
    Given {
        /// The answer and its question.
        given: GivenAnswer,
    },
    /// A side effect is about to happen.
    Intended {
        /// The step's id.
        task: String,
        /// The call's index in the step, from 0.
        call: usize,
        /// The call as written in the plan.
        line: String,
        /// The tool's data for finding out later whether the side effect happened; its format is
        /// known only to the tool.
        record: serde_json::Value,
    },
    /// After a crash, the intended side effect was found not to have happened, or a person decided
    /// how to continue. The call counts as not started.
    Cleared {
        /// The step's id.
        task: String,
        /// The call's index in the step.
        call: usize,
        /// How this was determined.
        how: String,
    },
    /// The workspace context selected for a model's attempt at a step.
    ContextChosen {
        /// The step's id.
        task: String,
        /// The selected items, each with its reason.
        chosen: Chosen,
    },
    /// A model replied. The reply is stored before any part of it is acted on.
    Replied {
        /// The id of the step that the model carries out.
        task: String,
        /// The model's reply.
        reply: Reply,
    },
    /// A model's call got an answer without being carried out.
    CallAnswered {
        /// The step's id.
        task: String,
        /// The call's index in the step.
        call: usize,
        /// Whether the answer counts as success.
        ok: bool,
        /// The text that the model gets.
        content: String,
    },
    /// A step is handed over to a user-defined command or an agent, which carries it out instead of
    /// a model.
    HandedOver {
        /// The step's id.
        task: String,
        /// The name of the command or agent.
        to: String,
        /// The command line of the command or agent.
        line: String,
    },
    /// An agent program that carries out the run itself asks whether it may make a change or end
    /// its turn, and waits for the answer.
    HostAsked {
        /// The number of this request in the run, from 0.
        number: usize,
        /// The call in the form that it has in a plan; absent if the agent wants to end its turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<String>,
        /// Whether the agent's last attempt to end its turn was answered with the next step. If so,
        /// it may end the turn now.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_last: bool,
        /// Identifies the process that waits for the answer; this crate doesn't interpret it.
        waiter: serde_json::Value,
    },
    /// The agent's request was answered.
    HostAnswered {
        /// The number of the request in the run.
        number: usize,
        /// The answer to the agent.
        answer: HostAnswer,
    },
    /// The app sent the model a message about its last reply.
    Told {
        /// The step's id.
        task: String,
        /// The text that the model gets.
        message: String,
    },
    /// A model reported on its step. If it claims that the step is done, the checks start.
    Reported {
        /// The step's id.
        task: String,
        /// The model's report.
        report: Report,
        /// Whether the model gave no report and this one was inferred.
        #[serde(default)]
        is_inferred: bool,
    },
    /// A model's claim that its step is done was rejected.
    ClaimRejected {
        /// The step's id.
        task: String,
        /// The text that the model gets.
        message: String,
    },
    /// New steps were planned that the plan file doesn't contain yet.
    StepsPlanned {
        /// The steps and their position in the plan.
        addition: Addition,
        /// The cost of the model's answer; zero if a rule created the steps.
        #[serde(default)]
        cost: Cost,
    },
    /// The new steps can't be written into this plan file.
    StepsRefused {
        /// Why they can't be written.
        reason: String,
    },
    /// The answer of a planning model could not be used.
    PlannerFaulted {
        /// The id of the step to split; absent if the next step was requested.
        #[serde(default)]
        task: Option<String>,
        /// The problem, described for the model.
        message: String,
        /// The cost of the answer.
        #[serde(default)]
        cost: Cost,
    },
    /// The model claims that the goal is reached; the claim is checked next.
    GoalClaimed {
        /// The conditions under which the claim is true.
        claim: Claim,
        /// The cost of the answer.
        #[serde(default)]
        cost: Cost,
    },
    /// One check of a claim that the goal is reached has finished.
    GoalChecked {
        /// The command that checked the claim, and its outcome.
        checked: Checked,
    },
    /// The goal is not reached.
    GoalRejected {
        /// The reasons, one sentence each.
        because: Vec<String>,
    },
    /// A model's attempt failed; how to recover is not decided yet.
    Troubled {
        /// The step's id.
        task: String,
        /// The kind of failure.
        failure: FailureKind,
        /// The reason, in one sentence.
        reason: String,
    },
    /// The model's context window is smaller than assumed; later requests stay within the new
    /// limit.
    WindowLearned {
        /// Maximum number of tokens of a request and its reply together.
        tokens: u32,
    },
    /// A failed step is being recovered.
    Recovered {
        /// The step's id.
        task: String,
        /// The recovery strategy, the reason, and who decided.
        decision: RecoveryDecision,
    },
    /// A call finished.
    Finished {
        /// The step's id.
        task: String,
        /// The call's index in the step.
        call: usize,
        /// The outcome of the call.
        outcome: CallOutcome,
    },
    /// One `verify:` command ran.
    Checked {
        /// The step's id.
        task: String,
        /// The check's index in the step, from 0.
        check: usize,
        /// The outcome of the check.
        outcome: CallOutcome,
    },
    /// A check ran before the run made its first change.
    BaselineChecked {
        /// The id of the step that was about to start.
        #[serde(default)]
        task: String,
        /// The command line of the check.
        line: String,
        /// The outcome of the check.
        outcome: CallOutcome,
    },
    /// A check that had passed now fails, so the step it belongs to is open again.
    Broken {
        /// The step's id.
        task: String,
        /// The ids of the steps that made changes since the check last passed.
        #[serde(default)]
        by: Vec<String>,
        /// One sentence that names those steps.
        reason: String,
    },
    /// The step is done; the evidence is in this entry and the preceding ones.
    Done {
        /// The step's id.
        task: String,
        /// The step's changes to the workspace.
        changes: Changes,
        /// The person's signature, for a step that they carried out.
        #[serde(default)]
        signed: Option<Signature>,
        /// The result of verification; absent for checkpoints and in old journals, which don't
        /// record it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        verdict: Option<Verdict>,
    },
    /// The step failed.
    Failed {
        /// The step's id.
        task: String,
        /// The reason, in one sentence.
        reason: String,
    },
    /// The step's next action was refused and not carried out.
    Refused {
        /// The step's id.
        task: String,
        /// The reason, in one sentence.
        reason: String,
        /// The person's own words; absent if a rule refused it.
        #[serde(default)]
        words: Option<String>,
    },
    /// A person sent a message to the models that carry out the steps.
    Said {
        /// The text of the message.
        words: String,
    },
    /// A failed step will be retried from the point where it failed.
    Retried {
        /// The step's id.
        task: String,
    },
    /// The step will not be carried out.
    Skipped {
        /// The step's id.
        task: String,
        /// Why it is skipped.
        reason: String,
        /// Who decided.
        by: SkippedBy,
    },
    /// A decision was made.
    Decided {
        /// The decision's id.
        task: String,
        /// The label of the chosen option.
        label: String,
    },
    /// The app edited the plan file.
    PlanEdited {
        /// The edit that was made.
        edit: PlanEdit,
        /// The file's revision after the edit.
        revision: String,
        /// Fingerprints of the steps added by this edit, which are approved together with it.
        #[serde(default)]
        covered: BTreeMap<String, String>,
    },
    /// A person stopped a step's request before the reply arrived.
    ReplyStopped {
        /// The step's id.
        task: String,
        /// The usage that the server had reported by then.
        usage: Usage,
    },
    /// A model's attempt failed its check and its changes were undone, so that the next attempt
    /// starts from the original files.
    TrialUndone {
        /// The step's id.
        task: String,
        /// The workspace paths of the restored files.
        files: Vec<String>,
    },
    /// A step's changes were undone.
    Undone {
        /// The step's id.
        task: String,
        /// The workspace paths of the restored files.
        files: Vec<String>,
    },
    /// The process driving the run stopped on purpose.
    Ended {
        /// Why the run stopped.
        state: EndState,
        /// The reason as one sentence for the person.
        message: String,
    },
}

impl Entry {
    pub(crate) fn steps_planned(under: Option<String>, steps: Vec<NewStep>, cost: Cost) -> Self {
        let addition = Addition {
            under,
            after: None,
            steps,
        };
        Self::StepsPlanned { addition, cost }
    }
}

/// How a run began: what was approved, and with which options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Started {
    /// The approved revision.
    pub revision: String,
    /// The revision of the file; differs from `revision` if only checkboxes and records changed.
    #[serde(default)]
    pub found: Option<String>,
    /// How often the run asks for approval.
    pub policy: Policy,
    /// The id of the last step to carry out, if only a part of the plan was approved.
    #[serde(default)]
    pub upto: Option<String>,
    /// The fingerprints of all approved steps, by step id.
    pub covered: BTreeMap<String, String>,
    /// Records of earlier runs, by step id. Only for steps whose fingerprint and state in the file
    /// still match.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub evidence: BTreeMap<String, Evidence>,
    /// Work of earlier runs on steps that aren't in `evidence`, by step id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub half_done: BTreeMap<String, HalfDone>,
    /// The ids of steps that the file shows as skipped because of a decision made in an earlier
    /// run.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub left_out: BTreeSet<String>,
    /// The name of the sandbox in force.
    pub sandbox: String,
    /// The state of the Git repository at the start; absent outside of one.
    #[serde(default)]
    pub repository: Option<Repository>,
    /// The options chosen for this run.
    #[serde(default, skip_serializing_if = "RunChoice::is_empty")]
    pub choice: RunChoice,
    /// The model chosen to carry out steps when the run began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Maximum number of steps that run in parallel.
    #[serde(default = "one")]
    pub parallel: u8,
}

/// The value for old journals, which don't store it: one step at a time.
pub(crate) fn one() -> u8 {
    1
}

/// An earlier run's record of a step with the same fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The id of the earlier run.
    pub run: String,
    /// How the step ended.
    pub end: EarlierEnd,
    /// Whether the step's checks passed then.
    #[serde(default)]
    pub is_checked: bool,
}

/// Calls that an earlier run carried out and that would be repeated if the step were started again,
/// because the step's text changed, the plan is another copy, or the box was unticked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HalfDone {
    /// The id of the earlier run.
    pub run: String,
    /// The calls as written in the plan.
    pub lines: Vec<String>,
    /// Whether that run completed the step.
    #[serde(default)]
    pub is_done: bool,
    /// The date of the earlier run.
    #[serde(default)]
    pub on: String,
    /// Whether the step's approved content has changed since.
    #[serde(default)]
    pub is_changed: bool,
}

/// How a step ended in an earlier run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum EarlierEnd {
    /// Done, with evidence or a signature.
    Done,
    /// Skipped by a person.
    Skipped {
        /// Why it was skipped.
        reason: String,
    },
    /// A decision was made; used only if no step that depends on it is left to do.
    Decided {
        /// The label of the chosen option.
        label: String,
    },
}

/// A snapshot of a Git repository's state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// The current commit; absent if there is none yet.
    pub head: Option<String>,
    /// The number of files with uncommitted changes, not counting the plan.
    pub dirty: u32,
}

/// The outcome of a call or check.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CallOutcome {
    /// The tool's name, filled in by the state machine.
    #[serde(default)]
    pub tool: String,
    /// Whether it succeeded.
    pub ok: bool,
    /// A one-sentence summary for the screen.
    pub summary: String,
    /// The command line, for commands.
    #[serde(default)]
    pub command: Option<String>,
    /// The exit code, if the command exited.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// The end of the output, up to a size limit.
    #[serde(default)]
    pub output: String,
    /// Short facts that the call or check found.
    #[serde(default)]
    pub discoveries: Vec<String>,
    /// How long it took, in milliseconds.
    #[serde(default)]
    pub elapsed_ms: u64,
    /// Whether the outcome was determined after a crash.
    #[serde(default)]
    pub recovered: bool,
    /// Whether the person cancelled it. Its result is then unknown and not recorded.
    #[serde(skip)]
    pub cancelled: bool,
    /// For calls that change a file: the file's hashes before and after, as read back from disk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Box<FileHashes>>,
    /// Whether the failure is transient, such as a full disk, so that the same call may succeed
    /// later.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_passing: bool,
    /// The file that a model read and the SHA-256 of its content at that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Box<(String, String)>>,
    /// The number of search hits, not counting those in the plan file itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hits: Option<u32>,
    /// Whether the check failed and then passed when it was run again without a change in between.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_flaky: bool,
    /// File content that a command destroyed without a person's consent, as found by inspecting the
    /// files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<Box<Danger>>,
    /// The text that the model gets, if a model made the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

impl CallOutcome {
    /// The permission request that would allow this call.
    pub fn as_request(&self, danger: Option<Danger>) -> PermissionRequest {
        PermissionRequest {
            tool: plan::ToolName::RunCommand.as_str().to_owned(),
            subject: self.command.clone().unwrap_or_default(),
            danger,
            content: None,
        }
    }
}

/// The changes made by a step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Changes {
    /// Workspace paths, sorted.
    #[serde(default)]
    pub files: Vec<String>,
    /// SHA-256 of the unified diff; absent if nothing changed.
    #[serde(default)]
    pub diff_hash: Option<String>,
    /// The number of changed files that Git ignores, such as build output; not listed in `files`.
    #[serde(default)]
    pub ignored: usize,
    /// Why these changes don't show that the step is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hollow: Option<String>,
    /// Whether `hollow` applies even if the step's check passes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_certain: bool,
}

/// A person's confirmation that a step is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Signature {
    /// The person's note.
    #[serde(default)]
    pub note: Option<String>,
}

/// Who decided to skip a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkippedBy {
    /// A decision did not choose the branch that it belongs to. Dependent steps need not wait for
    /// it.
    Branch,
    /// A person.
    Person,
    /// The model that the step was assigned to; no other step depends on it.
    Model,
}

/// An edit that the app makes to the plan file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case")]
pub enum PlanEdit {
    /// Ticks the box of a step, and the boxes of groups that become complete.
    Tick {
        /// The step's id.
        task: String,
    },
    /// Unticks the box of a step, and the boxes of the enclosing groups.
    Untick {
        /// The step's id.
        task: String,
    },
    /// Adds a `skipped:` line.
    Skip {
        /// The step's id.
        task: String,
        /// The reason for skipping it.
        reason: String,
    },
    /// Adds steps that a run planned.
    Add {
        /// The steps and their position in the plan.
        addition: Addition,
    },
    /// Writes the answer under `## Decisions` and ticks the decision.
    Decide {
        /// The decision's id.
        task: String,
        /// The label of the chosen option.
        label: String,
        /// The person's note.
        note: Option<String>,
    },
}

impl PlanEdit {
    /// Whether the edit ticks or unticks the box of this task.
    pub fn is_of_box(&self, task: &str) -> bool {
        matches!(self, Self::Tick { task: of } | Self::Untick { task: of } if of == task)
    }
}

/// Steps that a run adds to its plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Addition {
    /// The id of the step that the new steps are parts of; absent for top-level steps.
    #[serde(default)]
    pub under: Option<String>,
    /// For top-level steps, the id of the step that they follow; absent in a plan without steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The steps to add, in order.
    pub steps: Vec<NewStep>,
}

impl Addition {
    /// The tasks of the plan that match these steps, in order and each used once; `None` unless all
    /// are found. Detects steps that were written just before the process ended.
    pub fn found_in<'p>(&self, plan: &'p Plan) -> Option<Vec<&'p Task>> {
        let mut found: Vec<&Task> = Vec::new();
        for step in &self.steps {
            let is_it = |task: &&Task| {
                task.calls.is_empty()
                    && task.title.ends_with(&step.title)
                    && task.values("origin").any(|origin| origin.trim() == "run")
                    && !found.iter().any(|known| known.id == task.id)
            };
            // New steps are added at the end.
            found.push(plan.tasks.iter().rev().find(is_it)?);
        }
        Some(found)
    }
}

/// The cost of one answer from a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Number of requests: one, or zero if a rule answered.
    pub requests: u32,
    /// Number of tokens used.
    pub usage: Usage,
    /// Duration in milliseconds.
    pub elapsed_ms: u64,
}

plan::named! {
    /// Why a run stopped.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum EndState {
        /// Every step is done with evidence, or was skipped by a person or a decision.
        Done = "done",
        /// Every step has ended, but for some there is no evidence that they are done.
        Unverified = "unverified",
        /// Every step has ended, but the completed steps don't cover all requirements, or a model
        /// skipped a step.
        Incomplete = "incomplete",
        /// The run is waiting for a person.
        Waiting = "waiting",
        /// A step failed.
        Failed = "failed",
        /// The next step isn't covered by the approval.
        NotCovered = "not_covered",
        /// The person stopped the run, directly or by answering a checkpoint.
        Stopped = "stopped",
        /// The person cancelled.
        Cancelled = "cancelled",
        /// The person asked the run to stop after the current step.
        Paused = "paused",
        /// The run can't be resumed, because a person discarded it or another run replaced it.
        Discarded = "discarded",
    }
}
