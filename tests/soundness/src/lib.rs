//! Is a run sound? Random plans and random histories against the real [`agent::run::Machine`], judged by an
//! oracle of its own.
//!
//! A history is a function of its seed: a plan ([`program`]), a person ([`person`]), a model ([`model`]),
//! others who edit the plan file ([`edits`]), a pretended workspace ([`world`]), and processes that die
//! between any two effects ([`mod@play`]). What must hold is said by [`oracle`]: an effect happens only if a
//! person's record covers that step's exact content, every gate before it was answered, what it depends on
//! has evidence, and it did not happen before; a run that says it is done is done.
//!
//! [`real`] plays a part of it with real files, processes and databases.
//!
//! A crate of its own, so that a changed copy of the run machine is built with it alone.

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

/// A history in which something did not hold.
#[derive(Debug)]
pub struct Found {
    /// The seed.
    pub seed: u64,
    /// The violations.
    pub violations: Vec<String>,
}

/// Plays histories, on all processors; with `stops` not much further than to the first violation. What did
/// not hold comes by seed.
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
