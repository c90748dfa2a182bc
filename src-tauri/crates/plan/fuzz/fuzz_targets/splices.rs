//! `cargo fuzz run splices`: checks the properties of edits and their inverses on generated input.

#![no_main]

#[path = "../bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::splices(data));
