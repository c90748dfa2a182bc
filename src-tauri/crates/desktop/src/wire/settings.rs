//! Settings, permission rules, the sandbox and templates.

use serde::Serialize;
use specta::Type;
use workbench::wire::settings::{SettingGroup, SettingProblem};

/// The effective settings.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct SettingsView {
    /// The settings, in listing order.
    pub settings: Vec<SettingView>,
    /// Problems in the settings files.
    pub problems: Vec<SettingProblem>,
    /// Path of the user's settings file, which the window edits.
    pub user_file: String,
    /// Path of the workspace's settings file, if a workspace is open.
    pub workspace_file: Option<String>,
    /// The permission rules that apply here.
    pub rules: Vec<RuleView>,
    /// How commands are sandboxed.
    pub sandbox: SandboxView,
}

/// One setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct SettingView {
    /// The setting's key.
    pub key: String,
    /// Its name on screen.
    pub label: String,
    /// The group it is shown in.
    pub group: SettingGroup,
    /// What it does, and who may set it.
    pub description: String,
    /// The effective value, as JSON.
    pub value: String,
    /// The default, as JSON.
    pub default: String,
    /// The source of the value: `default`, `user`, `workspace` or `environment`.
    pub from: String,
    /// The kind of input: `boolean`, `number`, `text`, `choice`, `list` or `json`.
    pub kind: String,
    /// The allowed values, for a `choice`.
    pub choices: Vec<String>,
}

/// One permission rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct RuleView {
    /// The id to revoke it by.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// How it matches: `exact` or `prefix`.
    pub kind: String,
    /// The text it matches.
    pub text: String,
    /// The rule's verdict: `allow`, `ask` or `deny`.
    pub answer: String,
    /// The rule's source: `always here`, `settings` or `workspace`.
    pub from: String,
    /// Path of the workspace it was created in, or of the file that contains it.
    pub place: String,
    /// When it was created, for “always here”.
    pub at_ms: Option<i64>,
    /// Whether it can be revoked here; rules in a workspace's file can't.
    pub is_revocable: bool,
}

/// How commands are sandboxed on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct SandboxView {
    /// The sandbox's tier: `bubblewrap`, `landlock` or `none`.
    pub tier: String,
    /// What the tier does, in one sentence.
    pub meaning: String,
    /// Number of escapes that were attempted as a self-test.
    pub tried: u32,
    /// Number of those escapes that were blocked.
    pub refused: u32,
    /// Why better tiers aren't available, one sentence each.
    pub unavailable: Vec<String>,
}

/// One template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TemplateView {
    /// The template's name, or its path if it can't be used.
    pub name: String,
    /// What it is for, in one line.
    pub description: String,
    /// `built in`, or the path of its file.
    pub source: String,
    /// An example goal to start from.
    pub example: String,
    /// Names of its parameters.
    pub parameters: Vec<String>,
    /// Maximum number of steps it produces.
    pub steps: u32,
    /// Why it can't be used, if it can't.
    pub problem: Option<String>,
}

/// The text of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TemplateText {
    /// The template's name.
    pub name: String,
    /// The template's Markdown source.
    pub markdown: String,
}
