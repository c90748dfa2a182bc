//! Starts an agent's program in the sandbox.
//!
//! The workspace is read-only for it, or replaced by a private copy. Its settings are copied, so
//! that it can't change the user's. Keys enter only as the variables that the agent's entry names.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gate::Permit;
use plan::CommandLine;
use tools::sandbox::{CommandSpec, Interactive, Mode, Sandbox, SandboxError, Talk};

use super::agents::{Agent, SettingsFolder, locate};

/// Bytes of its output that are passed on in all. Each turn has a lower limit of its own.
const OUTPUT_LIMIT: u64 = 4 << 30;

/// Where an agent works.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// The workspace.
    pub workspace: PathBuf,
    /// The private copy that it sees in place of the workspace; `None` if it sees the workspace,
    /// read-only.
    pub copy: Option<PathBuf>,
    /// Folders of the workspace that it sees read-only inside the copy.
    pub shared: Vec<PathBuf>,
    /// Value of `PLANWRIGHT_RUN` in its environment.
    pub marker: String,
}

/// Starts an agent. `variable` reads the user's environment. The permit is for handing over to
/// exactly the agent's line.
///
/// # Errors
/// If no sandbox can run it; nothing was started.
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

/// The agent's settings: each file, and its place relative to the home folder.
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

/// What has to be readable for a program: the folder of its package, and of the link to it.
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
