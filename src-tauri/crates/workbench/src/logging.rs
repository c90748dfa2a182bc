//! The log: one file per day, for troubleshooting.
//!
//! Our own crates are logged from `info` on. `PLANWRIGHT_LOG` overrides this with a level for our
//! crates (`debug`), or with targets and levels (`agent=trace,store=debug`). Each line is written
//! immediately, so none is lost if the process is killed, and there is no logging thread. A process
//! that exits cleanly ends with the line `closed`.
//!
//! **Architecture invariants.** Writes only to its files, never to standard output or error. Never
//! stops the program: if the log can't be written, the user gets a notice. Keys are never logged,
//! and the text of plans, files and models never at `info` and above; callers log IDs, revisions,
//! counts and errors. Files are private to the user (0600).

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

/// The crates of this repository by their log targets. `planwright` is the terminal.
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

/// Dropped on a clean exit, which is then logged.
#[derive(Debug)]
#[must_use = "dropping this logs `closed`"]
pub(crate) struct LogGuard(());

impl Drop for LogGuard {
    fn drop(&mut self) {
        tracing::info!(target: "workbench", "closed");
    }
}

/// Starts the log; `wanted` is the value of `PLANWRIGHT_LOG`. The second value lists notices for
/// the user: the log can't be written, or the value is invalid. A process has only one log; later
/// calls change nothing.
pub(crate) fn init(home: &Home, wanted: Option<OsString>) -> (LogGuard, Vec<String>) {
    let mut notices = Vec::new();
    let filter = filter(wanted, &mut notices);
    match subscriber(&home.logs, filter) {
        Ok(subscriber) => {
            // Fails only if there already is a log, which continues.
            let _ = tracing::subscriber::set_global_default(subscriber);
            tracing::info!(target: "workbench", version = env!("CARGO_PKG_VERSION"), "opened");
        }
        Err(reason) => notices.push(format!("logging is off: {reason}")),
    }
    (LogGuard(()), notices)
}

fn subscriber(folder: &Path, filter: Targets) -> Result<impl Subscriber + use<>, String> {
    make_private(folder).map_err(|error| error.to_string())?;
    let file = DailyFile::open(folder)
        .map_err(|error| format!("can't write to {} ({error})", folder.display()))?;
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        // Otherwise a line that can't be written would be reported on standard error.
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
             using info"
                .to_owned(),
        );
        own(LevelFilter::INFO)
    })
}

/// Time and process ID, since several processes write to the same file.
struct Stamp(u32);

impl FormatTime for Stamp {
    fn format_time(&self, line: &mut Writer<'_>) -> std::fmt::Result {
        SystemTime.format_time(line)?;
        write!(line, " [{}]", self.0)
    }
}

#[cfg(test)]
mod tests;
