//! The settings in force: the user's `settings.json`, the environment, and what the workspace asks
//! for in `.planwright/settings.json`.
//!
//! A bad file, key or value is named and the rest still applies. A workspace comes from anywhere: it
//! may set project things and may *tighten* the gate; a key that would loosen it is named as ignored
//! and never applied, and what only a user may set is not even looked at.
//!
//! **Architecture invariants.** Reading (`read`) is apart from merging (`merge`), and merging is
//! pure. Whatever a workspace holds, the merged settings are never looser than the user's alone; a
//! property test holds this. Values of an endpoint are never repeated in a message, since a key may
//! stand there by mistake. Writes nothing and never reads the workspace by itself: the caller reads
//! it through the jail.

mod environment;
pub mod executors;
mod expansion;
pub mod file;
mod layer;
mod merge;
pub(crate) mod planning;
mod read;
mod routes;
#[cfg(test)]
mod tests;
mod values;
pub mod write;

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;

use agent::verifying::{Verification, WorkspaceCheck};
use gate::permissions::Rule;
use gate::policy::Policy;
use model::Endpoint;
use serde::Serialize;
use serde_json::{Value, json};
use tools::sandbox::Wanted;

use crate::permitting::match_of;
use crate::wire::settings::SettingProblem;
use layer::Layer;
use read::Owner;

/// The JSON Schema of both settings files, for editors.
pub const SETTINGS_SCHEMA: &str = include_str!("../settings.schema.json");

/// A settings file larger than this is refused, in bytes.
const LARGEST: u64 = 1 << 20;

/// The settings in force.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// How often a run asks at least, as far as settings say: the stricter of the user's and the
    /// workspace's wish. [`Settings::policy_for`] is what a run uses.
    pub(crate) policy: Option<Policy>,
    /// The user's own wish, which a wish for one run replaces.
    user_policy: Option<Policy>,
    /// The workspace's wish, which nothing but its file replaces.
    workspace_policy: Option<Policy>,
    /// Whether adequacy is measured and recorded at each approval.
    pub(crate) plan_adequacy_shadow: bool,
    /// Whether a thin plan needs a written reason.
    pub(crate) plan_adequacy_enforce: bool,
    /// With enforcement, a plan with more unresolved risk needs a written reason too; 0.05 to 0.95.
    pub(crate) max_gap_risk: Option<f64>,
    /// What bounds the loop that makes thin plans fuller.
    pub expansion: adequacy::expansion::Settings,
    /// The user's rules, then the workspace's; the strictest that matches wins.
    pub permissions: Vec<Rule>,
    /// The sandbox for commands.
    pub(crate) sandbox: Wanted,
    /// Folders that commands may read beyond what is found: absolute, or with `~/`.
    pub(crate) toolchains: Vec<String>,
    /// Patterns of private files beyond the built-in list.
    pub(crate) private_files: Vec<String>,
    /// The model endpoint.
    pub(crate) endpoint: Option<Endpoint>,
    /// How long a command may run, in seconds.
    pub(crate) command_timeout_s: u32,
    /// How long a model's server that is gone is waited for, in seconds; 0 does not wait.
    pub(crate) server_wait_s: u64,
    /// Command lines that check the project; empty means that the project itself is asked.
    pub verify_commands: Vec<String>,
    /// Whether `verify_commands` are the user's: those of a workspace's file ask before they run.
    pub(crate) verify_commands_are_own: bool,
    /// What is verified of a step.
    pub(crate) verification: Verification,
    /// How plans grow while they run.
    pub planning: planning::Planning,
    /// In which order planners and plugins are tried by default.
    pub(crate) routes: ::planning::decision::Orders,
    /// Commands that steps can be handed over to.
    pub executors: Vec<executors::Executor>,
    /// Folders of the workspace with plan templates, first wins; clean relative paths.
    pub(crate) template_folders: Vec<String>,
    /// The folder of the workspace for new plans; a clean relative path.
    pub plan_folder: String,
    /// The other folders in which plans are looked for; `None` means everywhere.
    pub plan_folders: Option<Vec<String>>,
    /// What a planner should know: the user's notes, then the workspace's.
    pub(crate) context_notes: Vec<String>,
    /// How the window looks.
    pub theme: Theme,
}

