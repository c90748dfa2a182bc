//! `cargo fuzz run merge`: checks the properties of merging on generated input.

#![no_main]

#[path = "../bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::merge(data));
