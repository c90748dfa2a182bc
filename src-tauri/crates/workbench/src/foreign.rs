//! Home folders of other programs that keep plans there.
//!
//! What lies in one of them belongs to that program. It is shown, searched and copied, and never
//! written: every use case that would write says [`HomeFolder::refusal`] instead, by whatever path the
//! file was named.

use std::path::{Path, PathBuf};

use crate::Workbench;
use crate::error::{Code, Error, Result};

/// Folders in a user's home that other programs keep plans in.
const HOME_FOLDERS: [&str; 2] = [".claude/plans", ".cursor/plans"];

/// A home folder of another program.
#[derive(Debug, Clone)]
pub struct HomeFolder {
    /// As people write it: `~/.claude/plans`.
    pub shown: String,
    /// Absolute, links resolved.
    pub path: PathBuf,
}

impl HomeFolder {
    /// Why a plan in it is not written, and what to do.
    pub fn refusal(shown: &str) -> String {
        format!(
            "This plan lies in {shown}, which belongs to another program. Copy it into this workspace to change or approve it."
        )
    }
}

/// Refuses to write a plan that lies in a home folder of another program.
/// Fails with [`Code::Workspace`], with what to do instead.
pub(crate) fn refuse(workbench: &Workbench, path: &Path) -> Result<()> {
    match home_folder_of(workbench, path) {
        Some(home) => Err(Error::new(
            Code::Workspace,
            HomeFolder::refusal(&home.shown),
        )),
        None => Ok(()),
    }
}

/// The home folders of other programs that are there.
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

/// The home folder of another program that a path lies in, also by way of links. The file need not be
/// there.
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
