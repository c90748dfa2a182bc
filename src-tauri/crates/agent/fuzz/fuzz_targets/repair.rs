//! `cargo fuzz run repair`: the laws of recovering calls, on whatever the fuzzer thinks of.

#![no_main]

#[path = "../bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::repair(data));
