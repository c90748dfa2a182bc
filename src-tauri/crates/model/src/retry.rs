//! Whether and when to retry a failed request.
//!
//! Pure: elapsed time and randomness are passed in. A delay requested by the server replaces the
//! calculated one, whether shorter or longer.

use std::time::Duration;

use crate::{Endpoint, ModelError};

/// The limits of retrying.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Maximum number of requests, including the first.
    pub attempts: u32,
    /// The delay before the second request, without jitter; it doubles each time.
    pub first_wait: Duration,
    /// Maximum delay, unless the server requests a longer one.
    pub longest_wait: Duration,
    /// Maximum number of retries for answers that didn't begin in time.
    pub late: u32,
    /// Maximum time from the first request to the start of the last one.
    pub within: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            attempts: 4,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(20),
            late: 1,
            within: Duration::from_secs(120),
        }
    }
}

impl RetryPolicy {
    /// Defaults for an endpoint. A local server that is late is still reading a long prompt, and a
    /// retry would lose that work.
    #[must_use]
    pub fn for_endpoint(endpoint: &Endpoint) -> Self {
        Self {
            late: if endpoint.is_local() { 0 } else { 1 },
            ..Self::default()
        }
    }

    /// Never retries.
    #[must_use]
    pub fn never() -> Self {
        Self {
            attempts: 1,
            ..Self::default()
        }
    }

    /// The delay before the next request, or `None` to give up.
    ///
    /// `made` requests have failed, the last one with `error`; for `late` of them, the answer
    /// didn't begin in time. The first was sent `spent` ago, which is ignored if the last one was
    /// late. `chance` is between 0 and 1. The calculated delay is randomly between half and all of
    /// the full one, so that many clients don't retry at the same time.
    #[must_use]
    pub fn wait(
        &self,
        (made, late): (u32, u32),
        error: &ModelError,
        spent: Duration,
        chance: f64,
    ) -> Option<Duration> {
        if made >= self.attempts || !error.is_passing() {
            return None;
        }
        let wait = error.server_delay().unwrap_or_else(|| {
            let doubled = 2_u32.saturating_pow(made.saturating_sub(1));
            let step = self.first_wait.saturating_mul(doubled);
            step.min(self.longest_wait)
                .mul_f64(0.5 + 0.5 * chance.clamp(0.0, 1.0))
        });
        let is_open = match error.is_late() {
            true => late <= self.late,
            false => spent.saturating_add(wait) <= self.within,
        };
        is_open.then_some(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(after: Option<u64>) -> ModelError {
        ModelError::Server {
            status: 500,
            after: after.map(Duration::from_millis),
            said: String::new(),
        }
    }

    fn millis(made: u32, error: &ModelError, spent_s: u64, chance: f64) -> Option<u128> {
        RetryPolicy::default()
            .wait((made, 0), error, Duration::from_secs(spent_s), chance)
            .map(|wait| wait.as_millis())
    }

    #[test]
    fn waits_double_with_jitter_and_end() {
        let table = [
            (1, 0.0, Some(250)),
            (1, 1.0, Some(500)),
            (2, 0.5, Some(750)),
            (3, 1.0, Some(2_000)),
            (4, 0.5, None),
            (u32::MAX, 0.5, None),
        ];
        for (made, chance, expected) in table {
            assert_eq!(
                millis(made, &server(None), 0, chance),
                expected,
                "{made} {chance}"
            );
        }
        let many = RetryPolicy {
            attempts: u32::MAX,
            ..RetryPolicy::default()
        };
        let wait = many.wait((80, 0), &server(None), Duration::ZERO, 1.0);
        assert_eq!(wait, Some(many.longest_wait));
    }

    #[test]
    fn the_servers_delay_wins_both_ways() {
        assert_eq!(millis(1, &server(Some(3)), 0, 0.9), Some(3));
        assert_eq!(millis(1, &server(Some(45_000)), 0, 0.0), Some(45_000));
        let limited = ModelError::RateLimited {
            after: Some(Duration::from_secs(9)),
            said: String::new(),
        };
        assert_eq!(millis(2, &limited, 0, 0.0), Some(9_000));
    }

    #[test]
    fn nothing_begins_after_the_time_is_over() {
        assert_eq!(millis(1, &server(Some(60_000)), 60, 0.0), Some(60_000));
        assert_eq!(millis(1, &server(Some(60_001)), 60, 0.0), None);
        assert_eq!(millis(1, &server(None), 120, 0.0), None);
    }

    #[test]
    fn what_is_late_is_begun_again_at_most_once_and_never_on_this_machine() {
        let late = ModelError::Stalled {
            silence: Duration::from_secs(120),
            at_start: true,
        };
        for (base_url, times) in [
            ("http://127.0.0.1:8080/v1", 0),
            ("https://api.example.com/v1", 1),
        ] {
            let policy = RetryPolicy::for_endpoint(&Endpoint {
                base_url: base_url.to_owned(),
                model: "m".to_owned(),
                key_variable: None,
            });
            for count in 1..4 {
                let spent = Duration::from_secs(120) * count;
                let wait = policy.wait((count, count), &late, spent, 0.5);
                assert_eq!(wait.is_some(), count <= times, "{base_url} {count}");
            }
        }
    }

    #[test]
    fn what_will_not_pass_is_not_repeated() {
        let said = String::new;
        let lasting = [
            ModelError::KeyRefused {
                status: 401,
                said: said(),
            },
            ModelError::UnknownModel {
                model: said(),
                said: said(),
            },
            ModelError::TooLarge {
                said: said(),
                window: None,
            },
            ModelError::NoCredit { said: said() },
            ModelError::Refused {
                status: 400,
                said: said(),
            },
            ModelError::NotJson { what: said() },
            ModelError::TooLong { limit: 1 },
            ModelError::Cancelled,
        ];
        for error in lasting {
            assert_eq!(millis(1, &error, 0, 0.5), None, "{error}");
        }
        for error in [ModelError::Cut, server(None)] {
            assert!(millis(1, &error, 0, 0.5).is_some(), "{error}");
        }
    }
}
