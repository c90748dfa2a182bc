//! Settings, permission rules, the sandbox and templates as the window shows them.

use serde::Serialize;
use specta::Type;
use workbench::wire::settings::SettingProblem;

/// The settings in force.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct SettingsView {
    /// In the order of the schema.
    pub settings: Vec<SettingView>,
    /// What is wrong with the files.
    pub problems: Vec<SettingProblem>,
    /// The user's file, which the window writes.
    pub user_file: String,
    /// The workspace's file, if a workspace is open.
    pub workspace_file: Option<String>,
    /// The permission rules in force here.
    pub rules: Vec<RuleView>,
    /// How commands are shut in.
    pub sandbox: SandboxView,
}

/// One setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct SettingView {
    /// Its key.
    pub key: String,
    /// What it is for, from the schema.
    pub description: String,
    /// The value in force, as JSON.
    pub value: String,
    /// The default, as JSON.
    pub default: String,
    /// `default`, `user`, `workspace` or `environment`.
    pub from: String,
    /// `boolean`, `number`, `text`, `choice`, `list` or `json`.
    pub kind: String,
    /// What can be chosen.
    pub choices: Vec<String>,
}

/// One permission rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct RuleView {
    /// What takes it back.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// `exact` or `prefix`.
    pub kind: String,
    /// The text that it matches.
    pub text: String,
    /// `allow`, `ask` or `deny`.
    pub answer: String,
    /// `always here`, `settings` or `workspace`.
    pub from: String,
    /// The workspace it was made in, or the file that says it.
    pub place: String,
    /// When it was made, for “always here”.
    pub at_ms: Option<i64>,
    /// Whether it can be taken back here; a file of the workspace is not written.
    pub is_revocable: bool,
}

/// How commands are shut in on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct SandboxView {
    /// `bubblewrap`, `landlock` or `none`.
    pub tier: String,
    /// What that means, in one sentence.
    pub meaning: String,
    /// How many escapes were tried, and how many were refused.
    pub tried: u32,
    /// See `tried`.
    pub refused: u32,
    /// Why a better tier is not in force, one sentence each.
    pub unavailable: Vec<String>,
}

/// One template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TemplateView {
    /// Its name.
    pub name: String,
    /// What it is for, in one line.
    pub description: String,
    /// `built in`, or the file it comes from.
    pub source: String,
    /// A goal that it answers, to start from.
    pub example: String,
    /// What is filled in.
    pub parameters: Vec<String>,
    /// How many steps it writes at most.
    pub steps: u32,
    /// Why it cannot be used, when it cannot.
    pub problem: Option<String>,
}

/// The text of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TemplateText {
    /// Its name.
    pub name: String,
    /// As written.
    pub markdown: String,
}
