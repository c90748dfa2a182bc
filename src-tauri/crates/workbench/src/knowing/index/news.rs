//! Which files changed, told to the index by those who know: the steps of a run, and taking back.
//!
//! So names and links that are read without a look at the folder are those of the files as they are,
//! and the next look finds little to read. Nothing relies on it: that look finds whatever was not
//! told. An index is never made for news, and none waits for another process that writes it.

use std::path::Path;

use store::WorkspaceIndex;
use tools::Workspace;

use super::refreshing;
use crate::Workbench;
use crate::error::Result;

/// More paths than this are left to the next look: whoever tells of them is not to wait.
const MAX_TOLD: usize = 200;

impl Workbench {
    /// Brings the index of a workspace up to date for these paths alone, for one who knows that they
    /// changed. Does nothing where there is no index, while another process writes it, and for more
    /// than 200 paths: the next search looks at everything. Answers how many files were read.
    ///
    /// # Errors
    /// [`Code::Workspace`](crate::Code::Workspace) when the folder cannot be read,
    /// [`Code::Storage`](crate::Code::Storage) when the index cannot be written.
    pub fn files_changed(&self, root: &Path, paths: &[String]) -> Result<usize> {
        let workspace = self.open_workspace(&self.environment.cwd.join(root))?;
        self.take_in_changed(&workspace, paths)
    }

    /// Tells the index which files changed. That it cannot be told is no fault of the work that
    /// changed them.
    pub(crate) fn tell_index(&self, workspace: &Workspace, paths: &[String]) {
        match self.take_in_changed(workspace, paths) {
            Ok(read) => tracing::debug!(told = paths.len(), read, "the index was told of changes"),
            Err(error) => tracing::info!(%error, "the index was not told of changes"),
        }
    }

    fn take_in_changed(&self, workspace: &Workspace, paths: &[String]) -> Result<usize> {
        if paths.is_empty() || paths.len() > MAX_TOLD {
            return Ok(0);
        }
        let Some(index) = WorkspaceIndex::amend(&self.index_file(workspace.path()))? else {
            return Ok(0);
        };
        let (settings, _) = self.settings_for(Some(workspace));
        let done = refreshing::update(&index, workspace, &settings.plan_folder, paths)?;
        Ok(done.files_read)
    }
}
