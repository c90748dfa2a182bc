//! `cargo fuzz run parse`: the laws of reading, on whatever the fuzzer thinks of.

#![no_main]

#[path = "../bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::parse(data));
