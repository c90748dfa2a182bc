//! Captures output in constant memory: the first 4 KiB, the last 16 KiB, and the total byte count.

use super::redact::Secrets;
use super::{CommandOutcome, Exit, Tier};

/// Number of bytes kept from the start.
const HEAD: usize = 4 * 1024;
/// Number of bytes kept from the end.
const TAIL: usize = 16 * 1024;

/// Both streams of a command, in order of arrival.
#[derive(Debug, Default)]
pub(super) struct Capture {
    head: Vec<u8>,
    /// Holds up to twice the tail, so that old bytes are dropped in blocks.
    tail: Vec<u8>,
    bytes: u64,
}

impl Capture {
    pub(super) fn push(&mut self, piece: &[u8]) {
        self.bytes += piece.len() as u64;
        let room = HEAD - self.head.len();
        let (head, rest) = piece.split_at(room.min(piece.len()));
        self.head.extend_from_slice(head);
        let rest = &rest[rest.len().saturating_sub(TAIL)..];
        if self.tail.len() + rest.len() > 2 * TAIL {
            self.tail.drain(..self.tail.len() - TAIL);
        }
        self.tail.extend_from_slice(rest);
    }

    /// The result of the command, with secrets removed from the captured output.
    pub(super) fn outcome(
        &self,
        exit: Exit,
        tier: Tier,
        elapsed_ms: u64,
        secrets: &Secrets,
    ) -> CommandOutcome {
        let tail = &self.tail[self.tail.len().saturating_sub(TAIL)..];
        // Decoded together if nothing is missing in between, so that no character is split.
        let whole = self.bytes == (self.head.len() + tail.len()) as u64;
        let (head, tail) = if whole {
            let mut all = self.head.clone();
            all.extend_from_slice(tail);
            let text = secrets.redact(&String::from_utf8_lossy(&all));
            let cut = (0..=HEAD.min(text.len()))
                .rev()
                .find(|at| text.is_char_boundary(*at));
            let (head, tail) = text.split_at(cut.unwrap_or(0));
            (head.to_owned(), tail.to_owned())
        } else {
            let lossy = |bytes| secrets.redact(&String::from_utf8_lossy(bytes));
            (lossy(&self.head), lossy(tail))
        };
        CommandOutcome {
            exit,
            tier,
            bytes: self.bytes,
            head,
            tail,
            elapsed_ms,
            alarms: Vec::new(),
        }
    }
}

impl CommandOutcome {
    /// The output for people: head, a line about what is omitted, tail.
    pub fn text(&self) -> String {
        let kept = (self.head.len() + self.tail.len()) as u64;
        if self.bytes <= kept {
            return format!("{}{}", self.head, self.tail);
        }
        format!(
            "{}\n[{} bytes omitted]\n{}",
            self.head,
            self.bytes - kept,
            self.tail
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn outcome(pieces: &[Vec<u8>]) -> CommandOutcome {
        let mut capture = Capture::default();
        for piece in pieces {
            capture.push(piece);
        }
        capture.outcome(Exit::Exited(0), Tier::None, 0, &Secrets::default())
    }

    #[test]
    fn a_character_across_head_and_tail_survives() {
        let text = format!("{}ü-end", "x".repeat(HEAD - 1));
        assert_eq!(outcome(&[text.clone().into_bytes()]).text(), text);
    }

    proptest! {
        #[test]
        fn the_beginning_the_end_and_the_count_are_right_however_it_is_cut(
            pieces in proptest::collection::vec(
                (1usize..40_000, b'a'..=b'z').prop_map(|(n, c)| vec![c; n]), 0..8)
        ) {
            let all = pieces.concat();
            let seen = outcome(&pieces);
            prop_assert_eq!(seen.bytes, all.len() as u64);
            prop_assert_eq!(seen.head.as_bytes(), &all[..all.len().min(HEAD)]);
            let rest = &all[seen.head.len()..];
            prop_assert_eq!(seen.tail.as_bytes(), &rest[rest.len().saturating_sub(TAIL)..]);
        }
    }
}
