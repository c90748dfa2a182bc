//! Editing a plan, undo and redo, fixes.

use crate::desktop::Desktop;
use crate::error::{Result, unbuilt};
use crate::wire::window::{DeletePreview, Edit, EditOutcome, FixPreview};

impl Desktop {
    /// Makes one change, on the revision that the person saw.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn edit(&self, plan: &str, revision: &str, edit: Edit) -> Result<EditOutcome> {
        Err(unbuilt(&(plan, revision, edit)))
    }

    /// Takes the last edit back.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn undo_edit(&self, plan: &str) -> Result<EditOutcome> {
        Err(unbuilt(&(plan,)))
    }

    /// Makes the edit again that was taken back last.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn redo_edit(&self, plan: &str) -> Result<EditOutcome> {
        Err(unbuilt(&(plan,)))
    }

    /// What deleting a task would take along.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn preview_delete(&self, plan: &str, revision: &str, task: &str) -> Result<DeletePreview> {
        Err(unbuilt(&(plan, revision, task)))
    }

    /// What a finding's fix would change.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn preview_fix(&self, plan: &str, revision: &str, finding: &str) -> Result<FixPreview> {
        Err(unbuilt(&(plan, revision, finding)))
    }

    /// Applies a finding's fix.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn apply_fix(&self, plan: &str, revision: &str, finding: &str) -> Result<EditOutcome> {
        Err(unbuilt(&(plan, revision, finding)))
    }
}
