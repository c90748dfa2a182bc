//! Formats milliseconds since 1970 as a date, always in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// The components of a point in time.
struct Parts {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
}

/// Formats a time for a sentence: `2026-11-21 00:20 UTC`.
pub(crate) fn sentence(ms: i64) -> String {
    let t = parts(ms);
    format!(
        "{:04}-{:02}-{:02} {:02}:{:02} UTC",
        t.year, t.month, t.day, t.hour, t.minute
    )
}

/// Formats a time for a file name: `20261121-002007`.
pub(crate) fn stamp(ms: i64) -> String {
    let t = parts(ms);
    format!(
        "{:04}{:02}{:02}-{:02}{:02}{:02}",
        t.year, t.month, t.day, t.hour, t.minute, t.second
    )
}

/// A file time in milliseconds since 1970; 0 for earlier times.
pub(crate) fn ms_of(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Converts to the proleptic Gregorian calendar, using years that begin in March so that the leap
/// day is the last one (Hinnant, "chrono-compatible low-level date algorithms").
fn parts(ms: i64) -> Parts {
    let seconds = ms.div_euclid(1000);
    let days = seconds.div_euclid(86_400) + 719_468;
    let of_day = seconds.rem_euclid(86_400);
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    Parts {
        year: year_of_era + era * 400 + i64::from(month <= 2),
        month,
        day: day_of_year - (153 * from_march + 2) / 5 + 1,
        hour: of_day / 3600,
        minute: of_day / 60 % 60,
        second: of_day % 60,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (4_107_542_399, "2100-02-28 23:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
            (1_795_220_407, "2026-11-21 00:20 UTC"),
            (-1, "1969-12-31 23:59 UTC"),
        ] {
            assert_eq!(sentence(seconds * 1000), date);
        }
        assert_eq!(stamp(1_795_220_407_999), "20261121-002007");
    }
}
