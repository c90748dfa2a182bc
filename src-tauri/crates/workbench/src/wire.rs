//! What leaves this crate as JSON: the shapes that the README documents. Fields are only added.

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
    /// The first line.
    Started {
        /// The run's id.
        run: String,
        /// The plan file.
        plan: String,
        /// The approved revision.
        revision: String,
        /// The workspace folder.
        workspace: String,
        /// How often the run asks.
        policy: String,
        /// The sandbox in force, with what it means.
        sandbox: String,
        /// How many steps may be under way at once.
        parallel: u8,
    },
    /// Something the person should know that stops nothing.
    Notice {
        /// One sentence.
        message: String,
    },
    /// What a step does right now.
    Progress {
        /// Counts the run's events in this process from 1.
        seq: u64,
        /// Which task.
        task: String,
        /// Its number among the run's steps.
        step: usize,
        /// How many steps there are.
        steps: usize,
        /// Whether there may be more before the run is over.
        is_open_ended: bool,
        /// Where in the step.
        phase: Phase,
        /// Tools used so far.
        tools_used: Vec<String>,
        /// Facts found so far.
        discoveries: Vec<String>,
        /// What is being done.
        current_action: Option<String>,
        /// Milliseconds since the step began in this process.
        elapsed_ms: u64,
    },
    /// A piece of a command's output, as it comes.
    Output {
        /// Counts on with the progress events.
        seq: u64,
        /// Which task.
        task: String,
        /// The text, bounded.
        text: String,
    },
    /// A request to the model that carries a step out.
    Request {
        /// Which task.
        task: String,
        /// Counts the requests of this process from 1.
        number: u64,
        /// Counts the attempts of this request from 1.
        attempt: u32,
    },
    /// Words of the model's, as they come.
    Text {
        /// Which task.
        task: String,
        /// The words.
        text: String,
    },
    /// Thinking of the model's, as it comes.
    Thinking {
        /// Which task.
        task: String,
        /// The words.
        text: String,
    },
    /// A reply, as it was stored.
    Replied {
        /// Which task.
        task: String,
        /// What is left for people to read.
        text: String,
        /// The tools that it calls.
        calls: Vec<String>,
        /// What was repaired of the calls.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        repairs: Vec<String>,
        /// What could not be used, by kind.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        faults: Vec<String>,
        /// Tokens of the request.
        input: u64,
        /// Those of them that the server had at hand.
        cached: u64,
        /// Tokens of the reply.
        output: u64,
        /// How long it took.
        elapsed_ms: u64,
    },
    /// The model reports on its step; a claim that it is done starts the checks.
    Report {
        /// Which task.
        task: String,
        /// One sentence.
        summary: String,
        /// What it claims.
        done: bool,
        /// Facts found.
        learned: Vec<String>,
        /// What it decided.
        decided: Vec<String>,
        /// Whether the model gave none and this was made from what it did.
        inferred: bool,
    },
    /// The run wrote new steps into the plan.
    Planned {
        /// The step that was taken apart; absent for steps that come next.
        #[serde(skip_serializing_if = "Option::is_none")]
        under: Option<String>,
        /// Their titles.
        steps: Vec<String>,
    },
    /// What failed is tried in another way.
    Recovery {
        /// Which task.
        task: String,
        /// What failed.
        failure: FailureKind,
        /// How it goes on: `retry_same retry_simplified decompose_further try_alternative
        /// skip_and_continue ask_user abort`.
        strategy: String,
        /// Who chose: `code`, `model` or `person`.
        by: RecoveryBy,
        /// Why.
        reason: String,
    },
    /// The model's server is gone, or there again. The run waits for it and goes on by itself.
    Server {
        /// Which task asks.
        task: String,
        /// `gone` or `back`.
        state: String,
        /// What the connection said; empty when it is back.
        #[serde(skip_serializing_if = "String::is_empty")]
        reason: String,
        /// How long it has been gone.
        waited_ms: u64,
        /// How long it is waited for; then the run pauses and can be resumed.
        limit_ms: u64,
    },
    /// A step ended.
    Task {
        /// Counts on with the progress events.
        seq: u64,
        /// Which task.
        task: String,
        /// `done`, `unverified`, `failed`, `refused` or `skipped`.
        state: String,
        /// Why, when not done.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// Workspace paths that it changed.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        changes: Vec<String>,
        /// What is to be known of its checks: one is flaky, one was edited by the step.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        notes: Vec<String>,
    },
    /// A person is needed.
    Waiting {
        /// What for: `person`, `checkpoint`, `decision`, `approval`, `gate`, `permission`, `destructive`,
        /// `unknown`, `failure`, `skipped_dependency`, `question` or `thin`.
        #[serde(rename = "for")]
        kind: String,
        /// The key under which the answers file answers.
        id: String,
        /// What can be answered; empty where words are wanted.
        options: Vec<String>,
        /// What is asked.
        message: String,
        /// For a permission: the tool.
        #[serde(skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        /// For a permission: the match that an answer would name.
        #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
        matches: Option<String>,
        /// For a checkpoint by rule: all that would be destroyed.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        subjects: Vec<String>,
    },
    /// The last line.
    Ended {
        /// The run's id; absent when none was begun.
        #[serde(skip_serializing_if = "Option::is_none")]
        run: Option<String>,
        /// Why it stopped.
        state: EndState,
        /// One sentence.
        message: String,
        /// Steps that the approval does not cover, with the reason.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        uncovered: Vec<UncoveredStep>,
    },
}

