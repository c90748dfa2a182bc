//! Tests whether the entrances that other agents use are sound: plays random histories of Claude
//! Code's hook, the MCP server, the ACP agent, a person in the window, and other programs that edit
//! plan files, and judges them with an independent oracle.
//!
//! The files, the database, the entrances and the window's commands are all real. Agents run on
//! threads of this process, except hooks that may be killed. [`mod@play`] chooses what happens,
//! [`record`] holds what the person and the agents saw, and [`oracle`] judges it.

pub mod change_gate;
pub mod editor;
pub mod hook;
pub mod mcp;
pub mod oracle;
pub mod play;
pub mod record;
pub mod stage;
pub mod table;
pub mod texts;
pub mod window;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use soundness::Found;
use table::Counts;

/// Number of parallel histories. Most of their time is spent waiting.
const AT_ONCE: usize = 6;

/// Plays histories, several in parallel, and returns the violations sorted by seed. With `stops`,
/// ends soon after the first violation.
pub fn play_all(program: &Path, first: u64, histories: u64, stops: bool) -> (Counts, Vec<Found>) {
    let next = AtomicU64::new(first);
    let is_over = AtomicBool::new(false);
    let all = Mutex::new((Counts::default(), Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + histories {
                        return;
                    }
                    let outcome = play::play(seed, program);
                    let (gate, _, wrong) = change_gate::play(seed);
                    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                    all.0.add(&outcome.counts);
                    all.0.add_gate(gate, wrong.len());
                    let mut violations = outcome.violations;
                    violations.extend(wrong);
                    if !violations.is_empty() {
                        all.1.push(Found { seed, violations });
                        is_over.fetch_or(stops, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let (counts, mut found) = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|found| found.seed);
    (counts, found)
}
