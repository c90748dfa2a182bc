//! `cargo fuzz run merge`: the laws of merging, on whatever the fuzzer thinks of.

#![no_main]

#[path = "../bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::merge(data));
