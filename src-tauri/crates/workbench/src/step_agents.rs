//! What the workbench asks of other agents that carry out steps.
//!
//! How an agent is found, started and spoken with is up to the implementation, which the program
//! sets with [`Workbench::set_agents`]. An implementation starts an agent only with the permit, only
//! in the sandbox, and answers its permission requests itself: no answer of it changes the
//! workspace, because only the run writes there.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gate::Permit;
use tools::sandbox::Sandbox;

use crate::settings::agents::AgentEntry;
use crate::{Environment, PlanningAgent, Workbench};

/// The prefix by which an agent is chosen as the one who carries out steps.
pub const PREFIX: &str = "acp:";

/// An agent whose program was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentInfo {
    /// The name by which it is chosen, without [`PREFIX`].
    pub name: String,
    /// Its command line.
    pub line: String,
    /// Whether it has network access.
    pub network: bool,
    /// The time limit of a step, in seconds.
    pub timeout_s: u64,
    /// The variables that are set and passed to it.
    pub env: Vec<String>,
    /// Whether it works in a private copy of the workspace. Otherwise it sees the workspace,
    /// read-only, and asks for each file to be written.
    pub works_in_copy: bool,
}

/// Everything that is needed to start an agent.
pub struct AgentStart<'a> {
    /// Its name.
    pub name: &'a str,
    /// The user's entries.
    pub entries: &'a [AgentEntry],
    /// The user's environment.
    pub environment: &'a Environment,
    /// The sandbox.
    pub sandbox: &'a Sandbox,
    /// The permit to hand a step over to its line.
    pub permit: Permit,
    /// The workspace.
    pub workspace: &'a Path,
    /// The private copy that it sees in place of the workspace, and the folders of the workspace
    /// that it sees inside.
    pub copy: Option<(&'a Path, &'a [std::path::PathBuf])>,
    /// Value of `PLANWRIGHT_RUN` in its environment.
    pub marker: String,
}

/// Finds and starts agents. The errors are for people.
pub trait StepAgents: Send + Sync {
    /// Finds an agent by name.
    ///
    /// # Errors
    /// Where it was looked for, and how to install it.
    fn find(
        &self,
        name: &str,
        entries: &[AgentEntry],
        environment: &Environment,
    ) -> Result<AgentInfo, String>;

    /// The agents that are installed.
    fn installed(&self, entries: &[AgentEntry], environment: &Environment) -> Vec<AgentInfo>;

    /// Starts an agent and opens a session. `tick` is called often; `true` stops the start.
    ///
    /// # Errors
    /// Why it can't be used; it was ended.
    fn start(
        &self,
        start: AgentStart<'_>,
        tick: &mut dyn FnMut() -> bool,
    ) -> Result<Box<dyn StepAgent>, String>;

    /// Finds an agent that plans in a folder. It is started with its first prompt.
    ///
    /// # Errors
    /// [`crate::Code::Usage`] if there is no such agent, or its program isn't found.
    fn planner(
        &self,
        bench: Workbench,
        folder: &Path,
        name: &str,
    ) -> crate::Result<Box<dyn PlanningAgent + Send>>;
}

/// A running agent in one session. Dropping it ends the agent with all its children. Each error
/// means that it can't be used anymore.
pub trait StepAgent: Send {
    /// Begins a turn, in the mode for work.
    ///
    /// # Errors
    /// If the agent refuses, or doesn't answer.
    fn prompt(&mut self, text: &str, tick: &mut dyn FnMut() -> bool) -> Result<(), String>;

    /// The next event of the turn; `None` if there was none in time.
    ///
    /// # Errors
    /// If the agent ended or broke a limit.
    fn wait(&mut self, patience: Duration) -> Result<Option<AgentEvent>, String>;

    /// Answers the last [`AgentEvent::Read`].
    ///
    /// # Errors
    /// If the agent doesn't read.
    fn answer_read(&mut self, content: Result<String, String>) -> Result<(), String>;

    /// Answers the last [`AgentEvent::Write`].
    ///
    /// # Errors
    /// If the agent doesn't read.
    fn answer_write(&mut self, written: Result<(), String>) -> Result<(), String>;
}

/// Something that an agent did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentEvent {
    /// A piece of its message.
    Text(String),
    /// A piece of its thinking.
    Thinking(String),
    /// An action of its own, in a few words.
    Action(String),
    /// It wants to read a file and waits for the answer.
    Read {
        /// The path, as it wrote it.
        path: String,
        /// The first line, from 1.
        line: Option<u64>,
        /// The number of lines.
        limit: Option<u64>,
    },
    /// It wants to write a file and waits for the answer.
    Write {
        /// The path, as it wrote it.
        path: String,
        /// The content.
        content: String,
    },
    /// Its turn is over.
    Ended {
        /// Whether it ended by itself, rather than by a refusal or a limit; else why.
        early: Option<String>,
        /// Tokens of the turn, as far as it says.
        usage: agent::turn::Usage,
    },
}

impl Workbench {
    /// Sets how other agents are found and started. Without it, none can carry out steps.
    pub fn set_agents(&mut self, agents: Arc<dyn StepAgents>) {
        self.agents = Some(agents);
    }

    /// An agent that plans in a folder, by name.
    ///
    /// # Errors
    /// As [`StepAgents::planner`]; [`crate::Code::Storage`].
    pub fn planning_agent(
        &self,
        folder: &Path,
        name: &str,
    ) -> crate::Result<Box<dyn PlanningAgent + Send>> {
        let agents = self.agents.as_ref();
        let agents = agents.ok_or_else(|| err!(Usage: "this program can't start other agents"))?;
        agents.planner(self.again()?, folder, name)
    }

    /// The agents that are installed.
    pub fn installed_agents(&self, entries: &[AgentEntry]) -> Vec<AgentInfo> {
        let agents = self.agents.as_ref();
        agents.map_or_else(Vec::new, |agents| {
            agents.installed(entries, &self.environment)
        })
    }
}
