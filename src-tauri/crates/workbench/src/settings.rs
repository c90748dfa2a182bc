//! The effective settings, merged from the user's `settings.json`, environment variables, and the
//! workspace's `.planwright/settings.json`.
//!
//! A bad file, key or value is reported, and the rest still applies. Workspaces aren't trusted:
//! they may set project options and *tighten* the gate. A value that would loosen it is reported as
//! ignored, and keys reserved for the user aren't even read.
//!
//! The table in `layer` describes every setting.
//!
//! **Architecture invariants.** Reading (`read`) is separate from merging (`merge`), and merging is
//! pure. Whatever a workspace's file contains, the merged settings are never looser than the user's
//! alone; a property test checks this. Messages never repeat the values of an endpoint, since a key
//! may be among them by mistake. This module writes nothing and never reads the workspace by
//! itself: the caller does so through the jail.

pub mod agents;
mod endpoint;
mod environment;
pub mod executors;
pub mod file;
mod format;
mod layer;
mod merge;
pub(crate) mod planning;
mod read;
mod routes;
mod rules;
#[cfg(test)]
mod tests;
mod value_parsers;
pub mod write;

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;

use agent::verification::{Verification, WorkspaceCheck};
use gate::permissions::Rule;
use gate::policy::Policy;
use model::Endpoint;
use serde::Serialize;
use tools::sandbox::Wanted;

use crate::wire::settings::SettingProblem;
use layer::Layer;
pub use layer::{Descriptor, descriptors};
use read::Owner;

/// The JSON Schema of both settings files, for editors.
pub const SETTINGS_SCHEMA: &str = include_str!("../settings.schema.json");

/// The size limit of a settings file, in bytes.
const MAX_FILE_SIZE: u64 = 1 << 20;

/// The effective settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The minimum approval policy: the stricter of the user's and the workspace's. A run uses
    /// [`Settings::policy_for`].
    pub(crate) policy: Option<Policy>,
    /// The user's policy, which a run's own choice replaces.
    user_policy: Option<Policy>,
    /// The workspace's policy, which can't be overridden.
    workspace_policy: Option<Policy>,
    /// Whether adequacy is measured and recorded at each approval.
    pub(crate) plan_adequacy_shadow: bool,
    /// Whether approving a thin plan requires a written reason.
    pub(crate) plan_adequacy_enforce: bool,
    /// With enforcement on, a plan with a higher unresolved risk needs a written reason too; 0.05
    /// to 0.95.
    pub(crate) max_gap_risk: Option<f64>,
    /// The limits on expanding thin plans.
    pub expansion: adequacy::expansion::Settings,
    /// The user's rules, then the workspace's; the strictest matching rule wins.
    pub permissions: Vec<Rule>,
    /// The requested sandbox for commands.
    pub(crate) sandbox: Wanted,
    /// Extra folders that commands may read besides the detected ones: absolute, or starting with
    /// `~/`.
    pub(crate) toolchains: Vec<String>,
    /// Patterns of private files, in addition to the built-in list.
    pub private_files: Vec<String>,
    /// The model endpoint.
    pub(crate) endpoint: Option<Endpoint>,
    /// The time limit of a command, in seconds.
    pub(crate) command_timeout_s: u32,
    /// How long to wait for an unreachable model server, in seconds; 0 doesn't wait.
    pub(crate) server_wait_s: u64,
    /// Command lines that check the project; if empty, they are detected from the project.
    pub verify_commands: Vec<String>,
    /// Whether `verify_commands` are the user's; those from a workspace's file need permission to
    /// run.
    pub(crate) verify_commands_are_own: bool,
    /// The kinds of verification that apply to a step.
    pub(crate) verification: Verification,
    /// How plans grow during a run.
    pub planning: planning::Planning,
    /// The default order in which planners and plugins are tried.
    pub(crate) routes: ::planning::decision::Orders,
    /// Commands that steps can be handed over to.
    pub executors: Vec<executors::Executor>,
    /// The user's entries for agents that carry out steps or write plans.
    pub agents: Vec<agents::AgentEntry>,
    /// Workspace folders with plan templates, the first taking precedence; clean relative paths.
    pub(crate) template_folders: Vec<String>,
    /// The workspace folder for new plans; a clean relative path.
    pub plan_folder: String,
    /// Other folders that are searched for plans; `None` searches everywhere.
    pub plan_folders: Option<Vec<String>>,
    /// Notes for planners: the user's, then the workspace's.
    pub(crate) context_notes: Vec<String>,
    /// The window's theme.
    pub theme: Theme,
    /// The editor that the window opens files in.
    pub editor: Editor,
}

plan::named! {
    /// The window's theme.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
    pub enum Theme {
        /// Follows the system.
        #[default]
        Auto = "auto",
        /// Dark text on a light background.
        Light = "light",
        /// Light text on a dark background.
        Dark = "dark",
    }
}

plan::named! {
    /// The editor that the window opens files in.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
    pub enum Editor {
        /// The first of the others that works.
        #[default]
        Auto = "auto",
        /// The program in `$VISUAL`.
        Visual = "visual",
        /// Visual Studio Code.
        VsCode = "vscode",
        /// Zed.
        Zed = "zed",
        /// The desktop's editor for text files.
        Desktop = "desktop",
    }
}

