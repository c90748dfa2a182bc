//! Finds the Git folders of a repository as Git would, without running anything.

use std::fs;
use std::path::{Path, PathBuf};

/// The repository that a workspace belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repository {
    /// The folder that contains `.git`.
    pub(crate) top: PathBuf,
    /// Its own Git folder; for a worktree, the one below `worktrees`.
    pub(crate) own: PathBuf,
    /// The folder with objects and configuration; different only for a worktree.
    pub(crate) common: PathBuf,
}

impl Repository {
    /// The repository that a Git folder or a `.git` file belongs to.
    pub(crate) fn at(git: &Path) -> Option<Self> {
        if git.file_name().is_some_and(|name| name == ".git") {
            return Self::of(git.parent()?);
        }
        let folder = git.to_owned();
        Some(Self {
            top: folder.clone(),
            own: folder.clone(),
            common: folder,
        })
    }

    /// Finds the repository of a workspace as Git does, searching upward; Git folders are
    /// canonical. `None` if there is no `.git`, or it leads to something that is not a Git folder.
    pub(crate) fn of(workspace: &Path) -> Option<Self> {
        let top = workspace
            .ancestors()
            .find(|folder| folder.join(".git").symlink_metadata().is_ok())?;
        let git = top.join(".git");
        let own = if git.is_file() {
            let text = fs::read_to_string(&git)
                .ok()
                .filter(|text| text.len() < 4096)?;
            top.join(text.strip_prefix("gitdir: ")?.trim_end())
        } else {
            git
        };
        let own = own.canonicalize().ok()?;
        let common = match fs::read_to_string(own.join("commondir")) {
            Ok(text) => own.join(text.trim_end()).canonicalize().ok()?,
            Err(_) => own.clone(),
        };
        let is_git = own.join("HEAD").symlink_metadata().is_ok()
            && common.join("objects").is_dir()
            && common.join("refs").is_dir();
        is_git.then(|| Self {
            top: top.to_owned(),
            own,
            common,
        })
    }

    /// Whether the Git folder belongs to this repository: it is inside `top`, or points back to it,
    /// as for worktrees and submodules. Otherwise, a `.git` file could name someone else's folder.
    pub(crate) fn is_its_own(&self) -> bool {
        let leads_to = |name: &str, to: &Path| {
            let target = self.own.join(name.trim().trim_matches('"'));
            target.canonicalize().is_ok_and(|target| target == to)
        };
        let read = |name: &str| fs::read_to_string(self.own.join(name)).unwrap_or_default();
        let settings = read("config") + "\n" + &read("config.worktree");
        let mut named = settings.lines().filter_map(|line| line.split_once('='));
        self.own.starts_with(&self.top)
            || leads_to(&read("gitdir"), &self.top.join(".git"))
            || named.any(|(key, to)| key.trim() == "worktree" && leads_to(to, &self.top))
    }

    /// The Git folders without duplicates.
    pub(crate) fn folders(&self) -> impl Iterator<Item = PathBuf> {
        let common = (self.common != self.own).then(|| self.common.clone());
        std::iter::once(self.own.clone()).chain(common)
    }
}
