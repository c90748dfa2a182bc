//! A byte-range replacement.

use plan::Span;

/// Replaces a byte range of the checked text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// The bytes to replace.
    pub range: Span,
    /// What takes their place.
    pub text: String,
}
