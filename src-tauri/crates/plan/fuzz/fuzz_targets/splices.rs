//! `cargo fuzz run splices`: the laws of edits and their inverses, on whatever the fuzzer thinks of.

#![no_main]

#[path = "../bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::splices(data));
