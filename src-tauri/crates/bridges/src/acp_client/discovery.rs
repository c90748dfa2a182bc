//! Finds the agents on this machine and tries whether they work, for the settings screen.

use std::path::Path;
use std::time::{Duration, Instant};

use workbench::settings::agents::AgentEntry;
use workbench::{CancelToken, Result, Workbench};

use super::agents::{self, Agent, KINDS, Tier};
use super::planner::Planner;

/// A known agent, or one that the user added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovered {
    /// The name by which the user chooses it.
    pub name: String,
    /// The name shown on screen.
    pub title: String,
    /// Whether the user's settings have an entry for it.
    pub has_entry: bool,
    /// The command that installs it; empty if unknown.
    pub install: &'static str,
    /// The agent, or why it can't be started.
    pub found: std::result::Result<Agent, String>,
}

/// The result of trying an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// How long it took to open a session in plan mode.
    pub ready: Duration,
    /// The ids of the modes that its session offers.
    pub modes: Vec<String>,
    /// The ids of the options that its session offers.
    pub options: Vec<String>,
}

/// All agents, those on this machine first.
pub fn discover(bench: &Workbench) -> Vec<Discovered> {
    let (settings, _) = bench.settings_for(None);
    let environment = &bench.environment;
    let path = environment.variable("PATH");
    let entries: &[AgentEntry] = &settings.agents;
    let names = agents::names(entries).into_iter();
    let mut all: Vec<Discovered> = names
        .map(|name| {
            let known = KINDS.iter().find(|kind| kind.name == name);
            Discovered {
                title: known.map_or_else(|| name.clone(), |kind| kind.title.to_owned()),
                has_entry: entries.iter().any(|entry| entry.name == name),
                install: known.map_or("", |kind| kind.install),
                found: agents::find(&name, entries, path.as_deref(), &environment.cwd),
                name,
            }
        })
        .collect();
    all.sort_by_key(|one| one.found.is_err());
    all
}

/// Starts an agent in a workspace, opens a session in plan mode, and ends the agent without sending
/// a prompt.
///
/// # Errors
/// The errors of [`Planner::new`] and [`Planner::connect`].
pub fn try_agent(
    bench: Workbench,
    folder: &Path,
    name: &str,
    cancel: &CancelToken,
) -> Result<Trial> {
    let mut planner = Planner::new(bench, folder, name)?;
    let start = Instant::now();
    planner.connect(cancel)?;
    let session = planner.session();
    Ok(Trial {
        ready: start.elapsed(),
        modes: session.modes.clone(),
        options: session.options.iter().map(|(id, _)| id.clone()).collect(),
    })
}

impl Tier {
    /// The tier's name in the data for the window.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mediated => "mediated",
            Self::Copy => "copy",
        }
    }
}
