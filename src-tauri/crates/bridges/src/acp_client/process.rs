//! Starts an agent's program in the sandbox.
//!
//! For the agent, the workspace is either read-only or replaced by a private copy. The agent gets a
//! copy of its settings, so that it can't change the user's. API keys reach it only through the
//! environment variables that are listed for the agent.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gate::Permit;
use plan::CommandLine;
use tools::sandbox::{CommandSpec, Interactive, Mode, Sandbox, SandboxError, Talk};

use super::agents::{Agent, SettingsFolder, locate};

/// Maximum number of bytes of the agent's output in total. There is also a lower limit for each
/// turn.
const OUTPUT_LIMIT: u64 = 4 << 30;

/// Where an agent works.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// The workspace's folder.
    pub workspace: PathBuf,
    /// The private copy that the agent sees in place of the workspace; `None` if it sees the
    /// workspace itself, read-only.
    pub copy: Option<PathBuf>,
    /// Folders of the workspace that the agent sees inside the copy, read-only.
    pub shared: Vec<PathBuf>,
    /// Value of `PLANWRIGHT_RUN` in the agent's environment.
    pub marker: String,
}

/// Starts an agent. `variable` reads a variable of the user's environment. The permit must be for
/// exactly the agent's command line.
///
/// # Errors
/// If no sandbox can run the agent. Nothing was started in that case.
pub fn start(
    agent: &Agent,
    sandbox: &Sandbox,
    permit: Permit,
    place: Place,
    variable: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Talk, SandboxError> {
    let line = CommandLine::Argv(
        std::iter::once(agent.program.display().to_string())
            .chain(agent.arguments.iter().cloned())
            .collect(),
    );
    let text = |name: &str| variable(name)?.into_string().ok();
    let is_folder = |name: &&String| {
        let mut folders = agent.kind.settings.iter();
        !folders.any(|folder| folder.variable == name.as_str())
    };
    let passed = agent.environment.iter().filter(is_folder);
    let passed = passed.filter_map(|name| Some((name.clone(), text(name)?)));
    let fixed = agent.kind.fixed.iter();
    let fixed = fixed.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let granted: Vec<(String, String)> = fixed.chain(passed).collect();
    let home = variable("HOME").map_or_else(|| PathBuf::from("/"), PathBuf::from);
    let path = variable("PATH");
    let values = granted.iter().map(|(_, value)| Path::new(value));
    let named = values.filter(|value| value.is_absolute() && value.is_file());
    let programs = std::iter::once(agent.program.as_path()).chain(named);
    let node = locate("node", path.as_deref(), Path::new("/"));
    let programs = programs.map(Path::to_owned).chain(node);
    let how = Interactive {
        copy: place.copy,
        shared: place.shared,
        home_files: settings_files(agent.kind.settings, &home, variable),
        programs: programs.flat_map(|program| folders_of(&program)).collect(),
        ..Interactive::default()
    };
    let spec = CommandSpec {
        granted,
        network: agent.network,
        timeout: Duration::from_secs(agent.timeout_s),
        output_limit: OUTPUT_LIMIT,
        ..CommandSpec::new(line, place.workspace, Mode::Plan, place.marker)
    };
    sandbox.talk(permit, spec, how)
}

/// The agent's settings files: the path of each, and where to copy it, relative to the home folder.
fn settings_files(
    folders: &[SettingsFolder],
    home: &Path,
    variable: &dyn Fn(&str) -> Option<OsString>,
) -> Vec<(PathBuf, PathBuf)> {
    let files = folders.iter().flat_map(|folder| {
        let named = Some(folder.variable).filter(|name| !name.is_empty());
        let named = named.and_then(variable).map(PathBuf::from);
        let named = named.filter(|named| named.is_absolute());
        let source = named.unwrap_or_else(|| home.join(folder.usual));
        let files = folder.files.iter();
        files.map(move |file| (source.join(file), Path::new(folder.usual).join(file)))
    });
    files.filter(|(source, _)| source.is_file()).collect()
}

/// The folders that must be readable for a program to run: that of its package, and that of the
/// link to the program.
fn folders_of(program: &Path) -> Vec<PathBuf> {
    let real = program
        .canonicalize()
        .unwrap_or_else(|_| program.to_owned());
    let package = real
        .ancestors()
        .filter(|folder| folder.ends_with("node_modules"))
        .last();
    let own = |path: &Path| path.parent().map(Path::to_owned);
    let package = package.map(Path::to_owned).or_else(|| own(&real));
    package.into_iter().chain(own(program)).collect()
}
