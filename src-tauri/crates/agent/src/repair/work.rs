//! The count of work. Every loop over a reply pays here, so that "linear" is a limit that is kept
//! and not a hope. Knows no clock: a step is one byte or one token looked at.

use std::cell::Cell;

/// Steps that a byte of input may cost, all rungs of the ladder together.
const STEPS_PER_BYTE: u64 = 48;
/// Steps that are free, so that short replies are never out of budget.
const FREE_STEPS: u64 = 20_000;

/// The steps done and the most that may be done.
#[derive(Debug)]
pub(super) struct Work {
    steps: Cell<u64>,
    limit: u64,
}

impl Work {
    /// For an input of so many bytes.
    pub(super) fn for_bytes(bytes: usize) -> Self {
        Self {
            steps: Cell::new(0),
            limit: (bytes as u64)
                .saturating_mul(STEPS_PER_BYTE)
                .saturating_add(FREE_STEPS),
        }
    }

    /// Pays for so many steps. False when the budget is used up: the caller gives up.
    pub(super) fn spend(&self, steps: usize) -> bool {
        let total = self.steps.get().saturating_add(steps as u64);
        self.steps.set(total);
        total <= self.limit
    }

    /// The steps done so far.
    pub(super) fn steps(&self) -> u64 {
        self.steps.get()
    }
}
