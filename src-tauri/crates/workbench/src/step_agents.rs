//! The interface to other agents that carry out steps.
//!
//! The implementation, which the program sets with [`Workbench::set_agents`], finds, starts and
//! communicates with agents. It starts an agent only with a permit and only in the sandbox. It
//! answers the agent's permission requests itself, which can't change the workspace, because only
//! the run writes there.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gate::Permit;
use tools::sandbox::Sandbox;

use crate::settings::agents::AgentEntry;
use crate::{Environment, PlanningAgent, Workbench};

/// The prefix of an agent's name when it is chosen to carry out steps.
pub const PREFIX: &str = "acp:";

/// An agent whose program was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentInfo {
    /// Its name, without [`PREFIX`].
    pub name: String,
    /// The command line that starts it.
    pub line: String,
    /// Whether it has network access.
    pub network: bool,
    /// The time limit of a step, in seconds.
    pub timeout_s: u64,
    /// The names of environment variables that are set and are passed to it.
    pub env: Vec<String>,
    /// Whether it works in a private copy of the workspace. Otherwise the workspace is read-only
    /// for it, and it asks before each file is written.
    pub works_in_copy: bool,
}

/// The parameters for starting an agent.
pub struct AgentStart<'a> {
    /// The agent's name.
    pub name: &'a str,
    /// The user's settings for agents.
    pub entries: &'a [AgentEntry],
    /// The user's environment.
    pub environment: &'a Environment,
    /// The sandbox for the agent.
    pub sandbox: &'a Sandbox,
    /// The permit to hand a step over to the agent's command line.
    pub permit: Permit,
    /// The path of the workspace.
    pub workspace: &'a Path,
    /// The private copy that the agent sees in place of the workspace, and the workspace folders
    /// mounted inside it.
    pub copy: Option<(&'a Path, &'a [std::path::PathBuf])>,
    /// The value of `PLANWRIGHT_RUN` in the agent's environment.
    pub marker: String,
}

/// Finds and starts agents. Error messages are for people.
pub trait StepAgents: Send + Sync {
    /// Finds an agent by name.
    ///
    /// # Errors
    /// If it isn't found; says where it was looked for and how to install it.
    fn find(
        &self,
        name: &str,
        entries: &[AgentEntry],
        environment: &Environment,
    ) -> Result<AgentInfo, String>;

    /// The agents that are installed.
    fn installed(&self, entries: &[AgentEntry], environment: &Environment) -> Vec<AgentInfo>;

    /// Starts an agent and opens a session. Calls `tick` often, and stops if it returns `true`.
    ///
    /// # Errors
    /// If the agent can't be used; says why. The agent has been ended.
    fn start(
        &self,
        start: AgentStart<'_>,
        tick: &mut dyn FnMut() -> bool,
    ) -> Result<Box<dyn StepAgent>, String>;

    /// Finds an agent that plans in a folder. It starts with its first prompt.
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

/// A running agent with one session. Dropping it ends the agent with all its child processes. After
/// an error, the agent can't be used anymore.
pub trait StepAgent: Send {
    /// Starts a turn in a mode that allows work, not just planning.
    ///
    /// # Errors
    /// If the agent refuses, or doesn't respond.
    fn prompt(&mut self, text: &str, tick: &mut dyn FnMut() -> bool) -> Result<(), String>;

    /// The next event of the turn; `None` if none occurs within `patience`.
    ///
    /// # Errors
    /// If the agent ended or exceeded a limit.
    fn wait(&mut self, patience: Duration) -> Result<Option<AgentEvent>, String>;

    /// Answers the last [`AgentEvent::Read`].
    ///
    /// # Errors
    /// If the agent doesn't receive the answer.
    fn answer_read(&mut self, content: Result<String, String>) -> Result<(), String>;

    /// Answers the last [`AgentEvent::Write`].
    ///
    /// # Errors
    /// If the agent doesn't receive the answer.
    fn answer_write(&mut self, written: Result<(), String>) -> Result<(), String>;
}

/// An event in an agent's turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentEvent {
    /// A chunk of its message.
    Text(String),
    /// A chunk of its reasoning.
    Thinking(String),
    /// A short description of an action that it takes with its own tools.
    Action(String),
    /// It asks to read a file and waits for the answer.
    Read {
        /// The path, as given by the agent.
        path: String,
        /// The first line to read, from 1.
        line: Option<u64>,
        /// The maximum number of lines to read.
        limit: Option<u64>,
    },
    /// It asks to write a file and waits for the answer.
    Write {
        /// The path, as given by the agent.
        path: String,
        /// The new content of the file.
        content: String,
    },
    /// Its turn is over.
    Ended {
        /// Why the turn ended early, such as a refusal or a limit; `None` if it ended normally.
        early: Option<String>,
        /// Tokens used in the turn, as reported by the agent.
        usage: agent::turn::Usage,
    },
}

impl Workbench {
    /// Sets how other agents are found and started. Without this, no agent can carry out steps.
    pub fn set_agents(&mut self, agents: Arc<dyn StepAgents>) {
        self.agents = Some(agents);
    }

    /// The agent with this name, for planning in a folder.
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
