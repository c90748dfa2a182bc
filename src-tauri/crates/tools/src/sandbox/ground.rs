//! What is looked at before a command, held while it runs, and compared and cleared after it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::commit::Desk;
use super::control::Control;
use super::inventory::Inventory;
use super::protect::{self, Protection};
use super::secrets::Secrets;
use super::temporary::make_temporary;
use super::wire::{Failure, Job};
use super::{Mode, Tier, logins};
use crate::git::obeyed::{self, Kind, Place};
use crate::git::repository::Repository;
use crate::private::PrivateFiles;

/// What stands around one command, and is cleared away after it.
#[derive(Debug, Default)]
pub(super) struct Ground {
    pub(super) inventory: Inventory,
    /// Settings of repositories with a login in them.
    logins: Vec<PathBuf>,
    /// What Git would run or obey beyond its folders.
    pub(super) obeyed: Vec<Place>,
    pub(super) control: Control,
    pub(super) protection: Protection,
    pub(super) temporary: Option<PathBuf>,
    pub(super) desk: Option<Desk>,
}

impl Ground {
    /// Looks at the workspace; makes nothing yet.
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
        let logins = all.iter().flat_map(|git| logins::of_repository(git));
        this.logins = logins.collect();
        if job.mode == Mode::Exec {
            this.obeyed = job.obeyed.clone();
            let found = &this.inventory.repositories;
            let nested = obeyed::of_nested(&job.workspace, found, &job.homes);
            let nested = nested.map_err(|error| Failure::Setup(error.to_string()))?;
            this.obeyed.extend(nested);
            let obeyed = this.obeyed.iter().map(|place| place.path.clone());
            this.control = Control::take(all, obeyed.collect());
        }
        Ok(this)
    }

    /// What the command must not read: logins in what it may read, the workspace's private files, and in
    /// plan mode ways to other processes. Settings of repositories come apart.
    pub(super) fn hidden<'a>(&'a self, job: &'a Job) -> impl Iterator<Item = &'a PathBuf> {
        let is_plan = job.mode == Mode::Plan;
        let private = self.inventory.private.iter();
        let channels = self.inventory.channels.iter();
        job.hidden
            .iter()
            .chain(private.filter(|_| !job.sees_private))
            .chain(channels.filter(move |_| is_plan))
    }

    /// Settings of repositories that the command must not read as they are.
    pub(super) fn hidden_logins(&self, job: &Job) -> &[PathBuf] {
        match job.sees_private {
            true => &[],
            false => &self.logins,
        }
    }

    /// What must not stand in what is kept of the output.
    pub(super) fn secrets(&self) -> Secrets {
        Secrets::of(&self.inventory.private, &self.logins)
    }

    pub(super) fn protected(&self, job: &Job) -> Vec<PathBuf> {
        // A link cannot be held; where it leads to is, and it is compared after the command. So is a file
        // that could come to be beside the hooks: dozens of stand-ins would litter the folder.
        let obeyed = self.obeyed.iter().filter(|place| {
            let is_held = place.kind != Kind::Beside || job.tier == Tier::Landlock;
            !place.path.is_symlink() && (is_held || place.path.exists())
        });
        let obeyed = obeyed.map(|place| &place.path);
        let listed: Vec<_> = job.protected.iter().chain(obeyed).cloned().collect();
        protect::names(&job.workspace, &listed, &self.inventory.repositories)
    }

    /// The desk of a command that commits, in a private folder.
    pub(super) fn lay_desk(&mut self, job: &Job) -> Result<(), Failure> {
        if job.commits
            && let Some(repository) = Repository::of(&job.workspace)
            // One that begins above the workspace holds files that no step of it may commit.
            && repository.top == job.workspace
        {
            let own = &repository.own;
            let mut open = std::iter::once(&job.workspace).chain(&job.readable);
            if !open.any(|open| own.starts_with(open)) {
                return Err(Failure::GitElsewhere(own.clone()));
            }
            let folder = self.temporary()?.join("git");
            self.desk = Some(Desk::lay(repository, folder)?);
        }
        Ok(())
    }

    /// Whether the workspace holds repositories beside its own. Where there are no namespaces a variable leads
    /// Git to the desk, in every folder.
    pub(super) fn holds_others(&self, job: &Job) -> bool {
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

    /// After the command, when no process of it is left: carries back what it was approved to
    /// change, puts back what it was not, and says so.
    pub(super) fn settle(&self, job: &Job) -> Vec<String> {
        if job.mode == Mode::Plan {
            return Vec::new();
        }
        let logs_are_shared = job.tier == Tier::Bubblewrap;
        let mut alarms = self.desk.as_ref().map_or_else(Vec::new, |desk| {
            let is_whole = desk.repository.own == desk.repository.common;
            desk.carry_back(logs_are_shared && is_whole)
        });
        let now = Inventory::take(&job.workspace, &PrivateFiles::none());
        alarms.extend(self.control.restore(&now.repositories, &job.aside));
        let known = &self.inventory.repositories;
        let made = now.repositories.into_iter();
        let made: Vec<_> = made.filter(|one| !known.contains(one)).collect();
        // Not before their own settings have been put right.
        match obeyed::of_new(&job.workspace, &made, &job.homes) {
            Ok(places) => {
                let paths = places.into_iter().map(|place| place.path);
                alarms.extend(self.control.close(paths, &made, &job.aside));
            }
            Err(error) => alarms.push(error.to_string()),
        }
        alarms
    }

    /// Takes away what was only there for the command.
    pub(super) fn clear(&mut self) {
        self.protection.remove_stand_ins();
        if let Some(folder) = self.temporary.take() {
            // A folder that cannot be removed costs space only; the system clears it in time.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}
