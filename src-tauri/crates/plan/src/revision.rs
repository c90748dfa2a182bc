//! Identifies a plan file's content by its hash.

use std::fmt;

use sha2::{Digest, Sha256};

/// Minimum number of hexadecimal digits in a revision prefix.
const PREFIX_MIN: usize = 12;

/// The SHA-256 of a file's bytes: 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Revision(String);

impl Revision {
    /// The revision of a file with exactly these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(hex_sha256(bytes))
    }

    /// All 64 digits of the hash.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first 12 digits, which are enough for display and for approving the revision.
    pub fn short(&self) -> &str {
        &self.0[..PREFIX_MIN]
    }

    /// Whether `prefix` identifies this revision: 12 to 64 hexadecimal digits in any case.
    pub fn matches(&self, prefix: &str) -> bool {
        prefix.len() >= PREFIX_MIN
            && self
                .0
                .get(..prefix.len())
                .is_some_and(|own| own.eq_ignore_ascii_case(prefix))
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The SHA-256 of some bytes in lower-case hexadecimal digits.
pub(crate) fn hex_sha256(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}
