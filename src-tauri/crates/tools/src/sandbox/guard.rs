//! Guards the workspace against a command: surveys it beforehand, protects it while the command
//! runs, and compares and cleans up afterwards.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::commit::PrivateGit;
use super::control::Control;
use super::inventory::Inventory;
use super::protect::{self, Protection};
use super::redact::Secrets;
use super::temporary::make_temporary;
use super::wire::{Failure, Job};
use super::{Mode, Tier, login_files};
use crate::git::control_paths::{self, ControlPath, Kind};
use crate::git::repository::Repository;
use crate::private::PrivateFiles;

/// The protection of the workspace against one command; removed after the command.
#[derive(Debug, Default)]
pub(super) struct Guard {
    pub(super) inventory: Inventory,
    /// Files in the Git folders that contain login credentials.
    logins: Vec<PathBuf>,
    /// Files outside the Git folders that Git would run or take settings from.
    pub(super) control_paths: Vec<ControlPath>,
    pub(super) control: Control,
    pub(super) protection: Protection,
    pub(super) temporary: Option<PathBuf>,
    pub(super) private_git: Option<PrivateGit>,
}

impl Guard {
    /// Surveys the workspace; creates nothing yet.
    pub(super) fn survey(job: &Job) -> Result<Self, Failure> {
        let private = PrivateFiles::new(&job.private_files);
        let mut this = Self {
            inventory: Inventory::take(&job.workspace, &private),
            ..Self::default()
        };
        let own = Repository::of(&job.workspace).into_iter();
        let own = own.flat_map(|repository| repository.folders().collect::<Vec<_>>());
        let found = this.inventory.repositories.iter().cloned();
        let all: BTreeSet<_> = found.chain(own).collect();
        let logins = all.iter().flat_map(|git| login_files::of_repository(git));
        this.logins = logins.collect();
        if job.mode == Mode::Exec {
            this.control_paths = job.control_paths.clone();
            let found = &this.inventory.repositories;
            let nested = control_paths::of_nested(&job.workspace, found, &job.homes);
            let nested = nested.map_err(|error| Failure::Setup(error.to_string()))?;
            this.control_paths.extend(nested);
            let control_paths = this.control_paths.iter().map(|place| place.path.clone());
            this.control = Control::take(all, control_paths.collect());
        }
        Ok(this)
    }

    /// Paths that the command must not read: logins in readable places, the workspace's private
    /// files, and in plan mode, channels to other processes. Repository settings are handled
    /// separately.
    pub(super) fn hidden<'a>(&'a self, job: &'a Job) -> impl Iterator<Item = &'a PathBuf> {
        let is_plan = job.mode == Mode::Plan;
        let private = self.inventory.private.iter();
        let channels = self.inventory.channels.iter();
        job.hidden
            .iter()
            .chain(private.filter(|_| !job.sees_private))
            .chain(channels.filter(move |_| is_plan))
    }

    /// Repository settings that the command must not read unchanged.
    pub(super) fn hidden_logins(&self, job: &Job) -> &[PathBuf] {
        match job.sees_private {
            true => &[],
            false => &self.logins,
        }
    }

    /// Texts that must not appear in the recorded output.
    pub(super) fn secrets(&self) -> Secrets {
        Secrets::of(&self.inventory.private, &self.logins)
    }

    pub(super) fn protected(&self, job: &Job) -> Vec<PathBuf> {
        // A mount can't protect a link: it protects the link's target, and the link is compared
        // after the command. Files that might be created beside the hooks are also only compared,
        // since dozens of stand-ins would clutter the folder.
        let control_paths = self.control_paths.iter().filter(|place| {
            let is_held = place.kind != Kind::Beside || job.tier == Tier::Landlock;
            !place.path.is_symlink() && (is_held || place.path.exists())
        });
        let control_paths = control_paths.map(|place| &place.path);
        let listed: Vec<_> = job.protected.iter().chain(control_paths).cloned().collect();
        protect::names(&job.workspace, &listed, &self.inventory.repositories)
    }

    /// Creates the private Git folder of a command that commits.
    pub(super) fn prepare_commit(&mut self, job: &Job) -> Result<(), Failure> {
        if job.commits
            && let Some(repository) = Repository::of(&job.workspace)
            // A repository that starts above the workspace has files that no step may commit.
            && repository.top == job.workspace
        {
            let own = &repository.own;
            let mut open = std::iter::once(&job.workspace).chain(&job.readable);
            if !open.any(|open| own.starts_with(open)) {
                return Err(Failure::GitElsewhere(own.clone()));
            }
            let folder = self.temporary()?.join("git");
            self.private_git = Some(PrivateGit::create(repository, folder)?);
        }
        Ok(())
    }

    /// Whether the workspace contains other repositories. Without namespaces, the variable that
    /// directs Git to the private folder would apply in those too.
    pub(super) fn has_other_repositories(&self, job: &Job) -> bool {
        let own = job.workspace.join(".git");
        let mut all = self.inventory.repositories.iter();
        all.any(|git| !git.starts_with(&own) && *git != job.workspace)
    }

    pub(super) fn temporary(&mut self) -> Result<PathBuf, Failure> {
        if self.temporary.is_none() {
            self.temporary = Some(make_temporary()?);
        }
        Ok(self.temporary.clone().unwrap_or_default())
    }

    /// Runs after the command's last process has ended: copies back approved changes, then reverts
    /// and reports all others.
    pub(super) fn settle(&self, job: &Job) -> Vec<String> {
        if job.mode == Mode::Plan {
            return Vec::new();
        }
        let logs_are_shared = job.tier == Tier::Bubblewrap;
        let mut alarms = self
            .private_git
            .as_ref()
            .map_or_else(Vec::new, |private_git| {
                let is_whole = private_git.repository.own == private_git.repository.common;
                private_git.copy_back(logs_are_shared && is_whole)
            });
        let now = Inventory::take(&job.workspace, &PrivateFiles::none());
        alarms.extend(self.control.restore(&now.repositories, &job.aside));
        let known = &self.inventory.repositories;
        let made = now.repositories.into_iter();
        let made: Vec<_> = made.filter(|one| !known.contains(one)).collect();
        // This must come after the new repositories' settings have been made harmless.
        match control_paths::of_new(&job.workspace, &made, &job.homes) {
            Ok(places) => {
                let paths = places.into_iter().map(|place| place.path);
                alarms.extend(self.control.close(paths, &made, &job.aside));
            }
            Err(error) => alarms.push(error.to_string()),
        }
        alarms
    }

    /// Removes what only existed for the command.
    pub(super) fn clear(&mut self) {
        self.protection.remove_stand_ins();
        if let Some(folder) = self.temporary.take() {
            // A folder that can't be removed only takes space; the system will clean it up.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}
