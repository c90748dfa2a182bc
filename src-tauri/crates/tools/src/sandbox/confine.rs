//! The last step of starting a command without namespaces: confines this process, then executes the
//! command.
//!
//! Landlock only *grants* rights, to a folder and everything below it; it can't exclude a name from
//! a granted folder. Folders above a protected name are therefore not granted. Instead, each of
//! their other existing entries is, so new entries cannot be created there.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};
use plan::word_list::WordList;
use rustix::fs::{FileType, MemfdFlags, Mode as FileMode, OFlags, fstat, open};
use rustix::process::{Signal, geteuid, set_parent_process_death_signal, setsid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, remove_capability_from_bounding_set, set_capabilities,
};
use serde::{Deserialize, Serialize};

use super::{Mode, Tier, filter, roots, temporary, wire};

/// The newest rights this program knows; an older kernel enforces fewer, which the probe detects.
const NEWEST: ABI = ABI::V7;

/// Devices that every program expects to be writable.
const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// The parts of `/proc` that a command run by root may read. They only describe the machine; in the
/// rest, root could read the environment of every process.
const PROC_OF_THE_MACHINE: WordList = WordList(
    "/proc/cpuinfo /proc/meminfo /proc/stat /proc/loadavg /proc/version /proc/filesystems \
     /proc/uptime /proc/sys",
);

/// Parameters of this step, passed as JSON on standard input.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Confinement {
    pub(super) tier: Tier,
    pub(super) mode: Mode,
    /// The writable paths of the workspace; `None` for all of it.
    pub(super) writable: Option<Vec<PathBuf>>,
    /// Writable parts of the repository, for a command that commits.
    pub(super) also_writable: Vec<PathBuf>,
    pub(super) workspace: PathBuf,
    /// Absolute paths that stay read-only; they need not exist.
    pub(super) protected: Vec<PathBuf>,
    pub(super) hidden: Vec<PathBuf>,
    pub(super) readable: Vec<PathBuf>,
    pub(super) temporary: PathBuf,
    /// The command's standard input.
    pub(super) stdin: Option<String>,
    pub(super) argv: Vec<String>,
}

/// Executes the command. Returns only on failure, after writing the reason to the status pipe,
/// which the command itself never gets.
pub(super) fn confine(status_fd: Option<&str>) -> ExitCode {
    let Some(path) = status_fd.map(|fd| format!("/proc/self/fd/{fd}")) else {
        return ExitCode::from(64);
    };
    let Ok(mut status) = OpenOptions::new().write(true).open(path) else {
        return ExitCode::from(64);
    };
    let Err(error) = become_command();
    let _ = status.write_all(error.to_string().as_bytes());
    ExitCode::from(126)
}

fn become_command() -> io::Result<std::convert::Infallible> {
    super::helper::close_on_exec()?;
    let this: Confinement = wire::receive(&mut io::stdin().lock())?;
    setsid()?;
    // If the helper is killed, the command ends with it. Processes that the command started are
    // then found by their environment.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let Some((program, arguments)) = this.argv.split_first() else {
        return Err(io::Error::other("the command is empty"));
    };
    if this.tier == Tier::Landlock {
        landlock(&this).map_err(io::Error::other)?;
        let program = filter::program(this.tier, this.mode)?;
        drop_capabilities()?;
        seccompiler::apply_filter(&program).map_err(io::Error::other)?;
    }
    let input = match &this.stdin {
        Some(text) => {
            let text = temporary::in_memory(text.as_bytes(), MemfdFlags::CLOEXEC)?;
            Stdio::from(OwnedFd::from(text))
        }
        None => Stdio::null(),
    };
    let error = Command::new(program)
        .args(arguments)
        .stdin(input)
        .current_dir(&this.workspace)
        .exec();
    Err(io::Error::new(
        error.kind(),
        format!("can't start {program}: {error}"),
    ))
}

