//! Identifies the process that holds a lease and checks whether it is alive.
//!
//! Process ids are reused, so a process is identified by its id and start time. This works only on
//! Linux (`/proc`). No signals are sent.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::StoreError;

/// Maximum number of ancestors of a process that are looked up.
const MAX_ANCESTORS: usize = 64;

/// The process that runs a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The id of the run.
    pub run: String,
    /// The process id.
    pub pid: u32,
    /// The process's start time, in clock ticks since boot.
    pub process_start: u64,
    /// The id of the boot during which the process started.
    pub boot_id: String,
    /// The machine's id, or the host name if it has none.
    pub host: String,
}

impl Holder {
    /// This process, as the runner of `run`.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] without a readable `/proc`.
    pub fn current(run: &str) -> Result<Holder, StoreError> {
        let pid = std::process::id();
        Ok(Holder {
            run: run.to_owned(),
            pid,
            process_start: read(&stat_of(pid), start_of)?,
            boot_id: boot_id()?,
            host: host(),
        })
    }

    /// The process that started it, if it is alive on this machine.
    pub fn parent(&self) -> Option<u32> {
        let is_here = boot_id().is_ok_and(|boot| boot == self.boot_id) && self.host == host();
        (is_here && self.is_alive()).then(|| parent_of(self.pid))?
    }

    /// Whether the process is alive. If this can't be determined, the process counts as alive: no
    /// lease is taken over if its holder is on another machine that shares this folder or if
    /// `/proc` can't be read.
    pub fn is_alive(&self) -> bool {
        let Ok(boot_id) = boot_id() else {
            return true;
        };
        if boot_id != self.boot_id {
            // The boots differ. On this machine, that means it was rebooted; another machine can't
            // be checked.
            return self.host != host();
        }
        match fs::read_to_string(stat_of(self.pid)) {
            Ok(stat) => is_running(&stat) && start_of(&stat) == Some(self.process_start),
            // ESRCH means that the process ended between opening and reading the file.
            Err(error) => {
                error.kind() != io::ErrorKind::NotFound
                    && error.raw_os_error() != Some(rustix::io::Errno::SRCH.raw_os_error())
            }
        }
    }
}

/// The ids of the processes that this one descends from, nearest first, without process 1.
pub fn ancestors() -> Vec<u32> {
    let mut found = Vec::new();
    let mut pid = std::process::id();
    while let Some(parent) = parent_of(pid).filter(|parent| *parent > 1) {
        // If a parent ends and its id is reused meanwhile, the chain could loop.
        if found.len() >= MAX_ANCESTORS || found.contains(&parent) {
            break;
        }
        found.push(parent);
        pid = parent;
    }
    found
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(stat_of(pid)).ok()?;
    fields(&stat).nth(4 - 3)?.parse().ok()
}

fn stat_of(pid: u32) -> PathBuf {
    PathBuf::from(format!("/proc/{pid}/stat"))
}

fn boot_id() -> Result<String, StoreError> {
    let path = Path::new("/proc/sys/kernel/random/boot_id");
    read(path, |text| Some(text.trim().to_owned()))
}

/// The machine's id, which doesn't change with the network, unlike a laptop's host name. Without an
/// id, the host name.
fn host() -> String {
    let id = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    match id.trim() {
        "" => fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default(),
        id => id.to_owned(),
    }
}

fn read<T>(path: &Path, pick: impl FnOnce(&str) -> Option<T>) -> Result<T, StoreError> {
    let unreadable = |source| StoreError::io(path, source);
    let text = fs::read_to_string(path).map_err(unreadable)?;
    pick(&text).ok_or_else(|| unreadable(io::ErrorKind::InvalidData.into()))
}

/// The fields of `/proc/<pid>/stat` after the command name, which may itself contain spaces and
/// parentheses. The first of them is field 3, the state.
fn fields(stat: &str) -> impl Iterator<Item = &str> {
    let after = stat.rfind(')').map_or("", |at| &stat[at + 1..]);
    after.split_ascii_whitespace()
}

/// The start time in ticks since boot, which is field 22.
fn start_of(stat: &str) -> Option<u64> {
    fields(stat).nth(22 - 3)?.parse().ok()
}

/// Whether the process can still write; a zombie can't, even before its parent reaps it.
fn is_running(stat: &str) -> bool {
    !matches!(fields(stat).next(), Some("Z" | "X") | None)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn this_process_is_alive() {
        let me = Holder::current("r1").unwrap();
        assert_eq!(me.run, "r1");
        assert!(me.is_alive());
    }

    #[test]
    fn a_process_that_ended_is_not_alive_even_unreaped() {
        let mut child = Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let pid = child.id();
        let start = read(&stat_of(pid), start_of).unwrap();
        let holder = Holder {
            pid,
            process_start: start,
            ..Holder::current("r1").unwrap()
        };
        assert!(holder.is_alive());
        child.kill().unwrap();
        while fs::read_to_string(stat_of(pid)).is_ok_and(|stat| is_running(&stat)) {
            std::thread::yield_now();
        }
        assert!(!holder.is_alive(), "a zombie");
        child.wait().unwrap();
        assert!(!holder.is_alive(), "gone");
    }

    #[test]
    fn a_number_given_out_again_and_another_boot_are_somebody_else() {
        let me = Holder::current("r1").unwrap();
        let recycled = Holder {
            process_start: me.process_start + 1,
            ..me.clone()
        };
        assert!(!recycled.is_alive());
        let before_reboot = Holder {
            boot_id: "another".to_owned(),
            ..me.clone()
        };
        assert!(!before_reboot.is_alive());
        let elsewhere = Holder {
            host: "another".to_owned(),
            ..before_reboot
        };
        assert!(
            elsewhere.is_alive(),
            "cannot be asked, so it keeps its lease"
        );
    }

    #[test]
    fn a_command_name_with_brackets_does_not_shift_the_fields() {
        let stat = "7 (a) b (c) S 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4242 0 0";
        assert_eq!(start_of(stat), Some(4242));
        assert!(is_running(stat));
        assert!(!is_running("7 (x) Z 1"));
        assert_eq!(start_of("nonsense"), None);
    }
}
