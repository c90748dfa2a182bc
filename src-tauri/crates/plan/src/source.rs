//! Checks whether bytes can be the text of a plan.
//!
//! The caller reads the file; this module decides whether it is text that the parser accepts.

use thiserror::Error;

/// The largest accepted plan, in bytes. Real plans are much smaller, and every edit reads the whole
/// file.
pub const LIMIT: u64 = 16 * 1024 * 1024;

/// Why bytes are not a plan's text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SourceError {
    /// The file has more bytes than [`LIMIT`].
    #[error(
        "the file is {bytes} bytes long, more than the {LIMIT} allowed for a plan; split it into several files"
    )]
    TooLarge {
        /// The size of the file, in bytes.
        bytes: u64,
    },
    /// The file contains a zero byte, so it is not text or is UTF-16.
    #[error(
        "the file is not text: byte {at} on line {line} is zero; choose a Markdown file, or save this one as UTF-8"
    )]
    Binary {
        /// The offset of the zero byte, from 0.
        at: usize,
        /// The number of the line with the zero byte, from 1.
        line: usize,
    },
    /// The file contains bytes that are not UTF-8.
    #[error(
        "the file is not UTF-8: byte {at} on line {line} is invalid; save it as UTF-8 in your editor"
    )]
    NotUtf8 {
        /// The offset of the first invalid byte, from 0.
        at: usize,
        /// The number of the line with that byte, from 1.
        line: usize,
    },
}

/// The text of a plan file. A byte-order mark stays in it, so that offsets match the file.
pub fn decode(bytes: &[u8]) -> Result<&str, SourceError> {
    let length = bytes.len() as u64;
    if length > LIMIT {
        return Err(SourceError::TooLarge { bytes: length });
    }
    let line = |at: usize| 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
    // Check for zero bytes first: this detects UTF-16 and most binary files.
    if let Some(at) = memchr::memchr(0, bytes) {
        return Err(SourceError::Binary { at, line: line(at) });
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        SourceError::NotUtf8 { at, line: line(at) }
    })
}
