//! `cargo fuzz run repair`: checks the properties of call recovery on fuzzed input.

#![no_main]

#[path = "../bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::repair(data));
