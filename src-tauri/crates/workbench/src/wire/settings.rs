//! What is wrong in the settings, as the window and `settings` show it.

use serde::Serialize;
use specta::Type;

/// Something that does not apply, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct SettingProblem {
    /// The file.
    pub file: String,
    /// The key.
    pub key: String,
    /// What is wrong and what holds instead.
    pub message: String,
}
