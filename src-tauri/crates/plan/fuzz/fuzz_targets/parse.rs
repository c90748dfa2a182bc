//! `cargo fuzz run parse`: checks the properties of parsing on generated input.

#![no_main]

#[path = "../bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::parse(data));
