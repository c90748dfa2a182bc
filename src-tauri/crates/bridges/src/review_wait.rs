//! Opens the window on a plan and waits for a person's decision: on a review, or on a question.

use std::path::Path;
use std::time::{Duration, Instant};

use workbench::{Result, ReviewOutcome, ReviewRequest, Workbench};

/// Interval between checks for a decision.
const INTERVAL: Duration = Duration::from_millis(50);

/// Time limit for a window to appear.
const START_LIMIT: Duration = Duration::from_secs(20);

/// Number of consecutive checks that must find a window, because another process's check can look
/// like one.
const SEEN: u32 = 3;

/// How long a window may be missing before it is considered closed.
const CLOSED_AFTER: Duration = Duration::from_secs(2);

/// How to reach the person, and how long to wait.
pub struct Waiter<'a> {
    /// Opens the window on a plan file, or brings it to the front.
    pub open_window: &'a dyn Fn(&Path) -> Result<()>,
    /// Returns whether the caller has given up.
    pub is_cancelled: &'a dyn Fn() -> bool,
    /// Time limit for the decision.
    pub limit: Duration,
}

/// How a wait for a decision ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waited<T> {
    /// A decision was made.
    Decided(T),
    /// No decision was made, for this reason.
    GaveUp(&'static str),
}

impl Waiter<'_> {
    /// Requests a review and waits until it is decided, withdrawn or superseded. Withdraws the
    /// review if the time limit passes or the window is closed.
    ///
    /// # Errors
    /// Same as [`Workbench::ask_for_review`]; also if the window can't be opened, in which case the
    /// review is withdrawn.
    pub fn review(&self, bench: &Workbench, request: &ReviewRequest<'_>) -> Result<ReviewOutcome> {
        let asked = bench.ask_for_review(request)?;
        let outcome = (self.open_window)(&asked.plan).and_then(|()| self.wait(bench, &asked.id));
        // A decision made just before the withdrawal is still valid: another window may be showing
        // the plan.
        match outcome.is_ok()
            || bench.withdraw_review(&asked.id, "the window couldn't be opened")?
        {
            true => outcome,
            false => bench.review_outcome(&asked.id),
        }
    }

    fn wait(&self, bench: &Workbench, id: &str) -> Result<ReviewOutcome> {
        let mut look = || {
            let outcome = bench.review_outcome(id)?;
            Ok(Some(outcome).filter(|outcome| *outcome != ReviewOutcome::Waiting))
        };
        match self.until(bench, &mut look)? {
            Waited::Decided(outcome) => Ok(outcome),
            Waited::GaveUp(reason) => {
                bench.withdraw_review(id, reason)?;
                // If a decision was made just before the withdrawal, it is returned.
                bench.review_outcome(id)
            }
        }
    }

    /// Waits until `look` finds a decision. Gives up if the time limit passes, the window is closed
    /// or the caller has given up.
    ///
    /// # Errors
    /// Same as `look`; [`workbench::Code::Storage`].
    pub fn until<T>(
        &self,
        bench: &Workbench,
        look: &mut dyn FnMut() -> Result<Option<T>>,
    ) -> Result<Waited<T>> {
        let start = Instant::now();
        let (mut in_a_row, mut was_seen, mut last_seen) = (0, false, start);
        loop {
            if let Some(decided) = look()? {
                return Ok(Waited::Decided(decided));
            }
            match bench.store.has_window()? {
                true => {
                    in_a_row += 1;
                    was_seen |= in_a_row >= SEEN;
                    last_seen = Instant::now();
                }
                false => in_a_row = 0,
            }
            let patience = if was_seen { CLOSED_AFTER } else { START_LIMIT };
            let reason = if (self.is_cancelled)() {
                Some("the agent stopped waiting")
            } else if start.elapsed() >= self.limit {
                Some("nobody decided in time")
            } else if last_seen.elapsed() >= patience {
                Some("the window was closed without a decision")
            } else {
                None
            };
            if let Some(reason) = reason {
                return Ok(Waited::GaveUp(reason));
            }
            std::thread::sleep(INTERVAL);
        }
    }
}
