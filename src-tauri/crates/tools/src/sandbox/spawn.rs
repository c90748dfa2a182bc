//! Starting a command: through bubblewrap, or through ourselves once more.
//!
//! Runs in the helper, which has one thread; so a file may be left open for the one program that is
//! started next.

use std::fs::{DirBuilder, File};
use std::io::{self, Seek, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::fs::{MemfdFlags, memfd_create};

use super::confine::Confinement;
use super::protect::Protection;
use super::wire::{self, Failure, Job};
use super::{Mode, Tier, args, filter, helper, hide, tree};

/// Begins the name of a command's private temporary folder.
const TEMPORARY: &str = "planwright-";

pub(super) fn bubblewrap(
    job: &Job,
    bwrap: &Path,
    status: &OwnedFd,
    protection: &mut Protection,
) -> Result<Child, Failure> {
    if job.mode == Mode::Exec {
        *protection = Protection::prepare(&job.workspace, &job.protected)?;
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
        held: &protection.held,
        read_only: &protection.read_only,
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

pub(super) fn confined(
    job: &Job,
    status: &OwnedFd,
    temporary: &mut Option<PathBuf>,
) -> Result<Child, Failure> {
    let folder = make_temporary()?;
    *temporary = Some(folder.clone());
    let confinement = Confinement {
        tier: job.tier,
        mode: job.mode,
        writable: job.writable.clone(),
        workspace: job.workspace.clone(),
        protected: job
            .protected
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
    if job.mode == Mode::Plan || job.writable.is_some() {
        // `git status` would refresh its index.
        command
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("PYTHONDONTWRITEBYTECODE", "1");
    }
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

pub(super) fn remove_temporary(folder: Option<&Path>) {
    if let Some(folder) = folder {
        // A folder that cannot be removed costs space only; the system clears it in time.
        let _ = std::fs::remove_dir_all(folder);
    }
}
