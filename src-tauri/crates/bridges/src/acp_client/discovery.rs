//! Which agents are on this machine, and whether one works: for the settings screen.

use std::path::Path;
use std::time::{Duration, Instant};

use workbench::settings::agents::AgentEntry;
use workbench::{CancelToken, Result, Workbench};

use super::agents::{self, Agent, KINDS, Tier};
use super::planner::Planner;

/// A known agent, or one of the user's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovered {
    /// The name by which it is chosen.
    pub name: String,
    /// The name on screen.
    pub title: String,
    /// Whether the user's settings have an entry for it.
    pub has_entry: bool,
    /// The command that installs it; empty if that isn't known.
    pub install: &'static str,
    /// The agent, or why it can't be started.
    pub found: std::result::Result<Agent, String>,
}

/// What a trial showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// How long it took until its session was in plan mode.
    pub ready: Duration,
    /// The modes that its session offers.
    pub modes: Vec<String>,
    /// The options that its session offers.
    pub options: Vec<String>,
}

/// All agents, those of this machine first.
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

/// Starts an agent in a workspace and opens a session in its plan mode. Nothing is prompted, and
/// the agent ends afterwards.
///
/// # Errors
/// As [`Planner::new`] and [`Planner::connect`].
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
    /// Its name in the window's data.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mediated => "mediated",
            Self::Copy => "copy",
        }
    }
}
