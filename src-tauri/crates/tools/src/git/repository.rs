//! The Git folders of a repository, found as Git finds them; nothing is run.

use std::fs;
use std::path::{Path, PathBuf};

/// The repository that a workspace belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repository {
    /// The folder that holds `.git`.
    pub(crate) top: PathBuf,
    /// Its own Git folder: of a worktree, the one below `worktrees`.
    pub(crate) own: PathBuf,
    /// The one with objects and configuration; the same but for a worktree.
    pub(crate) common: PathBuf,
}

impl Repository {
    /// The one that a Git folder or a `.git` file belongs to.
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

    /// Found as Git finds it, from the workspace upwards; canonical. Not where `.git` leads to
    /// something that is no Git folder.
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

    /// Whether its Git folder belongs to it: lies in it, or leads back to it, as that of a worktree or
    /// a submodule does. Anybody may write a `.git` file that names a folder of somebody else.
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

    /// The Git folders, once each.
    pub(crate) fn folders(&self) -> impl Iterator<Item = PathBuf> {
        let common = (self.common != self.own).then(|| self.common.clone());
        std::iter::once(self.own.clone()).chain(common)
    }
}
