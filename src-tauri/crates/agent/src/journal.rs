//! The journal of a run: what happened, in order, append-only.
//!
//! These types are the stored form. Fields are only ever added, and added fields carry
//! `#[serde(default)]`, so that an old journal can always be read.
//!
//! Long because: the entries are one list, and the stored form is read in one place.

use std::collections::{BTreeMap, BTreeSet};

use gate::answers::Answer;
use gate::destructive::Danger;
use gate::policy::Policy;
use gate::question::{PermissionRequest, Question, QuestionKind};
use plan::{Plan, Task};
use serde::{Deserialize, Serialize};

use crate::context::Chosen;
use crate::given::GivenAnswer;
use crate::micro_planning::{Checked, Claim, NewStep, RunChoice};
use crate::model_step::{FailureKind, RecoveryDecision, Report};
use crate::turn::{Reply, Usage};
use crate::verifying::{FileHashes, Verdict};

/// One fact about a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Entry {
    /// The run began.
    Started(Started),
    /// The run was taken up again by a new process.
    Resumed {
        /// The sandbox now in force.
        sandbox: String,
    },
    /// The database was damaged and a copy took its place, or the record of a run before this one is gone:
    /// what looks not begun may have been.
    Cut,
    /// The plan file was found at another revision; the run carries out the approved snapshot all along.
    PlanChanged {
        /// The revision found.
        revision: String,
    },
    /// A person has the run continue with the approved plan, though the file says something else.
    ChangesKept {
        /// The changes of structure that they saw, in words.
        changes: Vec<String>,
        /// The fingerprints that the changed steps had in the file.
        #[serde(default)]
        steps: BTreeMap<String, String>,
    },
    /// A person said whether steps that the file shows as done or skipped without a record, or as open
    /// though an earlier run carried them out, count as done. Those that do get an [`Entry::Done`] or
    /// [`Entry::Skipped`] of their own.
    ClaimsAnswered {
        /// The steps.
        tasks: Vec<String>,
    },
    /// A task was picked.
    TaskStarted {
        /// Which.
        task: String,
        /// What it holds as long as it is under way; absent for a step that goes alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        holds: Option<Vec<String>>,
    },
    /// The state of the workspace before the task was kept.
    CheckpointTaken {
        /// Which task.
        task: String,
    },
    /// A step that the quality gate blocks was let through with a reason.
    Overridden {
        /// Which.
        task: String,
        /// The finding codes.
        codes: Vec<String>,
        /// The person's words.
        reason: String,
    },
    /// The run waits for a person.
    Asked {
        /// What is asked.
        question: Question,
    },
    /// A person answered.
    Answered {
        /// The task asked about.
        task: String,
        /// What was asked.
        question: QuestionKind,
        /// What was answered.
        answer: Answer,
        /// What was allowed or refused, for a permission and for a checkpoint by rule.
        #[serde(default)]
        permission: Option<PermissionRequest>,
    },
    /// A person answered at a screen; the answer waits for its question.
    Given {
        /// What was answered, and for what.
        given: GivenAnswer,
    },
    /// A side effect is about to happen.
    Intended {
        /// Which task.
        task: String,
        /// Which of its calls, from 0.
        call: usize,
        /// The call as the plan writes it.
        line: String,
        /// What the tool needs to find out later whether it happened; opaque here.
        record: serde_json::Value,
    },
    /// After a crash: the intended side effect is known not to stand, or a person said how to go
    /// on; the call counts as not begun.
    Cleared {
        /// Which task.
        task: String,
        /// Which of its calls.
        call: usize,
        /// How that was found out.
        how: String,
    },
    /// What a model gets to see of the workspace, for one attempt at a step.
    ContextChosen {
        /// Which task.
        task: String,
        /// What, each with its reason.
        chosen: Chosen,
    },
    /// A model replied; stored before anything of the reply is done.
    Replied {
        /// Which task it carries out.
        task: String,
        /// The reply.
        reply: Reply,
    },
    /// A call of a model's was answered without being carried out.
    CallAnswered {
        /// Which task.
        task: String,
        /// Which of its calls.
        call: usize,
        /// Whether that is what the model wanted.
        ok: bool,
        /// What the model gets.
        content: String,
    },
    /// A step is handed over to a command of the user's, which carries it out in place of a model.
    HandedOver {
        /// Which task.
        task: String,
        /// The name that the user gave the command.
        to: String,
        /// The command line.
        line: String,
    },
    /// A model was told something about its last reply.
    Told {
        /// Which task.
        task: String,
        /// What it gets.
        message: String,
    },
    /// A model reported on its step; a claim that it is done starts the checks.
    Reported {
        /// Which task.
        task: String,
        /// The report.
        report: Report,
        /// Whether the model gave none and this was made from what is known.
        #[serde(default)]
        is_inferred: bool,
    },
    /// A claim does not hold.
    ClaimRejected {
        /// Which task.
        task: String,
        /// What the model gets.
        message: String,
    },
    /// Steps were thought of that the plan file does not hold yet.
    StepsPlanned {
        /// Which, and where they go.
        addition: Addition,
        /// What the answer cost; nothing where a rule made them.
        #[serde(default)]
        cost: Cost,
    },
    /// What was to be added cannot be written into this plan file.
    StepsRefused {
        /// Why.
        reason: String,
    },
    /// A planner's answer could not be used.
    PlannerFaulted {
        /// The step that was to be taken apart; absent where the next step was asked for.
        #[serde(default)]
        task: Option<String>,
        /// For the model: what was wrong.
        message: String,
        /// What the answer cost.
        #[serde(default)]
        cost: Cost,
    },
    /// The model says that the goal is reached; whether it is so is found out next.
    GoalClaimed {
        /// What has to hold.
        claim: Claim,
        /// What the answer cost.
        #[serde(default)]
        cost: Cost,
    },
    /// One command of such a claim ended.
    GoalChecked {
        /// How.
        checked: Checked,
    },
    /// The goal is not reached.
    GoalRejected {
        /// Why, one sentence each.
        because: Vec<String>,
    },
    /// An attempt of a model failed, and what comes next is not decided yet.
    Troubled {
        /// Which task.
        task: String,
        /// As what.
        failure: FailureKind,
        /// One sentence.
        reason: String,
    },
    /// The model's window turned out to be smaller than was thought; later requests keep to this.
    WindowLearned {
        /// Tokens of a request and its reply together.
        tokens: u32,
    },
    /// What failed is tried in another way.
    Recovered {
        /// Which task.
        task: String,
        /// How, why, and who chose.
        decision: RecoveryDecision,
    },
    /// A call ended.
    Finished {
        /// Which task.
        task: String,
        /// Which of its calls.
        call: usize,
        /// How.
        outcome: CallOutcome,
    },
    /// One `verify:` command ran.
    Checked {
        /// Which task.
        task: String,
        /// Which of its checks, from 0.
        check: usize,
        /// How.
        outcome: CallOutcome,
    },
    /// A check ran before the run changed anything.
    BaselineChecked {
        /// The step that was about to begin.
        #[serde(default)]
        task: String,
        /// The command line.
        line: String,
        /// How it ended.
        outcome: CallOutcome,
    },
    /// A check that had passed fails again, so that its step is open again.
    Broken {
        /// The step.
        task: String,
        /// The steps that changed something since the check last passed.
        #[serde(default)]
        by: Vec<String>,
        /// One sentence, which names them.
        reason: String,
    },
    /// The task is done; the evidence stands in the entries before and here.
    Done {
        /// Which.
        task: String,
        /// What the step changed in the workspace.
        changes: Changes,
        /// The person who signed, for a step of theirs.
        #[serde(default)]
        signed: Option<Signature>,
        /// What verification came to; absent for a checkpoint, and before it was written down.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        verdict: Option<Verdict>,
    },
    /// The task failed.
    Failed {
        /// Which.
        task: String,
        /// One sentence.
        reason: String,
    },
    /// What the task was about to do was refused; nothing of it was done.
    Refused {
        /// Which.
        task: String,
        /// One sentence.
        reason: String,
        /// The person's own words; none where a rule refused it.
        #[serde(default)]
        words: Option<String>,
    },
    /// A person said something to whoever carries out the steps.
    Said {
        /// The words.
        words: String,
    },
    /// A failed task is to be tried again from where it failed.
    Retried {
        /// Which.
        task: String,
    },
    /// The task will not be carried out.
    Skipped {
        /// Which.
        task: String,
        /// Why, in words.
        reason: String,
        /// Who decided.
        by: SkippedBy,
    },
    /// A decision was taken.
    Decided {
        /// The decision's task.
        task: String,
        /// The label chosen.
        label: String,
    },
    /// The app wrote into the plan file.
    PlanEdited {
        /// What it wrote.
        edit: PlanEdit,
        /// The revision that resulted.
        revision: String,
        /// The fingerprints of steps that this added, which are approved with it.
        #[serde(default)]
        covered: BTreeMap<String, String>,
    },
    /// A person ended a request of a step before its reply was there.
    ReplyStopped {
        /// Which.
        task: String,
        /// What the server had counted.
        usage: Usage,
    },
    /// What a model tried in a step did not pass its check and was taken back: the next try begins with the
    /// files as they were.
    TrialUndone {
        /// Which.
        task: String,
        /// The files put back.
        files: Vec<String>,
    },
    /// The changes of a step were taken back.
    Undone {
        /// Which.
        task: String,
        /// The files put back.
        files: Vec<String>,
    },
    /// The process that carried the run stopped on purpose.
    Ended {
        /// Why.
        state: EndState,
        /// One sentence.
        message: String,
    },
}

