//! Problems in the settings, as shown by the window and by the `settings` command.

use serde::Serialize;
use specta::Type;

/// A setting that doesn't apply, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct SettingProblem {
    /// Where the setting comes from: the path of a settings file, or `environment`.
    pub file: String,
    /// The key of the setting.
    pub key: String,
    /// What is wrong, and what applies instead.
    pub message: String,
}

/// A group of settings on the settings screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "lowercase")]
pub enum SettingGroup {
    /// Folders, notes, appearance and the editor.
    General,
    /// Approval, runs and executors.
    Runs,
    /// Permission rules and the sandbox.
    Permissions,
    /// Verification of steps.
    Checks,
    /// Measuring and enforcing plan quality.
    Adequacy,
    /// Expanding thin plans.
    Expansion,
    /// Plans to which steps are added during a run.
    Growth,
    /// The order in which planners and plugins are tried.
    Routes,
}