impl std::fmt::Display for SettingProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.key.as_str() {
            "" => write!(f, "{}: {}", self.file, self.message),
            key => write!(f, "{}: {key}: {}", self.file, self.message),
        }
    }
}

/// The settings file of a workspace.
pub struct WorkspaceSource<'a> {
    /// The file's name in reported problems.
    pub(crate) file: String,
    /// Reads the text: `None` if there is no file, a message if it can't be read.
    pub(crate) read: &'a dyn Fn() -> Result<Option<String>, String>,
}

impl Settings {
    /// Reads all layers. The second value lists the problems, in layer order: the user's file, the
    /// environment, the workspace's file.
    pub fn load(
        user_file: &Path,
        workspace: Option<&WorkspaceSource<'_>>,
        env: impl Fn(&str) -> Option<OsString>,
    ) -> (Self, Vec<SettingProblem>) {
        let mut problems = Vec::new();
        let file = user_file.display().to_string();
        let user = layer_of(read_user(user_file), &file, Owner::User, &mut problems);
        let (user, invalid) = environment::apply(user, env);
        add("environment", invalid, &mut problems);
        let Some(source) = workspace else {
            return (merge::merge(&user, &Layer::default()).0, problems);
        };
        let text = (source.read)();
        let layer = layer_of(text, &source.file, Owner::Workspace, &mut problems);
        let (settings, ignored) = merge::merge(&user, &layer);
        add(&source.file, ignored, &mut problems);
        (settings, problems)
    }

    /// The policy of one run: its own choice, else the user's setting, else `default`, but never
    /// asking less often than the workspace demands.
    pub fn policy_for(&self, wish: Option<Policy>, default: Policy) -> Policy {
        let wanted = wish.or(self.user_policy).unwrap_or(default);
        self.workspace_policy
            .map_or(wanted, |least| wanted.max(least))
    }

    /// The checks for a step that changed files and has no check of its own.
    pub(crate) fn workspace_checks(&self) -> Vec<WorkspaceCheck> {
        let lines = self.verify_commands.iter();
        lines
            .map(|line| WorkspaceCheck {
                line: line.clone(),
                is_own: self.verify_commands_are_own,
            })
            .collect()
    }

    /// Settings without values, which the merge fills in.
    fn unset() -> Self {
        Self {
            policy: None,
            user_policy: None,
            workspace_policy: None,
            plan_adequacy_shadow: false,
            plan_adequacy_enforce: false,
            max_gap_risk: None,
            expansion: adequacy::expansion::Settings::default(),
            permissions: Vec::new(),
            sandbox: Wanted::Auto,
            toolchains: Vec::new(),
            private_files: Vec::new(),
            endpoint: None,
            command_timeout_s: 0,
            server_wait_s: 0,
            verify_commands: Vec::new(),
            verify_commands_are_own: false,
            verification: Verification::default(),
            planning: planning::Planning::default(),
            routes: ::planning::decision::Orders::default(),
            executors: Vec::new(),
            agents: Vec::new(),
            template_folders: Vec::new(),
            plan_folder: String::new(),
            plan_folders: None,
            context_notes: Vec::new(),
            theme: Theme::default(),
            editor: Editor::default(),
        }
    }
}

impl Default for Settings {
    /// The settings that apply without any settings file.
    fn default() -> Self {
        merge::merge(&Layer::default(), &Layer::default()).0
    }
}

fn layer_of(
    text: Result<Option<String>, String>,
    file: &str,
    owner: Owner,
    problems: &mut Vec<SettingProblem>,
) -> Layer {
    let (layer, found) = match text {
        Ok(None) => return Layer::default(),
        Ok(Some(text)) if text.len() as u64 > MAX_FILE_SIZE => {
            (Layer::default(), vec![too_large()])
        }
        Ok(Some(text)) => read::layer(&text, owner),
        Err(reason) => (Layer::default(), vec![SettingProblem::new("", reason)]),
    };
    add(file, found, problems);
    layer
}

fn add(file: &str, found: Vec<SettingProblem>, problems: &mut Vec<SettingProblem>) {
    problems.extend(found.into_iter().map(|problem| SettingProblem {
        file: file.to_owned(),
        ..problem
    }));
}

impl SettingProblem {
    /// A problem whose file is set later.
    fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            file: String::new(),
            key: key.into(),
            message: message.into(),
        }
    }
}

fn too_large() -> SettingProblem {
    SettingProblem::new(
        "",
        "larger than 1 MiB; the file is ignored until it is smaller",
    )
}

fn read_user(path: &Path) -> Result<Option<String>, String> {
    let failed = |error: std::io::Error| format!("can't be read, so it is ignored: {error}");
    match path.metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
        // Opening a named pipe would block until there is a writer.
        Ok(metadata) if !metadata.is_file() => {
            return Err("not a file; move or rename it, then write your settings there".to_owned());
        }
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_FILE_SIZE + 1).read_to_end(&mut bytes))
        .map_err(failed)?;
    if bytes.len() as u64 > MAX_FILE_SIZE {
        return Err(too_large().message);
    }
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("not UTF-8 at byte {at}; the file is ignored until you save it as UTF-8")
    })
}
