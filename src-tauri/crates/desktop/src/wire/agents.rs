//! Other agents on this machine, and the hooks in their settings.

use serde::Serialize;
use specta::Type;

/// The agents and hooks that Settings shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct AgentsView {
    /// Known agents and the user's own; the ones found on this machine come first.
    pub agents: Vec<AgentView>,
    /// The hooks by which other agents have their plans reviewed in Planwright.
    pub hooks: Vec<HookView>,
}

/// One agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct AgentView {
    /// The name by which it is chosen.
    pub name: String,
    /// Its name on screen.
    pub title: String,
    /// Whether the user's settings have an entry for it.
    pub has_entry: bool,
    /// Its command line; `None` if it wasn't found.
    pub line: Option<String>,
    /// `mediated` or `copy`: how its changes reach the workspace; empty if it wasn't found.
    pub tier: String,
    /// Whether it has network access.
    pub network: bool,
    /// Names of the environment variables passed to it.
    pub env: Vec<String>,
    /// Why it can't be started, if it can't.
    pub problem: Option<String>,
    /// The command that installs it, if it is known.
    pub install: Option<String>,
}

/// The hook in the settings of another agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct HookView {
    /// The agent's name on screen.
    pub title: String,
    /// Path of the agent's settings file.
    pub file: String,
    /// Whether that file has the hook.
    pub is_installed: bool,
    /// What keeps the hook from working, one sentence each.
    pub problems: Vec<String>,
    /// The command that installs the hook.
    pub install: String,
}

/// The result of test-starting an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct AgentTrial {
    /// Milliseconds until its session was in plan mode.
    pub ready_ms: u32,
    /// The modes that its session offers.
    pub modes: Vec<String>,
    /// The options that its session offers.
    pub options: Vec<String>,
}