/// A step that an approval does not cover.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UncoveredStep {
    /// Which.
    pub task: String,
    /// Why.
    pub reason: String,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// Stable while the task's own text stays.
    pub id: String,
    /// The kind.
    pub code: String,
    /// `critical`, `major`, `minor` or `info`.
    pub severity: String,
    /// The task; absent for the plan as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// One plain sentence.
    pub message: String,
    /// What to ask, where a question would settle it.
    pub question: Option<String>,
    /// What mending it is called, where the app can mend it; the first of `fixes`.
    pub fix: Option<String>,
    /// Every way to mend it, the one to recommend first.
    pub fixes: Vec<String>,
    /// The bytes of the file that it is about: first, and one behind the last; equal where it is
    /// about the plan as a whole.
    pub place: [usize; 2],
    /// Why the person does not want to hear of it; absent while they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub muted: Option<String>,
}

/// One line of `check --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckReport {
    /// The file as it was named.
    pub path: String,
    /// Its revision, 64 hexadecimal digits.
    pub revision: String,
    /// How it writes its tasks.
    pub dialect: String,
    /// How many there are.
    pub tasks: TaskCount,
    /// The badge and its numbers.
    pub adequacy: Adequacy,
    /// What the plan has to do, and whether it does.
    pub requirements: Vec<adequacy::RequirementReport>,
    /// The reasons.
    pub findings: Vec<Finding>,
    /// What the score is made of: what was credited, and what would add most.
    pub dimensions: Vec<adequacy::Dimension>,
    /// What took from it.
    pub reasons: Vec<Reason>,
}

/// How far a plan is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TaskCount {
    /// Boxes.
    pub total: usize,
    /// Ticked ones.
    pub done: usize,
}

/// One task of `plan --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedTask {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// `agent` or `person`: who carries it out as things are.
    pub by: String,
    /// Workspace paths.
    pub files: Vec<String>,
    /// Task ids.
    pub depends: Vec<String>,
    /// Command lines.
    pub verify: Vec<String>,
}

/// The last line of `plan --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanReport {
    /// The plan file.
    pub path: String,
    /// Its revision.
    pub revision: String,
    /// The plan's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its tasks.
    pub tasks: Vec<PlannedTask>,
    /// The badge and its numbers.
    pub adequacy: Adequacy,
    /// What the goal asks for.
    pub requirements: Vec<Requirement>,
    /// How the plan was made.
    pub route: serde_json::Value,
    /// How the draft was made fuller; absent where it was not thin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expansion: Option<PlannedExpansion>,
    /// The session in which a model wrote it; `chat` goes on with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

/// One line of `runs --json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunSummary {
    /// The run's id.
    pub run: String,
    /// The plan file.
    pub plan: String,
    /// The plan's title.
    pub title: String,
    /// The workspace folder.
    pub workspace: String,
    /// The approved revision.
    pub revision: String,
    /// Where it stands; `running` while a process carries it, `interrupted` when one died.
    pub state: String,
    /// When it began, milliseconds since 1970.
    pub created_at_ms: i64,
    /// When it last moved.
    pub updated_at_ms: i64,
}
