//! The JSON that leaves this crate, as documented in the README. Fields are only ever added.

mod model_event;
pub mod models;
mod planning;
pub mod route_views;
mod routes;
mod session;
pub mod settings;

use adequacy::Reason;
use agent::journal::EndState;
use agent::model_step::{FailureKind, RecoveryBy};
use agent::progress::Phase;
use plan::Requirement;
use serde::Serialize;

pub use adequacy::{Report as Adequacy, most_missing};
pub use model_event::ModelEvent;
pub use planning::{ExpandReport, PlannedExpansion, PlanningEvent};
pub use routes::{Decided, RouteStep};
pub(crate) use routes::{decided, route_of_attempts, steps};
pub use session::{SessionEvent, SessionState};

/// One line of `run --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum RunEvent {
    /// The first line of the output.
    Started {
        /// The run's ID.
        run: String,
        /// The absolute path of the plan file.
        plan: String,
        /// The approved revision.
        revision: String,
        /// The absolute path of the workspace.
        workspace: String,
        /// How often the run asks for approval.
        policy: String,
        /// The sandbox tier: `bubblewrap`, `landlock` or `none`.
        sandbox: String,
        /// The number of parallel steps.
        parallel: u8,
    },
    /// A notice that doesn't stop the run.
    Notice {
        /// The message, one sentence.
        message: String,
    },
    /// A notice that a model request is silent or has to be sent again. Each one replaces the
    /// previous one.
    #[serde(rename = "notice")]
    Delayed {
        /// The message, one sentence.
        message: String,
    },
    /// Progress of a step.
    Progress {
        /// The event's number, counted from 1 for each run and process.
        seq: u64,
        /// The step's ID.
        task: String,
        /// The step's number in the run.
        step: usize,
        /// The number of steps in the run.
        steps: usize,
        /// Whether the run may still add steps.
        is_open_ended: bool,
        /// The step's current phase.
        phase: Phase,
        /// The tools used so far.
        tools_used: Vec<String>,
        /// The facts found so far.
        discoveries: Vec<String>,
        /// A short description of the current action.
        current_action: Option<String>,
        /// Milliseconds since the step started in this process.
        elapsed_ms: u64,
    },
    /// A chunk of a command's output.
    Output {
        /// The event's number, continuing that of progress events.
        seq: u64,
        /// The step's ID.
        task: String,
        /// The text of the chunk, truncated.
        text: String,
    },
    /// A request to the model that carries out a step.
    Request {
        /// The step's ID.
        task: String,
        /// The number of the request in this process, from 1.
        number: u64,
        /// The attempt at this request, from 1.
        attempt: u32,
    },
    /// A chunk of the model's text.
    Text {
        /// The step's ID.
        task: String,
        /// The text of the chunk.
        text: String,
    },
    /// A chunk of the model's reasoning.
    Thinking {
        /// The step's ID.
        task: String,
        /// The text of the chunk.
        text: String,
    },
    /// A reply of the model was stored.
    Replied {
        /// The step's ID.
        task: String,
        /// The reply's text without its tool calls.
        text: String,
        /// The names of the tools called.
        calls: Vec<String>,
        /// What was repaired in the calls.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        repairs: Vec<String>,
        /// Faults of the reply, by kind.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        faults: Vec<String>,
        /// Tokens of the request.
        input: u64,
        /// Tokens of the request that the server had cached.
        cached: u64,
        /// Tokens of the reply.
        output: u64,
        /// Milliseconds from request to reply.
        elapsed_ms: u64,
    },
    /// The model's report on its step. If it claims success, the checks start.
    Report {
        /// The step's ID.
        task: String,
        /// The model's message, one sentence.
        summary: String,
        /// Whether it claims to be done.
        done: bool,
        /// The facts that the model learned.
        learned: Vec<String>,
        /// The decisions that the model made.
        decided: Vec<String>,
        /// Whether the report was inferred from the model's actions.
        inferred: bool,
    },
    /// The run added steps to the plan.
    Planned {
        /// The ID of the step that was split; absent if the new steps are the next ones of the
        /// plan.
        #[serde(skip_serializing_if = "Option::is_none")]
        under: Option<String>,
        /// The titles of the new steps.
        steps: Vec<String>,
    },
    /// How a failure is handled.
    Recovery {
        /// The step's ID.
        task: String,
        /// The kind of failure.
        failure: FailureKind,
        /// The strategy: `retry_same retry_simplified decompose_further try_alternative
        /// skip_and_continue ask_user abort`.
        strategy: String,
        /// Who chose it: `code`, `model` or `person`.
        by: RecoveryBy,
        /// Why the strategy was chosen.
        reason: String,
    },
    /// The model's server became unreachable or is back. The run waits for it and then continues.
    Server {
        /// The ID of the step that needs the server.
        task: String,
        /// The server's state: `gone` or `back`.
        state: String,
        /// The connection error; empty when it is back.
        #[serde(skip_serializing_if = "String::is_empty")]
        reason: String,
        /// Milliseconds it has been unreachable.
        waited_ms: u64,
        /// Milliseconds to wait before the run pauses; it can be resumed later.
        limit_ms: u64,
    },
    /// A step ended.
    Task {
        /// The event's number, continuing that of progress events.
        seq: u64,
        /// The step's ID.
        task: String,
        /// The step's result: `done`, `unverified`, `failed`, `refused` or `skipped`.
        state: String,
        /// The reason if the state isn't `done`.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// Workspace paths of the changed files.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        changes: Vec<String>,
        /// Notes on its checks, such as a flaky one or one that the step edited.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
    },
    /// The run is waiting for a person.
    Waiting {
        /// The reason: `person`, `checkpoint`, `decision`, `approval`, `gate`, `permission`,
        /// `destructive`, `unknown`, `failure`, `skipped_dependency`, `question` or `thin`.
        #[serde(rename = "for")]
        kind: String,
        /// The key for this answer in an answers file.
        id: String,
        /// The possible answers; empty for free text.
        options: Vec<String>,
        /// The text of the question.
        message: String,
        /// For a permission: the name of the tool.
        #[serde(skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        /// For a permission: the pattern that an answer would allow.
        #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
        matches: Option<String>,
        /// For a destructive action: everything it would destroy.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        subjects: Vec<String>,
    },
    /// The last line of the output.
    Ended {
        /// The run's ID; absent if none was started.
        #[serde(skip_serializing_if = "Option::is_none")]
        run: Option<String>,
        /// Why the run stopped.
        state: EndState,
        /// The message, one sentence.
        message: String,
        /// The steps that the approval doesn't cover, with reasons.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        uncovered: Vec<UncoveredStep>,
    },
}

