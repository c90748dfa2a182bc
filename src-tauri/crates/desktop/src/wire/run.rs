//! Runs: their state, questions, answers and controls.

use gate::destructive::Danger;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::DiffLine;

/// A summary of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct RunView {
    /// The run's id.
    pub run: String,
    /// The plan's key.
    pub plan: String,
    /// The plan's title.
    pub title: String,
    /// The workspace's path.
    pub workspace: String,
    /// The approved revision.
    pub revision: String,
    /// `running`, `waiting`, `paused`, `failed`, `interrupted`, `stopped`, `not_covered`,
    /// `unverified`, `incomplete`, `discarded`, `done`.
    pub state: String,
    /// Whether this process is carrying it out.
    pub is_live: bool,
    /// Whether another process is carrying it out.
    pub is_elsewhere: bool,
    /// Whether it can be resumed.
    pub can_resume: bool,
    /// One sentence that explains the state.
    pub message: String,
    /// The approval policy: `each`, `risky` or `all`.
    pub policy: String,
    /// Id of the last approved step, if not all were approved.
    pub upto: Option<String>,
    /// Name of the sandbox in force.
    pub sandbox: String,
    /// Number of finished steps.
    pub done: u32,
    /// Total number of steps.
    pub total: u32,
    /// The steps that have started or are waiting, in plan order; only the most recent ones if
    /// there are too many.
    pub steps: Vec<RunStepSummary>,
    /// Questions that wait for a person.
    pub questions: Vec<RunQuestion>,
    /// Progress of the current step while the run is live; with several in parallel, of the one
    /// that started first.
    pub current: Option<StepProgress>,
    /// Progress of the other parallel steps.
    pub beside: Vec<StepProgress>,
    /// Maximum number of parallel steps.
    pub parallel: u8,
    /// Active time, milliseconds.
    pub work_ms: u64,
    /// The state of each task by id, for the outline: `ready`, `running`, `done`, `failed`,
    /// `skipped`, `waiting`, `interrupted`, `undone`, `refused`, `unverified`.
    pub states: Vec<TaskRunState>,
    /// Id of the step that would start next, for “Approve and continue”.
    pub next: Option<String>,
    /// When it started.
    pub started_at_ms: i64,
    /// The model that carries out steps, with its options; `None` for a run without a model.
    pub effort: Option<super::EffortView>,
    /// Number of steps that the run added to the plan.
    pub added: u32,
}

/// The state of one task in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TaskRunState {
    /// The task's id.
    pub task: String,
    /// See [`RunView::states`].
    pub state: String,
    /// Short note at the right of the row: "evidence: 2 hits", "signed", "exit 0".
    pub evidence: Option<String>,
}

/// A summary of one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct RunStepSummary {
    /// The step's id.
    pub task: String,
    /// The step's title.
    pub title: String,
    /// See [`RunView::states`].
    pub state: String,
    /// Why it failed, was skipped, is unverified, or was allowed despite the quality gate.
    pub reason: Option<String>,
    /// Number of files it changed.
    pub changes: u32,
    /// Active time, milliseconds.
    pub work_ms: u64,
}

/// Progress of a running step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct StepProgress {
    /// The step's id.
    pub task: String,
    /// Its number among the run's steps, from 1.
    pub step: u32,
    /// Total number of steps.
    pub steps: u32,
    /// Whether the run may still add steps.
    pub is_open_ended: bool,
    /// `starting`, `tool_calling`, `processing` or `completing`.
    pub phase: String,
    /// Names of the tools it has used.
    pub tools_used: Vec<String>,
    /// Facts it has found.
    pub discoveries: Vec<String>,
    /// Its current action.
    pub current_action: Option<String>,
    /// Time since the step started in this process, milliseconds.
    pub elapsed_ms: u64,
    /// Time since it last showed activity, milliseconds; shown as a stall after 10 s.
    pub quiet_ms: u64,
}

/// One step of a run in full.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct RunStep {
    /// The run's id.
    pub run: String,
    /// The step's id.
    pub task: String,
    /// The step's title.
    pub title: String,
    /// See [`RunView::states`].
    pub state: String,
    /// Why it failed, was skipped, is unverified, or was allowed despite the quality gate.
    pub reason: Option<String>,
    /// Number of attempts.
    pub attempts: u32,
    /// Ids of the steps that ran in parallel with it.
    pub beside: Vec<String>,
    /// When it started; `None` if it hasn't.
    pub started_at_ms: Option<i64>,
    /// When it last ended; `None` if it hasn't.
    pub ended_at_ms: Option<i64>,
    /// Active time, milliseconds.
    pub work_ms: u64,
    /// Calls and checks in order.
    pub actions: Vec<StepAction>,
    /// Facts it found, even if it failed.
    pub discoveries: Vec<String>,
    /// Remarks on its checks, such as a flaky check or one that the step edited.
    pub notes: Vec<String>,
    /// Paths of the files it changed.
    pub changes: Vec<String>,
    /// The most recent output of the running command.
    pub output: String,
    /// Whether `output` is missing its beginning.
    pub output_is_cut: bool,
    /// The context sent to the model for its last attempt; `None` for a step without a model.
    pub context: Option<super::StepContext>,
    /// The model's work on it; `None` for a step without a model.
    pub model: Option<super::StepModel>,
    /// The command it was handed over to in place of a model, if any.
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

