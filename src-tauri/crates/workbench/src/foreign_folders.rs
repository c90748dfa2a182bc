//! Folders in the user's home in which other programs keep plans.
//!
//! Their files belong to those programs. They can be shown, searched and copied, but never written:
//! every use case that would write one fails with [`HomeFolder::refusal`], whatever path was used.

use std::path::{Path, PathBuf};

use crate::Workbench;
use crate::error::{Code, Error, Result};

/// The folders, relative to the user's home, in which other programs keep plans.
const HOME_FOLDERS: [&str; 2] = [".claude/plans", ".cursor/plans"];

/// A folder in the user's home in which another program keeps plans.
#[derive(Debug, Clone)]
pub struct HomeFolder {
    /// The folder's path for display, such as `~/.claude/plans`.
    pub shown: String,
    /// The folder's absolute path with symlinks resolved.
    pub path: PathBuf,
}

impl HomeFolder {
    /// An error that says why a plan in this folder can't be written, and what to do.
    pub fn refusal(shown: &str) -> String {
        format!(
            "This plan is in {shown}, which belongs to another program. Copy it to this workspace to edit or approve it."
        )
    }
}

/// Refuses to write a plan in another program's plan folder. Fails with [`Code::Workspace`] and
/// what to do instead.
pub(crate) fn refuse(workbench: &Workbench, path: &Path) -> Result<()> {
    match home_folder_of(workbench, path) {
        Some(home) => Err(Error::new(
            Code::Workspace,
            HomeFolder::refusal(&home.shown),
        )),
        None => Ok(()),
    }
}

/// The existing plan folders of other programs.
pub fn home_folders(workbench: &Workbench) -> Vec<HomeFolder> {
    let home = workbench.environment.home();
    let folders = HOME_FOLDERS.iter().filter_map(|folder| {
        Some(HomeFolder {
            shown: format!("~/{folder}"),
            path: home.join(folder).canonicalize().ok()?,
        })
    });
    folders.collect()
}

/// The other program's plan folder that contains a path, following symlinks. The file need not
/// exist.
pub fn home_folder_of(workbench: &Workbench, path: &Path) -> Option<HomeFolder> {
    let folders = home_folders(workbench);
    if folders.is_empty() {
        return None;
    }
    let resolved = path.canonicalize().or_else(|error| {
        let parent = path.parent().map(Path::canonicalize);
        parent.unwrap_or(Err(error))
    });
    let resolved = resolved.unwrap_or_else(|_| path.to_owned());
    let mut folders = folders.into_iter();
    folders.find(|folder| resolved.starts_with(&folder.path))
}
