//! A run as the window shows and steers it.

use gate::destructive::Danger;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::DiffLine;

/// A run at a glance.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct RunView {
    /// Its id.
    pub run: String,
    /// The plan's key.
    pub plan: String,
    /// The plan's title.
    pub title: String,
    /// The workspace.
    pub workspace: String,
    /// The approved revision.
    pub revision: String,
    /// `running`, `waiting`, `paused`, `failed`, `interrupted`, `stopped`, `not_covered`, `unverified`,
    /// `incomplete`, `discarded`, `done`.
    pub state: String,
    /// Whether this program carries it out right now.
    pub is_live: bool,
    /// Whether another process does.
    pub is_elsewhere: bool,
    /// Whether it can be resumed.
    pub can_resume: bool,
    /// One sentence about the state.
    pub message: String,
    /// How often it asks.
    pub policy: String,
    /// The last step approved, where not all were.
    pub upto: Option<String>,
    /// The sandbox in force.
    pub sandbox: String,
    /// Steps ended.
    pub done: u32,
    /// Steps in all.
    pub total: u32,
    /// The steps that were begun or wait, in the order they were begun; bounded to the newest.
    pub steps: Vec<RunStepSummary>,
    /// What waits for a person.
    pub questions: Vec<RunQuestion>,
    /// What the current step does, while live; of several under way, the one begun first.
    pub current: Option<StepProgress>,
    /// What the other steps do that are under way at the same time.
    pub beside: Vec<StepProgress>,
    /// How many steps may be under way at once.
    pub parallel: u8,
    /// Time at work, milliseconds.
    pub work_ms: u64,
    /// The state of each task by id, for marks in the outline: `ready`, `running`, `done`, `failed`,
    /// `skipped`, `waiting`, `interrupted`, `undone`, `refused`, `unverified`.
    pub states: Vec<TaskRunState>,
    /// The step that would be started next, for “Approve T3 and go on”.
    pub next: Option<String>,
    /// When it began.
    pub started_at_ms: i64,
    /// The model that carries steps out, with what its profile decides; absent for a run without one.
    pub effort: Option<super::EffortView>,
    /// Steps that the run added to the plan.
    pub added: u32,
}

/// The state of one task in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TaskRunState {
    /// Its id.
    pub task: String,
    /// See [`RunView::states`].
    pub state: String,
    /// What the row says at its right: "evidence: 2 hits", "signed", "exit 0".
    pub evidence: Option<String>,
}

/// One step at a glance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct RunStepSummary {
    /// Its task.
    pub task: String,
    /// Its title.
    pub title: String,
    /// See [`RunView::states`].
    pub state: String,
    /// Why it failed, was skipped or was let through.
    pub reason: Option<String>,
    /// Files it changed.
    pub changes: u32,
    /// Time at work, milliseconds.
    pub work_ms: u64,
}

/// What the current step does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct StepProgress {
    /// Its task.
    pub task: String,
    /// Its number among the run's steps, from 1.
    pub step: u32,
    /// How many there are.
    pub steps: u32,
    /// Whether there may be more before the run is over.
    pub is_open_ended: bool,
    /// `starting`, `tool_calling`, `processing` or `completing`.
    pub phase: String,
    /// Tools used so far.
    pub tools_used: Vec<String>,
    /// Facts found so far.
    pub discoveries: Vec<String>,
    /// What is being done.
    pub current_action: Option<String>,
    /// Since the step began in this process.
    pub elapsed_ms: u64,
    /// Since the last sign of life; a stall is shown from 10 s on.
    pub quiet_ms: u64,
}

/// One step of a run, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct RunStep {
    /// The run.
    pub run: String,
    /// Its task.
    pub task: String,
    /// Its title.
    pub title: String,
    /// See [`RunView::states`].
    pub state: String,
    /// Why it failed, was skipped or was let through.
    pub reason: Option<String>,
    /// How often it was tried.
    pub attempts: u32,
    /// The steps that were under way while it was.
    pub beside: Vec<String>,
    /// When it was begun; absent for one that was not.
    pub started_at_ms: Option<i64>,
    /// When it last came to an end; absent for one that has not.
    pub ended_at_ms: Option<i64>,
    /// Time at work, milliseconds.
    pub work_ms: u64,
    /// Calls and checks in order.
    pub actions: Vec<StepAction>,
    /// Facts found, also when it failed.
    pub discoveries: Vec<String>,
    /// What is to be known of its checks: one is flaky, one was edited by the step.
    pub notes: Vec<String>,
    /// Files it changed.
    pub changes: Vec<String>,
    /// The end of what the command under way has printed.
    pub output: String,
    /// Whether the beginning of `output` was cut off.
    pub output_is_cut: bool,
    /// What a model was given for its last attempt; absent for a step without one.
    pub context: Option<super::StepContext>,
    /// What a model did for it; absent for a step without one.
    pub model: Option<super::StepModel>,
    /// What it was handed over to in place of a model.
    pub handed_to: Option<HandedTo>,
}

