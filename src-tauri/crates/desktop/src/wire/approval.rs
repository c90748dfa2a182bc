//! Approvals: what the dialog shows and what it sends back.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::DiffLine;

/// Everything that an approval dialog shows, including the revision to approve.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct ApprovalView {
    /// The plan's key.
    pub plan: String,
    /// The revision to approve.
    pub revision: String,
    /// The steps that the approval would allow, in order; bounded.
    pub steps: Vec<ApprovalStep>,
    /// Total number of such steps.
    pub step_count: u32,
    /// The steps that won't run; bounded.
    pub left_out: Vec<LeftOutStep>,
    /// Total number of such steps.
    pub left_out_count: u32,
    /// Why a reason is required: the plan is thin and enforcement is on.
    pub reason_for: Option<String>,
    /// Steps blocked by the quality gate. They need a reason now or an answer during the run.
    pub blocked: Vec<BlockedStep>,
    /// Why the plan can't run at all, such as a dependency cycle or no tasks.
    pub not_runnable: Option<String>,
    /// Id of a run of this plan that is already in progress.
    pub running: Option<String>,
    /// Number of unsent comments.
    pub unsent_comments: u32,
    /// The state of the Git repository; `None` outside one.
    pub git: Option<GitView>,
    /// The default approval policy: `each`, `risky` or `all`.
    pub policy: String,
    /// The policies that the settings allow.
    pub policies: Vec<String>,
    /// The sandbox in force, in one sentence.
    pub sandbox: String,
    /// How steps run by default.
    pub effort: EffortView,
}

/// How a run would be carried out: by which model or command, and within which limits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct EffortView {
    /// Name of the configured model, if there is one.
    pub model: Option<String>,
    /// Effects of the model's profile, as short phrases: "window 32,768", "short prompts".
    pub profile: Vec<String>,
    /// `upfront`, `iterative` or `hybrid`; from the plan, else from the settings and the profile.
    pub strategy: String,
    /// Source of the strategy: `plan`, `settings` or `profile`.
    pub strategy_from: String,
    /// Steps requested from the model at a time, 1 to 3.
    pub look_ahead: u32,
    /// How much context the model gets for a step: `minimal`, `relevant` or `full`.
    pub context: String,
    /// Maximum number of steps that a run may add.
    pub steps: u32,
    /// Maximum number of model requests.
    pub calls: u32,
    /// Maximum number of tokens in those requests.
    pub tokens: u64,
    /// Maximum working time, in seconds.
    pub seconds: u64,
    /// Commands from the user's settings that can carry out steps in place of a model.
    pub executors: Vec<ExecutorView>,
    /// Name of the command in use, if any.
    pub hand_over: Option<String>,
}

/// A command, such as another agent, that steps can be handed over to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ExecutorView {
    /// The command's name in the settings.
    pub name: String,
    /// The whole command line.
    pub line: String,
    /// Whether it may use the network.
    pub network: bool,
    /// Timeout in seconds.
    pub timeout_s: u64,
    /// Names of the environment variables passed to it.
    pub env: Vec<String>,
}

/// Options that a user chose for one run; `None` fields use the settings and the profile.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Type)]
pub struct RunEffort {
    /// Name of the model that carries out steps; an empty name means no model.
    pub model: Option<String>,
    /// See [`EffortView::strategy`].
    pub strategy: Option<String>,
    /// See [`EffortView::look_ahead`].
    pub look_ahead: Option<u32>,
    /// See [`EffortView::context`].
    pub context: Option<String>,
    /// Maximum number of steps that the run may add.
    pub steps: Option<u32>,
    /// Maximum number of model requests.
    pub calls: Option<u32>,
    /// Maximum number of tokens in those requests.
    pub tokens: Option<u64>,
    /// Maximum working time, in seconds.
    pub seconds: Option<u64>,
    /// Name of the command that carries out steps without `call:` lines.
    pub hand_over: Option<String>,
}