/// One action of a step, such as a call or a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct StepAction {
    /// `call`, `check` or `signature`; for a model also `answered` (a call that wasn't carried
    /// out), `repaired`, `faulted` (an invalid reply), `rejected` (a claim to be done), `recovered`
    /// and `split`.
    pub kind: String,
    /// The tool: `read_file`, `run_command`, …; empty for a signature.
    pub tool: String,
    /// A description for display: "Read src/cli.py", "Searched “add_argument”", the command line.
    pub title: String,
    /// The result: "lines 1–88", "2 hits", "+6 −1", "exit 0".
    pub summary: String,
    /// Whether it succeeded; `None` while it runs.
    pub ok: Option<bool>,
    /// The exit code.
    pub exit_code: Option<i32>,
    /// The end of its output; bounded.
    pub output: String,
    /// How long it took, milliseconds.
    pub elapsed_ms: u64,
    /// Whether the outcome was determined after a crash.
    pub recovered: bool,
    /// Whether this check passed after failing earlier, with no change in between.
    pub flaky: bool,
}

/// A question that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct RunQuestion {
    /// The run's id.
    pub run: String,
    /// Id of the task it is about.
    pub task: String,
    /// The task's title.
    pub title: String,
    /// `person`, `checkpoint`, `decision`, `approval`, `gate`, `permission`, `destructive`,
    /// `unknown`, `failure` or `skipped_dependency`.
    pub kind: String,
    /// The step's state: see [`RunView::states`].
    pub state: String,
    /// The question, in one or two sentences.
    pub message: String,
    /// The possible answers.
    pub options: Vec<QuestionOption>,
    /// Identifies the step's content and this question. The answer has to repeat it.
    pub fingerprint: Option<String>,
    /// For a permission: the request to allow.
    pub permission: Option<PermissionView>,
    /// For a question about starting a step: its effects in order, based on the current plan and
    /// files.
    pub effects: Vec<super::StepEffect>,
}

/// One possible answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct QuestionOption {
    /// The label, which is also the answer.
    pub label: String,
    /// Its effect, in one line.
    pub effect: String,
    /// Whether it only shows the changes and leaves the question open.
    pub is_review: bool,
}

/// A permission request in detail.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct PermissionView {
    /// The tool's name.
    pub tool: String,
    /// The whole command line, or the path.
    pub subject: String,
    /// Whether it runs in a shell.
    pub is_shell: bool,
    /// Facts for display: "in the workspace", "not named in the plan", "sandbox: bubblewrap".
    pub facts: Vec<String>,
    /// The change to a file, for edits.
    pub diff: Vec<DiffLine>,
    /// Rules that “always here” could create, narrowest first, as they would be written.
    pub rules: Vec<RuleOffer>,
    /// What the call would destroy, if it is destructive.
    pub danger: Option<Box<Danger>>,
}

/// A rule that “always here” could create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RuleOffer {
    /// `exact` or `prefix`.
    pub kind: String,
    /// The text it matches.
    pub text: String,
}

/// A person's answer to a question of a run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
pub struct AnswerRequest {
    /// The run's id.
    pub run: String,
    /// The task's id.
    pub task: String,
    /// The kind of question that was on screen.
    pub kind: String,
    /// The question's fingerprint.
    pub fingerprint: Option<String>,
    /// The person's answer.
    pub answer: GivenAnswer,
}

/// A person's answer to a question of a run, with its details.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum GivenAnswer {
    /// The person has done the step.
    Done {
        /// A note from the person.
        note: Option<String>,
    },
    /// One of the options of a checkpoint or decision, or free text if it has none.
    Choice {
        /// The option's label, or the free text.
        label: String,
        /// An additional note.
        note: Option<String>,
    },
    /// Start the step, and optionally all steps up to another one.
    Run {
        /// Id of the last step, for “Approve up to here”.
        upto: Option<String>,
    },
    /// Allow a blocked step.
    Reason {
        /// Why the step may run anyway.
        text: String,
    },
    /// Skip the step.
    Skip {
        /// Why the step is skipped.
        reason: String,
    },
    /// Retry the step.
    Retry,
    /// Stop the run.
    Stop,
    /// Check what happened, if an action's outcome is unknown.
    Check,
    /// Repeat an action whose outcome is unknown.
    Repeat,
    /// Grant a permission once.
    AllowOnce,
    /// Grant a permission for this run.
    AllowRun,
    /// Always grant a permission in this workspace.
    AllowAlways {
        /// The rule, as offered.
        rule: RuleOffer,
    },
    /// Deny a permission.
    Deny {
        /// An optional message.
        words: Option<String>,
    },
}

/// A control action on a run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Steering {
    /// Finish the current step, then pause.
    Pause,
    /// Resume.
    Resume,
    /// Stop now, ending the running command.
    Cancel,
    /// Skip a step.
    Skip {
        /// The task's id.
        task: String,
        /// Why the step is skipped.
        reason: String,
    },
    /// Retry a failed step.
    Retry {
        /// The task's id.
        task: String,
    },
    /// Switch a step that a model carries out to another recovery strategy, at any time.
    Recover {
        /// The task's id.
        task: String,
        /// See [`super::StepRecovery::strategy`].
        strategy: String,
        /// Instructions for the next attempt, or the reason for skipping the step.
        words: Option<String>,
    },
}
