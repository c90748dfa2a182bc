//! What was last heard of the steps at work.

use std::time::Instant;

use crate::wire::StepProgress;
use workbench::clock::millis;

/// What was last heard of a step at work.
#[derive(Debug, Clone)]
pub(crate) struct Heard {
    pub(super) progress: StepProgress,
    /// When it was said.
    pub(super) at: Instant,
    /// When there was last a sign of life: a new action, or output.
    pub(super) alive: Instant,
    /// It has ended, or waits; it is shown until another one is heard of.
    pub(super) is_over: bool,
}

/// The steps at work, the one begun first in front.
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
    /// What the step does, as of now.
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
