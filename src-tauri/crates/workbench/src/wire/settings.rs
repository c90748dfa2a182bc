//! Problems in the settings, as shown by the window and by `settings`.

use serde::Serialize;
use specta::Type;

/// A setting that doesn't apply, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct SettingProblem {
    /// The file.
    pub file: String,
    /// The key.
    pub key: String,
    /// What is wrong, and what applies instead.
    pub message: String,
}
