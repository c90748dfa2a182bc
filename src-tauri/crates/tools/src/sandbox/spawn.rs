//! Starts a command through bubblewrap, or through this program again.
//!
//! Runs in the single-threaded helper, so files can be left open for exactly the program that is
//! started next.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use plan::word_list::WordList;
use rustix::fs::MemfdFlags;
use rustix::process::geteuid;

use super::args::Hidden;
use super::commit_line::is_git_alone;
use super::confine::Confinement;
use super::guard::Guard;
use super::protect::Protection;
use super::temporary::in_memory;
use super::wire::{self, Failure, Job};
use super::{Mode, Tier, args, filter, helper, limits, roots, tree};
use crate::git::control_paths::Kind;
use crate::logins;

/// The user ID of commands inside the sandbox if the user is root. Commands can still access root's
/// files.
const USER_FOR_ROOT: u32 = 1000;

const ACCOUNTS: &str = "/etc/passwd";

/// Kernel files that root, as their owner, can write even without capabilities.
const SEALED: WordList = WordList(
    "/proc/sys /proc/sysrq-trigger /proc/irq /proc/bus /proc/fs /proc/acpi /proc/scsi /proc/mtrr \
     /proc/driver /proc/pressure",
);

pub(super) fn bubblewrap(
    job: &Job,
    bwrap: &Path,
    status: &OwnedFd,
    guard: &mut Guard,
) -> Result<Child, Failure> {
    let mut placed = Vec::new();
    if job.mode == Mode::Exec {
        let hooks = guard
            .control_paths
            .iter()
            .filter(|place| place.kind == Kind::Folder);
        let hooks: Vec<_> = hooks.map(|place| place.path.clone()).collect();
        guard.protection = Protection::prepare(&job.workspace, &guard.protected(job), &hooks)?;
        guard.prepare_commit(job)?;
        if let Some(private_git) = &guard.private_git {
            placed = private_git.places()?;
        }
    }
    let how = job.interactive.as_ref();
    let copy = how.and_then(|how| how.copy.as_deref());
    if let (Some(how), Some(_)) = (how, copy) {
        placed = shared(job, &how.shared);
    }
    let program = filter::program(job.tier, job.mode)?;
    let filter = in_memory(&filter::bytes(&program), MemfdFlags::empty())?;
    let user = geteuid().is_root().then_some(USER_FOR_ROOT);
    let homes = job.homes.iter().filter(|home| home.parent().is_some());
    let homes: Vec<_> = homes.cloned().collect();
    let (mut copies, readable) = copies(job, &homes, user.is_some())?;
    if let (Some(how), Some(home)) = (how, homes.last()) {
        copies.extend(home_files(&how.home_files, home)?);
    }
    let files: Vec<_> = copies
        .iter()
        .map(|(file, path)| (file.as_raw_fd(), path.clone()))
        .collect();
    let mut hidden: Vec<_> = guard.hidden(job).map(|path| Hidden::of(path)).collect();
    if let Some(copy) = copy {
        // Private files aren't copied, and a cover can't be mounted over a file that the copy
        // lacks. Shared folders have theirs.
        let is_shared = |path: &Path| {
            let mut folders = how.into_iter().flat_map(|how| &how.shared);
            folders.any(|folder| path.starts_with(folder))
        };
        let is_in_copy = |hidden: &Hidden| {
            let inside = hidden.path().strip_prefix(&job.workspace);
            inside.map_or(true, |path| copy.join(path).exists() || is_shared(path))
        };
        hidden.retain(is_in_copy);
    }
    // Hide logins, which Git can work without, but keep settings, which it needs.
    let mut settings = Vec::new();
    let own_git = job.workspace.join(".git");
    let logins = guard.hidden_logins(job).iter();
    let logins = logins.filter(|path| {
        copy.is_none() || !path.starts_with(&job.workspace) || path.starts_with(&own_git)
    });
    for path in logins {
        let text = logins::read_without_logins(path);
        let file = in_memory(text.as_bytes(), MemfdFlags::empty())?;
        hidden.push(Hidden::Replaced(file.as_raw_fd(), path.clone()));
        settings.push(file);
    }
    let sealed = SEALED
        .iter()
        .take(if user.is_some() { usize::MAX } else { 1 });
    let sealed: Vec<_> = sealed
        .map(PathBuf::from)
        .filter(|path| path.exists())
        .collect();
    let layout = args::Layout {
        workspace: &job.workspace,
        mode: job.mode,
        copy,
        network: job.network,
        system: &roots::system(),
        homes: &homes,
        readable: &readable,
        sealed: &sealed,
        user,
        files: &files,
        temporary: job.temporary,
        writable: job.writable.as_deref(),
        held: &guard.protection.held,
        read_only: &guard.protection.read_only,
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
    if let Some(how) = how {
        // The app holds the other end of this pipe open.
        command.stdin(Stdio::from(File::open(&how.input)?));
    }
    Ok(limits::first_to_end(|| command.spawn())?)
}

/// The folders that a private copy of the workspace shares read-only with the workspace: its Git
/// folder and the named folders.
fn shared(job: &Job, folders: &[PathBuf]) -> Vec<(PathBuf, PathBuf, bool)> {
    let git = PathBuf::from(".git");
    let all = std::iter::once(&git).chain(folders);
    let all = all.map(|path| job.workspace.join(path));
    // Leave out links, since they may lead anywhere.
    let own = all.filter(|path| path.is_dir() && path.canonicalize().is_ok_and(|p| p == *path));
    own.map(|path| (path.clone(), path, false)).collect()
}

/// Reads the files to copy into the command's home folder. Missing files are left out.
fn home_files(files: &[(PathBuf, PathBuf)], home: &Path) -> io::Result<Vec<(File, PathBuf)>> {
    const LARGEST: u64 = 1 << 20;
    let mut copies = Vec::new();
    for (source, place) in files {
        let is_small =
            std::fs::metadata(source).is_ok_and(|data| data.is_file() && data.len() <= LARGEST);
        if is_small && let Ok(content) = std::fs::read(source) {
            copies.push((in_memory(&content, MemfdFlags::empty())?, home.join(place)));
        }
    }
    Ok(copies)
}

pub(super) fn confined(job: &Job, status: &OwnedFd, guard: &mut Guard) -> Result<Child, Failure> {
    let folder = guard.temporary()?;
    if job.tier == Tier::Landlock {
        guard.prepare_commit(job)?;
        if guard.private_git.is_some()
            && guard.has_other_repositories(job)
            && !is_git_alone(&job.argv)
        {
            return Err(Failure::Setup(
                "the workspace contains other repositories, which it can't protect while a \
                 command runs more than Git: run `git add` and `git commit` in a separate step"
                    .to_owned(),
            ));
        }
    }
    let mut also_writable = Vec::new();
    if let Some(private_git) = &guard.private_git {
        private_git.point_to_common()?;
        also_writable = private_git.writable();
    }
    let protected = guard.protected(job);
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
        // This tier can't replace a file, so Git itself reports that it can't read its settings.
        hidden: guard
            .hidden(job)
            .chain(guard.hidden_logins(job))
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
    // This program, even if its file was replaced by an update since it started.
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
    if let Some(private_git) = &guard.private_git {
        command
            .env("GIT_DIR", &private_git.folder)
            .env("GIT_WORK_TREE", &private_git.repository.top);
    }
    command.stdin(Stdio::from(OwnedFd::from(message)));
    Ok(limits::first_to_end(|| command.spawn())?)
}

/// The contents of small readable files, which are copied into place, and the other readable paths,
/// which are copied into place, and the other paths, which are mounted. Our own versions replace
/// the user's Git settings and the accounts.
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
        // Read only small files, since the list contains whole programs.
        let content = is_small.then(|| std::fs::read(path).ok()).flatten();
        match content {
            _ if is_ours => copy(&accounts(job)?, path.clone())?,
            Some(bytes) => copy(&bytes, path.clone())?,
            None => mounted.push(path.clone()),
        }
    }
    if let Some(home) = homes.last() {
        copy(job.git_settings.as_bytes(), home.join(".gitconfig"))?;
    }
    Ok((copies, mounted))
}

/// The accounts of the system, plus one for the user that root's commands run as.
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
        // `git status` would otherwise refresh its index.
        command.env("GIT_OPTIONAL_LOCKS", "0");
    }
    // Bytecode would be stale for the next command and clutter the workspace.
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.current_dir(&job.workspace);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}