gate::named! {
    /// How the window looks.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
    pub enum Theme {
        /// As the system does.
        #[default]
        Auto = "auto",
        /// Dark on light.
        Light = "light",
        /// Light on dark.
        Dark = "dark",
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
    /// How problems name it.
    pub(crate) file: String,
    /// Its text; `None` when there is none, a sentence when it cannot be read.
    pub(crate) read: &'a dyn Fn() -> Result<Option<String>, String>,
}

impl Settings {
    /// Reads all layers. The second value names what does not apply, in the order of the layers:
    /// the user's file, the environment, the workspace's file.
    pub fn load(
        user_file: &Path,
        workspace: Option<&WorkspaceSource<'_>>,
        env: impl Fn(&str) -> Option<OsString>,
    ) -> (Self, Vec<SettingProblem>) {
        let mut problems = Vec::new();
        let file = user_file.display().to_string();
        let user = layer_of(read_user(user_file), &file, Owner::User, &mut problems);
        let (user, found) = environment::over(user, env);
        add("environment", found, &mut problems);
        let Some(source) = workspace else {
            return (merge::merge(&user, &Layer::default()).0, problems);
        };
        let text = (source.read)();
        let layer = layer_of(text, &source.file, Owner::Workspace, &mut problems);
        let (settings, ignored) = merge::merge(&user, &layer);
        add(&source.file, ignored, &mut problems);
        (settings, problems)
    }

    /// The policy of one run: the wish for this run, else the user's setting, else `default`; never
    /// asking less often than the workspace wants.
    pub fn policy_for(&self, wish: Option<Policy>, default: Policy) -> Policy {
        let wanted = wish.or(self.user_policy).unwrap_or(default);
        self.workspace_policy
            .map_or(wanted, |least| wanted.max(least))
    }

    /// What checks a step that changed files and has no check of its own.
    pub(crate) fn workspace_checks(&self) -> Vec<WorkspaceCheck> {
        let lines = self.verify_commands.iter();
        lines
            .map(|line| WorkspaceCheck {
                line: line.clone(),
                is_own: self.verify_commands_are_own,
            })
            .collect()
    }

    /// The settings under their keys, as a JSON object.
    pub fn to_json(&self) -> Value {
        let rules: Vec<Value> = self.permissions.iter().map(rule_json).collect();
        json!({
            "policy": self.policy.map(Policy::as_str),
            "plan_adequacy_shadow": self.plan_adequacy_shadow,
            "plan_adequacy_enforce": self.plan_adequacy_enforce,
            "max_gap_risk": self.max_gap_risk,
            "loop_mode": self.expansion.loop_mode.as_str(),
            "max_refine_rounds": self.expansion.max_refine_rounds,
            "refine_budget_tokens": self.expansion.refine_budget_tokens,
            "gap_risk_threshold": self.expansion.gap_risk_threshold,
            "auto_expand_thin_plan": self.expansion.auto_expand_thin_plan,
            "plan_depth": self.expansion.plan_depth.as_str(),
            "max_tasks": self.expansion.max_tasks,
            "permissions": rules,
            "sandbox": values::name_of(&values::SANDBOXES, &self.sandbox),
            "toolchains": self.toolchains,
            "private_files": self.private_files,
            "endpoint": self.endpoint,
            "command_timeout_s": self.command_timeout_s,
            "server_wait_s": self.server_wait_s,
            "verify_commands": self.verify_commands,
            "verifyFileChanges": self.verification.verify_file_changes,
            "runTestsAfterChanges": self.verification.run_tests_after_changes,
            "verifySearchResults": self.verification.verify_search_results,
            "maxVerificationAttempts": self.verification.max_verification_attempts,
            "planningStrategy": values::name_of(&planning::STRATEGIES, &self.planning.strategy),
            "contextStrategy": self.planning.context.as_str(),
            "lookAheadTasks": self.planning.look_ahead,
            "maxAddedSteps": self.planning.caps.steps,
            "maxModelCalls": self.planning.caps.calls,
            "maxRunTokens": self.planning.caps.tokens,
            "maxRunSeconds": self.planning.caps.seconds,
            "defaultPlannerPlugin": self.routes.planner,
            "plannerFallbackOrder": self.routes.planners,
            "defaultSeedDetectorPlan": self.routes.detectors,
            "defaultKBPlan": self.routes.kbs,
            "defaultGoalSolverPlan": self.routes.solvers,
            "executors": self.executors,
            "template_folders": self.template_folders,
            "plan_folder": self.plan_folder,
            "plan_folders": self.plan_folders,
            "context_notes": self.context_notes,
            "theme": self.theme.as_str(),
        })
    }
}

fn rule_json(rule: &Rule) -> Value {
    let (matches, answer) = (match_of(rule), rule.verdict.as_str());
    json!({"tool": rule.tool, "match": matches, "answer": answer})
}

fn layer_of(
    text: Result<Option<String>, String>,
    file: &str,
    owner: Owner,
    problems: &mut Vec<SettingProblem>,
) -> Layer {
    let (layer, found) = match text {
        Ok(None) => return Layer::default(),
        Ok(Some(text)) if text.len() as u64 > LARGEST => (Layer::default(), vec![too_large()]),
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
    /// One whose file is not said yet.
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
        "is larger than 1 MiB; nothing in it applies until it is smaller",
    )
}

fn read_user(path: &Path) -> Result<Option<String>, String> {
    let failed = |error: std::io::Error| {
        format!("cannot be read ({error}); nothing in it applies until it can be")
    };
    match path.metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
        // Opening a pipe would wait for a writer.
        Ok(found) if !found.is_file() => {
            return Err("is not a file; move it away and write the settings there".to_owned());
        }
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
        .map_err(failed)?;
    if bytes.len() as u64 > LARGEST {
        return Err(too_large().message);
    }
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("is not UTF-8 text (byte {at}); nothing in it applies until it is saved as UTF-8")
    })
}
