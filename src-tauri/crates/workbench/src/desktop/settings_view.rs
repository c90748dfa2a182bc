//! Settings, permission rules and the sandbox.

use crate::desktop::Desktop;
use crate::error::{Result, unbuilt};
use crate::wire::window::SettingsView;

impl Desktop {
    /// The settings in force.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn settings(&self, workspace: Option<&str>) -> Result<SettingsView> {
        Err(unbuilt(&(workspace,)))
    }

    /// Writes one key of the user's settings; `None` takes it out.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn set_setting(&self, key: &str, value: Option<&str>) -> Result<()> {
        Err(unbuilt(&(key, value)))
    }

    /// Revokes a rule made with “always here”.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn revoke_rule(&self, id: i64) -> Result<()> {
        Err(unbuilt(&(id,)))
    }
}
