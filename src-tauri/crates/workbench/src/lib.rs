//! The use cases of Planwright: everything a window, a terminal or another program can ask for.
//!
//! [`Workbench`] opens the user's data. Each of its methods is one use case: it reads files, lets
//! the pure crates decide, and carries out their effects with `tools` and `store`. [`wire`] defines
//! the JSON types, and [`Error`] is the only error type that leaves the crate.
//!
//! **Architecture invariants.** This crate doesn't depend on the window and prints nothing. Before
//! an approval covers a step, the only workspace file it changes is the plan. Every side effect of
//! a run goes through `driver`, which journals it durably first.

#[macro_use]
pub mod error;

mod agent_files;
pub mod agent_planning;
pub mod approval;
pub mod checking;
pub mod clock;
mod companion_files;
mod driver;
pub mod endpoints;
pub mod environment;
pub mod evidence;
mod exchange;
pub mod expansion;
pub mod facts;
pub mod foreign_folders;
pub mod home;
pub mod host_gate;
pub mod ids;
pub mod journal_rows;
pub mod lease;
mod logging;
pub mod markdown;
pub mod new_plan;
pub mod new_plan_with_model;
pub mod open_questions;
pub mod open_runs;
pub mod opening;
mod own_changes;
mod permission_rules;
pub mod plan_file;
pub mod proposals;
pub mod reports;
mod retrieval;
pub mod reviews;
pub mod routes;
mod run_control;
mod run_record;
pub mod running;
mod runtime;
mod session_driver;
pub mod sessions;
pub mod settings;
pub mod step_agents;
mod step_material;
pub mod telemetry;
pub mod text;
pub mod undo;
pub mod wire;

pub use adequacy::PlanDepth;
pub use agent::context::Strategy as ContextStrategy;
pub use agent::journal::EndState;
pub use agent::micro_planning::HandOverChoice;
pub use agent::micro_planning::{RunChoice, Strategy as PlanningStrategy};
pub use agent::pending_answers::GivenAnswer;
pub use agent::run::Effect;
pub use agent::session::call::PlanTarget;
pub use agent::session::entry::{Answer, Mode};
pub use agent_planning::{AgentClearance, ChangeRequest, PlanningAgent, ProposedText};
pub use checking::CheckRequest;
pub use driver::Watch;
pub use environment::{Environment, cancel_on_signals, find_own_program};
pub use error::{Code, Error, Result, WireError};
pub use expansion::ExpandRequest;
pub use facts::KnownWorkspaces;
pub use gate::answers::Grant;
pub use gate::policy::Policy;
pub use gate::question::{Question, QuestionKind};
pub use host_gate::{
    GateOutcome, GateRequest, GateRequests, GatedPlan, Gating, HostConversation, only_reads,
};
pub use new_plan::{PlanOutcome, PlanRequest, TemplateChoice};
pub use new_plan_with_model::PlanningSink;
pub use open_questions::{OpenQuestion, parse_answer};
pub use open_runs::{Discarded, UnknownOutcome};
pub use permission_rules::PermissionRule;
pub use plan::{escaped_json, shell_word, visible, visible_line};
pub use planning::decision::Effort;
pub use proposals::{AgentEdit, AgentEdited, ProposedPlan, StoredClaim};
pub use reports::{RunReceipt, SandboxReport, SettingsReport};
pub use retrieval::index::{FoundFiles, IndexReport};
pub use reviews::{AskedReview, ReviewOutcome, ReviewRequest};
pub use routes::PlanningHandle;
pub use run_control::{RunControl, Steer};
pub use running::{ModelChoice, ResumeRequest, RunRequest};
pub use sessions::{
    Planned, SessionEnd, SessionInput, SessionRequest, SessionSink, SessionSummary, WorkRequest,
};
pub use settings::SETTINGS_SCHEMA;
pub use tools::sandbox::{CancelToken, become_helper_if_asked};
pub use undo::{Conflict, UndoReport};

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::Store;
use tools::Workspace;

use clock::Clock;
use home::Home;
use settings::{Settings, WorkspaceSource};

/// The settings file of a workspace, relative to its root.
pub const WORKSPACE_SETTINGS: &str = ".planwright/settings.json";

/// An open data folder with its database.
pub struct Workbench {
    /// The process's working directory, environment variables and own program.
    pub environment: Environment,
    /// The paths of the user's data.
    pub home: Home,
    /// The database.
    pub store: Store,
    /// The system clock.
    pub clock: Clock,
    watch: Option<Watch>,
    /// Finds and starts other agents; `None` until set.
    agents: Option<Arc<dyn step_agents::StepAgents>>,
    /// Sandboxes that passed their self-test in this process.
    proved: opening::SandboxCache,
    /// Model keys entered for this session only.
    session_keys: endpoints::SessionKeys,
    _log: Arc<logging::LogGuard>,
}

