//! Daily log files, of which the last fourteen are kept.
//!
//! The usual crate, `tracing-appender`, isn't used, because it creates files that others can read
//! and reports its failures on standard error. Days are in UTC. Several processes may write to the
//! same file: each line is one append.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::clock::date_of_day;

/// The number of files kept, including today's.
const KEPT: usize = 14;
const PREFIX: &str = "planwright.";
const SUFFIX: &str = ".log";

/// Appends to the current day's file.
#[derive(Debug)]
pub(super) struct DailyFile {
    folder: PathBuf,
    day: u64,
    file: File,
    today: fn() -> u64,
}

impl DailyFile {
    /// Opens today's file. Fails with the system's error.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        Self::with_days(folder, today)
    }

    /// Like [`DailyFile::open`], with a function that returns the current day as days since
    /// 1970-01-01. Fails with the system's error.
    pub(super) fn with_days(folder: &Path, today: fn() -> u64) -> io::Result<Self> {
        let day = today();
        Ok(Self {
            folder: folder.to_owned(),
            day,
            file: open(folder, day)?,
            today,
        })
    }

    /// Switches files when the day changes. If the new file can't be opened, the old one stays in
    /// use, so that no lines are lost.
    fn turn(&mut self) {
        let day = (self.today)();
        if day != self.day {
            if let Ok(file) = open(&self.folder, day) {
                self.file = file;
            }
            self.day = day;
        }
    }
}

impl Write for DailyFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.turn();
        self.file.write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn today() -> u64 {
    // If the clock is before 1970, use the first day rather than have no log.
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs() / 86_400)
}

fn open(folder: &Path, day: u64) -> io::Result<File> {
    let name = name(day);
    let mut options = OpenOptions::new();
    options.append(true).create(true).mode(0o600);
    let file = options.open(folder.join(&name))?;
    let found = file.metadata()?;
    let mut permissions = found.permissions();
    if permissions.mode() & 0o077 != 0 {
        permissions.set_mode(0o600);
        file.set_permissions(permissions)?;
    }
    if found.len() == 0 {
        prune(folder, &name);
    }
    Ok(file)
}

/// Removes all but the newest files, and never the current one, even if the clock was wrong. If a
/// file can't be removed, this is retried the next day.
fn prune(folder: &Path, in_use: &str) {
    let Ok(entries) = folder.read_dir() else {
        return;
    };
    let mut others: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| is_log(name) && name != in_use)
        .collect();
    others.sort_unstable();
    let surplus = (others.len() + 1).saturating_sub(KEPT);
    for name in &others[..surplus] {
        let _ = std::fs::remove_file(folder.join(name));
    }
}

fn is_log(name: &str) -> bool {
    name.strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_suffix(SUFFIX))
        .is_some_and(|date| {
            date.len() == 10 && date.bytes().all(|b| b.is_ascii_digit() || b == b'-')
        })
}

/// The name of a day's file, such as `planwright.2026-01-31.log`; sorting by name sorts by date.
pub(super) fn name(day: u64) -> String {
    let date = date_of_day(i64::try_from(day).unwrap_or_default());
    format!("{PREFIX}{date}{SUFFIX}")
}
