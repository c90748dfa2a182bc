//! The last step before a command without namespaces: shut in this very process, then become the
//! command.
//!
//! Landlock only ever *adds* rights, to a folder and everything below it. A name cannot be excepted
//! from a folder that is granted. So the folders above a protected name are not granted; their
//! other entries are, one by one, as they are now. What is not there now cannot be made.

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
use rustix::fs::{FileType, MemfdFlags, Mode as FileMode, OFlags, fstat, open};
use rustix::process::{Signal, geteuid, set_parent_process_death_signal, setsid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, remove_capability_from_bounding_set, set_capabilities,
};
use serde::{Deserialize, Serialize};

use super::{Mode, Tier, filter, roots, temporary, wire};

/// The newest rights this program knows; an older kernel holds fewer, and the probe sees it.
const NEWEST: ABI = ABI::V7;

/// Devices that every program expects to write to.
const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// For root, whom the kernel lets read every process's environment: the parts of `/proc` that tell
/// of the machine alone.
const PROC_OF_THE_MACHINE: &[&str] = &[
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/loadavg",
    "/proc/version",
    "/proc/filesystems",
    "/proc/uptime",
    "/proc/sys",
];

/// What this step has to do; comes as JSON on standard input.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Confinement {
    pub(super) tier: Tier,
    pub(super) mode: Mode,
    /// What of the workspace is writable, where that is not all of it.
    pub(super) writable: Option<Vec<PathBuf>>,
    /// Of the repository, for a command that commits.
    pub(super) also_writable: Vec<PathBuf>,
    pub(super) workspace: PathBuf,
    /// Absolute; existing or not.
    pub(super) protected: Vec<PathBuf>,
    pub(super) hidden: Vec<PathBuf>,
    pub(super) readable: Vec<PathBuf>,
    pub(super) temporary: PathBuf,
    /// What the command reads.
    pub(super) stdin: Option<String>,
    pub(super) argv: Vec<String>,
}

/// Becomes the command. Comes back only when that failed; then the reason has been written to the
/// status pipe, which the command itself never gets.
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
    // Should the helper be killed, the command goes with it; what the command started is then
    // found by its environment.
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
        format!("cannot start {program}: {error}"),
    ))
}

fn landlock(this: &Confinement) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let everything = AccessFs::from_all(NEWEST);
    // A device that root makes would reach past every folder.
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
        // Links on the way to a toolchain are the user's own; below it they are not followed.
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
        return Err("this kernel does not know Landlock".into());
    }
    Ok(())
}

/// Root's powers, as bubblewrap drops them. For anybody else there is nothing to drop.
fn drop_capabilities() -> io::Result<()> {
    if !geteuid().is_root() {
        return Ok(());
    }
    for capability in CapabilitySet::all() {
        // The bounding set decides what root gets at the next program start. One that this kernel
        // does not know, or that we do not have, need not go.
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
    /// Always there between calls; adding a rule takes the set and gives it back.
    rules: Option<RulesetCreated>,
}

impl Grants {
    /// Grants a folder or file, and where it holds some of `closed`, its other entries instead.
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
            // What we cannot list, or what is no folder, the command gets nothing of.
            Err(_) => return Ok(()),
        };
        // What is listed stays right: of what is closed the names are seen, not what it holds.
        self.one(path, access & AccessFs::ReadDir)?;
        for entry in entries {
            self.all_but(&entry?.path(), closed, access)?;
        }
        Ok(())
    }

    fn one(&mut self, path: &Path, access: BitFlags<AccessFs>) -> io::Result<()> {
        // Not followed: a link in the workspace would carry the grant to where it leads.
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

/// Whether this kernel has Landlock at all, for a clear reason in the report.
pub(super) fn is_known() -> bool {
    let list = fs::read_to_string("/sys/kernel/security/lsm");
    // Where the list cannot be read, trying is the only way to know.
    list.map_or(true, |list| {
        list.trim().split(',').any(|name| name == "landlock")
    })
}
