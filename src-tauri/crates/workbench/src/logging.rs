//! The log: one file a day, for the person who asks why something went wrong.
//!
//! Own crates are written from `info` on. `PLANWRIGHT_LOG` overrides: a level (`debug`) for own
//! crates, or targets with levels (`agent=trace,store=debug`). Each line is written by the call that
//! makes it, so nothing waits to be lost when the process ends or is killed, and no thread is
//! started. A line `closed` is the last of a process that ended well.
//!
//! **Architecture invariants.** Writes to its files alone, never to standard output or error. Never
//! stops the program: what keeps the log from being written is a notice. No key is ever logged; no
//! text of a plan, of a file or of a model at `info` and above; callers log ids, revisions, counts
//! and errors. Files are private to the user (0600).

mod daily;

use std::ffi::OsString;
use std::path::Path;
use std::str::FromStr;
use std::sync::Mutex;

use tracing::Subscriber;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::layer::{Layer, SubscriberExt};

use crate::home::{Home, make_private};
use daily::DailyFile;

/// The crates of this repository, by the names their records carry. `planwright` is the terminal.
const OWN: [&str; 9] = [
    "adequacy",
    "agent",
    "model",
    "plan",
    "planwright",
    "routing",
    "store",
    "tools",
    "workbench",
];

/// Held while the program runs; when it goes, the log says that the program ended well.
#[derive(Debug)]
#[must_use = "the log says `closed` as soon as this is dropped"]
pub(crate) struct LogGuard(());

impl Drop for LogGuard {
    fn drop(&mut self) {
        tracing::info!(target: "workbench", "closed");
    }
}

/// Starts the log; `wanted` is the value of `PLANWRIGHT_LOG`. The second value is what the user
/// should know: the log cannot be written, or the wish was not understood. A process has one log:
/// a second call changes nothing.
pub(crate) fn init(home: &Home, wanted: Option<OsString>) -> (LogGuard, Vec<String>) {
    let mut notices = Vec::new();
    let filter = filter(wanted, &mut notices);
    match subscriber(&home.logs, filter) {
        Ok(subscriber) => {
            // Only a second log in one process is refused, and the first goes on.
            let _ = tracing::subscriber::set_global_default(subscriber);
            tracing::info!(target: "workbench", version = env!("CARGO_PKG_VERSION"), "opened");
        }
        Err(reason) => notices.push(format!("no log is written: {reason}")),
    }
    (LogGuard(()), notices)
}

fn subscriber(folder: &Path, filter: Targets) -> Result<impl Subscriber + use<>, String> {
    make_private(folder).map_err(|error| error.to_string())?;
    let file = DailyFile::open(folder)
        .map_err(|error| format!("{} cannot be written ({error})", folder.display()))?;
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        // A line that cannot be written would be reported on standard error.
        .log_internal_errors(false)
        .with_timer(Stamp(std::process::id()))
        .with_writer(Mutex::new(file));
    Ok(tracing_subscriber::registry().with(lines.with_filter(filter)))
}

fn filter(wanted: Option<OsString>, notices: &mut Vec<String>) -> Targets {
    let own = |level: LevelFilter| Targets::new().with_targets(OWN.map(|target| (target, level)));
    let Some(wanted) = wanted else {
        return own(LevelFilter::INFO);
    };
    let wanted = wanted.to_string_lossy();
    if let Ok(level) = LevelFilter::from_str(wanted.trim()) {
        return own(level);
    }
    Targets::from_str(wanted.trim()).unwrap_or_else(|_| {
        notices.push(
            "PLANWRIGHT_LOG must be a level such as debug, or targets such as agent=trace,store=debug; \
             the log is written at info"
                .to_owned(),
        );
        own(LevelFilter::INFO)
    })
}

/// Time and process: several processes write one file.
struct Stamp(u32);

impl FormatTime for Stamp {
    fn format_time(&self, line: &mut Writer<'_>) -> std::fmt::Result {
        SystemTime.format_time(line)?;
        write!(line, " [{}]", self.0)
    }
}

#[cfg(test)]
mod tests;
