//! The wall clock, for display only.
//!
//! Nothing is ordered or timed by it: order comes from sequence numbers and durations from a
//! monotonic clock, so clock jumps affect no outcome. A clock before 1970 reads as 1970.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use time::OffsetDateTime;

/// The wall clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock;

impl Clock {
    /// The current time, in milliseconds since 1970.
    pub fn now_ms(self) -> i64 {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    /// Today's date in UTC, such as `2026-11-20`.
    pub(crate) fn today(self) -> String {
        date_of_day(self.now_ms().div_euclid(86_400_000))
    }
}

/// A duration in milliseconds, for storage and display.
pub fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The date of a day counted from 1970-01-01, such as `2026-11-20`; the epoch if it is out of
/// range.
pub(crate) fn date_of_day(day: i64) -> String {
    let epoch = OffsetDateTime::UNIX_EPOCH.date();
    // Limits beyond any calendar that don't overflow when converted to seconds.
    let day = day.clamp(-10_000_000, 10_000_000);
    epoch
        .checked_add(time::Duration::days(day))
        .unwrap_or(epoch)
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::date_of_day;

    #[test]
    fn days_become_dates() {
        let cases = [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (20_777, "2026-11-20"),
            (-1, "1969-12-31"),
            (i64::MAX, "1970-01-01"),
        ];
        for (day, date) in cases {
            assert_eq!(date_of_day(day), date);
        }
    }
}