impl Entry {
    /// New steps: the parts of a step, or steps of their own.
    pub(crate) fn steps_planned(under: Option<String>, steps: Vec<NewStep>, cost: Cost) -> Self {
        let addition = Addition {
            under,
            after: None,
            steps,
        };
        Self::StepsPlanned { addition, cost }
    }
}

/// How a run began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Started {
    /// The approved revision.
    pub revision: String,
    /// The revision that the file had; another one when only ticks and records lie between.
    #[serde(default)]
    pub found: Option<String>,
    /// How often it asks.
    pub policy: Policy,
    /// The last task to carry out, where only a part was approved.
    #[serde(default)]
    pub upto: Option<String>,
    /// The fingerprint of every approved step.
    pub covered: BTreeMap<String, String>,
    /// What earlier runs recorded of these steps as they are now, for those that the file shows so.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub evidence: BTreeMap<String, Evidence>,
    /// What earlier runs carried out of steps for which that is no evidence.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub half_done: BTreeMap<String, HalfDone>,
    /// The steps that the file shows as skipped because a decision of an earlier run left them out.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub left_out: BTreeSet<String>,
    /// The sandbox in force.
    pub sandbox: String,
    /// The repository as the run found it; absent outside of one.
    #[serde(default)]
    pub repository: Option<Repository>,
    /// What was chosen for this run.
    #[serde(default, skip_serializing_if = "RunChoice::is_empty")]
    pub choice: RunChoice,
    /// The model that was to carry steps out when it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How many steps may be under way at once.
    #[serde(default = "one")]
    pub parallel: u8,
}