/// One step in an approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ApprovalStep {
    /// The step's id.
    pub task: String,
    /// The step's title.
    pub title: String,
    /// Who carries it out: `agent` or `person`.
    pub by: String,
    /// The step's effects, in order.
    pub effects: Vec<StepEffect>,
    /// Whether the step can be handed over: it has no calls of its own and isn't assigned to a
    /// person.
    pub is_free: bool,
}

plan::named! {
    /// The kind of an effect.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
    pub enum EffectVerb {
        /// Reads a file or folder.
        Reads = "reads",
        /// Edits a file that exists.
        Edits = "edits",
        /// Creates a file.
        Creates = "creates",
        /// Deletes a file.
        Deletes = "deletes",
        /// Runs a command.
        Runs = "runs",
        /// Waits for a person; the subject says for what.
        WaitsForYou = "waits_for_you",
        /// Asks for permission; the subject says when.
        Asks = "asks",
        /// Shows a notice; the subject says more.
        Shows = "shows",
        /// Runs only under the condition in the subject.
        OnlyIf = "only_if",
        /// The call in the subject can't be run.
        CannotRun = "cannot_run",
    }
}

/// One effect of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct StepEffect {
    /// The kind of effect.
    pub verb: EffectVerb,
    /// The path, the whole command line, or the rest of the sentence.
    pub subject: String,
    /// The call as written in the plan, if it says more than `subject` and no diff is shown.
    pub call: Option<String>,
    /// The diff against the current file; bounded, and empty in an approval.
    pub diff: Vec<DiffLine>,
}

/// A step that won't run under this approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct LeftOutStep {
    /// The step's id.
    pub task: String,
    /// The step's title.
    pub title: String,
    /// Why it won't run, in a few words.
    pub reason: String,
}

/// A step that the quality gate blocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct BlockedStep {
    /// The step's id.
    pub task: String,
    /// Why it is blocked, one sentence each.
    pub messages: Vec<String>,
}

/// The state of a Git repository before a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct GitView {
    /// The branch; `None` for a detached HEAD.
    pub branch: Option<String>,
    /// Abbreviated hash of the current commit; `None` in a repository without commits.
    pub head: Option<String>,
    /// Paths of files with uncommitted changes; bounded.
    pub dirty: Vec<String>,
    /// Total number of such files.
    pub dirty_count: u32,
    /// A suggested name for a new branch.
    pub offer: String,
}

/// A note to be written under a step verbatim.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, Type)]
pub struct StepNote {
    /// The step's id.
    pub task: String,
    /// The note.
    pub text: String,
}

/// A preview of the plan with the notes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct NotesPreview {
    /// The resulting revision; the approval has to name it.
    pub revision: String,
    /// The added lines.
    pub diff: Vec<DiffLine>,
}

/// An approval from the user.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Type)]
pub struct ApproveRequest {
    /// The plan's key.
    pub plan: String,
    /// The revision that was on screen.
    pub revision: String,
    /// Whether to start a run now; otherwise the approval is only stored.
    pub run: bool,
    /// Id of the last step to run; `None` runs all steps.
    pub upto: Option<String>,
    /// The approval policy: `each`, `risky` or `all`; `None` uses the default.
    pub policy: Option<String>,
    /// Maximum number of parallel steps, 1 to 4; `None` for one.
    pub parallel: Option<u8>,
    /// Reason for running despite the quality gate or enforcement.
    pub reason: Option<String>,
    /// Notes to write, with the revision from their preview.
    pub notes: Option<GivenNotes>,
    /// Name of a branch to create for the run.
    pub branch: Option<String>,
    /// Options that differ from the defaults.
    pub effort: Option<RunEffort>,
    /// How long the plan was on screen, in milliseconds; `None` if it wasn't shown in the window.
    pub shown_ms: Option<u32>,
}

/// Notes, with the preview that the user saw.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
pub struct GivenNotes {
    /// The notes.
    pub notes: Vec<StepNote>,
    /// The revision from the preview.
    pub revision: String,
}

/// The result of an approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Approved {
    /// The approved revision.
    pub revision: String,
    /// Id of the run that was started, if any.
    pub run: Option<String>,
    /// Number of agents that were waiting for this decision and have received it.
    pub told: u32,
}
