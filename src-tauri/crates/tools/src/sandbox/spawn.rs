//! Starting a command: through bubblewrap, or through ourselves once more.
//!
//! Runs in the helper, which has one thread; so a file may be left open for the one program that is
//! started next.

use std::collections::BTreeSet;
use std::fs::{DirBuilder, File};
use std::io::{self, Seek, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::fs::{MemfdFlags, memfd_create};

use super::commit::{Desk, Repository};
use super::confine::Confinement;
use super::control::Control;
use super::inventory::Inventory;
use super::private::PrivateFiles;
use super::protect::{self, Protection};
use super::wire::{self, Failure, Job};
use super::{Mode, Tier, args, filter, helper, hide, tree};

/// Begins the name of a command's private temporary folder.
const TEMPORARY: &str = "planwright-";

/// What stands around one command, and is cleared away after it.
#[derive(Debug, Default)]
pub(super) struct Ground {
    pub(super) inventory: Inventory,
    pub(super) control: Control,
    pub(super) protection: Protection,
    pub(super) temporary: Option<PathBuf>,
    pub(super) desk: Option<Desk>,
}

impl Ground {
    /// Looks at the workspace; makes nothing yet.
    pub(super) fn survey(job: &Job) -> Self {
        let private = PrivateFiles::new(&job.private_files);
        let inventory = Inventory::take(&job.workspace, &private);
        let mut this = Self {
            inventory,
            ..Self::default()
        };
        if job.mode == Mode::Exec {
            let own = Repository::of(&job.workspace).into_iter();
            let own = own.flat_map(|repository| repository.folders().collect::<Vec<_>>());
            let all: BTreeSet<_> = this
                .inventory
                .repositories
                .iter()
                .cloned()
                .chain(own)
                .collect();
            this.control = Control::take(all);
        }
        this
    }

    fn protected(&self, job: &Job) -> Vec<PathBuf> {
        protect::names(&job.workspace, &job.protected, &self.inventory.repositories)
    }

    /// The desk of a command that commits, in a private folder.
    fn lay_desk(&mut self, job: &Job) -> Result<(), Failure> {
        if job.commits
            && let Some(repository) = Repository::of(&job.workspace)
        {
            let folder = self.temporary()?.join("git");
            self.desk = Some(Desk::lay(repository, folder)?);
        }
        Ok(())
    }

    fn temporary(&mut self) -> Result<PathBuf, Failure> {
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
        let private = PrivateFiles::new(&job.private_files);
        let now = Inventory::take(&job.workspace, &private);
        alarms.extend(self.control.restore(&now.repositories, &job.aside));
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

pub(super) fn bubblewrap(
    job: &Job,
    bwrap: &Path,
    status: &OwnedFd,
    ground: &mut Ground,
) -> Result<Child, Failure> {
    let mut placed = Vec::new();
    if job.mode == Mode::Exec {
        ground.protection = Protection::prepare(&job.workspace, &ground.protected(job))?;
        ground.lay_desk(job)?;
        if let Some(desk) = &ground.desk {
            placed = desk.places()?;
        }
    }
    let program = filter::program(job.tier, job.mode)?;
    let filter = in_memory(&filter::bytes(&program), MemfdFlags::empty())?;
    let covers = hide::covers(&job.hidden);
    // Only what lies in a fresh folder has to be shown again.
    let layout = args::Layout {
        workspace: &job.workspace,
        mode: job.mode,
        network: job.network,
        writable: job.writable.as_deref(),
        held: &ground.protection.held,
        read_only: &ground.protection.read_only,
        placed: &placed,
        hidden: &covers,
        shown: &job.readable,
        seccomp_fd: filter.as_raw_fd(),
        status_fd: status.as_raw_fd(),
        argv: &job.argv,
    };
    let mut command = Command::new(bwrap);
    command.args(args::bubblewrap(&layout));
    let mut command = with_environment(command, job, Path::new("/tmp"));
    if let Some(text) = &job.stdin {
        let text = in_memory(text.as_bytes(), MemfdFlags::CLOEXEC)?;
        command.stdin(Stdio::from(OwnedFd::from(text)));
    }
    Ok(command.spawn()?)
}

pub(super) fn confined(job: &Job, status: &OwnedFd, ground: &mut Ground) -> Result<Child, Failure> {
    let folder = ground.temporary()?;
    if job.tier == Tier::Landlock {
        ground.lay_desk(job)?;
    }
    let mut also_writable = Vec::new();
    if let Some(desk) = &ground.desk {
        desk.point_to_common()?;
        also_writable = desk.writable();
    }
    let protected = ground.protected(job);
    let confinement = Confinement {
        tier: job.tier,
        mode: job.mode,
        writable: job.writable.clone(),
        also_writable,
        workspace: job.workspace.clone(),
        protected: protected
            .iter()
            .map(|name| job.workspace.join(name))
            .collect(),
        hidden: job.hidden.clone(),
        readable: job.readable.clone(),
        temporary: folder.clone(),
        stdin: job.stdin.clone(),
        argv: job.argv.clone(),
    };
    let mut message = Vec::new();
    wire::send(&mut message, &confinement)?;
    let message = in_memory(&message, MemfdFlags::CLOEXEC)?;
    // Ourselves, also when the file was replaced by an update since we started.
    let mut command = Command::new("/proc/self/exe");
    command.args([
        helper::ARGUMENT,
        helper::CONFINE,
        &status.as_raw_fd().to_string(),
    ]);
    let mut command = with_environment(command, job, &folder);
    if let Some(desk) = &ground.desk {
        command
            .env("GIT_DIR", &desk.folder)
            .env("GIT_WORK_TREE", &desk.repository.top);
    }
    Ok(command.stdin(Stdio::from(OwnedFd::from(message))).spawn()?)
}

fn with_environment(mut command: Command, job: &Job, temporary: &Path) -> Command {
    command
        .env_clear()
        .envs(job.env.iter().map(|(name, value)| (name, value)));
    command
        .env(tree::RUN_VARIABLE, &job.marker)
        .env("PWD", &job.workspace);
    command
        .env("TMPDIR", temporary)
        .env("XDG_CACHE_HOME", temporary.join("cache"));
    let target = job.workspace.join("target");
    let has_target = match &job.writable {
        Some(only) => only.iter().any(|open| target.starts_with(open)),
        None => job.tier != Tier::Landlock || target.exists(),
    };
    if job.mode == Mode::Plan || !has_target {
        command.env("CARGO_TARGET_DIR", temporary.join("target"));
    }
    if !job.commits {
        // `git status` would refresh its index.
        command.env("GIT_OPTIONAL_LOCKS", "0");
    }
    // What a command compiles on the side is stale for the next one, and litters the workspace.
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.current_dir(&job.workspace);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A nameless file in memory, read from its beginning.
pub(super) fn in_memory(bytes: &[u8], flags: MemfdFlags) -> io::Result<File> {
    let mut file = File::from(memfd_create("planwright", flags)?);
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

fn make_temporary() -> io::Result<PathBuf> {
    let base = std::env::temp_dir();
    tree::sweep(&base, TEMPORARY);
    for number in 0..1000 {
        let path = base.join(format!("{TEMPORARY}{}-{number}", std::process::id()));
        match DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => return path.canonicalize(),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
