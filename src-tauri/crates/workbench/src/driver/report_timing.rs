//! Timing of a running command's reports: chunks of output, elapsed time, and silence.
//!
//! Has no clock; the current time is passed in.

use std::time::{Duration, Instant};

/// The minimum interval between reports on a running command.
pub(super) const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// The silence after which a command counts as stalled.
const STALL_TIMEOUT: Duration = Duration::from_secs(10);

/// Buffered output of this size is passed on at once.
const CHUNK_BYTES: usize = 8 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Due {
    pub(super) progress: bool,
    /// Whether the command just became stalled.
    pub(super) stall: bool,
}

/// The timing of one command.
#[derive(Debug)]
pub(super) struct ReportTimer {
    told: Instant,
    heard: Instant,
    is_stalled: bool,
}

impl ReportTimer {
    pub(crate) fn new(now: Instant) -> Self {
        Self {
            told: now,
            heard: now,
            is_stalled: false,
        }
    }

    /// Records that there was output at this time, so that the command doesn't count as stalled.
    pub(super) fn hear(&mut self, now: Instant) {
        self.heard = now;
        self.is_stalled = false;
    }

    /// The reports due now. Each stall is reported once.
    pub(super) fn due(&mut self, now: Instant) -> Due {
        let progress = now.duration_since(self.told) >= REPORT_INTERVAL;
        if progress {
            self.told = now;
        }
        let stall = !self.is_stalled && now.duration_since(self.heard) >= STALL_TIMEOUT;
        self.is_stalled |= stall;
        Due { progress, stall }
    }
}

/// Buffers a step's output, and passes it on up to a limit, in chunks of whole characters.
#[derive(Debug, Default)]
pub(crate) struct OutputBuffer {
    pending: Vec<u8>,
    since: Option<Instant>,
    taken: usize,
}

impl OutputBuffer {
    /// Adds output, dropping anything beyond `limit` bytes per step. Returns `true` the first time
    /// that something is dropped.
    pub(crate) fn take(&mut self, bytes: &[u8], limit: usize, now: Instant) -> bool {
        let was_within = self.taken <= limit;
        let room = limit.saturating_sub(self.taken);
        self.taken = self.taken.saturating_add(bytes.len());
        let bytes = &bytes[..bytes.len().min(room)];
        if !bytes.is_empty() {
            self.pending.extend_from_slice(bytes);
            self.since.get_or_insert(now);
        }
        was_within && self.taken > limit
    }

    /// The output to pass on now; `None` while more may be added.
    pub(crate) fn ready(&mut self, now: Instant) -> Option<String> {
        let since = self.since?;
        if self.pending.len() < CHUNK_BYTES && now.duration_since(since) < REPORT_INTERVAL {
            return None;
        }
        // Keep an incomplete character in the buffer.
        let whole = match std::str::from_utf8(&self.pending) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.pending.len(),
        };
        let rest = self.pending.split_off(whole);
        let piece = std::mem::replace(&mut self.pending, rest);
        self.since = (!self.pending.is_empty()).then_some(now);
        (!piece.is_empty()).then(|| String::from_utf8_lossy(&piece).into_owned())
    }

    /// All remaining output, after the command ended.
    pub(crate) fn rest(&mut self) -> Option<String> {
        self.since = None;
        let piece = std::mem::take(&mut self.pending);
        (!piece.is_empty()).then(|| String::from_utf8_lossy(&piece).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn progress_is_told_at_most_every_hundred_milliseconds() {
        let began = Instant::now();
        let mut timer = ReportTimer::new(began);
        let told = (0..1_000).filter(|at| timer.due(began + ms(*at)).progress);
        assert_eq!(told.count(), 9);
    }

    #[test]
    fn each_silence_is_told_once_after_ten_seconds() {
        let began = Instant::now();
        let mut timer = ReportTimer::new(began);
        assert!(!timer.due(began + ms(9_999)).stall);
        assert!(timer.due(began + ms(10_000)).stall);
        assert!(!timer.due(began + ms(15_000)).stall);
        timer.hear(began + ms(16_000));
        assert!(!timer.due(began + ms(25_000)).stall);
        assert!(timer.due(began + ms(26_000)).stall);
    }

    #[test]
    fn many_lines_become_few_pieces_and_nothing_within_the_bound_is_lost() {
        let began = Instant::now();
        let mut output = OutputBuffer::default();
        let (mut pieces, mut text) = (0, String::new());
        for line in 0..1_000 {
            let now = began + ms(line / 10);
            output.take(format!("{line}\n").as_bytes(), 64 * 1024, now);
            if let Some(piece) = output.ready(now) {
                pieces += 1;
                text.push_str(&piece);
            }
        }
        text.push_str(&output.rest().unwrap_or_default());
        assert!(pieces <= 2, "{pieces}");
        let wanted: String = (0..1_000).map(|line| format!("{line}\n")).collect();
        assert_eq!(text, wanted);
    }

    #[test]
    fn what_exceeds_the_bound_is_left_out_and_told_once() {
        let now = Instant::now();
        let mut output = OutputBuffer::default();
        assert!(
            !output.take(b"12345", 5, now),
            "exactly full is not too much"
        );
        assert!(output.take(b"6", 5, now));
        assert!(!output.take(b"7", 5, now));
        assert_eq!(output.rest().as_deref(), Some("12345"));
    }

    #[test]
    fn no_character_is_cut_in_two() {
        let now = Instant::now();
        let mut output = OutputBuffer::default();
        let bytes = "aé".as_bytes();
        output.take(&bytes[..2], 64, now);
        assert_eq!(output.ready(now + REPORT_INTERVAL).as_deref(), Some("a"));
        output.take(&bytes[2..], 64, now);
        assert_eq!(
            output
                .ready(now + REPORT_INTERVAL + REPORT_INTERVAL)
                .as_deref(),
            Some("é")
        );
    }
}