/// A command that a step was handed over to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct HandedTo {
    /// The name that the user gave it.
    pub name: String,
    /// The whole command line.
    pub line: String,
}

/// One call or check of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct StepAction {
    /// `call`, `check` or `signature`; of a model `answered` (a call that was not carried out), `repaired`,
    /// `faulted` (of a reply), `rejected` (of a claim), `recovered` and `split`.
    pub kind: String,
    /// The tool: `read_file`, `run_command`, …; empty for a signature.
    pub tool: String,
    /// As people read it: "Read src/cli.py", "Searched “add_argument”", the command line.
    pub title: String,
    /// What came of it: "lines 1–88", "2 hits", "+6 −1", "exit 0".
    pub summary: String,
    /// Whether it did what it should; absent while it goes on.
    pub ok: Option<bool>,
    /// The exit code.
    pub exit_code: Option<i32>,
    /// The end of the output; bounded.
    pub output: String,
    /// How long it took, milliseconds.
    pub elapsed_ms: u64,
    /// Found out after a crash.
    pub recovered: bool,
    /// A check that failed before, with no change between.
    pub flaky: bool,
}

/// Something that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct RunQuestion {
    /// The run.
    pub run: String,
    /// The task it is about.
    pub task: String,
    /// Its title.
    pub title: String,
    /// `person`, `checkpoint`, `decision`, `approval`, `gate`, `permission`, `destructive`, `unknown`,
    /// `failure` or `skipped_dependency`.
    pub kind: String,
    /// Where the step stands: see [`RunView::states`].
    pub state: String,
    /// One or two sentences.
    pub message: String,
    /// What can be answered.
    pub options: Vec<QuestionOption>,
    /// Names the step as it reads and this question of it; the answer repeats it unread.
    pub fingerprint: Option<String>,
    /// For a permission.
    pub permission: Option<PermissionView>,
    /// For a question whether a step may start: what it would do, in its order, as the plan and the files
    /// read now.
    pub effects: Vec<super::StepEffect>,
}

/// One possible answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct QuestionOption {
    /// What is answered.
    pub label: String,
    /// What it leads to, in one line.
    pub effect: String,
}

/// What a permission would allow.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct PermissionView {
    /// The tool.
    pub tool: String,
    /// The whole command line, or the path.
    pub subject: String,
    /// Whether a shell reads it.
    pub is_shell: bool,
    /// Facts in words: "in the workspace", "not named in the plan", "sandbox: bubblewrap".
    pub facts: Vec<String>,
    /// What it would change in a file, for edits.
    pub diff: Vec<DiffLine>,
    /// Rules that “always here” could make, the narrowest first, as they would be written.
    pub rules: Vec<RuleOffer>,
    /// What it would destroy, for a checkpoint by rule.
    pub danger: Option<Box<Danger>>,
}

/// A rule that “always here” could make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RuleOffer {
    /// `exact` or `prefix`.
    pub kind: String,
    /// The text that it matches.
    pub text: String,
}

/// A person's answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
pub struct AnswerRequest {
    /// The run.
    pub run: String,
    /// The task.
    pub task: String,
    /// The kind of the question that was on screen.
    pub kind: String,
    /// The fingerprint that the question named.
    pub fingerprint: Option<String>,
    /// What is answered.
    pub answer: GivenAnswer,
}

/// What a person answers.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum GivenAnswer {
    /// The person's step is done.
    Done {
        /// Their words.
        note: Option<String>,
    },
    /// One of the options of a checkpoint or decision, or free words where there are none.
    Choice {
        /// Its label.
        label: String,
        /// Words beside it.
        note: Option<String>,
    },
    /// Start the step; with the steps up to this one.
    Run {
        /// “Approve to here”.
        upto: Option<String>,
    },
    /// Let a blocked step pass.
    Reason {
        /// Why.
        text: String,
    },
    /// Leave the step out.
    Skip {
        /// Why.
        reason: String,
    },
    /// Try again.
    Retry,
    /// End the run.
    Stop,
    /// For an unknown outcome: find out.
    Check,
    /// For an unknown outcome: do it again.
    Repeat,
    /// Allow a permission once.
    AllowOnce,
    /// Allow it for this run.
    AllowRun,
    /// Always allow it in this workspace.
    AllowAlways {
        /// The rule as it was shown.
        rule: RuleOffer,
    },
    /// Refuse a permission.
    Deny {
        /// What to say.
        words: Option<String>,
    },
}

/// Steering a run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Steering {
    /// Finish the step in hand and stop there.
    Pause,
    /// Go on.
    Resume,
    /// Stop now; a command under way is ended.
    Cancel,
    /// Leave a step out.
    Skip {
        /// Which.
        task: String,
        /// Why.
        reason: String,
    },
    /// Try a failed step again.
    Retry {
        /// Which.
        task: String,
    },
    /// Go on in another way with a step that a model carries out, at any time.
    Recover {
        /// Which.
        task: String,
        /// See [`super::StepRecovery::strategy`].
        strategy: String,
        /// For the next attempt; for a step left out, why.
        words: Option<String>,
    },
}
