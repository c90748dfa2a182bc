//! The latest progress of running steps.

use std::time::Instant;

use crate::wire::StepProgress;
use workbench::clock::millis;

/// The latest progress of a running step.
#[derive(Debug, Clone)]
pub(crate) struct Heard {
    pub(super) progress: StepProgress,
    /// When the progress was reported.
    pub(super) at: Instant,
    /// When the step last showed activity: a new action, or output.
    pub(super) alive: Instant,
    /// Whether the step has ended or waits; it is still shown until another step reports progress.
    pub(super) is_over: bool,
}

/// Progress of the running steps in starting order; if there are none, of the last one.
pub(crate) fn at_work(heard: &[Heard]) -> Vec<StepProgress> {
    let live: Vec<StepProgress> = heard
        .iter()
        .filter(|heard| !heard.is_over)
        .map(Heard::now)
        .collect();
    match live.is_empty() {
        true => heard.last().map(Heard::now).into_iter().collect(),
        false => live,
    }
}

impl Heard {
    /// The step's progress as of now.
    pub(crate) fn now(&self) -> StepProgress {
        StepProgress {
            elapsed_ms: self
                .progress
                .elapsed_ms
                .saturating_add(millis(self.at.elapsed())),
            quiet_ms: millis(self.alive.elapsed()),
            ..self.progress.clone()
        }
    }
}
