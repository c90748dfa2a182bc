//! Limits on what one command may use: processes, memory, temporary files.
//!
//! The kernel's own limits count per user or per process and don't apply to root. The helper
//! therefore checks the whole process tree periodically and ends it if it is too large. If memory
//! runs out between two checks, the kernel ends the command before other processes.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getpid, setrlimit};

use super::tree;

/// Maximum number of concurrent processes. A parallel build of a large project has a few hundred.
const PROCESSES: usize = 4096;
/// Interval between checks of processes and memory.
const INTERVAL: Duration = Duration::from_millis(200);
/// The temporary folder is measured once in this many checks, since that is more expensive.
const LOOKS: u32 = 10;
/// Maximum number of files in the temporary folder that one check counts.
const FILES: usize = 50_000;
/// The `oom_score_adj` that makes the kernel end a process first when memory runs out.
const FIRST_TO_END: &str = "500";
const AS_BEFORE: &str = "0";

/// The machine's memory in bytes; a modest default if the kernel does not report it.
fn memory() -> u64 {
    bytes_of("/proc/meminfo", "MemTotal:").unwrap_or(4 << 30)
}

/// Reads a value given in kilobytes from a kernel file, and converts it to bytes.
fn bytes_of(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Limit of a command's temporary files in bytes.
pub(super) fn temporary() -> u64 {
    (memory() / 2).max(2 << 30)
}

/// Permanently limits this process and its children: no core dumps, and no single process that
/// requests more memory than the machine has.
pub(super) fn bound() {
    let limit = |resource, most: u64| {
        let limits = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        // An existing lower limit stays.
        let _ = setrlimit(resource, limits);
    };
    limit(Resource::Core, 0);
    limit(Resource::Data, memory());
}

/// Starts a program that the kernel ends before others when memory runs out.
pub(super) fn first_to_end<T>(start: impl FnOnce() -> T) -> T {
    let say = |score| {
        // If the kernel refuses, the periodic checks remain.
        let _ = fs::write("/proc/self/oom_score_adj", score);
    };
    say(FIRST_TO_END);
    let started = start();
    say(AS_BEFORE);
    started
}

/// Checks the process tree of one command.
pub(super) struct Watch {
    next: Instant,
    looks: u32,
    memory: u64,
    temporary: Option<(PathBuf, u64)>,
}

impl Watch {
    /// Starts the first interval. `folder` is the temporary folder to measure, if the kernel does
    /// not limit its size.
    pub(super) fn new(folder: Option<&Path>) -> Self {
        Self {
            next: Instant::now() + INTERVAL,
            looks: 0,
            memory: memory() / 8 * 7,
            temporary: folder.map(|folder| (folder.to_owned(), temporary())),
        }
    }

    /// Time until the next check.
    pub(super) fn left(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }

    /// A message about an exceeded limit; `None` if there is none or no check is due.
    pub(super) fn excess(&mut self) -> Option<String> {
        if !self.left().is_zero() {
            return None;
        }
        let family = tree::descendants(getpid());
        if family.len() > PROCESSES {
            return Some(format!(
                "stopped the command: it had more than {PROCESSES} processes"
            ));
        }
        let used: u64 = family
            .iter()
            .map(|pid| own_memory(pid.as_raw_nonzero().get()))
            .sum();
        if used > self.memory {
            let most = self.memory >> 20;
            return Some(format!(
                "stopped the command: it used more than {most} MiB of memory"
            ));
        }
        self.looks += 1;
        if self.looks.is_multiple_of(LOOKS)
            && let Some((folder, most)) = &self.temporary
            && size(folder) > *most
        {
            let most = *most >> 20;
            return Some(format!(
                "stopped the command: it wrote more than {most} MiB to its temporary folder"
            ));
        }
        self.next = Instant::now() + INTERVAL;
        None
    }
}

/// Memory of a process that is not backed by files.
fn own_memory(pid: i32) -> u64 {
    bytes_of(&format!("/proc/{pid}/status"), "RssAnon:").unwrap_or(0)
}

fn size(folder: &Path) -> u64 {
    let (mut folders, mut size, mut seen) = (vec![folder.to_owned()], 0, 0);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            seen += 1;
            match entry.metadata() {
                Ok(data) if data.is_dir() => folders.push(entry.path()),
                Ok(data) => size += data.len(),
                Err(_) => {}
            }
        }
        if seen > FILES {
            break;
        }
    }
    size
}
