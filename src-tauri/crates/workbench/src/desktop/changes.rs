//! What runs changed in files, and taking it back.

use crate::desktop::Desktop;
use crate::error::{Result, unbuilt};
use crate::wire::window::{ChangesView, FileDiff, UndoView};

impl Desktop {
    /// The changes of a step, or of the whole run.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn changes(&self, run: &str, task: Option<&str>) -> Result<ChangesView> {
        Err(unbuilt(&(run, task)))
    }

    /// The diff of one file.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn file_diff(&self, run: &str, task: Option<&str>, path: &str) -> Result<FileDiff> {
        Err(unbuilt(&(run, task, path)))
    }

    /// Takes changes back: of one file, of a step, or of the whole run.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn undo_changes(
        &self,
        run: &str,
        task: Option<&str>,
        path: Option<&str>,
    ) -> Result<UndoView> {
        Err(unbuilt(&(run, task, path)))
    }
}