/// Journals of old say nothing: one step after the other.
pub(crate) fn one() -> u8 {
    1
}

/// What an earlier run recorded of a step with the same fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The run's id.
    pub run: String,
    /// How the step ended.
    pub end: EarlierEnd,
    /// Whether its checks passed then.
    #[serde(default)]
    pub is_checked: bool,
}

/// What an earlier run carried out of a step, which would happen again if the step began anew: under another
/// text, of another copy of the plan, or with its box open again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HalfDone {
    /// The run's id.
    pub run: String,
    /// The calls as the plan writes them.
    pub lines: Vec<String>,
    /// Whether it was done in that run.
    #[serde(default)]
    pub is_done: bool,
    /// The date of that run.
    #[serde(default)]
    pub on: String,
    /// Whether what the approval covers was something else then.
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
        /// Why.
        reason: String,
    },
    /// Decided; only where nothing that depends on it is left to do.
    Decided {
        /// The label chosen.
        label: String,
    },
}

/// A repository at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// The commit; absent in a repository without one.
    pub head: Option<String>,
    /// Files with changes that no commit holds, the plan itself not counted.
    pub dirty: u32,
}

/// How a call or check ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CallOutcome {
    /// The tool's name; the machine fills it in.
    #[serde(default)]
    pub tool: String,
    /// Whether it did what it should.
    pub ok: bool,
    /// One sentence for the screen.
    pub summary: String,
    /// The command line, for commands.
    #[serde(default)]
    pub command: Option<String>,
    /// The exit code, for commands that exited.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// The end of the output, bounded.
    #[serde(default)]
    pub output: String,
    /// Short facts found.
    #[serde(default)]
    pub discoveries: Vec<String>,
    /// How long it took, in milliseconds.
    #[serde(default)]
    pub elapsed_ms: u64,
    /// The outcome was found out after a crash.
    #[serde(default)]
    pub recovered: bool,
    /// Stopped because the person cancelled: what it came to is unknown, so it is not recorded.
    #[serde(skip)]
    pub cancelled: bool,
    /// The file before and after, as read back from the disk, for calls that change one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Box<FileHashes>>,
    /// It failed for a cause outside the call, such as a full disk: the same call may succeed later.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_passing: bool,
    /// The file that a model read, and the SHA-256 of what it held then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Box<(String, String)>>,
    /// How much a search found; hits in the plan file itself do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hits: Option<u32>,
    /// A check that failed and passed when it was run again without a change between.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_flaky: bool,
    /// What a command threw away of files, found out by looking at them; nothing that a person agreed to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<Box<Danger>>,
    /// What a model gets of it, where one made the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