fn landlock(this: &Confinement) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let everything = AccessFs::from_all(NEWEST);
    // A device file created by root would bypass all folder restrictions.
    let changes = everything & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    let rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(everything)?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    let mut grants = Grants { rules: Some(rules) };
    let readable = AccessFs::Execute | AccessFs::ReadFile | AccessFs::ReadDir;
    let system = roots::SYSTEM.iter().map(PathBuf::from);
    for path in system.chain(this.readable.iter().cloned()) {
        // Links on the path to a toolchain are the user's own; links below it are not followed.
        if let Ok(path) = path.canonicalize() {
            grants.all_but(&path, &this.hidden, readable)?;
        }
    }
    grants.all_but(&this.workspace, &this.hidden, readable)?;
    if geteuid().is_root() {
        for path in PROC_OF_THE_MACHINE {
            grants.one(Path::new(path), readable)?;
        }
    } else {
        grants.one(Path::new("/proc"), readable)?;
    }
    for device in DEVICES {
        grants.one(Path::new(device), AccessFs::ReadFile | AccessFs::WriteFile)?;
    }
    grants.one(&this.temporary, changes)?;
    if this.mode == Mode::Exec {
        let closed: Vec<_> = this.protected.iter().chain(&this.hidden).cloned().collect();
        let whole = std::slice::from_ref(&this.workspace);
        for open in this.writable.as_deref().unwrap_or(whole) {
            grants.all_but(open, &closed, changes)?;
        }
        for open in &this.also_writable {
            grants.one(open, changes)?;
        }
    }
    let Some(rules) = grants.rules else {
        return Err("no rules".into());
    };
    if rules.restrict_self()?.ruleset == RulesetStatus::NotEnforced {
        return Err("this kernel doesn't support Landlock".into());
    }
    Ok(())
}

/// Drops root's capabilities, as bubblewrap does. Other users have none to drop.
fn drop_capabilities() -> io::Result<()> {
    if !geteuid().is_root() {
        return Ok(());
    }
    for capability in CapabilitySet::all() {
        // The bounding set limits what root gets when executing a program. Errors are ignored: they
        // concern capabilities that the kernel does not know or that we lack.
        let _ = remove_capability_from_bounding_set(capability);
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets {
        effective: none,
        permitted: none,
        inheritable: none,
    };
    set_capabilities(None, sets).map_err(io::Error::from)
}

struct Grants {
    /// `None` only while a rule is being added.
    rules: Option<RulesetCreated>,
}

impl Grants {
    /// Grants a path, or if it contains any of `closed`, its other entries instead.
    fn all_but(
        &mut self,
        path: &Path,
        closed: &[PathBuf],
        access: BitFlags<AccessFs>,
    ) -> io::Result<()> {
        if closed.iter().any(|closed| path.starts_with(closed)) {
            return Ok(());
        }
        if !closed.iter().any(|closed| closed.starts_with(path)) {
            return self.one(path, access);
        }
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            // The command gets no access to anything we can't list.
            Err(_) => return Ok(()),
        };
        // Listing is safe: the names of closed entries are visible, but not their content.
        self.one(path, access & AccessFs::ReadDir)?;
        for entry in entries {
            self.all_but(&entry?.path(), closed, access)?;
        }
        Ok(())
    }

    fn one(&mut self, path: &Path, access: BitFlags<AccessFs>) -> io::Result<()> {
        // Not followed, since a link in the workspace would extend the grant to its target.
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let Ok(handle) = open(path, flags, FileMode::empty()) else {
            return Ok(());
        };
        let kind = FileType::from_raw_mode(fstat(&handle)?.st_mode);
        let access = match kind {
            FileType::Directory => access,
            FileType::RegularFile | FileType::CharacterDevice => {
                access & AccessFs::from_file(NEWEST)
            }
            _ => return Ok(()),
        };
        self.add(handle, access)
    }

    fn add(&mut self, handle: OwnedFd, access: BitFlags<AccessFs>) -> io::Result<()> {
        let Some(rules) = self.rules.take() else {
            return Ok(());
        };
        let rules = rules
            .add_rule(PathBeneath::new(handle, access))
            .map_err(io::Error::other)?;
        self.rules = Some(rules);
        Ok(())
    }
}

/// Whether this kernel has Landlock enabled, for a clear reason in the report.
pub(super) fn is_known() -> bool {
    let list = fs::read_to_string("/sys/kernel/security/lsm");
    // If the list can't be read, the probe has to find out.
    list.map_or(true, |list| {
        list.trim().split(',').any(|name| name == "landlock")
    })
}