/// A step that an approval doesn't cover.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UncoveredStep {
    /// The step's ID.
    pub task: String,
    /// Why the approval doesn't cover it.
    pub reason: String,
}

/// A finding about a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// An ID that is stable as long as the task's text is.
    pub id: String,
    /// The code of the kind of finding.
    pub code: String,
    /// `critical`, `major`, `minor` or `info`.
    pub severity: String,
    /// The task's ID; absent for a finding about the whole plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The number of the line in the file, from 1.
    pub line: u32,
    /// The finding, in one sentence.
    pub message: String,
    /// A question for the person; the answer would resolve the finding.
    pub question: Option<String>,
    /// The recommended fix, if Planwright can make it; the first of `fixes`.
    pub fix: Option<String>,
    /// All available fixes, the recommended one first.
    pub fixes: Vec<String>,
    /// The byte range in the file, exclusive at the end; empty for a finding about the whole plan.
    pub place: [usize; 2],
    /// Why the person muted it; absent if they didn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub muted: Option<String>,
}

/// One line of `check --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckReport {
    /// The path as given.
    pub path: String,
    /// Its revision, 64 hexadecimal digits.
    pub revision: String,
    /// The dialect of its task list.
    pub dialect: String,
    /// The number of tasks, and of those that are done.
    pub tasks: TaskCount,
    /// The adequacy badge and scores.
    pub adequacy: Adequacy,
    /// The plan's requirements and whether they are covered.
    pub requirements: Vec<adequacy::RequirementReport>,
    /// The findings.
    pub findings: Vec<Finding>,
    /// The parts of the score, and what would improve it most.
    pub dimensions: Vec<adequacy::Dimension>,
    /// The deductions.
    pub reasons: Vec<Reason>,
}

/// Counts of a plan's tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TaskCount {
    /// The number of all tasks.
    pub total: usize,
    /// The number of tasks marked as done.
    pub done: usize,
}

/// A task of `plan --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedTask {
    /// The task's ID.
    pub id: String,
    /// The task's title.
    pub title: String,
    /// Who carries it out as currently configured: `agent` or `person`.
    pub by: String,
    /// The files it names, as workspace paths.
    pub files: Vec<String>,
    /// IDs of its dependencies.
    pub depends: Vec<String>,
    /// The commands that verify it.
    pub verify: Vec<String>,
}

/// The last line of `plan --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanReport {
    /// The absolute path of the plan file.
    pub path: String,
    /// The plan's revision.
    pub revision: String,
    /// The plan's ID.
    pub id: String,
    /// The plan's title.
    pub title: String,
    /// The plan's tasks.
    pub tasks: Vec<PlannedTask>,
    /// The adequacy badge and scores.
    pub adequacy: Adequacy,
    /// The goal's requirements.
    pub requirements: Vec<Requirement>,
    /// How the plan was made.
    pub route: serde_json::Value,
    /// How the draft was expanded; absent if it wasn't thin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expansion: Option<PlannedExpansion>,
    /// The session in which a model wrote it; can be continued with `chat`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

/// One line of `runs --json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunSummary {
    /// The run's ID.
    pub run: String,
    /// The absolute path of the plan file.
    pub plan: String,
    /// The plan's title.
    pub title: String,
    /// The absolute path of the workspace.
    pub workspace: String,
    /// The approved revision.
    pub revision: String,
    /// The run's state; `running` while a process holds it, `interrupted` after that process died.
    pub state: String,
    /// When it started, in milliseconds since 1970.
    pub created_at_ms: i64,
    /// When it last changed, in milliseconds since 1970.
    pub updated_at_ms: i64,
}
