//! All processes of a command.
//!
//! The helper is the *subreaper*: processes that a command leaves behind become its children, even
//! after `setsid` and a double fork. A command has ended exactly when no child is left.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, pidfd_open, pidfd_send_signal, wait,
};

/// The environment variable that identifies the run in its commands.
pub const RUN_VARIABLE: &str = "PLANWRIGHT_RUN";

/// The environment variable that identifies the run in its helpers; commands don't get it.
pub(super) const HELPER_VARIABLE: &str = "PLANWRIGHT_HELPER";

/// A process that is still alive this long after SIGKILL is stuck in the kernel and can't be ended.
const PATIENCE: Duration = Duration::from_secs(5);

/// Ends and reaps every descendant of this process. Returns false if some are stuck.
pub(super) fn end_descendants() -> bool {
    let begun = Instant::now();
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) => continue,
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return true,
            Ok(None) => {}
        }
        if begun.elapsed() > PATIENCE {
            return false;
        }
        let family = descendants(getpid());
        // Stop all processes first, so that none can fork while others are being killed.
        for signal in [Signal::STOP, Signal::KILL] {
            for pid in &family {
                // Fails if the process is already gone, which is fine.
                let _ = kill_process(*pid, signal);
            }
        }
        pause(Duration::from_millis(1));
    }
}

/// Children, grandchildren and so on, from one scan of the process table.
pub(super) fn descendants(root: Pid) -> Vec<Pid> {
    let parents: Vec<(Pid, Pid)> = processes()
        .filter_map(|pid| parent(pid).map(|above| (pid, above)))
        .collect();
    let mut family = vec![root];
    let mut at = 0;
    while at < family.len() {
        let above = family[at];
        family.extend(
            parents
                .iter()
                .filter(|(_, parent)| *parent == above)
                .map(|(pid, _)| *pid),
        );
        at += 1;
    }
    family.split_off(1)
}

fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

fn parent(pid: Pid) -> Option<Pid> {
    let stat = fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // The program's name, in parentheses, may contain anything, including parentheses.
    let after = stat.iter().rposition(|byte| *byte == b')')? + 1;
    let fields = std::str::from_utf8(&stat[after..]).ok()?;
    Pid::from_raw(fields.split_whitespace().nth(1)?.parse().ok()?)
}

/// The running processes with this run's marker in their environment.
pub(super) fn marked(marker: &str) -> Vec<Pid> {
    carriers(RUN_VARIABLE, marker)
}

fn carriers(variable: &str, value: &str) -> Vec<Pid> {
    processes()
        .filter(|pid| *pid != getpid() && carries(*pid, variable, value))
        .collect()
}

fn carries(pid: Pid, variable: &str, value: &str) -> bool {
    let wanted = format!("{variable}={value}");
    let environ = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero()));
    environ.is_ok_and(|bytes| {
        bytes
            .split(|byte| *byte == 0)
            .any(|pair| pair == wanted.as_bytes())
    })
}

/// Cleans up after a crash of the app: waits until the helpers with this marker have finished, ends
/// the remaining processes of its commands, and returns their number. Only sees this user's
/// processes.
///
/// Call it *before* [`read_outcome_record`](super::read_outcome_record): a command that ended at
/// the moment of the crash is still being recorded, and the record is final afterwards. Never call
/// it for a run whose app is alive: it would wait for that app's helpers, then end them.
pub fn kill_leftovers(marker: &str) -> io::Result<usize> {
    if marker.is_empty() {
        return Ok(0);
    }
    let begun = Instant::now();
    for pid in carriers(HELPER_VARIABLE, marker) {
        // Without its app, the helper exits on its own unless it is stuck.
        if let Some(helper) = open(pid, HELPER_VARIABLE, marker)?
            && !has_ended(&helper, 2 * PATIENCE)?
        {
            end(&helper)?;
        }
    }
    let mut ended = 0;
    loop {
        let found = marked(marker);
        if found.is_empty() {
            return Ok(ended);
        }
        if begun.elapsed() > 4 * PATIENCE {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "couldn't stop a process that an earlier run left behind; restart your computer",
            ));
        }
        for pid in found {
            if let Some(process) = open(pid, RUN_VARIABLE, marker)? {
                end(&process)?;
                ended += 1;
            }
        }
    }
}

/// A handle that stays with this process; `None` if its ID now belongs to another.
fn open(pid: Pid, variable: &str, marker: &str) -> io::Result<Option<OwnedFd>> {
    match pidfd_open(pid, PidfdFlags::empty()) {
        Ok(handle) => Ok(carries(pid, variable, marker).then_some(handle)),
        Err(rustix::io::Errno::SRCH) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn end(process: &OwnedFd) -> io::Result<()> {
    match pidfd_send_signal(process, Signal::KILL) {
        Ok(()) => has_ended(process, PATIENCE).map(|_| ()),
        Err(rustix::io::Errno::SRCH) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn has_ended(process: &OwnedFd, within: Duration) -> io::Result<bool> {
    let within = Timespec {
        tv_sec: within.as_secs().cast_signed(),
        tv_nsec: 0,
    };
    Ok(poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&within))? > 0)
}

/// Removes the folders `<prefix><process>-<number>` in `folder` that ended processes left behind.
pub(super) fn sweep(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let numbers = name
            .to_str()
            .and_then(|name| name.strip_prefix(prefix)?.split_once('-'));
        let Some((process, number)) = numbers else {
            continue;
        };
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if is_number(process) && is_number(number) && !Path::new("/proc").join(process).exists() {
            // Another user's folder can't be removed, so it stays.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Sleeps, since there is no event to wait for when a process dies.
fn pause(time: Duration) {
    let time = Timespec {
        tv_sec: 0,
        tv_nsec: time.subsec_nanos().into(),
    };
    let _ = poll(&mut [], Some(&time));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_processes_that_are_gone_are_swept() {
        let folder = tempfile::tempdir().unwrap();
        // Larger than any process ID.
        let gone = "planwright-99999999-0".to_owned();
        let kept = [
            format!("planwright-{}-0", std::process::id()),
            "planwright-notes-1".to_owned(),
            "planwright-99999999".to_owned(),
            "other-99999999-0".to_owned(),
        ];
        for name in kept.iter().chain([&gone]) {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        sweep(folder.path(), "planwright-");
        assert!(!folder.path().join(gone).exists());
        assert!(kept.iter().all(|name| folder.path().join(name).exists()));
    }
}
