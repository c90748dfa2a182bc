//! How much a run may take of a model.

use serde::{Deserialize, Serialize};

/// The limits of one run, or of what it takes after it was gone on with. Each is reached when as much was
/// spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caps {
    /// Steps that the run adds to the plan.
    pub steps: u32,
    /// Requests to a model.
    pub calls: u32,
    /// Tokens of requests and answers together.
    pub tokens: u64,
    /// Seconds of work; waiting for a person does not count.
    pub seconds: u64,
}

impl Default for Caps {
    /// Enough for a job of some fourteen steps with half of them going wrong once, and little enough
    /// that a run gone astray ends the same evening.
    fn default() -> Self {
        Self {
            steps: 40,
            calls: 400,
            tokens: 2_000_000,
            seconds: 4 * 60 * 60,
        }
    }
}

/// What a run has spent so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Steps that it added.
    pub steps: u32,
    /// Requests to a model.
    pub calls: u32,
    /// Tokens of them.
    pub tokens: u64,
    /// Seconds of work.
    pub seconds: u64,
}

/// Which limit it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cap {
    /// Steps.
    Steps,
    /// Requests.
    Calls,
    /// Tokens.
    Tokens,
    /// Time.
    Seconds,
}

/// A limit that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    /// Which.
    pub cap: Cap,
    /// What it is.
    pub limit: u64,
}

impl Spent {
    /// What came since as much had been spent as `before`.
    pub fn since(&self, before: &Self) -> Self {
        Self {
            steps: self.steps.saturating_sub(before.steps),
            calls: self.calls.saturating_sub(before.calls),
            tokens: self.tokens.saturating_sub(before.tokens),
            seconds: self.seconds.saturating_sub(before.seconds),
        }
    }
}

impl Caps {
    /// The first limit that is reached; `None` while there is room under all.
    pub fn reached(&self, spent: &Spent) -> Option<Reached> {
        let all = [
            (Cap::Steps, u64::from(self.steps), u64::from(spent.steps)),
            (Cap::Calls, u64::from(self.calls), u64::from(spent.calls)),
            (Cap::Tokens, self.tokens, spent.tokens),
            (Cap::Seconds, self.seconds, spent.seconds),
        ];
        all.into_iter()
            .find(|(_, limit, spent)| spent >= limit)
            .map(|(cap, limit, _)| Reached { cap, limit })
    }
}

impl Reached {
    /// A sentence for the screen.
    pub fn sentence(&self) -> String {
        let limit = self.limit;
        let what = match self.cap {
            Cap::Steps => format!("{limit} new steps"),
            Cap::Calls => format!("{limit} requests to the model"),
            Cap::Tokens => format!("{limit} tokens"),
            Cap::Seconds => match limit {
                0..=119 => format!("{limit} seconds of work"),
                120..=7_199 => format!("{} minutes of work", limit / 60),
                _ => format!("{} hours of work", limit / 3_600),
            },
        };
        format!("The run stopped at its limit of {what}: going on allows as much again.")
    }
}
