//! The processes of a command, all of them.
//!
//! The helper is the *subreaper*: whatever a command leaves behind, by `setsid` and a double fork
//! too, becomes its child. So "no child left" is exact, and only then a command has ended.

use std::fs;
use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, pidfd_open, pidfd_send_signal, wait,
};

/// Names the run in the environment of its commands.
pub const RUN_VARIABLE: &str = "PLANWRIGHT_RUN";

/// A process that a signal does not end by then is stuck in the kernel; nobody can end it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Ends and reaps every descendant of this process. False if some are stuck.
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
        // Stopped first, so that none can fork while the others are being ended.
        for signal in [Signal::STOP, Signal::KILL] {
            for pid in &family {
                // Gone already, or ended by another signal: both are what we want.
                let _ = kill_process(*pid, signal);
            }
        }
        pause(Duration::from_millis(1));
    }
}

/// Children, grandchildren and so on, from one look at the process table.
fn descendants(root: Pid) -> Vec<Pid> {
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
    // The program's name, in parentheses, may hold anything, also parentheses.
    let after = stat.iter().rposition(|byte| *byte == b')')? + 1;
    let fields = std::str::from_utf8(&stat[after..]).ok()?;
    Pid::from_raw(fields.split_whitespace().nth(1)?.parse().ok()?)
}

/// The running processes whose environment carries this run's marker.
pub(super) fn marked(marker: &str) -> Vec<Pid> {
    processes()
        .filter(|pid| *pid != getpid() && carries(*pid, marker))
        .collect()
}

/// Ends the processes that a crashed run left behind, found by their `PLANWRIGHT_RUN` variable;
/// the answer counts them. Only this user's processes are found.
pub fn kill_leftovers(marker: &str) -> io::Result<usize> {
    let mut ended = 0;
    if marker.is_empty() {
        return Ok(ended);
    }
    let begun = Instant::now();
    loop {
        let found = marked(marker);
        if found.is_empty() {
            return Ok(ended);
        }
        if begun.elapsed() > PATIENCE {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "a process of an earlier run cannot be ended; restart the computer",
            ));
        }
        for pid in found {
            let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else {
                continue;
            };
            // The number may have gone to another process since we looked; the handle cannot.
            if carries(pid, marker) && pidfd_send_signal(&handle, Signal::KILL).is_ok() {
                ended += 1;
                let patience = Timespec {
                    tv_sec: PATIENCE.as_secs() as i64,
                    tv_nsec: 0,
                };
                poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&patience))?;
            }
        }
    }
}

fn carries(pid: Pid, marker: &str) -> bool {
    let wanted = format!("{RUN_VARIABLE}={marker}");
    fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).is_ok_and(|bytes| {
        bytes
            .split(|byte| *byte == 0)
            .any(|v| v == wanted.as_bytes())
    })
}

/// Waits without a signal or an event to wait for: a dying process gives none we could name.
fn pause(time: Duration) {
    let time = Timespec {
        tv_sec: 0,
        tv_nsec: time.subsec_nanos().into(),
    };
    let _ = poll(&mut [], Some(&time));
}
