//! Limits the work on a reply. Every loop over the reply reports its steps here, which enforces
//! linear time. No clock is used: a step is one byte or token that is examined.

use std::cell::Cell;

/// Number of steps allowed per byte of input, for the whole ladder.
const STEPS_PER_BYTE: u64 = 48;
/// Steps allowed in addition, so that short replies never exceed the budget.
const FREE_STEPS: u64 = 20_000;

/// The number of steps done, and the limit.
#[derive(Debug)]
pub(super) struct Budget {
    steps: Cell<u64>,
    limit: u64,
}

impl Budget {
    /// The budget for an input of this many bytes.
    pub(super) fn for_bytes(bytes: usize) -> Self {
        Self {
            steps: Cell::new(0),
            limit: (bytes as u64)
                .saturating_mul(STEPS_PER_BYTE)
                .saturating_add(FREE_STEPS),
        }
    }

    /// Counts steps. Returns `false` if the budget is exhausted, in which case the caller gives up.
    pub(super) fn spend(&self, steps: usize) -> bool {
        let total = self.steps.get().saturating_add(steps as u64);
        self.steps.set(total);
        total <= self.limit
    }

    /// The number of steps done so far.
    pub(super) fn steps(&self) -> u64 {
        self.steps.get()
    }
}
