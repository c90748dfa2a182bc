//! Approving: what the person is shown, and what they give.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::DiffLine;

/// Everything that an approval dialog shows. It names the bytes that will be approved.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct ApprovalView {
    /// The plan's key.
    pub plan: String,
    /// The revision to approve.
    pub revision: String,
    /// The steps that the approval would let run, in order; bounded.
    pub steps: Vec<ApprovalStep>,
    /// How many there are.
    pub step_count: u32,
    /// The steps that will not run; bounded.
    pub left_out: Vec<LeftOutStep>,
    /// How many there are.
    pub left_out_count: u32,
    /// Why a reason has to be written: the plan is thin and enforcement is on.
    pub reason_for: Option<String>,
    /// Steps that the quality gate blocks; they need a reason too, or stay asked about.
    pub blocked: Vec<BlockedStep>,
    /// Why it cannot be run at all: a cycle, no task.
    pub not_runnable: Option<String>,
    /// A run that goes on already.
    pub running: Option<String>,
    /// Comments that were not sent.
    pub unsent_comments: u32,
    /// The state of the repository; absent outside of one.
    pub git: Option<GitView>,
    /// How often a run asks unless said otherwise: `each`, `risky` or `all`.
    pub policy: String,
    /// The policies that the settings allow.
    pub policies: Vec<String>,
    /// The sandbox in force, in one sentence.
    pub sandbox: String,
    /// How steps are carried out and thought of, unless said otherwise.
    pub effort: EffortView,
}

/// How a run would be carried out: who by, and how far it may go.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
pub struct EffortView {
    /// The model that is configured; absent where there is none.
    pub model: Option<String>,
    /// What its profile decides, in a few words each: "window 32,768", "calls in its text".
    pub profile: Vec<String>,
    /// `upfront`, `iterative` or `hybrid`: of the plan, else of the settings and the profile.
    pub strategy: String,
    /// Where that comes from: `plan`, `settings` or `profile`.
    pub strategy_from: String,
    /// Steps asked for at once, 1 to 3.
    pub look_ahead: u32,
    /// How much of what is known the model is given for a step: `minimal`, `relevant` or `full`.
    pub context: String,
    /// Steps that a run may add.
    pub steps: u32,
    /// Requests to a model.
    pub calls: u32,
    /// Tokens of them.
    pub tokens: u64,
    /// Seconds of work.
    pub seconds: u64,
    /// Commands of the user's settings that steps can be handed over to in place of a model.
    pub executors: Vec<ExecutorView>,
    /// The one of them that steps are handed over to, by its name.
    pub hand_over: Option<String>,
}

/// A command that steps can be handed over to, as another agent's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ExecutorView {
    /// Its name.
    pub name: String,
    /// The whole command line.
    pub line: String,
    /// Whether it may use the network.
    pub network: bool,
    /// How long it may take, in seconds.
    pub timeout_s: u64,
    /// Variables of the user's environment that it gets.
    pub env: Vec<String>,
}

/// What a person chose for one run; what is absent is as the settings and the profile say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Type)]
pub struct RunEffort {
    /// The model that carries steps out; empty for none.
    pub model: Option<String>,
    /// See [`EffortView::strategy`].
    pub strategy: Option<String>,
    /// 1 to 3.
    pub look_ahead: Option<u32>,
    /// See [`EffortView::context`].
    pub context: Option<String>,
    /// Steps that the run may add.
    pub steps: Option<u32>,
    /// Requests to a model.
    pub calls: Option<u32>,
    /// Tokens of them.
    pub tokens: Option<u64>,
    /// Seconds of work.
    pub seconds: Option<u64>,
    /// The command that steps without `call:` lines are handed over to, by its name.
    pub hand_over: Option<String>,
}

/// One step of an approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ApprovalStep {
    /// Its id.
    pub task: String,
    /// Its title.
    pub title: String,
    /// `agent` or `person`.
    pub by: String,
    /// What it does, in its order.
    pub effects: Vec<StepEffect>,
    /// Whether it has no calls of its own and names no person, so that it can be handed over.
    pub is_free: bool,
}

/// One thing that a step does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct StepEffect {
    /// As people read it: `reads`, `edits`, `creates`, `deletes`, `runs`, `waits for you`, `asks`, `shows`,
    /// `only if`, `cannot run`.
    pub verb: String,
    /// The path, the whole command line, or the end of the sentence.
    pub subject: String,
    /// The call as the plan writes it, where it says more than the subject and the lines are not shown.
    pub call: Option<String>,
    /// The lines that it would change in the file as it is now; bounded, and empty in an approval.
    pub diff: Vec<DiffLine>,
}

/// A step that an approval will not let run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct LeftOutStep {
    /// Its id.
    pub task: String,
    /// Its title.
    pub title: String,
    /// Why, in a few words.
    pub reason: String,
}

/// A step that the quality gate blocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct BlockedStep {
    /// Its id.
    pub task: String,
    /// One sentence each.
    pub messages: Vec<String>,
}

/// The state of a repository before a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct GitView {
    /// The branch; absent when the head is detached.
    pub branch: Option<String>,
    /// The commit, short; absent in a repository without one.
    pub head: Option<String>,
    /// Files with changes that no commit holds; bounded.
    pub dirty: Vec<String>,
    /// How many there are.
    pub dirty_count: u32,
    /// A name offered for a new branch.
    pub offer: String,
}

/// A note to be written under a step, word for word.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, Type)]
pub struct StepNote {
    /// Which step.
    pub task: String,
    /// The words.
    pub text: String,
}

/// What the plan would read like with the notes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct NotesPreview {
    /// The revision that results; the approval names it.
    pub revision: String,
    /// The lines that are added.
    pub diff: Vec<DiffLine>,
}

/// An approval as the person gives it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Type)]
pub struct ApproveRequest {
    /// The plan's key.
    pub plan: String,
    /// The revision on screen.
    pub revision: String,
    /// Whether to run now; otherwise it is saved as approved.
    pub run: bool,
    /// The last step to run.
    pub upto: Option<String>,
    /// How often to ask.
    pub policy: Option<String>,
    /// How many steps may be under way at once, 1 to 4; absent: one.
    pub parallel: Option<u8>,
    /// Why it may run although the gate or enforcement objects.
    pub reason: Option<String>,
    /// Notes, word for word, with the revision that their preview named.
    pub notes: Option<GivenNotes>,
    /// A new branch to work on.
    pub branch: Option<String>,
    /// How it is carried out, where that is not as usual.
    pub effort: Option<RunEffort>,
    /// How long what is approved was on screen, in milliseconds; absent where nobody saw it in the window.
    pub shown_ms: Option<u32>,
}

/// Notes and what the person saw of them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
pub struct GivenNotes {
    /// The notes.
    pub notes: Vec<StepNote>,
    /// The revision that the preview named.
    pub revision: String,
}

/// What came of an approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct Approved {
    /// The revision approved.
    pub revision: String,
    /// The run that was started.
    pub run: Option<String>,
}
