//! The wall clock, for display only.
//!
//! Nothing orders or times by it: order comes from sequence numbers, durations from a monotonic
//! clock, so a clock that jumps changes no outcome. A clock before 1970 reads as 1970.

use std::time::{SystemTime, UNIX_EPOCH};

/// The wall clock.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Clock;

impl Clock {
    /// Milliseconds since 1970.
    pub(crate) fn now_ms(self) -> i64 {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    /// Today as `2026-11-20`, in UTC.
    pub(crate) fn today(self) -> String {
        date_of_day(self.now_ms().div_euclid(86_400_000))
    }
}

/// The date of a day counted from 1970-01-01, by the civil-from-days rule of the proleptic
/// Gregorian calendar (eras of 146,097 days that begin in March).
fn date_of_day(day: i64) -> String {
    let day = day + 719_468;
    let era = day.div_euclid(146_097);
    let of_era = day.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day_of_month = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day_of_month:02}")
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
        ];
        for (day, date) in cases {
            assert_eq!(date_of_day(day), date);
        }
    }
}
