//! Limits on what a run may spend.

use serde::{Deserialize, Serialize};

/// The limits of a run. Resuming the run allows the same amounts again. A limit is reached when its
/// amount has been spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunLimits {
    /// Number of steps that the run may add to the plan.
    pub steps: u32,
    /// Number of requests to models.
    pub calls: u32,
    /// Total number of tokens in requests and answers.
    pub tokens: u64,
    /// Active time in seconds, without waiting for people.
    pub seconds: u64,
}

impl Default for RunLimits {
    /// High enough for a long run, but low enough to stop a runaway run within hours.
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
    /// Number of steps that it has added.
    pub steps: u32,
    /// Number of requests to models.
    pub calls: u32,
    /// Total number of tokens in requests and answers.
    pub tokens: u64,
    /// Active time in seconds.
    pub seconds: u64,
}

/// What a limit applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitKind {
    /// Steps that the run adds to the plan.
    Steps,
    /// Requests to models.
    Calls,
    /// Tokens in requests and answers.
    Tokens,
    /// Active time.
    Seconds,
}

/// A limit that has been reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachedLimit {
    /// What the limit applies to.
    pub cap: LimitKind,
    /// The value of the limit.
    pub limit: u64,
}

impl Spent {
    /// The amount spent since `before`.
    pub fn since(&self, before: &Self) -> Self {
        Self {
            steps: self.steps.saturating_sub(before.steps),
            calls: self.calls.saturating_sub(before.calls),
            tokens: self.tokens.saturating_sub(before.tokens),
            seconds: self.seconds.saturating_sub(before.seconds),
        }
    }
}

impl RunLimits {
    /// The first limit that has been reached; `None` if there is none.
    pub fn reached(&self, spent: &Spent) -> Option<ReachedLimit> {
        let all = [
            (
                LimitKind::Steps,
                u64::from(self.steps),
                u64::from(spent.steps),
            ),
            (
                LimitKind::Calls,
                u64::from(self.calls),
                u64::from(spent.calls),
            ),
            (LimitKind::Tokens, self.tokens, spent.tokens),
            (LimitKind::Seconds, self.seconds, spent.seconds),
        ];
        all.into_iter()
            .find(|(_, limit, spent)| spent >= limit)
            .map(|(cap, limit, _)| ReachedLimit { cap, limit })
    }
}

fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

impl ReachedLimit {
    /// The limit as a sentence for the screen.
    pub fn sentence(&self) -> String {
        let limit = self.limit;
        let what = match self.cap {
            LimitKind::Steps => counted(limit, "new step"),
            LimitKind::Calls => counted(limit, "model request"),
            LimitKind::Tokens => counted(limit, "token"),
            LimitKind::Seconds => match limit {
                0..=119 => format!("{} of active time", counted(limit, "second")),
                120..=7_199 => format!("{} minutes of active time", limit / 60),
                _ => format!("{} hours of active time", limit / 3_600),
            },
        };
        format!("The run reached its limit of {what}. Resume to allow the same amount again.")
    }
}
