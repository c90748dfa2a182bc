//! Which bytes can be a plan at all.
//!
//! The caller reads the file; this says whether it is text that the parser may see.

use thiserror::Error;

/// The largest plan that is read, in bytes. Nobody writes one by hand that is larger, and every
/// edit reads the whole file.
pub const LIMIT: u64 = 16 * 1024 * 1024;

/// Why some bytes are no plan text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SourceError {
    /// More bytes than [`LIMIT`].
    #[error(
        "the file is {bytes} bytes long and a plan may have at most {LIMIT}; split the plan into several files"
    )]
    TooLarge {
        /// How many there are.
        bytes: u64,
    },
    /// A zero byte: not a text file, or one in UTF-16.
    #[error(
        "the file is not text: byte {at} on line {line} is zero; name a Markdown file, or save this one as UTF-8"
    )]
    Binary {
        /// Offset of the byte, from 0.
        at: usize,
        /// Its line, from 1.
        line: usize,
    },
    /// Bytes that are not UTF-8.
    #[error(
        "the file is not UTF-8: byte {at} on line {line} cannot be read; save it as UTF-8 in your editor"
    )]
    NotUtf8 {
        /// Offset of the first such byte, from 0.
        at: usize,
        /// Its line, from 1.
        line: usize,
    },
}

/// The text of a plan file. A byte-order mark stays in it, so that offsets are those of the file.
///
/// # Errors
/// [`SourceError`] with a sentence that says what to do.
pub fn decode(bytes: &[u8]) -> Result<&str, SourceError> {
    let length = bytes.len() as u64;
    if length > LIMIT {
        return Err(SourceError::TooLarge { bytes: length });
    }
    let line = |at: usize| 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
    // Looked for first: UTF-16 and most binary files are told apart by it.
    if let Some(at) = memchr::memchr(0, bytes) {
        return Err(SourceError::Binary { at, line: line(at) });
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        SourceError::NotUtf8 { at, line: line(at) }
    })
}
