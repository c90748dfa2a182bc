//! The budget of one planning request: model requests, tokens and time, checked before each model
//! request.

use serde::Serialize;

/// The limits of a planning request, and what it has used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Budget {
    /// Maximum number of model requests.
    pub calls: u32,
    /// Maximum number of tokens, input and output; 0 for no limit.
    pub tokens: u64,
    /// Maximum duration in milliseconds.
    pub ms: u64,
    /// Number of model requests made.
    pub used_calls: u32,
    /// Tokens used, input and output.
    pub used_tokens: u64,
    /// Time elapsed, in milliseconds.
    pub used_ms: u64,
}

/// What has run out, as the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutOfBudget(pub String);

impl Budget {
    /// An unused budget with these limits.
    pub fn new(calls: u32, tokens: u64, ms: u64) -> Self {
        Self {
            calls,
            tokens,
            ms,
            used_calls: 0,
            used_tokens: 0,
            used_ms: 0,
        }
    }

    /// Fails if the budget doesn't allow this many more requests; the error says what has run out.
    /// Deducts nothing; usage is set with [`Budget::used`].
    pub fn reserve(&self, calls: u32) -> Result<(), OutOfBudget> {
        if calls == 0 {
            return Ok(());
        }
        let left = self.calls.saturating_sub(self.used_calls);
        if calls > left {
            return Err(OutOfBudget(format!(
                "not enough model requests left: {left} of {}, needs up to {calls}",
                self.calls
            )));
        }
        if self.tokens > 0 && self.used_tokens >= self.tokens {
            return Err(OutOfBudget(format!(
                "the budget of {} tokens is used up",
                self.tokens
            )));
        }
        if self.used_ms >= self.ms {
            return Err(OutOfBudget(format!(
                "the time limit of {} s is reached",
                self.ms / 1_000
            )));
        }
        Ok(())
    }

    /// Sets the total usage so far.
    pub fn used(&mut self, calls: u32, tokens: u64, ms: u64) {
        self.used_calls = calls;
        self.used_tokens = tokens;
        self.used_ms = ms;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_over_budget_are_refused() {
        let mut budget = Budget::new(3, 100, 5_000);
        assert_eq!(budget.reserve(3), Ok(()));
        budget.used(2, 10, 10);
        let Err(OutOfBudget(why)) = budget.reserve(2) else {
            panic!("one is left");
        };
        assert_eq!(why, "not enough model requests left: 1 of 3, needs up to 2");
        assert_eq!(budget.reserve(1), Ok(()));
        budget.used(2, 100, 10);
        assert!(budget.reserve(1).is_err());
        assert_eq!(
            budget.reserve(0),
            Ok(()),
            "what asks no model costs nothing"
        );
        budget.used(2, 0, 5_000);
        assert!(budget.reserve(1).is_err());
        let unbounded = Budget {
            used_tokens: u64::MAX,
            ..Budget::new(1, 0, 1)
        };
        assert_eq!(unbounded.reserve(1), Ok(()));
    }
}
