//! Properties that hold for any bytes. Run by `cargo fuzz`, and by the crate's tests on mutations
//! of the seeds.
//!
//! A body panics if a property is violated. It does no IO and is deterministic.
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

/// The bytes as a text, lossily. Plan files that aren't text are rejected before parsing, but the
/// parser must not panic on them either.
pub fn text_of(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}
