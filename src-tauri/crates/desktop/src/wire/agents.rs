//! Other agents on this machine, and the hooks in their settings.

use serde::Serialize;
use specta::Type;

/// The agents and hooks that Settings shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct AgentsView {
    /// Known agents and the user's own, those of this machine first.
    pub agents: Vec<AgentView>,
    /// The hooks that have plans reviewed here.
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
    /// The environment variables passed to it.
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
    /// The agent's settings file.
    pub file: String,
    /// Whether the hook is in it.
    pub is_installed: bool,
    /// What keeps it from working, one sentence each.
    pub problems: Vec<String>,
    /// The command that installs it.
    pub install: String,
}

/// What a trial of an agent showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct AgentTrial {
    /// Milliseconds until its session was in plan mode.
    pub ready_ms: u32,
    /// The modes that its session offers.
    pub modes: Vec<String>,
    /// The options that its session offers.
    pub options: Vec<String>,
}
