//! Tests whether runs are sound: plays random histories of random plans with the real
//! [`agent::run::Machine`], and judges them with an independent oracle.
//!
//! A history is determined by its seed and consists of a plan ([`program`]), a person ([`person`]),
//! a model ([`model`]), other programs that edit the plan file ([`edits`]), a simulated workspace
//! ([`world`]), and processes that crash between any two effects ([`mod@play`]). [`oracle`] defines
//! what must hold: an effect happens only if a person approved the step's exact content, every gate
//! before it was answered, its dependencies have evidence, and it has not happened before; and a
//! run that reports done is really done.
//!
//! [`real`] plays some histories with real files, processes and databases.
//!
//! This is a separate crate, so that it can be built with a modified copy of the run machine and
//! nothing else.

pub mod dice;
pub mod edits;
pub mod graph;
pub mod model;
pub mod oracle;
pub mod person;
pub mod play;
pub mod program;
pub mod reader;
pub mod real;
pub mod table;
#[cfg(test)]
mod tests;
pub mod world;

use std::num::NonZero;
use std::thread;

use play::{Storm, play};
use table::Counts;

/// A history in which the oracle found violations.
#[derive(Debug)]
pub struct Found {
    /// The seed of the history.
    pub seed: u64,
    /// What the oracle found, one sentence for each violation.
    pub violations: Vec<String>,
}

/// Plays histories on all processors, and returns the violations sorted by seed. With `stops`, ends
/// soon after the first violation.
pub fn play_all(first: u64, histories: u64, storm: Storm, stops: bool) -> (Counts, Vec<Found>) {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let one = |offset: u64| {
        let mut counts = Counts::default();
        let mut found = Vec::new();
        for seed in (first + offset..first + histories).step_by(threads) {
            let outcome = play(seed, storm, false);
            counts.add(&outcome.counts);
            let violations = outcome.violations;
            if !violations.is_empty() {
                found.push(Found { seed, violations });
                if stops {
                    break;
                }
            }
        }
        (counts, found)
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|offset| scope.spawn(move || one(offset as u64)))
            .collect();
        let mut counts = Counts::default();
        let mut found = Vec::new();
        for worker in workers {
            match worker.join() {
                Ok((of, more)) => {
                    counts.add(&of);
                    found.extend(more);
                }
                Err(_) => found.push(Found {
                    seed: first,
                    violations: vec!["a history panicked".to_owned()],
                }),
            }
        }
        found.sort_by_key(|found| found.seed);
        (counts, found)
    })
}
