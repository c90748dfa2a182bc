//! Updates the index for known changes: by the steps of a run, and by undo.
//!
//! This keeps names and links current without walking the folder, and leaves the next search little
//! to read. Nothing relies on it, since that search finds any other changes. It never creates an
//! index, and never waits for another process that is writing it.

use std::path::Path;

use store::WorkspaceIndex;
use tools::Workspace;

use super::refresh;
use crate::Workbench;
use crate::error::Result;

/// Maximum paths updated at once; more are left to the next search, so that the caller needn't
/// wait.
const MAX_CHANGED: usize = 200;

impl Workbench {
    /// Updates the index of a workspace for paths known to have changed. Does nothing if there is
    /// no index, if another process is writing it, or for more than 200 paths; then the next search
    /// finds the changes. Returns the number of files read. Fails with
    /// [`Code::Workspace`](crate::Code::Workspace) if the folder can't be read,
    /// [`Code::Storage`](crate::Code::Storage) if the index can't be written.
    pub fn files_changed(&self, root: &Path, paths: &[String]) -> Result<usize> {
        let workspace = self.open_workspace(&self.environment.cwd.join(root))?;
        self.index_changed(&workspace, paths)
    }

    /// Updates the index for changed files. A failure is only logged, since it doesn't affect the
    /// work that changed them.
    pub(crate) fn update_index(&self, workspace: &Workspace, paths: &[String]) {
        match self.index_changed(workspace, paths) {
            Ok(read) => tracing::debug!(changed = paths.len(), read, "index updated"),
            Err(error) => tracing::info!(%error, "couldn't update the index"),
        }
    }

    fn index_changed(&self, workspace: &Workspace, paths: &[String]) -> Result<usize> {
        if paths.is_empty() || paths.len() > MAX_CHANGED {
            return Ok(0);
        }
        let Some(index) = WorkspaceIndex::amend(&self.index_file(workspace.path()))? else {
            return Ok(0);
        };
        let (settings, _) = self.settings_for(Some(workspace));
        let done = refresh::update(&index, workspace, &settings.plan_folder, paths)?;
        Ok(done.files_read)
    }
}
