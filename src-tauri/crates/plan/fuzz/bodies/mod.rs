//! What must hold for any bytes at all. Run by `cargo fuzz`, and by the crate's tests on mutations
//! of the seeds: one body, two drivers.
//!
//! A body panics where a promise is broken. It does no IO and gives the same answer for the same
//! bytes.
#![allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "each fuzz target runs one of the bodies"
)]

mod merging;
mod reading;
mod splicing;

pub use merging::merge;
pub use reading::parse;
pub use splicing::splices;

/// The bytes as a text, whatever they are: a plan file that is no text is refused before it is
/// parsed, but the parser must stand it.
pub fn text_of(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}
