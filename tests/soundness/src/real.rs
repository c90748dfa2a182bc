//! Histories played with the real program: real files, processes and databases.
//!
//! [`mod@crate::play`] runs the run machine in a simulated world; this module starts `planwright`
//! in a temporary workspace. Each command of a plan is a script that appends its word to a log,
//! which shows what happened. The command can be paused after that, so that the file is reliably
//! edited, or the process killed, while the command is running.

pub mod oracle;
pub mod play;
pub mod process;
pub mod record;
pub mod stage;
pub mod table;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::Found;
use table::Counts;

/// Number of parallel histories.
const AT_ONCE: usize = 2;

/// The path of the program, if it is set in the environment.
pub fn program() -> Option<PathBuf> {
    let program = std::env::var_os("PLANWRIGHT_TEST_BINARY").map(PathBuf::from);
    program.filter(|program| program.is_file())
}

/// Plays histories, a few in parallel, and returns the violations sorted by seed.
pub fn play_all(program: &Path, first: u64, histories: u64) -> (Counts, Vec<Found>) {
    let next = AtomicU64::new(first);
    let all = Mutex::new((Counts::default(), Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                let mut proof = None;
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + histories {
                        return;
                    }
                    let outcome = play::play(seed, program, &mut proof);
                    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                    all.0.add(&outcome.counts);
                    let violations = outcome.violations;
                    if !violations.is_empty() {
                        all.1.push(Found { seed, violations });
                    }
                }
            });
        }
    });
    let (counts, mut found) = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|found| found.seed);
    (counts, found)
}
