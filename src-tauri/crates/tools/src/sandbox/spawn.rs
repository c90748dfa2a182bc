//! Starting a command: through bubblewrap, or through ourselves once more.
//!
//! Runs in the helper, which has one thread; so a file may be left open for the one program that is
//! started next.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::fs::MemfdFlags;
use rustix::process::geteuid;

use super::args::Hidden;
use super::commit::Desk;
use super::commit_line::is_git_alone;
use super::confine::Confinement;
use super::control::Control;
use super::inventory::Inventory;
use super::protect::{self, Protection};
use super::secrets::Secrets;
use super::temporary::{in_memory, make_temporary};
use super::wire::{self, Failure, Job};
use super::{Mode, Tier, args, filter, helper, limits, logins, roots, tree};
use crate::git::obeyed::{self, Kind, Place};
use crate::git::repository::Repository;
use crate::private::PrivateFiles;

/// Root's commands are somebody else's inside, with the same files.
const USER_FOR_ROOT: u32 = 1000;

const ACCOUNTS: &str = "/etc/passwd";

/// Kernel files that answer to whoever owns them, and root owns them without any power too.
const SEALED: [&str; 10] = [
    "/proc/sys",
    "/proc/sysrq-trigger",
    "/proc/irq",
    "/proc/bus",
    "/proc/fs",
    "/proc/acpi",
    "/proc/scsi",
    "/proc/mtrr",
    "/proc/driver",
    "/proc/pressure",
];

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
    fn hidden<'a>(&'a self, job: &'a Job) -> impl Iterator<Item = &'a PathBuf> {
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

    fn protected(&self, job: &Job) -> Vec<PathBuf> {
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
    fn lay_desk(&mut self, job: &Job) -> Result<(), Failure> {
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
    fn holds_others(&self, job: &Job) -> bool {
        let own = job.workspace.join(".git");
        let mut all = self.inventory.repositories.iter();
        all.any(|git| !git.starts_with(&own) && *git != job.workspace)
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

pub(super) fn bubblewrap(
    job: &Job,
    bwrap: &Path,
    status: &OwnedFd,
    ground: &mut Ground,
) -> Result<Child, Failure> {
    let mut placed = Vec::new();
    if job.mode == Mode::Exec {
        let hooks = ground
            .obeyed
            .iter()
            .filter(|place| place.kind == Kind::Folder);
        let hooks: Vec<_> = hooks.map(|place| place.path.clone()).collect();
        ground.protection = Protection::prepare(&job.workspace, &ground.protected(job), &hooks)?;
        ground.lay_desk(job)?;
        if let Some(desk) = &ground.desk {
            placed = desk.places()?;
        }
    }
    let program = filter::program(job.tier, job.mode)?;
    let filter = in_memory(&filter::bytes(&program), MemfdFlags::empty())?;
    let user = geteuid().is_root().then_some(USER_FOR_ROOT);
    let homes = job.homes.iter().filter(|home| home.parent().is_some());
    let homes: Vec<_> = homes.cloned().collect();
    let (copies, readable) = copies(job, &homes, user.is_some())?;
    let files: Vec<_> = copies
        .iter()
        .map(|(file, path)| (file.as_raw_fd(), path.clone()))
        .collect();
    let mut hidden: Vec<_> = ground.hidden(job).map(|path| Hidden::of(path)).collect();
    // Git works without a login, and not without its settings.
    let mut settings = Vec::new();
    for path in ground.hidden_logins(job) {
        let text = logins::without_logins(path);
        let file = in_memory(text.as_bytes(), MemfdFlags::empty())?;
        hidden.push(Hidden::Replaced(file.as_raw_fd(), path.clone()));
        settings.push(file);
    }
    let sealed = SEALED
        .iter()
        .take(if user.is_some() { SEALED.len() } else { 1 });
    let sealed: Vec<_> = sealed
        .map(PathBuf::from)
        .filter(|path| path.exists())
        .collect();
    let layout = args::Layout {
        workspace: &job.workspace,
        mode: job.mode,
        network: job.network,
        system: &roots::system(),
        homes: &homes,
        readable: &readable,
        sealed: &sealed,
        user,
        files: &files,
        temporary: job.temporary,
        writable: job.writable.as_deref(),
        held: &ground.protection.held,
        read_only: &ground.protection.read_only,
        placed: &placed,
        hidden: &hidden,
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
    Ok(limits::first_to_end(|| command.spawn())?)
}

pub(super) fn confined(job: &Job, status: &OwnedFd, ground: &mut Ground) -> Result<Child, Failure> {
    let folder = ground.temporary()?;
    if job.tier == Tier::Landlock {
        ground.lay_desk(job)?;
        if ground.desk.is_some() && ground.holds_others(job) && !is_git_alone(&job.argv) {
            return Err(Failure::Setup(
                "the workspace holds other repositories, and in a command that runs more than git it cannot keep \
                 them apart: let a step of its own run `git add` and `git commit`, and nothing else"
                    .to_owned(),
            ));
        }
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
        // Git says itself that it cannot read its settings: one file cannot stand for another here.
        hidden: ground
            .hidden(job)
            .chain(ground.hidden_logins(job))
            .cloned()
            .collect(),
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
    if job.tier == Tier::Landlock {
        let settings = folder.join("gitconfig");
        std::fs::write(&settings, &job.git_settings)?;
        command.env("GIT_CONFIG_GLOBAL", settings);
    }
    if let Some(desk) = &ground.desk {
        command
            .env("GIT_DIR", &desk.folder)
            .env("GIT_WORK_TREE", &desk.repository.top);
    }
    command.stdin(Stdio::from(OwnedFd::from(message)));
    Ok(limits::first_to_end(|| command.spawn())?)
}

/// Small files of the list to be copied to their place, and what is left to be mounted. The user's
/// settings for Git and the accounts are ours.
type Copies = (Vec<(File, PathBuf)>, Vec<PathBuf>);

fn copies(job: &Job, homes: &[PathBuf], is_root: bool) -> io::Result<Copies> {
    const LARGEST: u64 = 64 * 1024;
    let (mut copies, mut mounted) = (Vec::new(), Vec::new());
    let mut copy = |bytes: &[u8], path: PathBuf| -> io::Result<()> {
        copies.push((in_memory(bytes, MemfdFlags::empty())?, path));
        Ok(())
    };
    for path in &job.readable {
        let is_ours = is_root && path == Path::new(ACCOUNTS);
        let data = std::fs::metadata(path)?;
        let is_small = data.is_file() && data.len() <= LARGEST && data.mode() & 0o111 == 0;
        match std::fs::read(path).ok().filter(|_| is_small && !is_ours) {
            Some(bytes) => copy(&bytes, path.clone())?,
            None if is_ours => copy(&accounts(job)?, path.clone())?,
            None => mounted.push(path.clone()),
        }
    }
    if let Some(home) = homes.last() {
        copy(job.git_settings.as_bytes(), home.join(".gitconfig"))?;
    }
    Ok((copies, mounted))
}

/// The accounts of the system, and one for the user that root's commands run as.
fn accounts(job: &Job) -> io::Result<Vec<u8>> {
    let mut accounts = std::fs::read(ACCOUNTS)?;
    let field = format!(":{USER_FOR_ROOT}:");
    let text = String::from_utf8_lossy(&accounts);
    let is_known = text.lines().any(|line| {
        line.splitn(3, ':')
            .nth(2)
            .is_some_and(|rest| rest.starts_with(&field[1..]))
    });
    if !is_known {
        let home = job.homes.last().map_or(Path::new("/"), PathBuf::as_path);
        let home = home.display();
        writeln!(
            accounts,
            "planwright:x{field}{USER_FOR_ROOT}::{home}:/bin/sh"
        )?;
    }
    Ok(accounts)
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