impl Workbench {
    /// Opens the data folder and the database. The second value lists notices for the user, such as
    /// a damaged database that was set aside or a log that can't be written. Fails with
    /// [`crate::Code::Storage`] if the data can't be used; the message says what to do.
    pub fn open(environment: Environment) -> Result<(Self, Vec<String>)> {
        let home = Home::locate(|name| environment.variable(name))?;
        let (log, mut notices) = logging::init(&home, environment.variable("PLANWRIGHT_LOG"));
        let clock = Clock;
        let (store, opened) = Store::open(&home.data, clock.now_ms())?;
        if let Some(damage) = opened.damaged {
            tracing::error!(lost = %damage.lost, "database damaged");
            doubt_open_runs(&store, clock, &opened.put_back)?;
            notices.push(damage.lost);
        }
        if !opened.put_back.is_empty() {
            notices.push(format!(
                "the database lost records of these runs; they were restored from the runs' own files: {}",
                opened.put_back.join(", ")
            ));
        }
        Ok((
            Self {
                environment,
                home,
                store,
                clock,
                watch: None,
                agents: None,
                proved: opening::SandboxCache::default(),
                session_keys: endpoints::SessionKeys::default(),
                _log: Arc::new(log),
            },
            notices,
        ))
    }

    /// Calls `watch` before each effect of later runs; see [`Watch`].
    pub fn watch(&mut self, watch: Watch) {
        self.watch = Some(watch);
    }

    /// Backs up the database and closes. Fails with [`crate::Code::Storage`] if the backup can't be
    /// written; the database itself is intact.
    pub fn close(self) -> Result<()> {
        self.store.backup()?;
        Ok(())
    }

    /// Opens a folder as a workspace. Fails with [`Code::Workspace`] if the data folder is inside
    /// it.
    pub fn open_workspace(&self, root: &Path) -> Result<Workspace> {
        let workspace = Workspace::open(root)?;
        // Otherwise a step could overwrite the journal, and restoring a snapshot would overwrite
        // it.
        let data = self.home.data.canonicalize();
        let data = data.unwrap_or_else(|_| self.home.data.clone());
        if data.starts_with(workspace.path()) {
            let (home, root) = (self.home.data.display(), workspace.path().display());
            return Err(err!(Workspace:
                "Planwright's data folder ({home}) is inside the workspace {root}; set PLANWRIGHT_HOME to move it, or open another folder"));
        }
        Ok(workspace)
    }

    /// The effective settings of a workspace, and the problems found in them.
    pub fn settings_for(
        &self,
        workspace: Option<&Workspace>,
    ) -> (Settings, Vec<wire::settings::SettingProblem>) {
        let read = || {
            let Some(workspace) = workspace else {
                return Ok(None);
            };
            match tools::documents::read(workspace, WORKSPACE_SETTINGS, 1 << 20) {
                Ok(bytes) => String::from_utf8(bytes)
                    .map(Some)
                    .map_err(|error| error.to_string()),
                Err(tools::ToolError::NotFound { .. }) => Ok(None),
                Err(error) => Err(error.to_string()),
            }
        };
        let source = WorkspaceSource {
            file: WORKSPACE_SETTINGS.to_owned(),
            read: &read,
        };
        let layer = workspace.map(|_| &source);
        let variable = |name: &str| self.environment.variable(name);
        Settings::load(&self.home.settings_file, layer, variable)
    }

    /// Whether adequacy is enforced in the workspace of this plan file.
    pub fn enforces(&self, file: &Path) -> bool {
        let path = self.environment.cwd.join(file);
        let (user, _) = self.settings_for(None);
        let root = plan_file::workspace_of(&path, &user.plan_folder);
        let workspace = Workspace::open(&root).ok();
        self.settings_for(workspace.as_ref())
            .0
            .plan_adequacy_enforce
    }
}

/// Marks every unfinished run as possibly missing its last entries, except those restored from
/// their own files, which are complete.
fn doubt_open_runs(store: &Store, clock: Clock, put_back: &[String]) -> Result<()> {
    for run in store.runs().list()? {
        let next_seq = store.journal().next_seq(&run.id)?;
        let is_doubted = run.state != EndState::Done.as_str() && !put_back.contains(&run.id);
        if is_doubted && next_seq > running::FIRST_ENTRY {
            let cut = [agent::journal::Entry::Cut];
            journal_rows::append(store, &run.id, next_seq, &cut, clock.now_ms())?;
        }
    }
    Ok(())
}

/// Locks the mutex, ignoring poisoning.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