impl CallOutcome {
    /// The request that a person would allow it by.
    pub fn as_request(&self, danger: Option<Danger>) -> PermissionRequest {
        PermissionRequest {
            tool: plan::ToolName::RunCommand.as_str().to_owned(),
            subject: self.command.clone().unwrap_or_default(),
            danger,
        }
    }
}

/// What a step changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Changes {
    /// Workspace paths, sorted.
    #[serde(default)]
    pub files: Vec<String>,
    /// SHA-256 of the unified diff; absent when nothing changed.
    #[serde(default)]
    pub diff_hash: Option<String>,
    /// How many files changed besides that Git ignores: outputs, which are not listed.
    #[serde(default)]
    pub ignored: usize,
    /// Why what changed does not show that the step is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hollow: Option<String>,
    /// Whether that counts although its check passes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_certain: bool,
}

/// A person's word that a step is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Signature {
    /// What they noted.
    #[serde(default)]
    pub note: Option<String>,
}

/// Who decided that a task is skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkippedBy {
    /// The chosen branch of a decision left it out; those who depend on it need not wait.
    Branch,
    /// A person.
    Person,
    /// The model that was to carry it out; no other step waits for it.
    Model,
}

/// Something the app writes into the plan file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case")]
pub enum PlanEdit {
    /// Ticks the box, and those of groups that become complete.
    Tick {
        /// Which task.
        task: String,
    },
    /// Opens the box of a step again, and those of the groups around it.
    Untick {
        /// Which task.
        task: String,
    },
    /// Adds the `skipped:` line.
    Skip {
        /// Which task.
        task: String,
        /// Its reason.
        reason: String,
    },
    /// Adds steps that a run thought of.
    Add {
        /// Which, and where they go.
        addition: Addition,
    },
    /// Writes the answer under `## Decisions` and ticks the decision.
    Decide {
        /// Which decision.
        task: String,
        /// The label chosen.
        label: String,
        /// The person's note.
        note: Option<String>,
    },
}

impl PlanEdit {
    /// Whether it ticks this task's box or opens it.
    pub fn is_of_box(&self, task: &str) -> bool {
        matches!(self, Self::Tick { task: of } | Self::Untick { task: of } if of == task)
    }
}

/// Steps that a run adds to its plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Addition {
    /// The step that they are parts of; absent where they are steps of their own.
    #[serde(default)]
    pub under: Option<String>,
    /// The step that they come after, where they are steps of their own; absent in a plan without steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The steps.
    pub steps: Vec<NewStep>,
}

impl Addition {
    /// The tasks of a plan that are these steps, each once, in their order; `None` unless all are there.
    /// A process that ended just behind the write leaves it so.
    pub fn found_in<'p>(&self, plan: &'p Plan) -> Option<Vec<&'p Task>> {
        let mut found: Vec<&Task> = Vec::new();
        for step in &self.steps {
            let is_it = |task: &&Task| {
                task.calls.is_empty()
                    && task.title.ends_with(&step.title)
                    && task.values("origin").any(|origin| origin.trim() == "run")
                    && !found.iter().any(|known| known.id == task.id)
            };
            // The newest are the lowest.
            found.push(plan.tasks.iter().rev().find(is_it)?);
        }
        Some(found)
    }
}

/// What one answer of a model cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Requests: one, or none where a rule answered.
    pub requests: u32,
    /// Tokens.
    pub usage: Usage,
    /// Milliseconds.
    pub elapsed_ms: u64,
}

gate::named! {
    /// Why a run stopped.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum EndState {
        /// Every step is done, with evidence, or was skipped by a person or a decision.
        Done = "done",
        /// Every step has ended, and nothing shows that some of them are done.
        Unverified = "unverified",
        /// Every step has ended, and a requirement is not covered by what is done, or a model skipped a
        /// step.
        Incomplete = "incomplete",
        /// A person is needed.
        Waiting = "waiting",
        /// A step failed.
        Failed = "failed",
        /// A step about to run is not covered by the approval.
        NotCovered = "not_covered",
        /// A checkpoint's answer or the person stopped it.
        Stopped = "stopped",
        /// The person cancelled.
        Cancelled = "cancelled",
        /// The person had it end after the step in hand.
        Paused = "paused",
        /// It can never be resumed: a person discarded it, or another run took its place.
        Discarded = "discarded",
    }
}
